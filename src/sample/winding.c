/* Tells whether the triangles of a model face inward. */
#include "sample/smooth.h"

#include "core/index.h"
#include "model/weld.h"

#include <math.h>
#include <string.h>

/* A mesh counts as closed if at most OPEN_EDGES of its edges lack a neighbour. A volume below THIN,
 * relative to the area to the power of 3/2, has no reliable sign, nor has one that depends on the
 * point from which it is measured: openings, such as the sides of a sheet, are too large. */
#define OPEN_EDGES 0.1
#define THIN 1e-3

typedef struct lm_winding {
    uint64_t *edges; /* keys of edges, equal in both directions */
    int8_t *sides;   /* [num_edges] direction of each: 1 or -1 */
    uint32_t num_edges;
    lm_wide middle, opening; /* of the vertices; sum of the triangles' directions, 0 if closed */
    lm_box box;
    /* Six times the signed volume, positive if triangles face outward; twice the area. */
    double volume, area;
    bool out_of_memory;
} lm_winding;

/* Adds a triangle of the first frame. */
static void add_triangle(lm_winding *w, const lm_surface *s, const lm_vec3 *positions,
                         const uint32_t corners[3]) {
    uint64_t keys[3];
    lm_wide p[3];
    for (int c = 0; c < 3; c++) {
        const lm_vec3 at = positions[s->file_vertices[corners[c]]];
        p[c] = lmi_wide_of(at);
        lmi_box_add(&w->box, at);
        /* Two positions share a key with probability 2^-64. */
        keys[c] = lmi_hash_vec3(0, at);
    }
    if (keys[0] == keys[1] || keys[1] == keys[2] || keys[2] == keys[0])
        return;
    const lm_wide side = lmi_wide_side(p);
    w->area += lmi_wide_length(side);
    w->opening = lmi_wide_sum(w->opening, side, 1);
    w->volume += lmi_wide_dot(side, lmi_wide_sum(p[0], w->middle, -1));
    for (int c = 0; c < 3; c++) {
        const uint64_t a = keys[c], b = keys[(c + 1) % 3];
        w->sides[w->num_edges] = a < b ? 1 : -1;
        w->edges[w->num_edges++] = lmi_hash(lmi_hash(0, a < b ? a : b), a < b ? b : a);
    }
}

/* Counts the edges that no other edge opposes. Returns all if memory ran out. */
static uint32_t count_open(lm_winding *w, lm_arena *arena) {
    uint32_t num_ids = 0, open = 0;
    uint32_t *ids = lmi_arena_alloc(arena, w->num_edges, sizeof *ids);
    int32_t *sums = lmi_arena_zeros(arena, w->num_edges, sizeof *sums);
    w->out_of_memory =
        !ids || !sums || !lmi_rank_keys(w->edges, w->num_edges, ids, &num_ids, arena->heap);
    if (w->out_of_memory)
        return w->num_edges;
    for (uint32_t e = 0; e < w->num_edges; e++)
        sums[ids[e]] += w->sides[e];
    for (uint32_t i = 0; i < num_ids; i++)
        open += (uint32_t)(sums[i] < 0 ? -sums[i] : sums[i]);
    return open;
}

/* Returns the greatest volume that a point of the box measures, times 6. */
static double greatest_volume(const lm_winding *w) {
    const double opening[3] = {w->opening.x, w->opening.y, w->opening.z};
    const double middle[3] = {w->middle.x, w->middle.y, w->middle.z};
    double volume = w->volume;
    for (int i = 0; i < 3; i++)
        volume += fmax(opening[i] * (middle[i] - (double)w->box.low[i]),
                       opening[i] * (middle[i] - (double)w->box.high[i]));
    return volume;
}

/* Samples the first frame of all surfaces, one after the other. */
static lm_vec3 *sample_all(const lm_model *model, lm_winding *w, lm_arena *arena) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        count += model->surfaces[i].num_file_vertices;
    lm_vec3 *positions = lmi_arena_alloc(arena, count, sizeof *positions), *at = positions;
    for (uint32_t i = 0; positions && i < model->num_surfaces; i++) {
        lmi_sample_own(model, i, 0, at, NULL);
        at += model->surfaces[i].num_file_vertices;
    }
    for (const lm_vec3 *v = positions; positions && v < at; v++)
        w->middle = lmi_wide_sum(w->middle, lmi_wide_of(*v), 1);
    if (count > 0)
        w->middle = lmi_wide_sum((lm_wide){0, 0, 0}, w->middle, 1.0 / (double)count);
    return positions;
}

static bool judge(lm_winding *w, const lm_model *model, lm_arena *arena) {
    uint64_t num_triangles = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        num_triangles += model->surfaces[i].num_triangles;
    const lm_vec3 *positions = sample_all(model, w, arena);
    w->edges = lmi_arena_alloc(arena, num_triangles * 3, sizeof *w->edges);
    w->sides = lmi_arena_alloc(arena, num_triangles * 3, sizeof *w->sides);
    w->out_of_memory = !positions || !w->edges || !w->sides;
    if (w->out_of_memory || num_triangles > UINT32_MAX / 3)
        return false;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *s = &model->surfaces[i];
        for (size_t t = 0; t < s->num_triangles; t++)
            add_triangle(w, s, positions, s->triangles + 3 * t);
        positions += s->num_file_vertices;
    }
    const double area = 0.5 * w->area, volume = greatest_volume(w) / 6;
    return volume < -THIN * area * sqrt(area) && count_open(w, arena) <= OPEN_EDGES * w->num_edges;
}

bool lmi_model_faces_inward(const lm_model *model, lm_heap *heap, bool *inward) {
    lm_winding w = {.box = LM_EMPTY_BOX};
    lm_arena arena = {.heap = heap};
    *inward = model->num_frames > 0 && judge(&w, model, &arena);
    lmi_arena_free(&arena);
    if (w.out_of_memory && heap->over_limit) /* the bound is too small to judge the winding */
        lmi_heap_forget_limit(heap);
    else if (w.out_of_memory)
        return false;
    return true;
}
