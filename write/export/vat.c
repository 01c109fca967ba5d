#include "core/options.h"

#include "core/bytes.h"
#include "core/report.h"
#include "export/gltf.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "scene/check.h"

#include <math.h>
#include <string.h>

/* Functions that can fail return false after ending the call, as in gltf.h. */

/* A surface with triangles: one primitive of the mesh. */
typedef struct lm_vat_surface {
    const lm_mesh_surface *surface;
    uint32_t index;          /* in the mesh */
    uint32_t first;          /* its first welded vertex, counted over all surfaces */
    uint32_t *corners;       /* [3 * surface->num_triangles] the drawn vertex of each corner */
    lm_welded weld;          /* of the drawn vertices */
    uint32_t *vertices, *st; /* [weld.count] the surface's vertex and texture coordinate of each */
    uint32_t num_triangles;  /* those with three different vertices */
} lm_vat_surface;

typedef struct lm_vat {
    lm_gltf g; /* the .glb, and the heap and arena of the call */
    const lm_mesh *mesh;
    const lm_vat_options *options;
    float scale;
    lm_vat_surface *surfaces; /* [result.num_primitives] */
    uint32_t *rows;           /* [result.num_rows] the frame in each row of a block */
    uint32_t *clip_rows;      /* [mesh->num_clips] the first row of each clip */
    float min[3], max[3];     /* of the offsets, on Blender's axes */
    lm_vat_result result;
} lm_vat;

/* Returns a position of the mesh in the target's scale, or a direction, on glTF's axes. */
static lm_vec3 to_axes(lm_vec3 v, float scale) {
    return (lm_vec3){v.y * scale, v.z * scale, v.x * scale};
}

/* Returns the pixel of a vertex in a row of its block. */
static size_t pixel_of(const lm_vat_result *layout, uint32_t vertex, uint32_t row) {
    const size_t y = (size_t)(vertex / layout->width) * layout->num_rows + row;
    return y * layout->width + vertex % layout->width;
}

/* ---- Welding -------------------------------------------------------------------------------- */

/* A surface, and memory for the largest number of corners. */
typedef struct welder {
    const lm_mesh_surface *surface;
    uint32_t *vertices, *st; /* [3 * num_triangles] of the drawn vertices */
    uint32_t num_drawn;
    lm_index index;
    lm_welding welding;
    lm_vec3 *positions, *normals; /* [3 * num_triangles] of the drawn vertices in a frame */
} welder;

/* Returns the texture coordinate of a corner; 0 if the surface has none. */
static uint32_t st_of(const welder *w, uint32_t corner) {
    const lm_mesh_surface *s = w->surface;
    return s->num_st == 0 ? 0 : (s->st_triangles ? s->st_triangles : s->triangles)[corner];
}

static bool is_same_corner(const void *context, uint32_t a, uint32_t b) {
    const welder *w = context;
    return w->surface->triangles[a] == w->surface->triangles[b] && st_of(w, a) == st_of(w, b);
}

/* Lists each pair of a vertex and a texture coordinate once, as a drawn vertex. */
static void list_drawn(welder *w, uint32_t *corners) {
    const uint32_t count = 3 * w->surface->num_triangles;
    lmi_index_clear(&w->index, count);
    w->num_drawn = 0;
    for (uint32_t c = 0; c < count; c++) {
        const uint64_t hash = lmi_hash(lmi_hash(0, w->surface->triangles[c]), st_of(w, c));
        const uint32_t first = lmi_index_find(&w->index, hash, c, is_same_corner, w);
        if (first != c) {
            corners[c] = corners[first];
            continue;
        }
        w->vertices[w->num_drawn] = w->surface->triangles[c];
        w->st[w->num_drawn] = st_of(w, c);
        corners[c] = w->num_drawn++;
    }
}

