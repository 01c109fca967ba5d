#include "gallery.h"

#include "image/sheet.h"
#include "images.h"
#include "lerpmesh/image.h"

#include <string.h>

/* Writes the picture, and appends its URL. */
static bool write_picture(tool_job *job, const render_settings *settings, const uint8_t *pixels,
                          lm_buffer *url) {
    lm_error error;
    lm_buffer png = {0};
    const char *path = NULL;
    const bool written =
        lm_pixels_write_png(pixels, settings->drawing.width, settings->drawing.height, &png, &error)
            ? tool_output_path(job, &settings->pictures, &path, NULL) &&
                  tool_output_put(job, path, &png)
            : tool_fail(job, "%s", error.message);
    if (written && path) {
        gallery_url(url, path + strlen(settings->pictures.path));
        lm_buffer_append(url, "", 1);
    }
    lm_buffer_free(&png);
    return written;
}

/* Passes the model's folder and its part of the page. */
static void pass(tool_job *job, const render_settings *settings, const lm_assets *assets,
                 const lm_buffer *url) {
    const char *path = job->tree ? job->tree : job->path;
    const char *name = lm_vfs_base_name(job->vfs, path);
    const gallery_model model = {.assets = assets,
                                 .name = name,
                                 .picture = (const char *)url->data,
                                 .width = settings->drawing.width,
                                 .height = settings->drawing.height,
                                 .num_missing = job->num_missing,
                                 .guessed = job->guessed};
    lm_buffer_append(&job->passed, path, name > path ? (size_t)(name - path - 1) : 0);
    lm_buffer_append(&job->passed, "", 1);
    gallery_describe(&model, &job->passed);
    lm_buffer_append(&job->passed, "", 1);
    job->memory.failed = job->memory.failed || url->failed || job->passed.failed;
}

void render_gallery_add(tool_job *job, const render_settings *settings, studio *s,
                        const studio_subject *subject, const lm_assets *assets) {
    lm_error error;
    lm_buffer url = {0};
    sheet_page page = {.cell_width = settings->drawing.width,
                       .cell_height = settings->drawing.height};
    if (!sheet_add_thumbnail(&settings->drawing, s, subject, "", "", &page, &error))
        tool_fail(job, "%s", error.message);
    else if (page.cells[0].empty || write_picture(job, settings, page.cells[0].pixels, &url))
        pass(job, settings, assets, &url);
    lm_buffer_free(&url);
    sheet_free(&page);
}

void render_gallery_take(render_gallery *gallery, tool_job *job) {
    tool_memory *memory = &gallery->memory;
    if (job->status != TOOL_DONE) {
        lm_buffer_append(&gallery->messages, job->log.data, job->log.size);
        return;
    }
    const char *passed = (const char *)job->passed.data;
    gallery_entry *entries = tool_grow(memory, gallery->entries, gallery->count, &gallery->capacity,
                                       sizeof *gallery->entries);
    const char *copy = passed ? tool_copy(memory, passed, job->passed.size) : NULL;
    if (job->passed.failed || !entries || !copy) {
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
        return;
    }
    gallery->entries = entries;
    entries[gallery->count++] = (gallery_entry){copy, copy + strlen(copy) + 1, job->index};
}

int render_gallery_write(render_gallery *gallery) {
    tool_job job = page_begin(gallery->settings);
    lm_buffer html = {0}, *messages = &gallery->messages;
    lm_buffer_append(messages, "", 1);
    if (!messages->failed)
        gallery_write(gallery->entries, gallery->count, (const char *)messages->data, &html);
    if (messages->failed || html.failed)
        tool_fail_code(&job, LM_CODE_OUT_OF_MEMORY, "out of memory");
    else if (page_put(&job, gallery->settings, &html))
        tool_note(&job, "wrote a page of %zu model%s, with pictures in %s", gallery->count,
                  gallery->count == 1 ? "" : "s", gallery->settings->pictures.numbered);
    lm_buffer_free(&html);
    return page_end(&job);
}

void render_gallery_free(render_gallery *gallery) {
    lm_buffer_free(&gallery->messages);
    tool_memory_free(&gallery->memory);
}
