/* Reads .mdx files: the corners of triangles that share a normal (docs/reference/formats/ufoai.md).
 * The engine computes the normals from them: a normal is the sum of the directions of the triangles
 * at its corners, all with the same weight. */
#include "parts.h"

#include "core/bytes.h"
#include "math/vectors.h"
#include "model/weld.h"

/* "UFOMDX", three 32-bit integers, then the group of each corner. */
enum {
    HEADER_GROUPS = 10,
    HEADER_CORNERS = 14,
    HEADER_SIZE = LM_NORMALS_HEADER
};
#define KEY_SIZE 8 /* of LM_VERTEX_S16 */
/* A shorter sum of directions is that of directions that cancel; its normal points up. */
#define CANCELLED 1e-6

typedef struct smoothing {
    const lm_model *model;
    const lm_surface *from;
    lm_arena *scratch;
    uint32_t num_groups, num_corners;
    uint32_t *groups; /* [num_corners] */
    lm_weld vertices; /* the new file's vertices: one for each pair of vertex and group */
    lm_weld drawn;    /* the new drawn vertices: one for each pair of these and a drawn vertex */
} smoothing;

/* ---- Reading --------------------------------------------------------------------------------- */

static bool read_header(const lm_buffer *file, smoothing *s, lm_error *error) {
    const uint8_t *data = file->data;
    s->num_groups = lmi_get_u32(data + HEADER_GROUPS);
    s->num_corners = lmi_get_u32(data + HEADER_CORNERS);
    if (s->num_corners != (uint64_t)s->from->num_triangles * 3)
        return lm_fail_plain(
            error, LM_CODE_BAD_COUNT, "it has %lu corners of triangles, but the model has %llu",
            (unsigned long)s->num_corners, (unsigned long long)s->from->num_triangles * 3);
    if (s->num_groups == 0 || s->num_groups > s->num_corners)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "it has %lu normals for %lu corners",
                             (unsigned long)s->num_groups, (unsigned long)s->num_corners);
    return lmi_fits(file->size, HEADER_SIZE, s->num_corners, 4) ||
           lm_fail_plain(error, LM_CODE_BAD_OFFSET, "the file ends before its last corner");
}

static bool read_groups(const lm_buffer *file, smoothing *s, lm_error *error) {
    s->groups = lmi_arena_alloc(s->scratch, s->num_corners, sizeof *s->groups);
    for (uint32_t i = 0; s->groups && i < s->num_corners; i++) {
        s->groups[i] = lmi_get_u32((const uint8_t *)file->data + HEADER_SIZE + (size_t)4 * i);
        if (s->groups[i] >= s->num_groups)
            return lm_fail_plain(error, LM_CODE_VERTEX_INDEX, "corner %lu uses normal %lu of %lu",
                                 (unsigned long)i, (unsigned long)s->groups[i],
                                 (unsigned long)s->num_groups);
    }
    return s->groups != NULL;
}

/* Returns the keys of a frame as in the file. */
static const uint8_t *row_of(const lm_surface *from, uint32_t frame) {
    return from->keys + (from->frame_keys ? from->frame_keys[frame] : frame) * from->key_stride;
}

/* Returns the key of a corner in the first frame. */
static const uint8_t *key_of(const lm_surface *from, uint32_t corner) {
    return row_of(from, 0) + from->file_vertices[from->triangles[corner]] * from->key_size;
}