static bool weld_surface(lm_vat *vat, welder *w, lm_vat_surface *out) {
    lm_arena *arena = &vat->g.arena;
    const lm_mesh_surface *surface = out->surface;
    w->surface = surface;
    out->corners = lmi_arena_alloc(arena, surface->num_triangles, 3 * sizeof *out->corners);
    if (!out->corners)
        return false;
    list_drawn(w, out->corners);
    lmi_welding_start(&w->welding, w->num_drawn);
    for (uint32_t i = 0; i < w->num_drawn && surface->num_st > 0; i++)
        w->positions[i] =
            (lm_vec3){surface->st[2 * (size_t)w->st[i]], surface->st[2 * (size_t)w->st[i] + 1], 0};
    if (surface->num_st > 0)
        lmi_welding_divide(&w->welding, w->positions, sizeof(lm_vec3), w->positions, 0);
    for (uint32_t f = 0; f < vat->mesh->num_frames && w->welding.num_classes < w->num_drawn; f++) {
        /* Divide the drawn vertices by the values that they have in a frame. */
        const size_t row = (size_t)f * surface->num_vertices;
        for (uint32_t i = 0; i < w->num_drawn; i++) {
            w->positions[i] = lmi_vec3_at(surface->positions, row + w->vertices[i]);
            w->normals[i] = lmi_vec3_at(surface->normals, row + w->vertices[i]);
        }
        lmi_welding_divide(&w->welding, w->positions, sizeof(lm_vec3), w->normals, sizeof(lm_vec3));
    }
    if (!lmi_welding_end(&w->welding, arena, &out->weld))
        return false;
    out->vertices = lmi_arena_alloc(arena, out->weld.count, sizeof *out->vertices);
    out->st = lmi_arena_alloc(arena, out->weld.count, sizeof *out->st);
    for (uint32_t i = 0; out->vertices && out->st && i < out->weld.count; i++) {
        out->vertices[i] = w->vertices[out->weld.vertices[i]];
        out->st[i] = w->st[out->weld.vertices[i]];
    }
    out->num_triangles = lmi_gltf_count_triangles(&out->weld, out->corners, surface->num_triangles);
    return out->vertices && out->st;
}

static bool alloc_welder(lm_vat *vat, welder *w, lm_arena *scratch) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < vat->mesh->num_surfaces; i++)
        most = vat->mesh->surfaces[i].num_triangles > most ? vat->mesh->surfaces[i].num_triangles
                                                           : most;
    if (most > UINT32_MAX / 3)
        return lmi_call_fail(&vat->g.heap.call, LM_CODE_LIMIT,
                             "a surface with %u triangles is too large", (unsigned)most);
    most *= 3;
    w->vertices = lmi_arena_alloc(scratch, most, sizeof *w->vertices);
    w->st = lmi_arena_alloc(scratch, most, sizeof *w->st);
    w->positions = lmi_arena_alloc(scratch, most, sizeof *w->positions);
    w->normals = lmi_arena_alloc(scratch, most, sizeof *w->normals);
    w->index.slots = lmi_arena_alloc(scratch, lmi_index_slots(most), sizeof *w->index.slots);
    lmi_welding_alloc(&w->welding, scratch, most);
    return !lmi_arena_failed(scratch);
}

/* Welds the vertices of all surfaces, and counts them and the primitives. */
static bool weld_all(lm_vat *vat) {
    lm_arena scratch = {.heap = &vat->g.heap};
    lm_vat_result *result = &vat->result;
    welder w = {0};
    uint64_t num_vertices = 0;
    vat->surfaces = lmi_arena_alloc(&vat->g.arena, vat->mesh->num_surfaces, sizeof *vat->surfaces);
    bool ok = vat->surfaces && alloc_welder(vat, &w, &scratch);
    for (uint32_t i = 0; ok && i < vat->mesh->num_surfaces; i++) {
        lm_vat_surface *out = &vat->surfaces[result->num_primitives];
        *out = (lm_vat_surface){
            .surface = &vat->mesh->surfaces[i], .index = i, .first = (uint32_t)num_vertices};
        ok = weld_surface(vat, &w, out);
        if (!ok || out->num_triangles == 0)
            continue;
        num_vertices += out->weld.count;
        ok = num_vertices <= UINT32_MAX || lmi_gltf_too_large(&vat->g);
        result->num_primitives++;
    }
    result->num_vertices = (uint32_t)num_vertices;
    lmi_arena_free(&scratch);
    return ok;
}

/* ---- Primitives ----------------------------------------------------------------------------- */

/* Adds the positions and normals of a surface in the first frame, its texture coordinates, and the
 * centres of its vertices' pixels. */
