/* After Sander, Nehab and Barczak, "Fast Triangle Reordering for Vertex Locality and Reduced
 * Overdraw" (2007): emits the fans around vertices that are still in the cache, one after the
 * other. */
#include "encode/vertex_cache.h"

#include "mesh/mesh_make.h"

#include <string.h>

#define NONE LM_UNUSED

typedef struct ordering {
    uint32_t num_triangles, num_vertices;
    const uint32_t *corners;
    lm_neighbours neighbours;
    uint32_t *remaining;     /* [num_vertices] triangles to emit */
    uint32_t *times;         /* [num_vertices] time of the last transform */
    bool *done;              /* [num_triangles] emitted */
    uint32_t *stack, height; /* emitted vertices, the newest on top */
    uint32_t next;           /* all vertices before it are finished */
    uint32_t now;            /* number of transforms + LM_CACHE_SIZE */
    uint32_t *out, num_out;  /* corners */
    uint32_t *order;         /* [num_triangles] original index of each triangle; NULL: not wanted */
} ordering;

uint32_t lm_count_transforms(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                             uint32_t *times) {
    uint32_t now = LM_CACHE_SIZE;
    memset(times, 0, num_vertices * sizeof *times);
    for (size_t c = 0; c < (size_t)num_triangles * 3; c++)
        if (now - times[corners[c]] >= LM_CACHE_SIZE)
            times[corners[c]] = ++now;
    return now - LM_CACHE_SIZE;
}

static void put_triangle(ordering *o, uint32_t triangle) {
    o->done[triangle] = true;
    if (o->order)
        o->order[o->num_out / 3] = triangle;
    for (size_t c = 0; c < 3; c++) {
        const uint32_t v = o->corners[3 * (size_t)triangle + c];
        o->out[o->num_out++] = v;
        o->stack[o->height++] = v;
        o->remaining[v]--;
        if (o->now - o->times[v] >= LM_CACHE_SIZE)
            o->times[v] = ++o->now;
    }
}

/* Returns the oldest candidate that stays in the cache until its remaining triangles are emitted.
 * If there is none, returns any candidate with triangles left, or NONE. */
static uint32_t best_of(const ordering *o, const uint32_t *candidates, size_t count) {
    uint32_t best = NONE, most = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = candidates[i], age = o->now - o->times[v];
        if (o->remaining[v] == 0)
            continue;
        const uint32_t value = age + 2 * o->remaining[v] <= LM_CACHE_SIZE ? age + 1 : 0;
        if (best == NONE || value > most) {
            most = value;
            best = v;
        }
    }
    return best;
}

/* Returns a new start after the last fan: the newest emitted vertex that has triangles left, else
 * any vertex that has, else NONE. */
static uint32_t find_any(ordering *o) {
    while (o->height > 0) {
        const uint32_t v = o->stack[--o->height];
        if (o->remaining[v] > 0)
            return v;
    }
    while (o->next < o->num_vertices && o->remaining[o->next] == 0)
        o->next++;
    return o->next < o->num_vertices ? o->next : NONE;
}

static void order(ordering *o) {
    uint32_t vertex = find_any(o);
    while (vertex != NONE) {
        const uint32_t begin = o->num_out;
        for (uint32_t i = o->neighbours.first[vertex]; i < o->neighbours.first[vertex + 1]; i++)
            if (!o->done[o->neighbours.triangles[i]])
                put_triangle(o, o->neighbours.triangles[i]);
        vertex = best_of(o, o->out + begin, o->num_out - begin);
        if (vertex == NONE)
            vertex = find_any(o);
    }
}

bool lm_order_triangles(uint32_t num_triangles, uint32_t num_vertices, uint32_t *corners,
                        uint32_t *moved, lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    const size_t count = (size_t)num_triangles * 3;
    ordering o = {.num_triangles = num_triangles,
                  .num_vertices = num_vertices,
                  .corners = corners,
                  .order = moved,
                  .now = LM_CACHE_SIZE};
    o.times = lm_arena_zeros(&arena, num_vertices, sizeof *o.times);
    o.done = lm_arena_zeros(&arena, num_triangles, sizeof *o.done);
    o.stack = lm_arena_alloc(&arena, count, sizeof *o.stack);
    o.out = lm_arena_alloc(&arena, count, sizeof *o.out);
    o.remaining = lm_arena_zeros(&arena, num_vertices, sizeof *o.remaining);
    const bool done =
        lm_list_neighbours(num_triangles, num_vertices, corners, &arena, &o.neighbours) &&
        o.times && o.done && o.stack && o.out && o.remaining;
    if (done) {
        for (size_t c = 0; c < count; c++)
            o.remaining[corners[c]]++;
        order(&o);
        if (lm_count_transforms(num_triangles, num_vertices, o.out, o.times) <
            lm_count_transforms(num_triangles, num_vertices, corners, o.times))
            memcpy(corners, o.out, count * sizeof *corners);
        else
            for (uint32_t t = 0; moved && t < num_triangles; t++)
                moved[t] = t;
    }
    lm_arena_free(&arena);
    return done;
}

/* ---- Order of triangles and vertices ------------------------------------------------------ */

/* The state of lm_order_for_cache. */
typedef struct renumbering {
    lm_cache_order *r;
    uint32_t *moved, *before; /* [num_triangles] */
    uint32_t *times;          /* [num_vertices] */
} renumbering;

static uint32_t cost_of(const renumbering *o) {
    const lm_cache_order *r = o->r;
    return lm_count_transforms(r->num_triangles, r->num_vertices, r->corners, o->times);
}

static bool order_again(const renumbering *o, lm_heap *heap, bool *better) {
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
static void number_again(const renumbering *o, uint32_t *numbers, uint32_t *used, uint32_t *names) {
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
    renumbering o = {out, lm_arena_alloc(&scratch, num_triangles, sizeof(uint32_t)),
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
