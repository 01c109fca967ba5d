#include "model/weld.h"

#include <string.h>

/* Corners sorted by vertex: counting sort. order[i] is a corner. */
static void sort_by_vertex(const lm_weld *weld, uint32_t *starts, uint32_t *order) {
    memset(starts, 0, ((size_t)weld->num_vertices + 1) * sizeof *starts);
    for (uint32_t c = 0; c < weld->num_corners; c++)
        starts[weld->vertices[c] + 1]++;
    for (uint32_t v = 0; v < weld->num_vertices; v++)
        starts[v + 1] += starts[v];
    for (uint32_t c = 0; c < weld->num_corners; c++)
        order[starts[weld->vertices[c]]++] = c;
}

/* The corners of one vertex are neighbours in `order`, so that an attribute was met before exactly
 * if the drawn vertex last made for it belongs to this vertex. */
static void join(lm_weld *weld, const uint32_t *order, uint32_t *last_drawn) {
    memset(last_drawn, 0xFF, (size_t)weld->num_attributes * sizeof *last_drawn);
    weld->num_drawn = 0;
    for (uint32_t i = 0; i < weld->num_corners; i++) {
        uint32_t corner = order[i];
        uint32_t vertex = weld->vertices[corner], attribute = weld->attributes[corner];
        uint32_t drawn = last_drawn[attribute];
        if (drawn == UINT32_MAX || weld->drawn_vertices[drawn] != vertex) {
            drawn = last_drawn[attribute] = weld->num_drawn++;
            weld->drawn_vertices[drawn] = vertex;
            weld->drawn_attributes[drawn] = attribute;
        }
        weld->corner_drawn[corner] = drawn;
    }
}

bool lm_weld_corners(lm_weld *weld, lm_heap *heap) {
    size_t num_starts = (size_t)weld->num_vertices + 1;
    uint64_t words = (uint64_t)num_starts + weld->num_corners + weld->num_attributes;
    uint32_t *scratch = lm_heap_alloc(heap, words, sizeof *scratch);
    if (!scratch)
        return false;
    uint32_t *order = scratch + num_starts;
    sort_by_vertex(weld, scratch, order);
    join(weld, order, order + weld->num_corners);
    lm_heap_free(heap, scratch, (size_t)words * sizeof *scratch);
    return true;
}

/* One pass of a radix sort: `to` is `from` in the order of one byte of its keys. */
static void sort_by_byte(const uint64_t *keys, unsigned shift, const uint32_t *from, uint32_t *to,
                         uint32_t count) {
    uint32_t starts[257] = {0};
    for (uint32_t i = 0; i < count; i++)
        starts[(keys[i] >> shift & 0xFF) + 1]++;
    for (unsigned b = 0; b < 256; b++)
        starts[b + 1] += starts[b];
    for (uint32_t i = 0; i < count; i++)
        to[starts[keys[from[i]] >> shift & 0xFF]++] = from[i];
}

bool lm_rank_keys(const uint64_t *keys, uint32_t count, uint32_t *ids, uint32_t *num_ids,
                  lm_heap *heap) {
    uint32_t *order = lm_heap_alloc(heap, (uint64_t)count * 2, sizeof *order);
    if (!order)
        return false;
    uint32_t *from = order, *to = order + count;
    for (uint32_t i = 0; i < count; i++)
        from[i] = i;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        sort_by_byte(keys, shift, from, to, count);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    *num_ids = 0;
    for (uint32_t i = 0; i < count; i++) {
        *num_ids += i == 0 || keys[from[i]] != keys[from[i - 1]];
        ids[from[i]] = *num_ids - 1;
    }
    lm_heap_free(heap, order, (size_t)count * 2 * sizeof *order);
    return true;
}