static bool add_vertices(lm_vat *vat, const lm_vat_surface *s, lm_arena *scratch,
                         uint32_t accessors[4]) {
    const lm_vat_result *layout = &vat->result;
    const uint32_t count = s->weld.count;
    lm_vec3 *positions = lmi_arena_alloc(scratch, count, sizeof *positions);
    lm_vec3 *normals = lmi_arena_alloc(scratch, count, sizeof *normals);
    lm_vec2 *st = lmi_arena_zeros(scratch, count, sizeof *st);
    lm_vec2 *centres = lmi_arena_alloc(scratch, count, sizeof *centres);
    if (lmi_arena_failed(scratch))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const size_t pixel = pixel_of(layout, s->first + i, 0), row = pixel / layout->width;
        positions[i] = to_axes(lmi_vec3_at(s->surface->positions, s->vertices[i]), vat->scale);
        normals[i] = to_axes(lmi_unit(lmi_vec3_at(s->surface->normals, s->vertices[i])), 1);
        if (s->surface->num_st > 0)
            memcpy(&st[i], s->surface->st + 2 * (size_t)s->st[i], sizeof st[i]);
        centres[i].x = (float)(((double)(pixel % layout->width) + 0.5) / layout->width);
        centres[i].y = (float)(((double)row + 0.5) / layout->height);
    }
    accessors[0] = lmi_gltf_add_vectors(&vat->g, positions, count, 0);
    accessors[1] = lmi_gltf_add_vectors(&vat->g, normals, count, LM_VECTORS_NORMALS);
    accessors[2] = lmi_gltf_add_st(&vat->g, st, count, false);
    accessors[3] = lmi_gltf_add_st(&vat->g, centres, count, false);
    return true;
}

/* Returns the material of a surface; if the options have none, only a name. */
static lm_scene_material material_of(const lm_vat *vat, const lm_vat_surface *s) {
    const lm_mesh *mesh = vat->mesh;
    if (vat->options->materials)
        return vat->options->materials[s->index];
    const char *name = s->surface->num_materials > 0 ? s->surface->materials[0].name
                       : mesh->num_skins > 0         ? mesh->skins[0]
                                                     : "";
    return (lm_scene_material){.name = *name ? name : "material", .texture = LM_NO_TEXTURE};
}

static bool write_primitive(lm_vat *vat, const lm_vat_surface *s) {
    lm_gltf *g = &vat->g;
    const lm_scene_material material = material_of(vat, s);
    lm_arena scratch = {.heap = &g->heap};
    uint32_t number, accessors[4];
    const bool added = lmi_gltf_use_material(g, 0, &material, &number) &&
                       add_vertices(vat, s, &scratch, accessors);
    lmi_arena_free(&scratch);
    if (!added)
        return false;
    const uint32_t indices =
        lmi_gltf_add_triangles(g, &s->weld, s->corners, s->surface->num_triangles, s->num_triangles,
                               lmi_gltf_index_size(s->weld.count));
    lmi_gltf_print(&g->meshes.json, NULL,
                   "{'attributes':{'POSITION':%u,'NORMAL':%u,'TEXCOORD_0':%u,'TEXCOORD_1':%u},"
                   "'indices':%u,'material':%u}",
                   (unsigned)accessors[0], (unsigned)accessors[1], (unsigned)accessors[2],
                   (unsigned)accessors[3], (unsigned)indices, (unsigned)number);
    return lmi_gltf_continues(g);
}

/* ---- The file ------------------------------------------------------------------------------- */

/* Writes a node with the mesh, and a scene with the node. */
static bool write_node(lm_vat *vat, const char *name) {
    lm_gltf *g = &vat->g;
    lm_json *node = lmi_gltf_open(&g->nodes, &g->node_names, name);
    const char *named = node ? lmi_arena_printf(&g->arena, "%s scene", name) : NULL;
    if (!named)
        return false;
    if (g->meshes.count > 0)
        lmi_json_integer(node, "mesh", 0);
    lmi_json_close(node);
    lm_json *scene = lmi_gltf_open(&g->scenes, &g->node_names, named);
    if (!scene)
        return false;
    lmi_gltf_print(scene, "nodes", "[0]");
    lmi_json_close(scene);
    return true;
}

/* Writes the .glb. */
static bool write_mesh(lm_vat *vat, lm_buffer *glb) {
    lm_gltf *g = &vat->g;
    const char *given = vat->options->name ? vat->options->name : vat->mesh->name;
    const char *name = given && *given ? given : "model";
    lm_json *json = &g->meshes.json;
    if (vat->result.num_primitives > 0) {
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", name);
        lmi_json_open(json, "primitives", '[');
        for (uint32_t i = 0; i < vat->result.num_primitives; i++)
            if (!write_primitive(vat, &vat->surfaces[i]))
                return false;
        lmi_json_close(json);
        lmi_json_close(json);
        g->meshes.count++;
    }
    return write_node(vat, name) && lmi_gltf_finish_files(g, glb);
}

