#include "encode/cache_order.h"

#include "encode/vertex_cache.h"

/* The state of lm_order_for_cache. */
typedef struct ordering {
    lm_cache_order *r;
    uint32_t *moved, *before; /* [num_triangles] */
    uint32_t *times;          /* [num_vertices] */
} ordering;

static uint32_t cost_of(const ordering *o) {
    const lm_cache_order *r = o->r;
    return lm_count_transforms(r->num_triangles, r->num_vertices, r->corners, o->times);
}

static bool order_again(const ordering *o, lm_heap *heap, bool *better) {
    lm_cache_order *r = o->r;
    const uint32_t cost = cost_of(o);
    memcpy(o->before, r->order, r->num_triangles * sizeof *r->order);
    if (!lm_order_triangles(r->num_triangles, r->num_vertices, r->corners, o->moved, heap))
        return false;
    for (uint32_t t = 0; t < r->num_triangles; t++)
        r->order[t] = o->before[o->moved[t]];
    *better = cost_of(o) < cost;
    return true;
}

/* Renumbers corners in the order of their first use, and `vertices` with them. */
static void number_again(const ordering *o, uint32_t *numbers, uint32_t *used, uint32_t *names) {
    lm_cache_order *r = o->r;
    memcpy(names, r->vertices, r->num_vertices * sizeof *names);
    lm_rename_by_use(r->corners, (size_t)r->num_triangles * 3, r->num_vertices, numbers, used);
    for (uint32_t v = 0; v < r->num_vertices; v++)
        r->vertices[v] = names[used[v]];
}

bool lm_order_for_cache(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                        bool keep, lm_cache_order *out, lm_arena *arena) {
    const size_t count = (size_t)num_triangles * 3;
    lm_arena scratch = {.heap = arena->heap};
    *out = (lm_cache_order){.num_triangles = num_triangles,
                            .order = lm_arena_alloc(arena, num_triangles, sizeof(uint32_t)),
                            .corners = lm_arena_alloc(arena, count, sizeof(uint32_t)),
                            .vertices = lm_arena_alloc(arena, num_vertices, sizeof(uint32_t))};
    ordering o = {out, lm_arena_alloc(&scratch, num_triangles, sizeof(uint32_t)),
                  lm_arena_alloc(&scratch, num_triangles, sizeof(uint32_t)),
                  lm_arena_alloc(&scratch, num_vertices, sizeof(uint32_t))};
    uint32_t *numbers = lm_arena_alloc(&scratch, num_vertices, 3 * sizeof *numbers);
    bool done =
        out->order && out->corners && out->vertices && o.moved && o.before && o.times && numbers;
    if (done) {
        for (uint32_t t = 0; t < num_triangles; t++)
            out->order[t] = t;
        memcpy(out->corners, corners, count * sizeof *corners);
        out->num_vertices =
            lm_rename_by_use(out->corners, count, num_vertices, numbers, out->vertices);
    }
    for (bool better = !keep; done && better;) {
        done = order_again(&o, arena->heap, &better);
        if (done && better)
            number_again(&o, numbers, numbers + num_vertices, numbers + 2 * (size_t)num_vertices);
    }
    lm_arena_free(&scratch);
    return done;
}
