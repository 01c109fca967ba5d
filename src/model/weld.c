#include "model/weld.h"

#include <string.h>

/* Allocates four arrays with one word per corner, and one with one word per vertex. */
bool lmi_weld_alloc(lm_weld *weld, uint64_t corners, lm_arena *arena) {
    uint32_t *memory = lmi_arena_alloc(arena, corners * 4 + weld->num_vertices, sizeof *memory);
    weld->corners = memory;
    if (!memory)
        return false;
    weld->attributes = memory + corners;
    weld->copy_vertices = memory + corners * 2;
    weld->copy_attributes = memory + corners * 3;
    weld->vertex_attributes = memory + corners * 4;
    lmi_weld_begin(weld);
    return true;
}

void lmi_weld_file_vertices(const lm_weld *weld, uint32_t *file_vertices) {
    for (uint32_t v = 0; v < weld->num_vertices; v++)
        file_vertices[v] = v;
    memcpy(file_vertices + weld->num_vertices, weld->copy_vertices,
           weld->num_copies * sizeof *file_vertices);
}

lm_vec2 *lmi_weld_surface(const lm_weld *weld, const uint8_t *keys, size_t key_stride,
                          uint32_t num_triangles, lm_arena *arena, lm_model *model,
                          uint32_t **triangles) {
    const uint32_t num_vertices = weld->num_vertices + weld->num_copies;
    const uint64_t num_corners = (uint64_t)num_triangles * 3;
    lm_surface *surface = lmi_arena_alloc(arena, 1, sizeof *surface);
    uint32_t *file_vertices = lmi_arena_alloc(arena, num_vertices, sizeof *file_vertices);
    lm_vec2 *st = lmi_arena_alloc(arena, num_vertices, sizeof *st);
    *triangles = lmi_arena_alloc(arena, num_corners, sizeof **triangles);
    if (!surface || !file_vertices || !st || !*triangles || !keys)
        return NULL;
    lmi_weld_file_vertices(weld, file_vertices);
    if (num_corners == weld->num_corners)
        memcpy(*triangles, weld->corners, weld->num_corners * sizeof **triangles);
    *surface = (lm_surface){.name = "",
                            .num_vertices = num_vertices,
                            .num_file_vertices = weld->num_vertices,
                            .file_vertices = file_vertices,
                            .st = st,
                            .num_triangles = num_triangles,
                            .triangles = *triangles,
                            .encoding = LM_VERTEX_U8,
                            .num_keys = model->num_frames,
                            .keys = keys,
                            .key_size = 4,
                            .key_stride = key_stride};
    model->num_surfaces = 1;
    model->surfaces = surface;
    return st;
}

/* Lists the corners that need another attribute than their vertex has. Returns their number. There
 * are no branches, because they would be unpredictable. */
static uint32_t list_others(const lm_weld *weld, uint32_t *others) {
    const uint32_t *corners = weld->corners, *attributes = weld->attributes;
    const uint32_t *own = weld->vertex_attributes;
    const size_t num_corners = weld->num_corners;
    size_t num_others = 0;
    for (size_t c = 0; c < num_corners; c++) {
        others[num_others] = (uint32_t)c;
        num_others += own[corners[c]] != attributes[c];
    }
    return (uint32_t)num_others;
}

/* Makes the copies. The corners of one vertex are consecutive in `order`. So an attribute is new to
 * a vertex unless its last use was at the same vertex. The loop has no unpredictable branches. */
static void make_copies(lm_weld *weld, const uint32_t *order, uint32_t count, uint32_t *last) {
    uint32_t *last_copy = last + weld->num_attributes, num_copies = 0;
    memset(last, 0xFF, (size_t)weld->num_attributes * sizeof *last);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = weld->corners[order[i]], attribute = weld->attributes[order[i]];
        bool fresh = last[attribute] != vertex;
        uint32_t copy = fresh ? num_copies : last_copy[attribute];
        last[attribute] = vertex;
        last_copy[attribute] = copy;
        weld->copy_vertices[copy] = vertex;
        weld->copy_attributes[copy] = attribute;
        weld->corners[order[i]] = weld->num_vertices + copy;
        num_copies += fresh;
    }
    weld->num_copies = num_copies;
}

bool lmi_weld_corners(lm_weld *weld, lm_heap *heap) {
    /* list_others may write one entry past the last valid one. */
    size_t num_others = (size_t)weld->num_corners + 1, num_starts = (size_t)weld->num_vertices + 1;
    uint64_t words =
        (uint64_t)num_others + num_starts + weld->num_corners + 2 * (uint64_t)weld->num_attributes;
    uint32_t *others = lmi_heap_alloc(heap, words, sizeof *others);
    weld->num_copies = 0;
    if (!others)
        return false;
    uint32_t *starts = others + num_others, *order = starts + num_starts;
    uint32_t count = list_others(weld, others);
    if (count > 0) {
        /* Sort corners by vertex, with a counting sort. */
        memset(starts, 0, ((size_t)weld->num_vertices + 1) * sizeof *starts);
        for (uint32_t i = 0; i < count; i++)
            starts[weld->corners[others[i]] + 1]++;
        for (uint32_t v = 0; v < weld->num_vertices; v++)
            starts[v + 1] += starts[v];
        for (uint32_t i = 0; i < count; i++)
            order[starts[weld->corners[others[i]]]++] = others[i];
        make_copies(weld, order, count, order + weld->num_corners);
    }
    lmi_heap_free(heap, others, (size_t)words * sizeof *others);
    return true;
}

/* Runs one pass of a radix sort: `to` is `from` in the order of one byte of its keys. */
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

bool lmi_rank_keys(const uint64_t *keys, uint32_t count, uint32_t *ids, uint32_t *num_ids,
                   lm_heap *heap) {
    uint32_t *order = lmi_heap_alloc(heap, (uint64_t)count * 2, sizeof *order);
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
    lmi_heap_free(heap, order, (size_t)count * 2 * sizeof *order);
    return true;
}
