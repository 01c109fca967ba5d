#include "encode/around.h"

bool lm_list_around(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                    lm_arena *arena, lm_around *out) {
    const size_t count = (size_t)num_triangles * 3;
    uint32_t *first = lm_arena_zeros(arena, (uint64_t)num_vertices + 2, sizeof *first);
    uint32_t *triangles = lm_arena_alloc(arena, count, sizeof *triangles);
    *out = (lm_around){first, triangles};
    if (!first || !triangles)
        return false;
    /* Counted two places on, added up there, and filled in one place on, which moves each to where
     * the next begins. */
    for (size_t c = 0; c < count; c++)
        first[corners[c] + 2]++;
    for (uint32_t v = 0; v < num_vertices; v++)
        first[v + 2] += first[v + 1];
    for (size_t c = 0; c < count; c++)
        triangles[first[corners[c] + 1]++] = (uint32_t)(c / 3);
    return true;
}
