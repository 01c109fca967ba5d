#include "export/vat.h"

#include "core/options.h"
#include "core/report.h"
#include "math/vectors.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

#define BYTES_PER_PIXEL (3 * sizeof(float))

/* ---- The layout ----------------------------------------------------------------------------- */

/* Numbers the rows: all frames, then the frames of backwards clips in the order of playback. */
static bool plan_rows(lm_vat *vat) {
    const lm_mesh *mesh = vat->mesh;
    lm_arena *arena = &vat->g.arena;
    uint64_t count = mesh->num_frames;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        count += mesh->clips[i].backwards ? mesh->clips[i].count : 0;
    if (count > LM_MAX_VAT_SIZE)
        return lm_call_fail(&vat->g.heap.call, LM_CODE_LIMIT,
                            "%llu frames are more than the %u rows of a texture; select fewer",
                            (unsigned long long)count, LM_MAX_VAT_SIZE);
    vat->rows = lm_arena_alloc(arena, count, sizeof *vat->rows);
    vat->clip_rows = lm_arena_alloc(arena, mesh->num_clips, sizeof *vat->clip_rows);
    if (!vat->rows || !vat->clip_rows)
        return false;
    uint32_t row = 0;
    for (; row < mesh->num_frames; row++)
        vat->rows[row] = row;
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i];
        vat->clip_rows[i] = clip->backwards ? row : clip->first;
        for (uint32_t f = clip->count; clip->backwards && f > 0; f--)
            vat->rows[row++] = clip->first + f - 1;
    }
    vat->result.num_rows = row;
    return true;
}

/* Chooses the size of the textures. A single row per frame has as many columns as vertices. */
static bool plan_size(lm_vat *vat) {
    lm_vat_result *r = &vat->result;
    const uint32_t vertices = r->num_vertices > 0 ? r->num_vertices : 1;
    const bool packed = !vat->options->separate_normals;
    r->num_wraps = (vertices - 1) / LM_MAX_VAT_SIZE + 1;
    r->width = (vertices - 1) / r->num_wraps + 1;
    const uint64_t height = (uint64_t)r->num_rows * r->num_wraps * (packed ? 2 : 1);
    if (height > LM_MAX_VAT_SIZE)
        return lm_call_fail(&vat->g.heap.call, LM_CODE_LIMIT,
                            "%u frames of %u vertices need a texture of %llu rows; the maximum is "
                            "%u: select fewer frames%s",
                            (unsigned)r->num_rows, (unsigned)vertices, (unsigned long long)height,
                            LM_MAX_VAT_SIZE, packed ? ", or write the normals separately" : "");
    r->height = (uint32_t)height;
    r->num_images = packed ? 1 : 2;
    return true;
}

/* ---- Pixels --------------------------------------------------------------------------------- */

/* Converts a vector on glTF's axes to Blender's. */
static lm_vec3 to_blender(lm_vec3 v) {
    return (lm_vec3){v.x, -v.z, v.y};
}

static void put_pixel(uint8_t *pixels, size_t pixel, lm_vec3 v) {
    memcpy(pixels + pixel * BYTES_PER_PIXEL, &v, BYTES_PER_PIXEL);
}

/* Stores the offsets and normals of a surface in a row. */
static void put_row(lm_vat *vat, const lm_vat_surface *s, uint32_t row, uint8_t *pixels,
                    uint8_t *normals) {
    const size_t first = (size_t)vat->rows[row] * s->surface->num_vertices;
    for (uint32_t i = 0; i < s->count; i++) {
        const size_t at = first + s->vertices[i];
        const size_t pixel = lm_vat_pixel(&vat->result, s->first + i, row);
        const lm_vec3 from = lm_vec3_at(s->surface->positions, s->vertices[i]);
        const lm_vec3 base = lm_vat_axes(from, vat->scale);
        const lm_vec3 p = lm_vat_axes(lm_vec3_at(s->surface->positions, at), vat->scale);
        const lm_vec3 n = to_blender(lm_vat_axes(lm_unit(lm_vec3_at(s->surface->normals, at)), 1));
        const lm_vec3 offset = to_blender((lm_vec3){p.x - base.x, p.y - base.y, p.z - base.z});
        /* Extend the bounds of the offsets. */
        const float values[3] = {offset.x, offset.y, offset.z};
        for (unsigned k = 0; k < 3; k++) {
            vat->min[k] = fminf(vat->min[k], values[k]);
            vat->max[k] = fmaxf(vat->max[k], values[k]);
        }
        put_pixel(pixels, pixel, offset);
        put_pixel(normals, pixel, (lm_vec3){(n.x + 1) / 2, (n.y + 1) / 2, (n.z + 1) / 2});
    }
}

/* Maps min .. max to 0 .. 1. A coordinate that is constant becomes 0. */
static void remap(const lm_vat *vat, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float rgb[3];
        memcpy(rgb, pixels + i * BYTES_PER_PIXEL, sizeof rgb);
        for (unsigned k = 0; k < 3; k++) {
            const double range = (double)vat->max[k] - (double)vat->min[k];
            rgb[k] = range > 0 ? (float)(((double)rgb[k] - (double)vat->min[k]) / range) : 0;
        }
        memcpy(pixels + i * BYTES_PER_PIXEL, rgb, sizeof rgb);
    }
}

