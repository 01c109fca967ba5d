/* The scalar reference: what every faster kernel must equal. */
#include "lerpmesh/sample.h"

#include "core/bytes.h"
#include "lerpmesh/normals.h"

#include <math.h>

/* One frame of a surface, with its share of the mix folded into the numbers: a vertex is
 *     packed * scale + delta * delta_scale + translate. */
typedef struct lm_side {
    const uint8_t *key;
    const uint8_t *delta; /* NULL: none */
    lm_vec3 scale, translate;
    float delta_scale;
    float share;
} lm_side;

static lm_vec3 scaled(lm_vec3 v, float s) {
    return (lm_vec3){v.x * s, v.y * s, v.z * s};
}

static lm_vec3 sum(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static lm_side side_of(const lm_model *model, const lm_surface *surface, uint32_t frame,
                       float share) {
    uint32_t key = surface->frame_keys ? surface->frame_keys[frame] : frame;
    uint32_t delta = surface->frame_deltas ? surface->frame_deltas[frame] : LM_NO_DELTA;
    lm_side side = {.key = surface->keys + key * surface->key_stride,
                    .scale = scaled(model->frames[frame].scale, share),
                    .translate = scaled(model->frames[frame].translate, share),
                    .delta_scale = model->delta_scale * share,
                    .share = share};
    if (delta != LM_NO_DELTA)
        side.delta = surface->deltas + delta * surface->delta_stride;
    return side;
}

static lm_vec3 packed_u8(const uint8_t *p) {
    return (lm_vec3){(float)p[0], (float)p[1], (float)p[2]};
}

static lm_vec3 packed_s16(const uint8_t *p) {
    return (lm_vec3){(float)lm_get_s16(p), (float)lm_get_s16(p + 2), (float)lm_get_s16(p + 4)};
}

static lm_vec3 position(const lm_side *side, lm_vertex_encoding encoding, size_t vertex) {
    lm_vec3 v = encoding == LM_VERTEX_U8 ? packed_u8(side->key + 4 * vertex)
                                         : packed_s16(side->key + 8 * vertex);
    v = (lm_vec3){v.x * side->scale.x, v.y * side->scale.y, v.z * side->scale.z};
    if (side->delta) {
        lm_vec3 offset = packed_u8(side->delta + 4 * vertex);
        v.x += (offset.x - LM_DELTA_BIAS) * side->delta_scale;
        v.y += (offset.y - LM_DELTA_BIAS) * side->delta_scale;
        v.z += (offset.z - LM_DELTA_BIAS) * side->delta_scale;
    }
    return sum(v, side->translate);
}

static float length(lm_vec3 v) {
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

/* Of length 1; where two opposite normals cancel, `otherwise`. */
static lm_vec3 normalised(lm_vec3 n, lm_vec3 otherwise) {
    /* Below this the direction is rounding noise: table entries are exact to 1e-6. */
    const float cancelled = 1e-5f;
    float l = length(n);
    if (l > cancelled)
        return scaled(n, 1 / l);
    l = length(otherwise);
    return l > cancelled ? scaled(otherwise, 1 / l) : (lm_vec3){0, 0, 1};
}

static lm_vec3 normal(const lm_side *side, const lm_surface *surface, bool add, size_t vertex) {
    if (surface->encoding == LM_VERTEX_U8)
        return lm_normals_162[side->key[4 * vertex + 3]];
    if (side->delta && !add)
        return lm_normals_256[side->delta[4 * vertex + 3]];
    const uint8_t *angles = side->key + 8 * vertex + 6;
    lm_vec3 n = lm_normal_from_angles(angles[0], angles[1]);
    return side->delta ? normalised(sum(n, lm_normals_256[side->delta[4 * vertex + 3]]), n) : n;
}

static void store(float *out, lm_vec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void sample_positions(const lm_surface *surface, const lm_side *a, const lm_side *b,
                             float *out, size_t step) {
    for (size_t i = 0; i < surface->num_vertices; i++, out += step) {
        size_t v = surface->file_vertices[i];
        lm_vec3 p = position(a, surface->encoding, v);
        store(out, b->share > 0 ? sum(p, position(b, surface->encoding, v)) : p);
    }
}

static void sample_normals(const lm_surface *surface, const lm_side *a, const lm_side *b, bool add,
                           float *out, size_t step) {
    for (size_t i = 0; i < surface->num_vertices; i++, out += step) {
        size_t v = surface->file_vertices[i];
        lm_vec3 na = normal(a, surface, add, v);
        lm_vec3 nb = b->share > 0 ? normal(b, surface, add, v) : na;
        lm_vec3 mixed = sum(scaled(na, a->share), scaled(nb, b->share));
        store(out, normalised(mixed, a->share >= 0.5f ? na : nb));
    }
}

static bool sound_pose(const lm_model *model, lm_pose pose) {
    return pose.frame_a < model->num_frames && pose.frame_b < model->num_frames && pose.t >= 0 &&
           pose.t <= 1;
}

static bool sound_target(const lm_sample_target *target) {
    return target->stride % 4 == 0 && target->pose_stride % 4 == 0 &&
           (target->stride == 0 || target->stride >= 12);
}

lm_code lm_sample(const lm_model *model, uint32_t surface, const lm_pose *poses, size_t num_poses,
                  const lm_sample_target *target) {
    if (surface >= model->num_surfaces || !sound_target(target))
        return LM_CODE_BAD_ARGUMENT;
    for (size_t p = 0; p < num_poses; p++)
        if (!sound_pose(model, poses[p]))
            return LM_CODE_BAD_ARGUMENT;
    const lm_surface *s = &model->surfaces[surface];
    size_t step = (target->stride ? target->stride : 12) / 4;
    size_t pose_step = target->pose_stride ? target->pose_stride / 4 : s->num_vertices * step;
    for (size_t p = 0; p < num_poses; p++) {
        lm_side a = side_of(model, s, poses[p].frame_a, 1 - poses[p].t);
        lm_side b = side_of(model, s, poses[p].frame_b, poses[p].t);
        if (a.share <= 0) /* all of frame b: to the bit what it is alone */
            a = b, b.share = 0;
        if (target->positions)
            sample_positions(s, &a, &b, target->positions + p * pose_step, step);
        if (target->normals)
            sample_normals(s, &a, &b, model->delta_normals_add, target->normals + p * pose_step,
                           step);
    }
    return LM_CODE_OK;
}

lm_pose lm_pose_at(const lm_model *model, double frame) {
    uint32_t last = model->num_frames - 1;
    if (!(frame > 0))
        return (lm_pose){0, 0, 0};
    if (frame >= last)
        return (lm_pose){last, last, 0};
    uint32_t whole = (uint32_t)frame;
    return (lm_pose){whole, whole + 1, (float)(frame - whole)};
}
