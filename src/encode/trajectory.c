#include "encode/trajectory.h"

#include "model/weld.h"

typedef struct trajectories {
    uint32_t num_frames, num_vertices;
    const float *positions;
    const uint16_t *normals;
} trajectories;

static uint64_t mix(uint64_t key, uint32_t bits) {
    key = (key ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    const float plain = value + 0.0f; /* -0 becomes 0 */
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static void find_keys(const trajectories *t, uint64_t *keys) {
    memset(keys, 0, t->num_vertices * sizeof *keys);
    const float *p = t->positions;
    const uint16_t *normal = t->normals;
    for (uint32_t f = 0; f < t->num_frames; f++)
        for (uint32_t v = 0; v < t->num_vertices; v++, p += 3)
            keys[v] =
                mix(mix(mix(mix(keys[v], bits_of(p[0])), bits_of(p[1])), bits_of(p[2])), *normal++);
}

static bool same(const trajectories *t, uint32_t a, uint32_t b) {
    for (uint32_t f = 0; f < t->num_frames; f++) {
        const size_t row = (size_t)f * t->num_vertices;
        const float *p = t->positions + 3 * (row + a), *q = t->positions + 3 * (row + b);
        if (t->normals[row + a] != t->normals[row + b] || p[0] != q[0] || p[1] != q[1] ||
            p[2] != q[2])
            return false;
    }
    return true;
}

/* Different ones may have one key: then only those that are like the first of them share. */
bool lm_weld_trajectories(uint32_t num_frames, uint32_t num_vertices, const float *positions,
                          const uint16_t *normals, uint32_t *firsts, lm_heap *heap) {
    const trajectories t = {num_frames, num_vertices, positions, normals};
    const size_t size = num_vertices * (sizeof(uint64_t) + 2 * sizeof(uint32_t));
    uint64_t *keys = lm_heap_alloc(heap, num_vertices, sizeof(uint64_t) + 2 * sizeof(uint32_t));
    if (!keys)
        return false;
    uint32_t *ids = (uint32_t *)(keys + num_vertices), *first_of = ids + num_vertices, num_ids;
    find_keys(&t, keys);
    const bool done = lm_rank_keys(keys, num_vertices, ids, &num_ids, heap);
    memset(first_of, 0xFF, num_vertices * sizeof *first_of);
    for (uint32_t v = 0; done && v < num_vertices; v++) {
        uint32_t *first = &first_of[ids[v]];
        *first = *first == LM_UNUSED ? v : *first;
        firsts[v] = *first == v || same(&t, *first, v) ? *first : v;
    }
    lm_heap_free(heap, keys, size);
    return done;
}
