#include "encode/split.h"

#include "mesh/mesh_make.h"

#include <string.h>

#define NONE LM_UNUSED

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

static uint8_t count_different(const uint32_t v[3]) {
    return (uint8_t)(1 + (v[1] != v[0]) + (v[2] != v[0] && v[2] != v[1]));
}

static void update_missing(splitting *s, uint32_t triangle) {
    if (s->parts[triangle] != NONE)
        return;
    if (s->seen[triangle] != s->part) {
        s->seen[triangle] = s->part;
        s->missing[triangle] = count_different(s->split->corners + 3 * (size_t)triangle);
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

static uint32_t find_next(splitting *s) {
    const bool full = s->num_triangles == s->split->max_triangles;
    return full ? NONE : find_triangle(s, s->split->max_vertices - s->num_vertices);
}

/* Returns the first triangle of the next part. It touches the previous part, because vertices there
 * are duplicated anyway. */
static uint32_t find_seed(splitting *s) {
    return find_triangle(s, 3);
}

static void grow_parts(splitting *s, uint32_t *num_parts) {
    uint32_t seed = find_seed(s);
    for (s->part = 0; seed != NONE; s->part++) {
        s->num_triangles = s->num_vertices = 0;
        for (int i = 0; i < 3; i++)
            s->queues[i].begin = s->queues[i].end = 0;
        for (uint32_t t = seed; t != NONE; t = find_next(s)) {
            s->parts[t] = s->part;
            s->num_triangles++;
            for (size_t c = 0; c < 3; c++)
                add_vertex(s, s->split->corners[3 * (size_t)t + c]);
        }
        seed = find_seed(s);
    }
    *num_parts = s->part;
}

bool lm_split_triangles(const lm_split *split, uint32_t *parts, uint32_t *num_parts,
                        lm_heap *heap) {
    lm_arena arena = {.heap = heap};
    const uint32_t count = split->num_triangles;
    splitting s = {.split = split, .parts = parts};
    s.part_of = lm_unused_numbers(&arena, split->num_vertices);
    s.seen = lm_unused_numbers(&arena, count);
    s.missing = lm_arena_alloc(&arena, count, sizeof *s.missing);
    bool done =
        lm_list_neighbours(count, split->num_vertices, split->corners, &arena, &s.neighbours) &&
        s.part_of && s.seen && s.missing;
    for (int i = 0; done && i < 3; i++)
        done = (s.queues[i].list = lm_arena_alloc(&arena, count, sizeof(uint32_t))) != NULL;
    if (done) {
        memset(parts, 0xFF, count * sizeof *parts);
        grow_parts(&s, num_parts);
    }
    lm_arena_free(&arena);
    return done;
}
