/* The scalar reference. All other kernels give bit-identical results. */
#include "core/bytes.h"
#include "sample/kernels.h"

/* Bytes as floats: a lookup is faster than a conversion. */
#define FOUR(n) (n), (n) + 1, (n) + 2, (n) + 3
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
static const float numbers[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

/* Adds the packed coordinates of a side to a position. */
LM_SCALAR void add_key(lm_vec3 *sum, const lm_sample_side *side, lm_sample_input input, size_t v) {
    const uint8_t *p = side->key + v * lmi_input_key_size(input);
    if (input == LM_INPUT_U8) {
        sum->x = numbers[p[0]] * side->scale[0] + sum->x;
        sum->y = numbers[p[1]] * side->scale[1] + sum->y;
        sum->z = numbers[p[2]] * side->scale[2] + sum->z;
    } else {
        sum->x = (float)lmi_get_s16(p) * side->scale[0] + sum->x;
        sum->y = (float)lmi_get_s16(p + 2) * side->scale[1] + sum->y;
        sum->z = (float)lmi_get_s16(p + 4) * side->scale[2] + sum->z;
    }
}

LM_SCALAR void add_delta(lm_vec3 *sum, const lm_sample_side *side, size_t v) {
    const uint8_t *p = side->delta + 4 * v;
    sum->x = (numbers[p[0]] - LM_DELTA_BIAS) * side->delta_scale + sum->x;
    sum->y = (numbers[p[1]] - LM_DELTA_BIAS) * side->delta_scale + sum->y;
    sum->z = (numbers[p[2]] - LM_DELTA_BIAS) * side->delta_scale + sum->z;
}

LM_SCALAR lm_vec3 position(const lm_sample_job *job, lm_sample_input input, size_t v) {
    lm_vec3 sum = {job->translate[0], job->translate[1], job->translate[2]};
    if (lmi_input_has_delta(input, 1))
        add_delta(&sum, &job->sides[1], v);
    if (lmi_input_has_delta(input, 0))
        add_delta(&sum, &job->sides[0], v);
    if (input != LM_INPUT_S16_DELTAS_ON_ONE)
        add_key(&sum, &job->sides[1], input, v);
    add_key(&sum, &job->sides[0], input, v);
    return sum;
}

LM_SCALAR lm_vec3 row(const float table[256][4], uint8_t i) {
    return (lm_vec3){table[i][0], table[i][1], table[i][2]};
}

LM_SCALAR lm_vec3 key_normal(const lm_sample_side *side, size_t v) {
    const float *rho = lmi_rows_sigma[side->key[8 * v + 6]]; /* cosine and sine, as of any angle */
    const float *sigma = lmi_rows_sigma[side->key[8 * v + 7]];
    return (lm_vec3){rho[1] * sigma[0], rho[1] * sigma[1], rho[0]};
}

/* Adds the normals of the key and the delta. Not inlined, because only one quirk needs it. */
static LM_NEVER_INLINE lm_vec3 added_normal(const lm_sample_side *side, size_t v) {
    const lm_vec3 key = key_normal(side, v);
    lm_vec3 n = lmi_sum_of(key, row(lmi_rows_256, side->delta[4 * v + 3]), 1);
    const float scale = lmi_scale_for(&n, key, 1);
    return lmi_scaled(n, scale);
}

LM_SCALAR lm_vec3 normal_of(const lm_sample_side *side, lm_sample_input input, bool delta, bool add,
                            size_t v) {
    if (input == LM_INPUT_U8)
        return row(lmi_rows_162, side->key[4 * v + 3]);
    if (!delta)
        return key_normal(side, v);
    return add ? added_normal(side, v) : row(lmi_rows_256, side->delta[4 * v + 3]);
}

LM_SCALAR void sample_positions(const lm_sample_job *job, lm_sample_input input) {
    const lm_sample_job local = *job; /* a local copy, which no store can alias */
    char *out = local.positions;
    for (size_t v = 0; v < local.count; v++, out += local.stride)
        lmi_store_vec3(out, local.component, position(&local, input, v));
}

/* Returns the normal before normalisation. *first gets that of the nearer frame. */
LM_SCALAR lm_vec3 blended_normal(const lm_sample_job *job, lm_sample_input input, bool add,
                                 size_t v, lm_vec3 *first) {
    *first = normal_of(&job->sides[0], input, lmi_input_has_delta(input, 0), add, v);
    lm_vec3 second = normal_of(&job->sides[1], input, lmi_input_has_delta(input, 1), add, v);
    return lmi_sum_of(*first, second, job->ratio);
}

LM_SCALAR void sample_normals(const lm_sample_job *job, lm_sample_input input, bool add) {
    const lm_sample_job local = *job;
    char *out = local.normals;
    for (size_t v = 0; v < local.count; v++, out += local.stride) {
        lm_vec3 first, n = blended_normal(&local, input, add, v, &first);
        float scale = lmi_scale_for(&n, first, 1);
        lmi_store_vec3(out, local.component, lmi_scaled(n, scale));
    }
}

/* Samples positions and normals in one loop, which is faster than two. */
LM_SCALAR void sample_vertices(const lm_sample_job *job, lm_sample_input input, bool add) {
    const lm_sample_job local = *job;
    char *out = local.positions, *normals = local.normals;
    for (size_t v = 0; v < local.count; v++, out += local.stride, normals += local.stride) {
        lm_vec3 first, n = blended_normal(&local, input, add, v, &first);
        float scale = lmi_scale_for(&n, first, 1);
        lmi_store_vec3(out, local.component, position(&local, input, v));
        lmi_store_vec3(normals, local.component, lmi_scaled(n, scale));
    }
}

LM_SCALAR void sample_packed(const lm_sample_job *job, lm_sample_input input, bool add) {
    const lm_sample_job local = *job;
    uint8_t *out = (uint8_t *)local.packed;
    for (size_t v = 0; v < local.count; v++, out += local.stride) {
        lm_vec3 first, n = blended_normal(&local, input, add, v, &first);
        float scale = lmi_scale_for(&n, first, 127);
        lmi_put_u32(out, lmi_packed_of(lmi_scaled(n, scale)));
    }
}

LM_SCALAR void sample(const lm_sample_job *job, lm_sample_input input, bool add) {
    if (job->positions && job->normals) {
        sample_vertices(job, input, add);
        if (job->layout == LM_LAYOUT_32 || job->layout == LM_LAYOUT_STREAMED)
            for (size_t v = 0; v < job->count; v++)
                memset(job->positions + v * job->stride + 24, 0, 8);
    } else if (job->positions)
        sample_positions(job, input);
    else if (job->normals)
        sample_normals(job, input, add);
    if (job->packed)
        sample_packed(job, input, add);
}

#ifdef LM_SMALL
/* One loop for all inputs, to save space. */
void lmi_sample_scalar(const lm_sample_job *job) {
    sample(job, job->input, job->add_normals);
}
#else
void lmi_sample_scalar(const lm_sample_job *job) {
    switch (job->input) {
    case LM_INPUT_U8:
        sample(job, LM_INPUT_U8, false);
        break;
    case LM_INPUT_S16:
        sample(job, LM_INPUT_S16, false);
        break;
    case LM_INPUT_S16_DELTA_FIRST:
        sample(job, LM_INPUT_S16_DELTA_FIRST, job->add_normals);
        break;
    case LM_INPUT_S16_DELTA_SECOND:
        sample(job, LM_INPUT_S16_DELTA_SECOND, job->add_normals);
        break;
    default:
        sample(job, job->input, job->add_normals);
    }
}
#endif
