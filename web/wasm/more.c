/* The second module, fetched on first use: the list of formats, checking, layout, drawing texture
 * coordinates, instances, writing files, and importing other programs' models. */
#include "web.h"

#include "lerpmesh/check.h"
#include "lerpmesh/clips.h"
#include "lerpmesh/compose.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
#include "lerpmesh/import.h"
#include "lerpmesh/sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Formats ------------------------------------------------------------------------------- */

/* Lists the formats that can be read: [{"name", "extension", "game", "mime"}]. */
bool WEB_EXPORT(web_formats)(void) {
    lm_json json = {.out = web_begin()};
    lm_json_open(&json, NULL, '[');
    for (uint32_t i = 0; i < lm_format_count(); i++) {
        const lm_format_info *info = lm_format_at(i);
        lm_json_open(&json, NULL, '{');
        lm_json_string(&json, "name", info->name);
        lm_json_string(&json, "extension", info->extension);
        lm_json_string(&json, "game", info->game);
        lm_json_string(&json, "mime", info->mime);
        lm_json_close(&json);
    }
    lm_json_close(&json);
    return web_end();
}

/* ---- Checking ------------------------------------------------------------------------------ */

static lm_report *check(const void *data, size_t size, const char *engine) {
    const lm_check_options options = {.max_per_code = UINT32_MAX,
                                      .engine = lm_engine_by_name(engine)};
    if (options.engine < LM_NUM_ENGINES)
        return lm_check_memory(data, size, &options, &web_error);
    lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no engine \"%s\"", engine);
    return NULL;
}

/* Checks a file: {"format", "problems", "counts"} as in `lerpmesh check --json`. `engine` names the
 * game engine whose limits apply; "any" applies none. */
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

/* Checks a part's file like web_check. */
bool WEB_EXPORT(web_part_check)(const web_scene *scene, uint32_t part, const char *engine) {
    const lm_file *file = web_model(scene, part) ? &scene->assets->assets[part].file : NULL;
    return file && web_check(file->data, file->size, engine);
}

/* Marks the locations of `count` problems on the model, from number `first` in web_part_check's
 * list, until the next call; 0 clears the marks. Result: {"frame": the first frame that a problem
 * names, or -1, "triangles": the number of marked ones}. */
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
        const uint32_t found = lm_diagnostic_locate(model, &report->problems[i], &scene->marks);
        frame = frame == LM_NO_FRAME ? found : frame;
    }
    lm_report_free(report);
    lm_json json = {.out = web_begin()};
    lm_json_open(&json, NULL, '{');
    lm_json_integer(&json, "frame", frame == LM_NO_FRAME ? -1 : (int64_t)frame);
    lm_json_integer(&json, "triangles",
                    (int64_t)(scene->marks.size / sizeof(lm_diagnostic_triangle)));
    lm_json_close(&json);
    return web_end();
}

/* ---- Layout -------------------------------------------------------------------------------- */

/* Describes the layout of a file, as `lerpmesh examine --json` prints it. */
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

/* Writes a lump of a file as a text table. */
bool WEB_EXPORT(web_layout_table)(const void *data, size_t size, const char *lump) {
    return lm_layout_table(data, size, lump, web_begin(), &web_error);
}

/* ---- Images -------------------------------------------------------------------------------- */

/* Encodes RGBA pixels, `size` bytes, as PNG. */
bool WEB_EXPORT(web_png)(const uint8_t *pixels, size_t size, uint32_t width, uint32_t height) {
    if ((uint64_t)width * height > size / 4)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT,
                             "%u x %u pixels need %" PRIu64 " bytes, but there are %zu", width,
                             height, (uint64_t)width * height * 4, size);
    return lm_pixels_write_png(pixels, width, height, web_begin(), &web_error);
}

/* Draws the texture coordinates of a part's surface over its texture, in web_image's layout. */
bool WEB_EXPORT(web_uv)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return false;
    if (surface >= model->num_surfaces)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no surface %u", surface);
    const lm_scene_part *scene_part = &scene->assets->scene->parts[part];
    const uint32_t texture = scene_part->num_skins > 0
                                 ? scene_part->skins[scene_part->skin].materials[surface].texture
                                 : LM_NO_TEXTURE;
    bool *drawn = calloc(model->num_surfaces, sizeof *drawn);
    const lm_uv_options options = {
        .skin = texture == LM_NO_TEXTURE ? NULL : &scene->assets->scene->textures[texture],
        .surfaces = drawn};
    uint32_t head[2] = {0, 0};
    lm_buffer_append(web_begin(), head, sizeof head);
    if (drawn)
        drawn[surface] = true;
    const bool ok =
        drawn && lm_uv_draw(model, &options, &web_result, &head[0], &head[1], &web_error);
    if (ok)
        memcpy(web_result.data, head, sizeof head);
    free(drawn);
    return ok;
}

/* ---- Instances ------------------------------------------------------------------------------ */

/* Packs all frames of a surface as lm_pack_frames does, with their lm_packed_frame as second
 * result. */