#define BYTES_PER_PIXEL (3 * sizeof(float))

/* ---- The layout of the textures -------------------------------------------------------------- */

/* Numbers the rows: all frames, then the frames of backwards clips in the order of playback. */
static bool plan_rows(lm_vat *vat) {
    const lm_mesh *mesh = vat->mesh;
    lm_arena *arena = &vat->g.arena;
    uint64_t count = mesh->num_frames;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        count += mesh->clips[i].backwards ? mesh->clips[i].count : 0;
    if (count > LM_MAX_VAT_SIZE)
        return lmi_call_fail(&vat->g.heap.call, LM_CODE_LIMIT,
                             "%llu frames are more than the %u rows of a texture; select fewer",
                             (unsigned long long)count, LM_MAX_VAT_SIZE);
    vat->rows = lmi_arena_alloc(arena, count, sizeof *vat->rows);
    vat->clip_rows = lmi_arena_alloc(arena, mesh->num_clips, sizeof *vat->clip_rows);
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
        return lmi_call_fail(&vat->g.heap.call, LM_CODE_LIMIT,
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

/* Stores the offsets and normals of a surface in a row. */
static void put_row(lm_vat *vat, const lm_vat_surface *s, uint32_t row, uint8_t *pixels,
                    uint8_t *normals) {
    const size_t first = (size_t)vat->rows[row] * s->surface->num_vertices;
    for (uint32_t i = 0; i < s->weld.count; i++) {
        const size_t at = first + s->vertices[i];
        const size_t pixel = pixel_of(&vat->result, s->first + i, row);
        const lm_vec3 from = lmi_vec3_at(s->surface->positions, s->vertices[i]);
        const lm_vec3 base = to_axes(from, vat->scale);
        const lm_vec3 p = to_axes(lmi_vec3_at(s->surface->positions, at), vat->scale);
        const lm_vec3 n = to_blender(to_axes(lmi_unit(lmi_vec3_at(s->surface->normals, at)), 1));
        const lm_vec3 offset = to_blender((lm_vec3){p.x - base.x, p.y - base.y, p.z - base.z});
        /* Extend the bounds of the offsets. */
        const float values[3] = {offset.x, offset.y, offset.z};
        for (unsigned k = 0; k < 3; k++) {
            vat->min[k] = fminf(vat->min[k], values[k]);
            vat->max[k] = fmaxf(vat->max[k], values[k]);
        }
        const lm_vec3 normal = {(n.x + 1) / 2, (n.y + 1) / 2, (n.z + 1) / 2};
        memcpy(pixels + pixel * BYTES_PER_PIXEL, &offset, sizeof offset);
        memcpy(normals + pixel * BYTES_PER_PIXEL, &normal, sizeof normal);
    }
}

/* Maps min .. max to 0 .. 1. A coordinate that is constant becomes 0. */
static void remap(const lm_vat *vat, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < 3 * count; i++) {
        const double min = (double)vat->min[i % 3], range = (double)vat->max[i % 3] - min;
        float value;
        memcpy(&value, pixels + i * sizeof value, sizeof value);
        value = range > 0 ? (float)(((double)value - min) / range) : 0;
        memcpy(pixels + i * sizeof value, &value, sizeof value);
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
            return lmi_call_fail(&vat->g.heap.call, LM_CODE_NOT_FINITE,
                                 "a scale of %g is too large: positions become infinite",
                                 (double)vat->scale);
        r->max_error = fmax(r->max_error, (double)(range / (2 * 65535.0f) / vat->scale));
    }
    remap(vat, pixels, count);
    return true;
}

/* ---- The text of remap_info ----------------------------------------------------------------- */

/* Returns the rate at which a clip lasts as long as it should. */
static float rate_of(const lm_clip *clip) {
    const double seconds = lm_clip_duration(clip, LM_PLAY_AS_CLIP);
    const uint32_t steps = clip->count - (clip->loop_frames == 0);
    return clip->times && steps > 0 && seconds > 0 ? (float)(steps / seconds) : clip->fps;
}

static bool write_clips(lm_vat *vat, lm_json *json) {
    const lm_mesh *mesh = vat->mesh;
    if (mesh->num_clips > 0)
        lmi_json_open(json, "animations", '{');
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i];
        const char *name = lmi_gltf_name(&vat->g.clip_names, clip->name);
        if (!name)
            return false;
        lmi_json_open(json, name, '{');
        lmi_json_integer(json, "startFrame", (int64_t)vat->clip_rows[i] + 1);
        lmi_json_integer(json, "endFrame", (int64_t)vat->clip_rows[i] + clip->count);
        lmi_json_float(json, "framerate", rate_of(clip));
        lmi_json_bool(json, "looping", clip->loop_frames > 0);
        lmi_json_close(json);
    }
    if (mesh->num_clips > 0)
        lmi_json_close(json);
    vat->result.num_animations = mesh->num_clips;
    return true;
}