/* Corners with the same normal are at the same place; otherwise the model has changed since. */
static bool check_places(const smoothing *s, lm_error *error) {
    const size_t size = s->from->encoding == LM_VERTEX_U8 ? 3 : 6; /* of a key's coordinates */
    uint32_t *first = lmi_arena_alloc(s->scratch, s->num_groups, sizeof *first);
    if (!first)
        return false;
    memset(first, 0xff, s->num_groups * sizeof *first);
    for (uint32_t i = 0; i < s->num_corners; i++) {
        uint32_t *corner = &first[s->groups[i]];
        if (*corner == LM_UNUSED)
            *corner = i;
        else if (memcmp(key_of(s->from, *corner), key_of(s->from, i), size) != 0)
            return lm_fail_plain(error, LM_CODE_VERTEX_INDEX,
                                 "corners %lu and %lu have the same normal at different places: it "
                                 "is for another model",
                                 (unsigned long)*corner, (unsigned long)i);
    }
    return true;
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Splits the vertices that have several normals, and then those that have several texture
 * coordinates. */
static bool split_vertices(smoothing *s) {
    const lm_surface *from = s->from;
    lm_weld *vertices = &s->vertices, *drawn = &s->drawn;
    *vertices = (lm_weld){.num_corners = s->num_corners,
                          .num_vertices = from->num_file_vertices,
                          .num_attributes = s->num_groups};
    if (!lmi_weld_alloc(vertices, s->num_corners, s->scratch))
        return false;
    for (uint32_t i = 0; i < s->num_corners; i++)
        lmi_weld_put(vertices, i, from->file_vertices[from->triangles[i]], s->groups[i]);
    if (!lmi_weld_corners(vertices, s->scratch->heap))
        return false;
    *drawn = (lm_weld){.num_corners = s->num_corners,
                       .num_vertices = vertices->num_vertices + vertices->num_copies,
                       .num_attributes = from->num_vertices};
    if (!lmi_weld_alloc(drawn, s->num_corners, s->scratch))
        return false;
    for (uint32_t i = 0; i < s->num_corners; i++)
        lmi_weld_put(drawn, i, vertices->corners[i], from->triangles[i]);
    return lmi_weld_corners(drawn, s->scratch->heap);
}

/* Returns the file's vertex, or the group, of a new vertex. */
static uint32_t old_vertex(const smoothing *s, uint32_t v) {
    const lm_weld *w = &s->vertices;
    return v < w->num_vertices ? v : w->copy_vertices[v - w->num_vertices];
}

/* Returns the drawn vertex whose texture coordinate a new drawn vertex has. */
static uint32_t old_drawn(const smoothing *s, uint32_t v) {
    const lm_weld *w = &s->drawn;
    if (v >= w->num_vertices)
        return w->copy_attributes[v - w->num_vertices];
    return w->vertex_attributes[v] == LM_UNUSED ? old_vertex(s, v) : w->vertex_attributes[v];
}

/* ---- Normals --------------------------------------------------------------------------------- */

/* Returns the coordinate of a key in steps. */
static int step_of(const lm_surface *from, const uint8_t *key, size_t axis) {
    return from->encoding == LM_VERTEX_U8 ? key[axis] : lmi_get_s16(key + 2 * axis);
}

/* Adds the directions of a frame's triangles. They come from the steps, so that a triangle without
 * area is recognised as such, and adds nothing. */
static void add_triangles(const smoothing *s, uint32_t frame, lm_wide *sums) {
    const lm_surface *from = s->from;
    const lm_wide scale = lmi_wide_of(s->model->frames[frame].scale);
    const uint8_t *row = row_of(from, frame);
    for (size_t t = 0; t < from->num_triangles; t++) {
        lm_wide p[3];
        for (size_t c = 0; c < 3; c++) {
            const uint32_t v = from->file_vertices[from->triangles[3 * t + c]];
            const uint8_t *key = row + v * from->key_size;
            p[c] = (lm_wide){step_of(from, key, 0), step_of(from, key, 1), step_of(from, key, 2)};
        }
        lm_wide side = lmi_wide_side(p);
        side = (lm_wide){side.x * scale.y * scale.z, side.y * scale.z * scale.x,
                         side.z * scale.x * scale.y};
        const double length = lmi_wide_length(side);
        for (size_t c = 0; c < 3 && length > 0 && isfinite(length); c++) {
            lm_wide *sum = &sums[s->groups[3 * t + c]];
            *sum = lmi_wide_sum(*sum, side, 1 / length);
        }
    }
}

/* Writes the keys of a frame: the stored positions with the computed normals. */
static void write_keys(const smoothing *s, uint32_t frame, const lm_wide *sums, uint8_t *out) {
    const lm_surface *from = s->from;
    const uint8_t *row = row_of(from, frame);
    for (uint32_t v = 0; v < s->drawn.num_vertices; v++, out += KEY_SIZE) {
        const uint8_t *key = row + old_vertex(s, v) * from->key_size;
        const lm_weld *w = &s->vertices;
        const uint32_t group =
            v < w->num_vertices ? w->vertex_attributes[v] : w->copy_attributes[v - w->num_vertices];
        const lm_wide sum = group == LM_UNUSED ? (lm_wide){0, 0, 0} : sums[group];
        const bool any = lmi_wide_length(sum) > CANCELLED;
        const lm_vec3 normal =
            any ? (lm_vec3){(float)sum.x, (float)sum.y, (float)sum.z} : (lm_vec3){0, 0, 1};
        for (size_t i = 0; i < 3; i++)
            lmi_put_u16(out + 2 * i, (uint16_t)step_of(from, key, i));
        lmi_nearest_normal_angles(&normal, out + 6, out + 7);
    }
}

static bool compute_keys(const smoothing *s, uint8_t *keys) {
    lm_wide *sums = lmi_arena_alloc(s->scratch, s->num_groups, sizeof *sums);
    for (uint32_t f = 0; sums && f < s->model->num_frames; f++) {
        memset(sums, 0, s->num_groups * sizeof *sums);
        add_triangles(s, f, sums);
        write_keys(s, f, sums, keys + (size_t)f * s->drawn.num_vertices * KEY_SIZE);
    }
    return sums != NULL;
}

/* ---- The surface ----------------------------------------------------------------------------- */

/* The arrays of the new surface. */
typedef struct arrays {
    uint32_t *triangles, *file_vertices;
    lm_vec2 *st;
    uint8_t *keys;
} arrays;

static bool alloc_arrays(const smoothing *s, lm_arena *arena, arrays *a) {
    const uint64_t file_vertices = s->drawn.num_vertices;
    const uint64_t drawn = file_vertices + s->drawn.num_copies;
    a->triangles = lmi_arena_alloc(arena, s->num_corners, sizeof *a->triangles);
    a->file_vertices = lmi_arena_alloc(arena, drawn, sizeof *a->file_vertices);
    a->st = lmi_arena_alloc(arena, drawn, sizeof *a->st);
    a->keys = lmi_arena_alloc(arena, s->model->num_frames * file_vertices, KEY_SIZE);
    return a->triangles && a->file_vertices && a->st && a->keys;
}

static void use_arrays(const smoothing *s, const arrays *a, lm_surface *surface) {
    const uint32_t drawn = s->drawn.num_vertices + s->drawn.num_copies;
    memcpy(a->triangles, s->drawn.corners, s->num_corners * sizeof *a->triangles);
    lmi_weld_file_vertices(&s->drawn, a->file_vertices);
    for (uint32_t v = 0; v < drawn; v++)
        a->st[v] = s->from->st[old_drawn(s, v)];
    surface->num_vertices = drawn;
    surface->num_file_vertices = s->drawn.num_vertices;
    surface->file_vertices = a->file_vertices;
    surface->st = a->st;
    surface->triangles = a->triangles;
    surface->encoding = LM_VERTEX_S16;
    surface->num_keys = s->model->num_frames;
    surface->keys = a->keys;
    surface->key_size = KEY_SIZE;
    surface->key_stride = (size_t)s->drawn.num_vertices * KEY_SIZE;
    surface->frame_keys = NULL;
}

bool lmi_sidecar_normals(const lm_sidecar *sidecar, lm_error *error) {
    lm_model *model = sidecar->model;
    smoothing s = {.model = model, .from = model->surfaces, .scratch = sidecar->scratch};
    arrays a;
    if (model->num_surfaces != 1 || model->surfaces->frame_deltas || model->bones)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "the model has several surfaces");
    if (!read_header(sidecar->file, &s, error) || !read_groups(sidecar->file, &s, error) ||
        !check_places(&s, error) || !split_vertices(&s) || !alloc_arrays(&s, sidecar->result, &a) ||
        !compute_keys(&s, a.keys))
        return false;
    use_arrays(&s, &a, (lm_surface *)model->surfaces);
    /* Remove the warnings that the stored normals have been replaced. */
    lm_diagnostic *warnings = (lm_diagnostic *)model->warnings;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->num_warnings; i++)
        if (warnings[i].code != LM_CODE_NORMALS_INWARD &&
            warnings[i].code != LM_CODE_IDENTICAL_NORMALS)
            warnings[count++] = warnings[i];
    model->num_warnings = count;
    return true;
}
