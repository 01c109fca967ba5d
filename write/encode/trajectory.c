#include "encode/trajectory.h"

#include "core/index.h"

#include <string.h>

typedef struct trajectories {
    uint32_t num_frames, num_vertices;
    const float *positions;
    const uint16_t *normals;
} trajectories;

static uint32_t bits_of(float value) {
    uint32_t bits;
    const float plain = value + 0.0f; /* turns -0 into 0 */
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static bool same(const void *context, uint32_t a, uint32_t b) {
    const trajectories *t = context;
    for (uint32_t f = 0; f < t->num_frames; f++) {
        const size_t row = (size_t)f * t->num_vertices;
        const float *p = t->positions + 3 * (row + a), *q = t->positions + 3 * (row + b);
        if (t->normals[row + a] != t->normals[row + b] || p[0] != q[0] || p[1] != q[1] ||
            p[2] != q[2])
            return false;
    }
    return true;
}

bool lm_weld_trajectories(uint32_t num_frames, uint32_t num_vertices, const float *positions,
                          const uint16_t *normals, uint32_t *firsts, lm_heap *heap) {
    const trajectories t = {num_frames, num_vertices, positions, normals};
    uint64_t *keys = lm_heap_alloc(heap, num_vertices, sizeof *keys);
    if (!keys)
        return false;
    memset(keys, 0, t.num_vertices * sizeof *keys);
    const float *p = t.positions;
    const uint16_t *normal = t.normals;
    for (uint32_t f = 0; f < t.num_frames; f++)
        for (uint32_t v = 0; v < t.num_vertices; v++, p += 3)
            keys[v] = lm_hash(
                lm_hash(lm_hash(lm_hash(keys[v], bits_of(p[0])), bits_of(p[1])), bits_of(p[2])),
                *normal++);
    const bool done = lm_find_equal(num_vertices, keys, same, &t, firsts, heap);
    lm_heap_free(heap, keys, num_vertices * sizeof *keys);
    return done;
}
