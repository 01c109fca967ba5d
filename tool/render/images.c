#include "render.h"

#include "lerpmesh/files.h"
#include "lerpmesh/image.h"

static bool fail(const image_sink *sink, const lm_error *error) {
    return tool_fail(sink->job, "%s", error->message);
}

bool sink_open(image_sink *sink, tool_job *job, const render_settings *settings, double rate) {
    lm_error error;
    *sink = (image_sink){.job = job,
                         .settings = settings,
                         .width = settings->drawing.width,
                         .height = settings->drawing.height};
    if (!settings->output.before && !tool_output_path(job, &settings->output, &sink->path))
        return false;
    if (settings->format != RENDER_WEBP)
        return true;
    sink->film = webp_film_new(sink->width, sink->height, rate, &error);
    return sink->film || fail(sink, &error);
}

/* Writes a file, or prints it immediately. */
static bool deliver(const image_sink *sink, lm_buffer *contents) {
    if (sink->path)
        return tool_output_put(sink->job, sink->path, contents);
    if (!tool_output_count(sink->job, contents->size))
        return false;
    if (tool_write_result(contents))
        return true;
    sink->job->status = TOOL_FAILED; /* the reason was reported */
    return false;
}

static bool write_numbered(image_sink *sink, const lm_buffer *png) {
    const char *path = tool_output_numbered(&sink->settings->output, sink->count, sink->job->arena);
    const bool kept = path && tool_output_keeps(&sink->settings->output, path);
    sink->kept += kept;
    return kept || (path && tool_output_write(sink->job, path, png->data, png->size));
}

static bool add_png(image_sink *sink, const uint8_t *pixels) {
    lm_error error;
    lm_buffer png = {0};
    bool added =
        lm_pixels_write(pixels, sink->width, sink->height, LM_PIXELS_PNG, NULL, &png, &error)
            ? (sink->settings->output.before ? write_numbered(sink, &png) : deliver(sink, &png))
            : fail(sink, &error);
    lm_buffer_free(&png);
    return added;
}

/* Prints each image immediately if it goes to standard output; a file is written at the end. */
static bool add_raw(image_sink *sink, const uint8_t *pixels) {
    lm_buffer_append(&sink->raw, pixels, (size_t)sink->width * sink->height * 4);
    if (sink->raw.failed)
        return tool_fail(sink->job, "out of memory");
    return sink->path || deliver(sink, &sink->raw);
}

bool sink_add(image_sink *sink, const uint8_t *pixels) {
    lm_error error;
    const render_format format = sink->settings->format;
    const bool added = format == RENDER_PNG ? add_png(sink, pixels)
                       : format == RENDER_RAW
                           ? add_raw(sink, pixels)
                           : webp_film_add(sink->film, pixels, &error) || fail(sink, &error);
    sink->count++;
    return added;
}

bool sink_finish(image_sink *sink) {
    lm_error error;
    if (sink->settings->format == RENDER_RAW && sink->path)
        return deliver(sink, &sink->raw);
    if (sink->settings->format != RENDER_WEBP)
        return true;
    lm_buffer webp = {0};
    bool finished =
        webp_film_finish(sink->film, &webp, &error) ? deliver(sink, &webp) : fail(sink, &error);
    lm_buffer_free(&webp);
    return finished;
}

void sink_close(image_sink *sink) {
    webp_film_free(sink->film);
    lm_buffer_free(&sink->raw);
}

void render_write_json(tool_job *job, const render_settings *settings, const char *written,
                       uint32_t count) {
    static const char *const formats[] = {"png", "webp", "raw"};
    lm_json json = tool_json_begin(job);
    lmi_json_path(&json, "written", written);
    if (settings->sheet || settings->gallery)
        lmi_json_path(&json, "page", settings->output.path);
    lmi_json_string(&json, "format", formats[settings->format]);
    lmi_json_integer(&json, "images", count);
    lmi_json_integer(&json, "width", settings->drawing.width);
    lmi_json_integer(&json, "height", settings->drawing.height);
    tool_json_end(&json);
}

tool_job page_begin(const render_settings *settings) {
    const tool_args *args = settings->output.args;
    return (tool_job){.path = settings->output.path,
                      .args = args,
                      .vfs = args->vfs,
                      .arena = args->arena,
                      .quiet = tool_has(args, LM_OPTION_QUIET)};
}

bool page_put(tool_job *job, const render_settings *settings, lm_buffer *page) {
    const char *path;
    if (settings->output.kind == TOOL_TO_STDOUT) {
        if (tool_output_count(job, page->size) && !tool_write_result(page))
            job->status = TOOL_FAILED; /* the reason was reported */
        return false;
    }
    return tool_output_path(job, &settings->output, &path) && tool_output_put(job, path, page);
}

int page_end(tool_job *job) {
    tool_write_error(&job->log);
    return job->status;
}
