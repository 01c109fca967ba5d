/* Each corner of a triangle adds the triangle's direction to its vertex, weighted by the corner's
 * angle. So the triangulation of a flat area does not matter. Vertices at the same position share
 * their sums, across all surfaces, so that a model split for its skins shows no seam.
 *
 * All arithmetic is in double precision and uses no function of libm except the square root, so
 * that the results have the same bytes on every machine. */
#include "sample/smooth_normals.h"

#include "core/index.h"

#include <string.h>

/* Directions cancel if their sum is shorter than this fraction of the angles at the position, as on
 * both sides of a sheet. Each vertex there then uses its own sum. */
#define CANCELLED 0.1

/* Bytes of scratch memory per vertex. */
#define SCRATCH_SIZE \
    (2 * sizeof(lm_normal_sum) + sizeof(lm_vec3) + sizeof(uint64_t) + sizeof(uint32_t))

bool lm_smoothing_begin(lm_smoothing *s, uint64_t count, lm_heap *heap) {
    *s = (lm_smoothing){.heap = heap};
    s->own = count <= UINT32_MAX ? lm_heap_alloc(heap, count, SCRATCH_SIZE) : NULL;
    if (!s->own)
        return false;
    s->count = (uint32_t)count;
    s->shared = s->own + count;
    s->hashes = (uint64_t *)(s->shared + count);
    s->positions = (lm_vec3 *)(s->hashes + count);
    s->same_position = (uint32_t *)(s->positions + count);
    return true;
}

void lm_smoothing_end(lm_smoothing *s) {
    lm_heap_free(s->heap, s->own, s->count * SCRATCH_SIZE);
}

static bool same_position(const void *context, uint32_t a, uint32_t b) {
    const lm_smoothing *s = context;
    return lm_same_vec3(s->positions[a], s->positions[b]);
}

bool lm_smoothing_frame(lm_smoothing *s) {
    memset(s->own, 0, 2 * (size_t)s->count * sizeof *s->own);
    for (uint32_t v = 0; v < s->count; v++)
        s->hashes[v] = lm_hash_bytes(0, &s->positions[v], sizeof s->positions[v]);
    return lm_find_equal(s->count, s->hashes, same_position, s, s->same_position, s->heap);
}

static void add_weighted(lm_normal_sum *to, lm_wide direction, double angle) {
    to->sum = lm_wide_sum(to->sum, direction, angle);
    to->angles += angle;
}

void lm_smoothing_triangle(const lm_smoothing *s, const uint32_t v[3]) {
    lm_wide p[3], edges[3];
    double lengths[3];
    for (int c = 0; c < 3; c++)
        p[c] = lm_wide_of(s->positions[v[c]]);
    for (int c = 0; c < 3; c++) {
        edges[c] = lm_wide_sum(p[(c + 1) % 3], p[c], -1);
        lengths[c] = lm_wide_length(edges[c]);
    }
    lm_wide side = lm_wide_side(p);
    double area = lm_wide_length(side);
    if (!(area > 0 && isfinite(area)))
        return;
    lm_wide direction = {side.x / area, side.y / area, side.z / area};
    for (int c = 0; c < 3; c++) {
        int before = (c + 2) % 3;
        double cosine = -lm_wide_dot(edges[c], edges[before]) / (lengths[c] * lengths[before]);
        double angle = lm_arc_cosine(cosine);
        add_weighted(&s->own[v[c]], direction, angle);
        add_weighted(&s->shared[s->same_position[v[c]]], direction, angle);
    }
}

static bool cancels(const lm_normal_sum *g) {
    return !(lm_wide_length(g->sum) > CANCELLED * g->angles);
}

lm_vec3 lm_smoothing_normal(const lm_smoothing *s, uint32_t v) {
    const lm_normal_sum *g = &s->shared[s->same_position[v]];
    g = cancels(g) ? &s->own[v] : g;
    if (cancels(g))
        return (lm_vec3){0, 0, 1};
    return (lm_vec3){(float)g->sum.x, (float)g->sum.y, (float)g->sum.z};
}
