#include "export/export_weld.h"

#include <string.h>

/* Vertices begin as one class, which each of their values divides further: two
 * that stay together to the end are the same wherever they are seen. Each step looks every vertex
 * up once in a table of those that differ so far. A search that was made to take long gives up:
 * then two vertices stay two, which is no error. */

#define MOST_PROBES 32u

static size_t slots_for(uint32_t num_vertices) {
    size_t slots = 16;
    while (slots < 2 * (size_t)num_vertices)
        slots *= 2;
    return slots;
}

void lm_welding_alloc(lm_welding *w, lm_arena *arena, uint32_t most_vertices) {
    w->classes = lm_arena_alloc(arena, most_vertices, sizeof *w->classes);
    w->divided = lm_arena_alloc(arena, most_vertices, sizeof *w->divided);
    w->slots = lm_arena_alloc(arena, slots_for(most_vertices), sizeof *w->slots);
}

static uint64_t hash_of(uint32_t class, const uint8_t *const *values, const size_t *sizes,
                        uint32_t vertex) {
    uint64_t hash = class;
    for (unsigned i = 0; i < 2; i++)
        for (size_t at = 0; at < sizes[i]; at += 4) {
            uint32_t word;
            memcpy(&word, values[i] + vertex * sizes[i] + at, sizeof word);
            hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
    return hash;
}

static bool is_same(const lm_welding *w, const uint8_t *const *values, const size_t *sizes,
                    uint32_t a, uint32_t b) {
    return w->classes[a] == w->classes[b] &&
           memcmp(values[0] + a * sizes[0], values[0] + b * sizes[0], sizes[0]) == 0 &&
           memcmp(values[1] + a * sizes[1], values[1] + b * sizes[1], sizes[1]) == 0;
}

/* The first vertex that is the same as this one, which may be itself. */
static uint32_t find_same(lm_welding *w, const uint8_t *const *values, const size_t *sizes,
                          uint32_t vertex) {
    uint64_t hash = hash_of(w->classes[vertex], values, sizes, vertex);
    for (unsigned probe = 0; probe < MOST_PROBES; probe++) {
        uint32_t *slot = &w->slots[((size_t)hash + probe) & (w->num_slots - 1)];
        if (*slot == 0)
            *slot = vertex + 1;
        if (is_same(w, values, sizes, *slot - 1, vertex))
            return *slot - 1;
    }
    return vertex;
}

void lm_welding_start(lm_welding *w, uint32_t num_vertices) {
    w->count = num_vertices;
    w->num_classes = num_vertices > 0;
    w->num_slots = slots_for(num_vertices);
    memset(w->classes, 0, w->count * sizeof *w->classes);
}

void lm_welding_divide(lm_welding *w, const void *first, size_t first_size, const void *second,
                       size_t second_size) {
    const uint8_t *const values[] = {first, second};
    const size_t sizes[] = {first_size, second_size};
    if (w->num_classes == w->count)
        return; /* no two are the same any more */
    memset(w->slots, 0, w->num_slots * sizeof *w->slots);
    w->num_classes = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        w->divided[i] = find_same(w, values, sizes, i);
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