bool WEB_EXPORT(web_pack_frames)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return false;
    if (surface >= model->num_surfaces)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no surface %u", surface);
    const uint32_t count = model->num_frames;
    const uint64_t size = (uint64_t)count * model->surfaces[surface].num_vertices * LM_PACKED_SIZE;
    if (size > INT32_MAX)
        return lm_fail_plain(&web_error, LM_CODE_LIMIT, "the frames need %" PRIu64 " bytes", size);
    uint8_t *rows = lm_buffer_reserve(web_begin(), (size_t)size);
    uint8_t *frames = lm_buffer_reserve(web_begin_second(), count * sizeof(lm_packed_frame));
    if (rows && frames)
        lm_pack_frames(model, surface, 0, count, rows, (lm_packed_frame *)(void *)frames);
    return web_end();
}

#define TEXEL_SIZE 16

static void append_texel(lm_buffer *out, float x, float y, float z, float w) {
    const float texel[4] = {x, y, z, w};
    lm_buffer_append(out, texel, sizeof texel);
}

/* Appends the timeline of a clip, which describes lm_clip_pose. A time of the clip is in frames or,
 * if it has `times`, in seconds. Before `intro`, the clip plays once. Then it repeats `period`; 0:
 * it stops. `times`: the index of their texels in the result, -1: none. */
static void append_timeline(lm_buffer *out, const lm_clip *clip, lm_play_mode mode, float times) {
    const uint32_t count = clip->count;
    uint32_t loop = mode == LM_PLAY_LOOP ? count : mode == LM_PLAY_ONCE ? 0 : clip->loop_frames;
    loop = loop < count ? loop : count;
    const uint32_t intro = loop ? count - loop : count - 1;
    const float *t = clip->times;
    append_texel(out, (float)(clip->backwards ? clip->first + count - 1 : clip->first),
                 clip->backwards ? -1 : 1, (float)count, t ? 1 : clip->fps);
    append_texel(out, t ? t[intro] - t[0] : (float)intro,
                 !loop ? 0
                 : t   ? t[count] - t[intro]
                       : (float)loop,
                 (float)intro, times);
}

/* Returns the clip that a part plays under a name, as lm_scene_pose does. NULL: its first frame. */
static const lm_clip *find_clip(const lm_scene *scene, uint32_t part, const char *name) {
    while (scene->parts[part].follows)
        part = scene->parts[part].parent;
    const lm_clip *found = lm_scene_find_clip(scene, part, name);
    return found ? found : scene->parts[part].idle;
}

/* Poses all parts like web_pose, but plays their clips in a mode. Returns the timelines of their
 * clips: two texels each, then the texels of their times. */
bool WEB_EXPORT(web_pose_as)(web_scene *scene, const char *name, double seconds,
                             lm_play_mode mode) {
    static const lm_clip still = {.name = "", .count = 1, .fps = LM_DEFAULT_FPS};
    const lm_scene *opened = scene->assets->scene;
    lm_buffer *out = web_begin(), *times = web_begin_second();
    for (uint32_t i = 0; i < opened->num_parts; i++) {
        const lm_clip *found = find_clip(opened, i, name), *clip = found ? found : &still;
        const size_t texels = 2 * opened->num_parts + times->size / TEXEL_SIZE;
        lm_clip_pose(clip, seconds, mode, false, &scene->poses[i]);
        append_timeline(out, clip, mode, clip->times ? (float)texels : -1);
        for (uint32_t k = 0; clip->times && k <= clip->count; k++)
            append_texel(times, clip->times[k] - clip->times[0], 0, 0, 0);
    }
    lm_buffer_append(out, times->data, times->size);
    lm_scene_follow(opened, scene->poses);
    return (lm_scene_evaluate(opened, scene->poses, scene->world_transforms) == LM_CODE_OK ||
            lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "the model has no such frame")) &&
           web_end();
}

/* ---- Exporting ----------------------------------------------------------------------------- */

/* Exports a scene as .glb; `flags`: 1 quantized, 2 unlit. Re-encodes its images as PNG first. */
bool WEB_EXPORT(web_glb)(web_scene *scene, const char *name, unsigned flags) {
    const lm_gltf_options options = {
        .common = {.name = name}, .quantize = (flags & 1) != 0, .unlit = (flags & 2) != 0};
    return lm_assets_make_portable(scene->assets, NULL, &web_error) &&
           lm_gltf_write_scene(scene->assets->scene, &options, web_begin(), NULL, NULL, &web_error);
}

/* Exports a pose of a scene as OBJ. */
bool WEB_EXPORT(web_obj)(const web_scene *scene, const char *name, double frame) {
    const lm_export_options options = {.name = name, .frame = frame};
    return lm_obj_write_scene(scene->assets->scene, &options, NULL, web_begin(), NULL, &web_error);
}

/* Exports a scene as .gltf, with the .bin as second result. web_texture_file returns its images. */
bool WEB_EXPORT(web_gltf)(web_scene *scene, const char *name, const char *bin_uri) {
    const lm_gltf_options options = {.common = {.name = name}, .bin_uri = bin_uri};
    return lm_assets_make_portable(scene->assets, name, &web_error) &&
           lm_gltf_write_scene(scene->assets->scene, &options, web_begin(), web_begin_second(),
                               NULL, &web_error);
}

