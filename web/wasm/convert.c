/* Bytes in, bytes out: checking, anatomy, pictures. */
#include "web.h"

#include "lerpmesh/check.h"
#include "lerpmesh/export.h"

#include <stdlib.h>
#include <string.h>

/* ---- Checking ------------------------------------------------------------------------------ */

static lm_report *check(const void *data, size_t size, const char *engine) {
    const lm_check_options options = {.max_per_code = UINT32_MAX,
                                      .engine = lm_engine_by_name(engine)};
    if (options.engine < LM_NUM_ENGINES)
        return lm_check_memory(data, size, &options, &web_error);
    lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "no engine is called %s", engine);
    return NULL;
}

/* What is wrong with a file: {"format", "problems", "counts"} as `lerpmesh check --json` has it.
 * `engine`: whose limits hold, "any" for none in particular. */
bool WEB_EXPORT(web_check)(const void *data, size_t size, const char *engine) {
    lm_report *report = check(data, size, engine);
    if (!report)
        return false;
    lm_json json = {.out = web_begin()};
    lm_json_open(&json, NULL, '{');
    lm_describe_report(report, &json);
    lm_json_close(&json);
    lm_report_free(report);
    return web_end();
}

/* The same of a part's file. */
bool WEB_EXPORT(web_part_check)(const web_scene *scene, uint32_t part, const char *engine) {
    const lm_file *file = web_model(scene, part) ? &scene->assets->assets[part].file : NULL;
    return file && web_check(file->data, file->size, engine);
}

/* Marks where on the model the problems are that web_part_check lists at `first` and the `count`
 * behind it, until the next call: {"frame": the first that one is about, or -1, "triangles": how
 * many}. Count 0: marks nothing. */
bool WEB_EXPORT(web_mark)(web_scene *scene, uint32_t part, const char *engine, uint32_t first,
                          uint32_t count) {
    const lm_model *model = web_model(scene, part);
    const lm_file *file = model ? &scene->assets->assets[part].file : NULL;
    lm_report *report = file && count > 0 ? check(file->data, file->size, engine) : NULL;
    uint32_t frame = LM_NO_FRAME;
    if (!file || (count > 0 && !report))
        return false;
    scene->marks.size = 0;
    scene->marked_part = part;
    for (uint32_t i = first; report && i < report->num_problems && i - first < count; i++) {
        const uint32_t own = lm_problem_locate(model, &report->problems[i], &scene->marks);
        frame = frame == LM_NO_FRAME ? own : frame;
    }
    lm_report_free(report);
    lm_json json = {.out = web_begin()};
    lm_json_open(&json, NULL, '{');
    lm_json_integer(&json, "frame", frame == LM_NO_FRAME ? -1 : (int64_t)frame);
    lm_json_integer(&json, "triangles", (int64_t)(scene->marks.size / sizeof(lm_problem_triangle)));
    lm_json_close(&json);
    return web_end();
}

/* ---- Anatomy ------------------------------------------------------------------------------- */

/* What lies where in a file, as `lerpmesh examine --json` has it. */
bool WEB_EXPORT(web_layout)(const void *data, size_t size) {
    lm_layout *layout = lm_layout_memory(data, size, NULL, &web_error);
    if (!layout)
        return false;
    lm_json json = {.out = web_begin()};
    lm_json_open(&json, NULL, '{');
    lm_describe_layout(layout, &json);
    lm_json_close(&json);
    lm_layout_free(layout);
    return web_end();
}

/* A lump of a file as a table in text. */
bool WEB_EXPORT(web_layout_table)(const void *data, size_t size, const char *lump) {
    return lm_layout_table(data, size, lump, web_begin(), &web_error);
}

/* ---- Pictures ------------------------------------------------------------------------------ */

/* A picture file's pixels: the result begins with its width and height, 32 bits each, then red,
 * green, blue, alpha. */
bool WEB_EXPORT(web_image)(const void *data, size_t size) {
    lm_image *image = lm_image_read(data, size, NULL, &web_error);
    if (!image)
        return false;
    const uint32_t head[2] = {image->width, image->height};
    lm_buffer_append(web_begin(), head, sizeof head);
    lm_buffer_append(&web_result, image->pixels, (size_t)image->width * image->height * 4);
    lm_image_free(image);
    return web_end();
}

/* Pixels as a PNG. */
bool WEB_EXPORT(web_png)(const uint8_t *pixels, uint32_t width, uint32_t height) {
    return lm_pixels_write_png(pixels, width, height, web_begin(), &web_error);
}

/* A part's texture coordinates over what it wears, of one surface, in the same form. */
bool WEB_EXPORT(web_uv)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return false;
    if (surface >= model->num_surfaces)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no surface %u", surface);
    const lm_scene_part *of = &scene->assets->scene->parts[part];
    const uint32_t texture =
        of->num_skins > 0 ? of->skins[of->skin].materials[surface].texture : LM_NO_TEXTURE;
    bool *which = calloc(model->num_surfaces, sizeof *which);
    const lm_uv_options options = {
        .skin = texture == LM_NO_TEXTURE ? NULL : &scene->assets->scene->textures[texture],
        .surfaces = which};
    uint32_t head[2] = {0, 0};
    lm_buffer_append(web_begin(), head, sizeof head);
    if (which)
        which[surface] = true;
    const bool ok =
        which && lm_uv_draw(model, &options, &web_result, &head[0], &head[1], &web_error);
    if (ok)
        memcpy(web_result.data, head, sizeof head);
    free(which);
    return ok;
}

/* A picture of the scene, in the same form as web_image's. */
bool WEB_EXPORT(web_texture)(const web_scene *scene, uint32_t texture) {
    const lm_scene *what = scene->assets->scene;
    if (texture >= what->num_textures || !what->textures[texture].pixels)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no picture %u", texture);
    const lm_scene_texture *found = &what->textures[texture];
    const uint32_t head[2] = {found->width, found->height};
    lm_buffer_append(web_begin(), head, sizeof head);
    lm_buffer_append(&web_result, found->pixels, (size_t)found->width * found->height * 4);
    return web_end();
}
