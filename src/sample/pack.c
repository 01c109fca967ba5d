/* Packs frames as rows of a vertex buffer. */
#include "core/bytes.h"
#include "core/options.h"
#include "lerpmesh/base.h"
#include "sample/bones.h"
#include "sample/kernels.h"

#include <math.h>
#include <string.h>

#define MOST 127.0f /* largest coordinate on the octahedron */

/* ---- Normals ------------------------------------------------------------------------------- */

/* Folds a point of the octahedron's lower half outward around the square of the upper half. Also
 * the inverse. */
static lm_vec2 folded(float x, float y) {
    return (lm_vec2){(MOST - fabsf(y)) * (x < 0 ? -1.0f : 1.0f),
                     (MOST - fabsf(x)) * (y < 0 ? -1.0f : 1.0f)};
}

static lm_vec2 to_octahedron(lm_vec3 n) {
    const float scale = MOST / (fabsf(n.x) + fabsf(n.y) + fabsf(n.z));
    const lm_vec2 flat = {n.x * scale, n.y * scale};
    return n.z < 0 ? folded(flat.x, flat.y) : flat;
}

/* Returns the cosine of the angle between a normal and a point of the octahedron. */
static float cosine_to(lm_vec3 n, float u, float v) {
    const float z = MOST - fabsf(u) - fabsf(v);
    const lm_vec2 p = z < 0 ? folded(u, v) : (lm_vec2){u, v};
    return (n.x * p.x + n.y * p.y + n.z * z) / sqrtf(p.x * p.x + p.y * p.y + z * z);
}

/* Packs a normal as the nearest of the four points around it. */
static void pack_normal(lm_vec3 n, int8_t out[2]) {
    const lm_vec2 exact = to_octahedron(n);
    const float u = floorf(exact.x), v = floorf(exact.y);
    float best = -2;
    for (unsigned i = 0; i < 4; i++) {
        const float at[2] = {fminf(u + (float)(i & 1), MOST), fminf(v + (float)(i >> 1), MOST)};
        const float cosine = cosine_to(n, at[0], at[1]);
        if (cosine > best) {
            best = cosine;
            out[0] = (int8_t)at[0];
            out[1] = (int8_t)at[1];
        }
    }
}

/* ---- A frame ------------------------------------------------------------------------------- */

/* A frame of a surface as the model stores it. */
typedef struct stored_frame {
    const lm_model *model;
    const lm_surface *surface;
    const lm_frame *frame;
    const uint8_t *keys, *deltas; /* deltas: NULL if it has none */
    const lm_transform *bones;    /* NULL: the surface has keys */
} stored_frame;

/* Computes the bones if the model has some; `bones` has room for them. */
static stored_frame find_frame(const lm_model *model, const lm_surface *s, uint32_t frame,
                               lm_transform *bones) {
    const lm_pose pose = {frame, frame, 0, false};
    if (lmi_has_bones(model)) {
        lmi_pose_bones(model, &pose, &pose, LM_ALL_BONES, bones);
        return (stored_frame){model, s, &model->frames[frame], NULL, NULL, bones};
    }
    const uint32_t key = s->frame_keys ? s->frame_keys[frame] : frame;
    const uint32_t delta = s->frame_deltas ? s->frame_deltas[frame] : LM_NO_DELTA;
    return (stored_frame){model,
                          s,
                          &model->frames[frame],
                          s->keys + key * s->key_stride,
                          delta == LM_NO_DELTA ? NULL : s->deltas + delta * s->delta_stride,
                          NULL};
}

static void read_steps(const stored_frame *f, uint32_t vertex, int16_t out[3]) {
    const uint8_t *key = f->keys + vertex * f->surface->key_size;
    for (int i = 0; i < 3; i++)
        out[i] = f->surface->encoding == LM_VERTEX_U8 ? key[i] : lmi_get_s16(key + 2 * i);
}

static lm_vec3 row_of(const float row[4]) {
    return (lm_vec3){row[0], row[1], row[2]};
}

/* Returns a vertex's normal, of any length except 0. */
static lm_vec3 read_normal(const stored_frame *f, uint32_t vertex) {
    if (f->bones) {
        lm_vec3 position, normal;
        lmi_follow_bones(f->surface, vertex, f->bones, &position, &normal);
        return normal;
    }
    const uint8_t *key = f->keys + vertex * f->surface->key_size;
    lm_vec3 key_normal = row_of(lmi_rows_162[key[3]]), n;
    if (f->surface->encoding == LM_VERTEX_S16)
        lm_normal_from_angles(key[6], key[7], &key_normal);
    n = key_normal;
    if (f->deltas) {
        n = row_of(lmi_rows_256[f->deltas[4 * vertex + 3]]);
        if (f->model->delta_normals_add)
            n = (lm_vec3){n.x + key_normal.x, n.y + key_normal.y, n.z + key_normal.z};
    }
    if (n.x * n.x + n.y * n.y + n.z * n.z > LM_CANCELLED)
        return n;
    return f->deltas ? key_normal : (lm_vec3){0, 0, 1};
}

/* Returns true if the positions of a frame are not steps of the file. */
static bool is_moved(const stored_frame *f) {
    return f->deltas || f->bones;
}