/* Writes the textures. In the last block, the columns without a vertex have offset 0. */
static bool write_pixels(lm_vat *vat, lm_buffer *out) {
    lm_vat_result *r = &vat->result;
    const size_t count = (size_t)r->width * r->num_wraps * r->num_rows; /* of the offsets */
    uint8_t *pixels = lm_buffer_reserve(out, 2 * count * BYTES_PER_PIXEL);
    if (!pixels)
        return false;
    for (uint32_t i = 0; i < r->num_primitives; i++)
        for (uint32_t row = 0; row < r->num_rows; row++)
            put_row(vat, &vat->surfaces[i], row, pixels, pixels + count * BYTES_PER_PIXEL);
    for (unsigned k = 0; k < 3; k++) {
        const float range = vat->max[k] - vat->min[k];
        if (!isfinite(range))
            return lm_call_fail(&vat->g.heap.call, LM_CODE_NOT_FINITE,
                                "a scale of %g is too large: positions become infinite",
                                (double)vat->scale);
        r->max_error = fmaxf(r->max_error, range / (2 * 65535.0f) / vat->scale);
    }
    remap(vat, pixels, count);
    return true;
}

/* ---- The text of remap_info ----------------------------------------------------------------- */

/* Returns the rate at which a clip lasts as long as it should. */
static float rate_of(const lm_clip *clip) {
    const lm_play_mode mode = clip->loop_frames > 0 ? LM_PLAY_LOOP : LM_PLAY_ONCE;
    const double seconds = lm_clip_duration(clip, mode);
    const uint32_t steps = clip->count - (mode == LM_PLAY_ONCE);
    return clip->times && steps > 0 && seconds > 0 ? (float)(steps / seconds) : clip->fps;
}

static bool write_clips(lm_vat *vat, lm_json *json) {
    const lm_mesh *mesh = vat->mesh;
    if (mesh->num_clips > 0)
        lm_json_open(json, "animations", '{');
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i];
        const char *name = lm_gltf_name(&vat->g.clip_names, clip->name);
        if (!name)
            return false;
        lm_json_open(json, name, '{');
        lm_json_integer(json, "startFrame", (int64_t)vat->clip_rows[i] + 1);
        lm_json_integer(json, "endFrame", (int64_t)vat->clip_rows[i] + clip->count);
        lm_json_float(json, "framerate", rate_of(clip));
        lm_json_bool(json, "looping", clip->loop_frames > 0);
        lm_json_close(json);
    }
    if (mesh->num_clips > 0)
        lm_json_close(json);
    vat->result.num_animations = mesh->num_clips;
    return true;
}

static bool write_info(lm_vat *vat, lm_buffer *out) {
    lm_json json = {.out = out};
    lm_json_open(&json, NULL, '{');
    lm_json_open(&json, "os-remap", '{');
    lm_gltf_write_floats(&json, "Min", vat->min, 3);
    lm_gltf_write_floats(&json, "Max", vat->max, 3);
    lm_json_integer(&json, "Frames", vat->result.num_rows);
    lm_json_close(&json);
    const bool written = write_clips(vat, &json);
    lm_json_close(&json);
    lm_buffer_text(out, "\n");
    return written;
}

/* ---- Export --------------------------------------------------------------------------------- */

static bool check_scale(const lm_vat_options *options, lm_error *error) {
    static const lm_option table[] = {LM_OPTION(lm_vat_options, scale, FLOAT, 0),
                                      LM_OPTION(lm_vat_options, reserved, RESERVED, 0)};
    return lm_options_valid(options, "vat", table, sizeof table / sizeof *table, error);
}

/* Checks what lm_mesh_check does not: normals, materials and their textures. */
static bool check_input(const lm_vat *vat, lm_error *error) {
    const lm_scene *scene = vat->g.scene;
    if (!lm_mesh_check(vat->mesh, error) || !lm_scene_check_textures(scene, error) ||
        !lm_gltf_check_images(scene, error))
        return false;
    for (uint32_t i = 0; i < vat->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &vat->mesh->surfaces[i];
        if (s->num_vertices > 0 && !s->normals)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "surface %u has no normals",
                                 (unsigned)i);
        if (vat->options->materials && !lm_scene_material_valid(scene, &vat->options->materials[i]))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "the material of surface %u is invalid", (unsigned)i);
    }
    return true;
}

static bool write_all(lm_vat *vat, lm_buffer *glb, lm_buffer *info, lm_buffer *pixels) {
    return lm_vat_weld(vat) && plan_rows(vat) && plan_size(vat) && write_pixels(vat, pixels) &&
           write_info(vat, info) && lm_vat_write_mesh(vat, glb);
}

bool lm_vat_write(const lm_mesh *mesh, const lm_vat_options *options, lm_buffer *glb,
                  lm_buffer *info, lm_buffer *pixels, lm_vat_result *result, lm_error *error) {
    static const lm_vat_options no_options = {0};
    options = options ? options : &no_options;
    const lm_gltf_options gltf = {.unlit = options->unlit, .generator = options->generator};
    const lm_scene scene = {.num_textures = options->num_textures, .textures = options->textures};
    lm_vat vat = {.g = {.scene = &scene, .options = &gltf}, .mesh = mesh, .options = options};
    lm_heap *heap = &vat.g.heap;
    vat.scale = options->scale > 0 ? options->scale : LM_METRES_PER_UNIT;
    lm_export_begin(heap, glb, error);
    if (!check_scale(options, error) || !check_input(&vat, error))
        return false;
    const lm_buffer_mark marks[] = {lm_buffer_begin(glb), lm_buffer_begin(info),
                                    lm_buffer_begin(pixels)};
    if (!lm_gltf_start(&vat.g, glb, NULL) || !write_all(&vat, glb, info, pixels) || info->failed)
        lm_call_end(&heap->call, LM_NO_MEMORY);
    vat.result.num_textures = vat.g.textures.count;
    lm_gltf_clear(&vat.g);
    lm_export_end(heap, pixels, marks[2], "texture");
    lm_export_end(heap, info, marks[1], "JSON");
    if (!lm_export_end(heap, glb, marks[0], "glTF"))
        return false;
    if (result)
        *result = vat.result;
    return true;
}