/* Exports a pose as OBJ that refers to `mtl_name`, with the materials file as second result.
 * web_texture_file returns their images. */
bool WEB_EXPORT(web_obj_with_materials)(web_scene *scene, const char *name, const char *mtl_name,
                                        double frame) {
    const lm_export_options options = {.name = name, .frame = frame};
    return lm_assets_make_portable(scene->assets, name, &web_error) &&
           lm_obj_write_scene(scene->assets->scene, &options, mtl_name, web_begin(),
                              web_begin_second(), &web_error);
}

/* Returns an image file of the scene, with its name in the .gltf as second result. */
bool WEB_EXPORT(web_texture_file)(const web_scene *scene, uint32_t texture) {
    const lm_scene *opened = scene->assets->scene;
    if (texture >= opened->num_textures || !opened->textures[texture].uri)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no image %u", texture);
    lm_buffer_append(web_begin(), opened->textures[texture].data, opened->textures[texture].size);
    lm_buffer_text(web_begin_second(), opened->textures[texture].uri);
    return web_end();
}

uint32_t WEB_EXPORT(web_num_textures)(const web_scene *scene) {
    return scene->assets->scene->num_textures;
}

static void write_problems(lm_json *json, const lm_diagnostic *problems, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "code", lm_code_name(problems[i].code));
        lm_json_string(json, "message", problems[i].text);
        lm_json_close(json);
    }
}

/* Describes the conversion losses in the second result: {"maxError", "rmsError" in units,
 * "problems": features that the format lacks}. */
static bool write_losses(const lm_composition *composition, const lm_encode_report *report) {
    lm_json json = {.out = web_begin_second()};
    lm_json_open(&json, NULL, '{');
    lm_json_double(&json, "maxError", report->max_error);
    lm_json_double(&json, "rmsError", report->rms_error);
    lm_json_open(&json, "problems", '[');
    write_problems(&json, composition->notes, composition->num_notes);
    write_problems(&json, report->problems, report->num_problems);
    lm_json_close(&json);
    lm_json_close(&json);
    return web_end();
}

static lm_composition *encoded; /* by the last web_encode */

/* Encodes one part in another format, or again in its own, with the losses as second result. `path`
 * is the future path of the file. web_encoded_image returns the images that it refers to and that
 * have no file yet. */
bool WEB_EXPORT(web_encode)(const web_scene *scene, uint32_t part, const char *format,
                            const char *path) {
    const lm_format_info *info = lm_format_by_name(format);
    lm_encode_report *report = NULL;
    if (!web_model(scene, part))
        return false;
    if (!info)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no format \"%s\"", format);
    lm_scene_part single = scene->assets->scene->parts[part];
    single.parent = LM_NO_PART;
    single.tag = NULL;
    single.follows = false;
    lm_scene one = *scene->assets->scene;
    one.num_parts = 1;
    one.parts = &single;
    lm_composition_free(encoded);
    encoded = lm_compose_scene(&one, NULL, &web_error);
    const bool ok = encoded && lm_compose_images(encoded, info, path, NULL, &web_error) &&
                    lm_encode(&encoded->mesh, info, NULL, web_begin(), &report, &web_error) &&
                    write_losses(encoded, report);
    lm_encode_report_free(report);
    return ok;
}

uint32_t WEB_EXPORT(web_num_encoded_images)(void) {
    return encoded ? encoded->num_images : 0;
}

/* Encodes an image of the last web_encode, with its file name (without folder) as second result.
 * The scene must still be open. */
bool WEB_EXPORT(web_encoded_image)(const web_scene *scene, uint32_t image) {
    (void)scene;
    if (!encoded || image >= encoded->num_images)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no image %u", image);
    const lm_scene_texture *found = &encoded->images[image];
    const char *slash = strrchr(found->name, '/'), *name = slash ? slash + 1 : found->name;
    const char *dot = strrchr(name, '.');
    const bool tga = dot && strcmp(dot, ".tga") == 0;
    lm_buffer_text(web_begin_second(), name);
    return (tga ? lm_pixels_write_tga : lm_pixels_write_png)(
        found->pixels, found->width, found->height, web_begin(), &web_error);
}

/* ---- Other programs' models ------------------------------------------------------------------ */

/* Converts a self-contained glTF (.glb or .gltf) to a model file. `fps` 0: the rate of its keys. */
bool WEB_EXPORT(web_from_gltf)(const void *data, size_t size, const char *format, float fps) {
    const lm_import_options options = {.fps = fps};
    const lm_format_info *info = lm_format_by_name(format);
    if (!info)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no format \"%s\"", format);
    lm_import *import = lm_import_gltf(data, size, &options, &web_error);
    const bool ok = import && lm_encode(import->mesh, info, NULL, web_begin(), NULL, &web_error);
    lm_import_free(import);
    return ok;
}