static bool write_info(lm_vat *vat, lm_buffer *out) {
    lm_json json = {.out = out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_open(&json, "os-remap", '{');
    lmi_gltf_write_floats(&json, "Min", vat->min, 3);
    lmi_gltf_write_floats(&json, "Max", vat->max, 3);
    lmi_json_integer(&json, "Frames", vat->result.num_rows);
    lmi_json_close(&json);
    const bool written = write_clips(vat, &json);
    lmi_json_close(&json);
    lm_buffer_text(out, "\n");
    return written;
}

/* ---- Export --------------------------------------------------------------------------------- */

/* Checks the options and the mesh; also what lm_mesh_check does not: normals, materials and their
 * textures. */
static bool check_input(const lm_vat *vat, lm_error *error) {
    static const lm_option_member table[] = {LM_MEMBER(lm_vat_options, scale, FLOAT, 0),
                                             LM_MEMBER(lm_vat_options, reserved, RESERVED, 0)};
    const lm_scene *scene = vat->g.scene;
    if (!lmi_options_valid(vat->options, "vat", table, sizeof table / sizeof *table, error) ||
        !lm_mesh_check(vat->mesh, error) || !lmi_scene_check_textures(scene, error) ||
        !lmi_gltf_check_images(scene, error))
        return false;
    for (uint32_t i = 0; i < vat->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &vat->mesh->surfaces[i];
        if (s->num_vertices > 0 && !s->normals)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "surface %u has no normals",
                                 (unsigned)i);
        if (vat->options->materials &&
            !lmi_scene_material_valid(scene, &vat->options->materials[i]))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "the material of surface %u is invalid", (unsigned)i);
    }
    return true;
}

bool lm_vat_write(const lm_mesh *mesh, const lm_vat_options *options, lm_buffer *glb,
                  lm_buffer *info, lm_buffer *pixels, lm_vat_result *result, lm_error *error) {
    if (!LM_GIVEN(error, mesh, glb, info, pixels) || !lmi_buffer_valid(glb, __func__, error) ||
        !lmi_buffer_valid(info, __func__, error) || !lmi_buffer_valid(pixels, __func__, error))
        return false;
    static const lm_vat_options no_options = {0};
    options = options ? options : &no_options;
    const lm_gltf_options gltf = {.unlit = options->unlit, .generator = options->generator};
    const lm_scene scene = {.num_textures = options->num_textures, .textures = options->textures};
    lm_vat vat = {.g = {.scene = &scene, .options = &gltf}, .mesh = mesh, .options = options};
    lm_heap *heap = &vat.g.heap;
    vat.scale = options->scale > 0 ? options->scale : LM_METRES_PER_UNIT;
    lmi_export_begin(heap, glb, error);
    if (!check_input(&vat, error))
        return false;
    const lm_buffer_mark marks[] = {lmi_buffer_begin(glb), lmi_buffer_begin(info),
                                    lmi_buffer_begin(pixels)};
    if (!lmi_gltf_start(&vat.g, glb, NULL) || !weld_all(&vat) || !plan_rows(&vat) ||
        !plan_size(&vat) || !write_pixels(&vat, pixels) || !write_info(&vat, info) ||
        !write_mesh(&vat, glb) || info->failed)
        lmi_call_end(&heap->call, LM_NO_MEMORY);
    vat.result.num_textures = vat.g.textures.count;
    lmi_gltf_clear(&vat.g);
    lmi_export_end(heap, pixels, marks[2], "texture");
    lmi_export_end(heap, info, marks[1], "JSON");
    if (!lmi_export_end(heap, glb, marks[0], "glTF"))
        return false;
    if (result)
        *result = vat.result;
    return true;
}