/* Returns the position of a vertex of such a frame. */
static lm_vec3 read_moved(const stored_frame *f, uint32_t vertex) {
    if (f->bones) {
        lm_vec3 position, normal;
        lmi_follow_bones(f->surface, vertex, f->bones, &position, &normal);
        return position;
    }
    const uint8_t *delta = f->deltas + 4 * vertex;
    const float unit = f->model->delta_scale;
    int16_t key[3];
    read_steps(f, vertex, key);
    return (lm_vec3){
        key[0] * f->frame->scale.x + (delta[0] - LM_DELTA_BIAS) * unit + f->frame->translate.x,
        key[1] * f->frame->scale.y + (delta[1] - LM_DELTA_BIAS) * unit + f->frame->translate.y,
        key[2] * f->frame->scale.z + (delta[2] - LM_DELTA_BIAS) * unit + f->frame->translate.z};
}

/* ---- Steps --------------------------------------------------------------------------------- */

#define MAX_STEPS 32767.0f /* on each side of the centre */

static void fit_axis(float min, float max, float *scale, float *translate) {
    *translate = min / 2 + max / 2;
    *scale = (max - *translate) / MAX_STEPS;
}

/* Fits steps to the box around such a frame. */
static lm_packed_frame fit_steps(const stored_frame *f) {
    lm_packed_frame out;
    lm_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < f->surface->num_file_vertices; v++) {
        const lm_vec3 p = read_moved(f, v);
        min = (lm_vec3){fminf(min.x, p.x), fminf(min.y, p.y), fminf(min.z, p.z)};
        max = (lm_vec3){fmaxf(max.x, p.x), fmaxf(max.y, p.y), fmaxf(max.z, p.z)};
    }
    fit_axis(min.x, max.x, &out.scale.x, &out.translate.x);
    fit_axis(min.y, max.y, &out.scale.y, &out.translate.y);
    fit_axis(min.z, max.z, &out.scale.z, &out.translate.z);
    return out;
}

static int16_t step_to(float value, float scale, float translate) {
    const float steps = scale > 0 ? (value - translate) / scale : 0;
    return (int16_t)floorf(fminf(fmaxf(steps, -MAX_STEPS), MAX_STEPS) + 0.5f);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Packs a vertex as the file stores it. Returns the end of its 4 bytes. */
static uint8_t *pack_stored(const stored_frame *f, uint32_t vertex, uint8_t *out) {
    memcpy(out, f->keys + vertex * f->surface->key_size, 4);
    return out + 4;
}

/* Returns the end of the 8 bytes. */
static uint8_t *pack_wide(const stored_frame *f, uint32_t vertex, const lm_packed_frame *to,
                          uint8_t *out) {
    int16_t steps[3];
    int8_t normal[2];
    if (!is_moved(f)) {
        read_steps(f, vertex, steps);
    } else {
        const lm_vec3 p = read_moved(f, vertex);
        steps[0] = step_to(p.x, to->scale.x, to->translate.x);
        steps[1] = step_to(p.y, to->scale.y, to->translate.y);
        steps[2] = step_to(p.z, to->scale.z, to->translate.z);
    }
    pack_normal(read_normal(f, vertex), normal);
    memcpy(out, steps, sizeof steps);
    memcpy(out + sizeof steps, normal, sizeof normal);
    return out + 8;
}

static bool sound_packing(const lm_surface *s, const lm_packing *p) {
    return (p->format == LM_ROW_8_BYTES ||
            (p->format == LM_ROW_4_BYTES && s->encoding == LM_VERTEX_U8)) &&
           !(p->rows && !p->frames) && !(p->indices && s->num_vertices > UINT16_MAX + 1) &&
           (p->st_stride == 0 || (p->st_stride >= sizeof *s->st && p->st_stride % 4 == 0)) &&
           LM_RESERVED_VALID(p, NULL, "packing");
}

lm_code lm_model_pack_frames(const lm_model *model, uint32_t surface, uint32_t first,
                             uint32_t count, const lm_packing *packing) {
    if (!model || !packing || surface >= model->num_surfaces || first > model->num_frames ||
        count > model->num_frames - first || !sound_packing(&model->surfaces[surface], packing))
        return LM_CODE_BAD_ARGUMENT;
    const lm_surface *s = &model->surfaces[surface];
    const size_t stride = packing->st_stride ? packing->st_stride : sizeof *s->st;
    uint8_t *out = packing->rows;
    for (uint32_t i = 0; packing->frames && i < count; i++) {
        lm_transform bones[LM_MAX_BONES];
        const stored_frame f = find_frame(model, s, first + i, bones);
        lm_packed_frame *to = &packing->frames[i];
        *to = is_moved(&f) ? fit_steps(&f) : (lm_packed_frame){f.frame->scale, f.frame->translate};
        for (uint32_t v = 0; out && v < s->num_vertices; v++)
            out = packing->format == LM_ROW_4_BYTES ? pack_stored(&f, s->file_vertices[v], out)
                                                    : pack_wide(&f, s->file_vertices[v], to, out);
    }
    for (size_t i = 0; packing->indices && i < (size_t)3 * s->num_triangles; i++)
        packing->indices[i] = (uint16_t)s->triangles[i];
    for (uint32_t v = 0; packing->st && v < s->num_vertices; v++)
        memcpy((char *)packing->st + v * stride, &s->st[v], sizeof *s->st);
    return LM_CODE_OK;
}
