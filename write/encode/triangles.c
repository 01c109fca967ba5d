/* Orders triangles for the vertex cache, and splits surfaces into parts within limits. */
#include "encode/triangles.h"

#include <string.h>

#define NONE LM_UNUSED

/* ---- Order ---------------------------------------------------------------------------------- */

/* After Sander, Nehab and Barczak, "Fast Triangle Reordering for Vertex Locality and Reduced
 * Overdraw" (2007): emits the fans around vertices that are still in the cache, one after the
 * other. */
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

uint32_t lmi_count_transforms(uint32_t num_triangles, uint32_t num_vertices,
                              const uint32_t *corners, uint32_t *times) {
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

bool lmi_order_triangles(uint32_t num_triangles, uint32_t num_vertices, uint32_t *corners,
                         uint32_t *moved, lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    const size_t count = (size_t)num_triangles * 3;
    ordering o = {.num_triangles = num_triangles,
                  .num_vertices = num_vertices,
                  .corners = corners,
                  .now = LM_CACHE_SIZE,
                  .order = moved};
    o.times = lmi_arena_zeros(&arena, num_vertices, sizeof *o.times);
    o.done = lmi_arena_zeros(&arena, num_triangles, sizeof *o.done);
    o.stack = lmi_arena_alloc(&arena, count, sizeof *o.stack);
    o.out = lmi_arena_alloc(&arena, count, sizeof *o.out);
    o.remaining = lmi_arena_zeros(&arena, num_vertices, sizeof *o.remaining);
    const bool done =
        lmi_list_neighbours(num_triangles, num_vertices, corners, &arena, &o.neighbours) &&
        o.times && o.done && o.stack && o.out && o.remaining;
    if (done) {
        for (size_t c = 0; c < count; c++)
            o.remaining[corners[c]]++;
        order(&o);
        if (lmi_count_transforms(num_triangles, num_vertices, o.out, o.times) <
            lmi_count_transforms(num_triangles, num_vertices, corners, o.times))
            memcpy(corners, o.out, count * sizeof *corners);
        else
            for (uint32_t t = 0; moved && t < num_triangles; t++)
                moved[t] = t;
    }
    lmi_arena_free(&arena);
    return done;
}

bool lmi_order_for_cache(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                         bool keep, lm_cache_order *out, lm_arena *arena) {
    const size_t count = (size_t)num_triangles * 3;
    lm_arena scratch = {.heap = arena->heap};
    *out = (lm_cache_order){.num_triangles = num_triangles,
                            .order = lmi_arena_alloc(arena, num_triangles, sizeof(uint32_t)),
                            .corners = lmi_arena_alloc(arena, count, sizeof(uint32_t)),
                            .vertices = lmi_arena_alloc(arena, num_vertices, sizeof(uint32_t))};
    uint32_t *moved = lmi_arena_alloc(&scratch, num_triangles, 2 * sizeof *moved);
    uint32_t *times = lmi_arena_alloc(&scratch, num_vertices, 4 * sizeof *times);
    bool done = out->order && out->corners && out->vertices && moved && times;
    if (!done) {
        lmi_arena_free(&scratch);
        return false;
    }
    uint32_t *before = moved + num_triangles, *numbers = times + num_vertices;
    uint32_t *used = numbers + num_vertices, *names = used + num_vertices;
    for (uint32_t t = 0; t < num_triangles; t++)
        out->order[t] = t;
    memcpy(out->corners, corners, count * sizeof *corners);
    out->num_vertices =
        lmi_rename_by_use(out->corners, count, num_vertices, numbers, out->vertices);
    const uint32_t left = out->num_vertices;
    for (bool better = !keep; done && better;) {
        const uint32_t cost = lmi_count_transforms(num_triangles, left, out->corners, times);
        memcpy(before, out->order, num_triangles * sizeof *before);
        done = lmi_order_triangles(num_triangles, left, out->corners, moved, arena->heap);
        for (uint32_t t = 0; done && t < num_triangles; t++)
            out->order[t] = before[moved[t]];
        better = done && lmi_count_transforms(num_triangles, left, out->corners, times) < cost;
        if (!better)
            break;
        /* Number the corners in the order of their first use, and the vertices with them. */
        memcpy(names, out->vertices, left * sizeof *names);
        lmi_rename_by_use(out->corners, count, left, numbers, used);
        for (uint32_t vertex = 0; vertex < left; vertex++)
            out->vertices[vertex] = names[used[vertex]];
    }
    lmi_arena_free(&scratch);
    return done;
}

/* ---- Parts ---------------------------------------------------------------------------------- */

/* A queue of triangles, first in, first out. */
typedef struct queue {
    uint32_t *list;
    uint32_t begin, end;
} queue;

typedef struct splitting {
    const lm_split *split;
    uint32_t *parts;
    lm_neighbours neighbours;
    uint32_t *part_of; /* [num_vertices] the last part that has the vertex */
    uint32_t *seen;    /* [num_triangles] the last part that touches the triangle */
    uint8_t *missing;  /* [num_triangles] vertices of it that this part lacks */
    queue queues[3];   /* by the number of missing vertices */
    uint32_t part, num_triangles, num_vertices; /* of the current part */
    uint32_t next;                              /* all triangles before it have a part */
} splitting;

static void update_missing(splitting *s, uint32_t triangle) {
    if (s->parts[triangle] != NONE)
        return;
    if (s->seen[triangle] != s->part) {
        const uint32_t *v = s->split->corners + 3 * (size_t)triangle;
        s->seen[triangle] = s->part;
        s->missing[triangle] = (uint8_t)(1 + (v[1] != v[0]) + (v[2] != v[0] && v[2] != v[1]));
    }
    queue *q = &s->queues[--s->missing[triangle]];
    q->list[q->end++] = triangle;
}

static void add_vertex(splitting *s, uint32_t vertex) {
    uint32_t last = NONE; /* a triangle that uses the vertex twice is listed twice in a row */
    if (s->part_of[vertex] == s->part)
        return;
    s->part_of[vertex] = s->part;
    s->num_vertices++;
    for (uint32_t i = s->neighbours.first[vertex]; i < s->neighbours.first[vertex + 1]; i++) {
        if (s->neighbours.triangles[i] != last)
            update_missing(s, s->neighbours.triangles[i]);
        last = s->neighbours.triangles[i];
    }
}

/* Returns the first queued triangle that still misses `missing` vertices, or NONE. */
static uint32_t first_queued(splitting *s, unsigned missing) {
    queue *q = &s->queues[missing];
    for (; q->begin < q->end; q->begin++) {
        const uint32_t triangle = q->list[q->begin];
        if (s->parts[triangle] == NONE && s->missing[triangle] == missing)
            return triangle;
    }
    return NONE;
}

/* Returns a triangle that needs no more new vertices than `room`: the first queued one, else any
 * without a part, else NONE. */
static uint32_t find_triangle(splitting *s, uint32_t room) {
    for (unsigned missing = 0; missing < 3; missing++) {
        const uint32_t triangle = first_queued(s, missing);
        if (triangle != NONE)
            return missing <= room ? triangle : NONE;
    }
    while (s->next < s->split->num_triangles && s->parts[s->next] != NONE)
        s->next++;
    return s->next < s->split->num_triangles && room >= 3 ? s->next : NONE;
}

static void grow_parts(splitting *s, uint32_t *num_parts) {
    const lm_split *split = s->split;
    uint32_t t = find_triangle(s, 3);
    for (s->part = 0; t != NONE; s->part++) {
        s->num_triangles = s->num_vertices = 0;
        for (int i = 0; i < 3; i++)
            s->queues[i].begin = s->queues[i].end = 0;
        while (t != NONE) {
            s->parts[t] = s->part;
            s->num_triangles++;
            for (size_t c = 0; c < 3; c++)
                add_vertex(s, split->corners[3 * (size_t)t + c]);
            t = s->num_triangles < split->max_triangles
                    ? find_triangle(s, split->max_vertices - s->num_vertices)
                    : NONE;
        }
        /* The next part begins next to this one, because vertices there are duplicated anyway. */
        t = find_triangle(s, 3);
    }
    *num_parts = s->part;
}

bool lmi_split_triangles(const lm_split *split, uint32_t *parts, uint32_t *num_parts,
                         lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    const uint32_t count = split->num_triangles;
    splitting s = {.split = split, .parts = parts};
    s.part_of = lmi_unused_numbers(&arena, split->num_vertices);
    s.seen = lmi_unused_numbers(&arena, count);
    s.missing = lmi_arena_alloc(&arena, count, sizeof *s.missing);
    bool done =
        lmi_list_neighbours(count, split->num_vertices, split->corners, &arena, &s.neighbours) &&
        s.part_of && s.seen && s.missing;
    for (int i = 0; done && i < 3; i++)
        done = (s.queues[i].list = lmi_arena_alloc(&arena, count, sizeof(uint32_t))) != NULL;
    if (done) {
        memset(parts, 0xFF, count * sizeof *parts);
        grow_parts(&s, num_parts);
    }
    lmi_arena_free(&arena);
    return done;
}
