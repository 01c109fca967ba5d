#include "export/export_weld.h"

#include <string.h>

/* All vertices begin in one class, and each step divides classes by two values of their vertices.
 * Vertices that stay together are equal in every value. A step looks up every vertex once in an
 * index of the different ones so far. */

/* The two values by which a step divides vertices. */
typedef struct step {
    const lm_welding *welding;
    const uint8_t *values[2];
    size_t sizes[2];
} step;

void lm_welding_alloc(lm_welding *w, lm_arena *arena, uint32_t most_vertices) {
    w->classes = lm_arena_alloc(arena, most_vertices, sizeof *w->classes);
    w->divided = lm_arena_alloc(arena, most_vertices, sizeof *w->divided);
    w->index.slots = lm_arena_alloc(arena, lm_index_slots(most_vertices), sizeof *w->index.slots);
}

static uint64_t hash_of(const step *s, uint32_t vertex) {
    uint64_t hash = s->welding->classes[vertex];
    for (unsigned i = 0; i < 2; i++)
        hash = lm_hash_bytes(hash, s->values[i] + vertex * s->sizes[i], s->sizes[i]);
    return hash;
}

static bool is_equal(const void *context, uint32_t a, uint32_t b) {
    const step *s = context;
    const uint32_t *classes = s->welding->classes;
    return classes[a] == classes[b] &&
           memcmp(s->values[0] + a * s->sizes[0], s->values[0] + b * s->sizes[0], s->sizes[0]) ==
               0 &&
           memcmp(s->values[1] + a * s->sizes[1], s->values[1] + b * s->sizes[1], s->sizes[1]) == 0;
}

void lm_welding_start(lm_welding *w, uint32_t num_vertices) {
    w->count = num_vertices;
    w->num_classes = num_vertices > 0;
    memset(w->classes, 0, w->count * sizeof *w->classes);
}

void lm_welding_divide(lm_welding *w, const void *first, size_t first_size, const void *second,
                       size_t second_size) {
    const step s = {w, {first, second}, {first_size, second_size}};
    if (w->num_classes == w->count)
        return; /* all vertices are different already */
    lm_index_clear(&w->index, w->count);
    w->num_classes = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        w->divided[i] = lm_index_find(&w->index, hash_of(&s, i), i, is_equal, &s);
        w->num_classes += w->divided[i] == i;
    }
    uint32_t *swap = w->classes;
    w->classes = w->divided;
    w->divided = swap;
}

bool lm_welding_end(const lm_welding *w, lm_arena *arena, lm_welded *welded) {
    welded->vertices = lm_arena_alloc(arena, w->num_classes, sizeof *welded->vertices);
    welded->drawn = lm_arena_alloc(arena, w->count, sizeof *welded->drawn);
    welded->count = 0;
    if (!welded->vertices || !welded->drawn)
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        welded->drawn[i] = w->classes[i] == i ? welded->count : welded->drawn[w->classes[i]];
        if (w->classes[i] == i)
            welded->vertices[welded->count++] = i;
    }
    return true;
}
