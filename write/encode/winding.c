/* Detects closed meshes whose triangles face inward. */
#include "encode/encoding.h"

#include "core/index.h"
#include "math/vectors.h"
#include "model/weld.h"

#include <string.h>

/* A mesh counts as closed if at most OPEN_EDGES of its edges lack a neighbour. A volume below THIN,
 * relative to the area to the power of 3/2, has no reliable sign. */
#define OPEN_EDGES 0.1
#define THIN 1e-3

typedef struct lm_winding {
    const lm_mesh *mesh;
    uint64_t *edges; /* keys of edges, equal in both directions */
    int8_t *sides;   /* [num_edges] direction of each: 1 or -1 */
    uint32_t num_edges;
    lm_wide middle;
    double volume,
        area; /* six times the signed volume, positive if triangles face outward; twice the area */
    bool out_of_memory;
} lm_winding;

static lm_wide position_of(const lm_mesh_surface *s, uint32_t vertex) {
    return lm_wide_of(lm_vec3_at(s->positions, vertex));
}

/* Returns the key of a position. Two positions share a key with probability 2^-64. */
static uint64_t key_of(lm_wide p) {
    const float values[] = {(float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f}; /* no -0 */
    uint32_t bits[3];
    memcpy(bits, values, sizeof bits);
    return lm_hash(lm_hash(lm_hash(0, bits[0]), bits[1]), bits[2]);
}

static void add_edge(lm_winding *w, uint64_t from, uint64_t to) {
    w->sides[w->num_edges] = from < to ? 1 : -1;
    w->edges[w->num_edges++] =
        from < to ? lm_hash(lm_hash(0, from), to) : lm_hash(lm_hash(0, to), from);
}

static void add_triangle(lm_winding *w, const lm_mesh_surface *s, const uint32_t corners[3]) {
    uint64_t keys[3];
    lm_wide p[3];
    for (int c = 0; c < 3; c++) {
        p[c] = position_of(s, corners[c]);
        keys[c] = key_of(p[c]);
    }
    if (keys[0] == keys[1] || keys[1] == keys[2] || keys[2] == keys[0])
        return;
    const lm_wide side = lm_wide_side(p);
    w->area += lm_wide_length(side);
    w->volume += lm_wide_dot(side, lm_wide_sum(p[0], w->middle, -1));
    for (int c = 0; c < 3; c++)
        add_edge(w, keys[c], keys[(c + 1) % 3]);
}

/* Counts the edges that no other edge opposes. Returns all if memory ran out. */
static uint32_t count_open(lm_winding *w, lm_arena *arena) {
    uint32_t num_ids = 0, open = 0;
    uint32_t *ids = lm_arena_alloc(arena, w->num_edges, sizeof *ids);
    int32_t *sums = lm_arena_zeros(arena, w->num_edges, sizeof *sums);
    w->out_of_memory =
        !ids || !sums || !lm_rank_keys(w->edges, w->num_edges, ids, &num_ids, arena->heap);
    if (w->out_of_memory)
        return w->num_edges;
    for (uint32_t e = 0; e < w->num_edges; e++)
        sums[ids[e]] += w->sides[e];
    for (uint32_t i = 0; i < num_ids; i++)
        open += (uint32_t)(sums[i] < 0 ? -sums[i] : sums[i]);
    return open;
}

static bool faces_inward(lm_winding *w, uint64_t num_triangles, lm_arena *arena) {
    w->edges = lm_arena_alloc(arena, num_triangles * 3, sizeof *w->edges);
    w->sides = lm_arena_alloc(arena, num_triangles * 3, sizeof *w->sides);
    w->out_of_memory = !w->edges || !w->sides;
    if (w->out_of_memory || num_triangles > UINT32_MAX / 3)
        return false;
    /* Add the triangles of the first frame. */
    uint64_t count = 0;
    for (uint32_t i = 0; i < w->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &w->mesh->surfaces[i];
        count += s->num_vertices;
        for (uint32_t v = 0; v < s->num_vertices; v++)
            w->middle = lm_wide_sum(w->middle, position_of(s, v), 1);
    }
    if (count > 0)
        w->middle = lm_wide_sum((lm_wide){0, 0, 0}, w->middle, 1.0 / (double)count);
    for (uint32_t i = 0; i < w->mesh->num_surfaces; i++)
        for (size_t t = 0; t < w->mesh->surfaces[i].num_triangles; t++)
            add_triangle(w, &w->mesh->surfaces[i], w->mesh->surfaces[i].triangles + 3 * t);
    const double area = 0.5 * w->area, volume = w->volume / 6;
    return volume < -THIN * area * sqrt(area) && count_open(w, arena) <= OPEN_EDGES * w->num_edges;
}

bool lm_encode_note_winding(lm_encoding *encoding) {
    uint64_t num_triangles = 0;
    lm_winding w = {.mesh = encoding->mesh};
    lm_arena arena = {.heap = encoding->heap};
    for (uint32_t i = 0; i < w.mesh->num_surfaces; i++)
        num_triangles += w.mesh->surfaces[i].num_triangles;
    const bool inward = faces_inward(&w, num_triangles, &arena);
    lm_arena_free(&arena);
    if (w.out_of_memory && !encoding->heap->over_limit)
        return false;
    if (w.out_of_memory) /* the memory bound is too small to judge the winding */
        lm_heap_forget_limit(encoding->heap);
    return !inward || lm_encode_note(encoding, LM_CODE_INVERTED, "mesh", 0,
                                     "the triangles are wound counter-clockwise, so they face "
                                     "inward and games show the inside of the model");
}
