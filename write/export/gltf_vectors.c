#include "export/gltf.h"

#include "core/bytes.h"

#include <math.h>

/* Sets the bounds of an accessor. Returns true if they are finite. */
static bool set_bounds(const lm_vec3 *vectors, lm_accessor *entry) {
    lm_vec3 min = vectors[0], max = vectors[0];
    for (uint32_t i = 1; i < entry->count; i++) {
        const lm_vec3 *v = &vectors[i];
        min = (lm_vec3){fminf(min.x, v->x), fminf(min.y, v->y), fminf(min.z, v->z)};
        max = (lm_vec3){fmaxf(max.x, v->x), fmaxf(max.y, v->y), fmaxf(max.z, v->z)};
    }
    entry->num_bounds = 3;
    memcpy(entry->min, &min, sizeof min);
    memcpy(entry->max, &max, sizeof max);
    return lm_is_finite(min) && lm_is_finite(max);
}

/* Returns the largest absolute value of the bounds; 0 without bounds. */
static float largest(const lm_accessor *entry) {
    float most = 0;
    for (unsigned k = 0; k < entry->num_bounds; k++)
        most = fmaxf(most, fmaxf(-entry->min[k], entry->max[k]));
    return most;
}

static bool is_zero(const lm_vec3 *v) {
    return v->x == 0 && v->y == 0 && v->z == 0;
}

static void put_integers(uint8_t *out, const lm_vec3 *v, bool wide) {
    const int32_t numbers[] = {(int32_t)v->x, (int32_t)v->y, (int32_t)v->z};
    for (unsigned k = 0; k < 3; k++) {
        if (wide)
            lm_put_u16(out + 2 * k, (uint16_t)numbers[k]);
        else
            out[k] = (uint8_t)numbers[k];
    }
}

/* Writes all elements, each aligned to 4 bytes. */
static bool put_dense(lm_gltf *g, const lm_vec3 *vectors, bool wide, lm_accessor *entry) {
    size_t stride = wide ? 8 : 4;
    entry->stream = wide ? LM_STREAM_8 : LM_STREAM_4;
    uint8_t *out = lm_gltf_reserve_elements(g, entry, stride);
    for (uint32_t i = 0; out && i < entry->count; i++)
        put_integers(out + i * stride, &vectors[i], wide);
    return out;
}

/* Writes only the elements that are not zero. */
static bool put_sparse(lm_gltf *g, const lm_vec3 *vectors, bool wide, unsigned index_size,
                       lm_accessor *entry) {
    uint8_t *indices, *elements;
    if (entry->num_sparse == 0) /* needs no data */
        return true;
    if (!lm_gltf_reserve_sparse(g, entry, index_size, wide ? 6 : 3, &indices, &elements))
        return false;
    for (uint32_t i = 0; i < entry->count; i++) {
        if (is_zero(&vectors[i]))
            continue;
        lm_gltf_put_unsigned(indices, i, index_size);
        put_integers(elements, &vectors[i], wide);
        indices += index_size;
        elements += wide ? 6 : 3;
    }
    return true;
}

/* Adds integers, in 8 bits if they fit. Differences are sparse if that is smaller. */
static bool add_integers(lm_gltf *g, const lm_vec3 *vectors, unsigned kind, lm_accessor *entry) {
    const bool is_signed = kind != LM_VECTORS_INTEGERS;
    const bool wide = largest(entry) > (is_signed ? INT8_MAX : UINT8_MAX);
    const uint32_t count = entry->count;
    const unsigned index_size = count <= UINT8_MAX + 1 ? 1 : count <= UINT16_MAX + 1 ? 2 : 4;
    entry->component =
        is_signed ? (wide ? LM_GLTF_SHORT : LM_GLTF_BYTE) : lm_gltf_unsigned(1 + wide);
    entry->normalized = kind & LM_VECTORS_NORMALS;
    if (!(kind & LM_VECTORS_TARGET))
        return put_dense(g, vectors, wide, entry);
    for (uint32_t i = 0; i < count; i++)
        entry->num_sparse += !is_zero(&vectors[i]);
    entry->sparse = (uint64_t)entry->num_sparse * (index_size + (wide ? 6u : 3u)) <
                    (uint64_t)count * (wide ? 8 : 4);
    if (entry->sparse)
        return put_sparse(g, vectors, wide, index_size, entry);
    entry->num_sparse = 0;
    return put_dense(g, vectors, wide, entry);
}

static bool add_floats(lm_gltf *g, const lm_vec3 *vectors, lm_accessor *entry) {
    uint8_t *out = lm_gltf_reserve_elements(g, entry, 12);
    for (uint32_t i = 0; out && i < entry->count; i++)
        lm_put_vec3(out + 12 * (size_t)i, vectors[i]);
    return out;
}

bool lm_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, unsigned kind,
                         uint32_t *accessor) {
    lm_accessor entry = {
        .stream = LM_STREAM_12, .component = LM_GLTF_FLOAT, .count = count, .type = "VEC3"};
    if (!(kind & LM_VECTORS_NORMALS) && !set_bounds(vectors, &entry))
        return lm_call_fail(&g->heap.call, LM_CODE_NOT_FINITE,
                            "the difference between two frames is too large for a float");
    if (!(kind & LM_VECTORS_INTEGERS ? add_integers(g, vectors, kind, &entry)
                                     : add_floats(g, vectors, &entry)))
        return false;
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}
