/* `lerpmesh render`: one context for all inputs. */
#include "render.h"

#include "batch.h"
#include "picture/sheet.h"
#include "pictures.h"
#include "shots.h"
#include "terminal.h"

#include <string.h>

/* What the jobs share; they run one after the other. */
typedef struct shoot {
    const render_settings *settings;
    studio *studio;
    sheet_page *sheet; /* NULL: no contact sheet */
} shoot;

/* Says how a texture that is too large for so small a picture is seen nevertheless. */
static void tell_way_out(tool_job *job, const render_settings *settings, const lm_assets *assets) {
    const uint64_t most = settings->options.max_pixels;
    bool limited = false;
    for (uint32_t i = 0; i < assets->num_findings; i++)
        limited =
            limited || (strcmp(assets->findings[i].location.section, LM_FINDING_TEXTURE) == 0 &&
                        assets->findings[i].code == LM_CODE_LIMIT);
    if (limited && most)
        tool_say(job,
                 "textures of up to %llu pixels are read for pictures of this size, larger "
                 "ones for a larger --size",
                 (unsigned long long)most);
}

/* Gives what was opened to the driver, and says what is odd about its textures. */
static bool load(tool_job *job, const shoot *work, const lm_assets *assets,
                 studio_subject *subject) {
    lm_error error;
    tool_tell_textures(job, assets, LM_WARNING);
    tell_way_out(job, work->settings, assets);
    subject->scene = assets->scene;
    subject->drawn = lm_gl_scene_new(work->studio->gl, assets->scene, &error);
    if (!subject->drawn)
        return tool_fail(job, "%s", error.message);
    if (tool_has(job->args, TOOL_VERBOSE) || !job->tree)
        tool_tell_textures(job, assets, LM_NOTE);
    return true;
}

static bool draw_shots(tool_job *job, const shoot *work, const studio_subject *subject,
                       const shot_list *list, picture_sink *sink) {
    lm_error error;
    studio_view aim = studio_aim(work->studio, &work->settings->look, subject, list->shots,
                                 list->num_shots, work->settings->turntable > 0);
    for (uint32_t i = 0; i < list->num_shots; i++) {
        if (!studio_shoot(work->studio, &work->settings->look, subject, &aim, &list->shots[i],
                          &error))
            return tool_fail(job, "%s", error.message);
        if (!sink_add(sink, work->studio->pixels))
            return false;
    }
    return sink_finish(sink);
}

static void tell_result(tool_job *job, const shoot *work, const picture_sink *sink) {
    const render_settings *s = work->settings;
    tool_say(job, "wrote %s: %u picture%s of %u x %u",
             s->before    ? s->output.path
             : sink->path ? sink->path
                          : "standard output",
             sink->count, sink->count == 1 ? "" : "s", sink->width, sink->height);
}

static void draw_input(tool_job *job, const shoot *work, const studio_subject *subject) {
    shot_list list;
    picture_sink sink;
    if (shots_plan(job, work->settings, subject->scene, &list)) {
        if (sink_open(&sink, job, work->settings, list.rate) &&
            draw_shots(job, work, subject, &list, &sink))
            tell_result(job, work, &sink);
        sink_close(&sink);
    }
    shots_free(&list);
}

/* Whether a sheet is of many models: of several, or of what a folder or an archive holds. */
static bool has_thumbnails(const tool_args *args) {
    return args->num_inputs > 1 || (args->num_inputs == 1 && args->inputs[0].tree);
}

static bool add_thumbnail(tool_job *job, const shoot *work, const studio_subject *subject,
                          lm_error *error) {
    const char *name = lm_disk_base_name(job->disk, job->path);
    const char *tree = job->tree ? job->tree : name, *slash = strrchr(tree, '/');
    const char *folder = tool_copy(&job->memory, tree, slash ? (size_t)(slash - tree) : 0);
    return folder ? sheet_add_thumbnail(&work->settings->look, work->studio, subject,
                                        slash ? slash + 1 : name, folder, work->sheet, error)
                  : lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

static void add_to_sheet(tool_job *job, const shoot *work, const studio_subject *subject) {
    lm_error error;
    if (!(has_thumbnails(job->args)
              ? add_thumbnail(job, work, subject, &error)
              : sheet_add_clips(&work->settings->look, work->studio, subject, work->sheet, &error)))
        tool_fail(job, "%s", error.message);
}

static void render_file(tool_job *job, const void *context) {
    const shoot *work = context;
    studio_subject subject = {0};
    lm_assets *assets = tool_open(job, &work->settings->options);
    if (assets && load(job, work, assets, &subject))
        (work->sheet ? add_to_sheet : draw_input)(job, work, &subject);
    lm_gl_scene_free(subject.drawn);
    lm_assets_free(assets);
}

/* Says what a job that is of no batch had to say. Returns its exit code. */
static int end_job(tool_job *job) {
    tool_write_error(&job->log);
    lm_buffer_free(&job->log);
    tool_memory_free(&job->memory);
    return job->status;
}

/* The page of --sheet, which all inputs share. */
static int write_sheet(const render_settings *settings, const sheet_page *sheet) {
    const tool_args *args = settings->output.args;
    tool_job job = {
        .path = settings->output.path, .args = args, .quiet = tool_has(args, TOOL_QUIET)};
    lm_buffer png = {0};
    const char *path;
    lm_error error;
    if (!sheet_write(sheet, &settings->look, &png, &error))
        tool_fail(&job, "%s", error.message);
    else if (settings->output.kind == TOOL_TO_STDOUT)
        job.status = tool_write_result(&png) ? TOOL_DONE : TOOL_FAILED;
    else if (tool_output_path(&job, &settings->output, &path, NULL) &&
             tool_output_put(&job, path, &png))
        tool_say(&job, "wrote a page of %zu picture%s of %u x %u", sheet->num_cells,
                 sheet->num_cells == 1 ? "" : "s", sheet->cell_width, sheet->cell_height);
    lm_buffer_free(&png);
    return end_job(&job);
}

int render_run(const tool_args *args) {
    render_settings settings;
    studio place = {0};
    lm_error error;
    if (!render_settings_read(args, &settings))
        return TOOL_USAGE;
    sheet_page page = {.cell_width = settings.look.width,
                       .cell_height = settings.look.height,
                       .group = has_thumbnails(args) ? 1 : 3};
    const shoot work = {&settings, &place, settings.sheet ? &page : NULL};
    int status = TOOL_FAILED;
    if (args->num_inputs > 0 && !studio_open(&place, &settings.look, &error)) {
        tool_job job = {.path = args->inputs[0].path};
        tool_fail(&job, "%s", error.message);
        end_job(&job);
    } else {
        status = tool_batch_run(&(tool_batch){.args = args,
                                              .work = render_file,
                                              .context = &work,
                                              .done = "drawn",
                                              .output = &settings.output,
                                              .one_thread = true});
        if (page.num_cells > 0 && write_sheet(&settings, &page) != TOOL_DONE)
            status = TOOL_FAILED;
    }
    sheet_free(&page);
    studio_close(&place);
    return status;
}
