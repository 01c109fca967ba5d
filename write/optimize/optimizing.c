#include "optimize/optimizing.h"

#include "core/index.h"
#include "encode/triangles.h"
#include "model/weld.h"

/* ---- Vertices ------------------------------------------------------------------------------- */

typedef struct vertex_rows {
    const lm_vertex_row *rows;
    size_t count;
} vertex_rows;

static bool same(const void *context, uint32_t a, uint32_t b) {
    const vertex_rows *r = context;
    for (size_t i = 0; i < r->count; i++) {
        const lm_vertex_row *row = &r->rows[i];
        if (memcmp(row->bytes + a * row->size, row->bytes + b * row->size, row->size) != 0)
            return false;
    }
    return true;
}

bool lmi_find_equal_vertices(const lm_vertex_row *rows, size_t num_rows, uint32_t num_vertices,
                             uint32_t *firsts, lm_heap *heap) {
    const vertex_rows all = {rows, num_rows};
    uint64_t *keys = lmi_heap_alloc(heap, num_vertices, sizeof *keys);
    if (!keys)
        return false;
    memset(keys, 0, num_vertices * sizeof *keys);
    for (size_t i = 0; i < num_rows; i++)
        for (uint32_t v = 0; v < num_vertices; v++)
            keys[v] = lmi_hash_bytes(keys[v], rows[i].bytes + v * rows[i].size, rows[i].size);
    const bool done = lmi_find_equal(num_vertices, keys, same, &all, firsts, heap);
    lmi_heap_free(heap, keys, num_vertices * sizeof *keys);
    return done;
}

void lmi_pick_vertices(lm_vertex_row row, const uint32_t *vertices, uint32_t count, uint8_t *out) {
    for (uint32_t v = 0; v < count; v++)
        memcpy(out + v * row.size, row.bytes + vertices[v] * row.size, row.size);
}

/* ---- Triangles ------------------------------------------------------------------------------ */

bool lmi_optimize_count(const lm_optimizing *o, uint32_t num_triangles, uint32_t num_vertices,
                        const uint32_t *corners, uint64_t *transforms) {
    uint32_t *times = lmi_heap_alloc(o->heap, num_vertices, sizeof *times);
    if (!times)
        return false;
    *transforms += lmi_count_transforms(num_triangles, num_vertices, corners, times);
    lmi_heap_free(o->heap, times, num_vertices * sizeof *times);
    return true;
}

static bool record_indices(lm_optimizing *o, uint32_t surface, const lm_optimize_mesh *mesh,
                           const uint32_t *firsts, const lm_cache_order *r) {
    uint32_t *numbers = lmi_arena_alloc(&o->arena, mesh->num_vertices, sizeof *numbers);
    uint32_t *new_indices = lmi_arena_alloc(&o->arena, mesh->num_vertices, sizeof *new_indices);
    if (!numbers || !new_indices)
        return false;
    memset(numbers, 0xFF, mesh->num_vertices * sizeof *numbers);
    for (uint32_t v = 0; v < r->num_vertices; v++)
        numbers[r->vertices[v]] = v;
    for (uint32_t v = 0; v < mesh->num_vertices; v++)
        new_indices[v] = numbers[firsts[v]];
    o->surfaces[surface] =
        (lm_optimized_surface){mesh->num_triangles, mesh->num_vertices, r->order, new_indices};
    return true;
}

/* Gives each vertex its old number, whether a triangle uses it or not. */
static void keep_numbers(const lm_optimize_mesh *mesh, uint32_t *firsts, lm_cache_order *out) {
    out->num_vertices = mesh->num_vertices;
    for (uint32_t v = 0; v < mesh->num_vertices; v++)
        out->vertices[v] = firsts[v] = v;
    memcpy(out->corners, mesh->corners, (size_t)mesh->num_triangles * 3 * sizeof *out->corners);
}

bool lmi_optimize_triangles(lm_optimizing *o, uint32_t surface, const lm_optimize_mesh *mesh,
                            lm_cache_order *out) {
    const size_t count = (size_t)mesh->num_triangles * 3;
    uint32_t *firsts = lmi_arena_alloc(&o->arena, mesh->num_vertices, sizeof *firsts);
    uint32_t *corners = lmi_arena_alloc(&o->arena, count, sizeof *corners);
    if (!firsts || !corners ||
        !lmi_find_equal_vertices(mesh->rows, mesh->num_rows, mesh->num_vertices, firsts, o->heap))
        return false;
    for (size_t c = 0; c < count; c++)
        corners[c] = firsts[mesh->corners[c]];
    if (!lmi_order_for_cache(mesh->num_triangles, mesh->num_vertices, corners,
                             lmi_optimize_keeps_order(o), out, &o->arena))
        return false;
    if (o->options->keep_numbers)
        keep_numbers(mesh, firsts, out);
    if (mesh->some && mesh->num_vertices > 0 && out->num_vertices == 0)
        out->vertices[out->num_vertices++] = 0;
    if (!record_indices(o, surface, mesh, firsts, out))
        return false;
    lmi_optimize_gained(o, LM_OPTIMIZE_VERTICES, mesh->num_vertices - out->num_vertices,
                        mesh->size);
    o->report->num_triangles += mesh->num_triangles;
    return lmi_optimize_count(o, mesh->num_triangles, mesh->num_vertices, mesh->corners,
                              &o->report->transforms_before) &&
           lmi_optimize_count(o, mesh->num_triangles, out->num_vertices, out->corners,
                              &o->report->transforms_after);
}

/* ---- Names ---------------------------------------------------------------------------------- */

void lmi_clean_name(uint8_t *field, size_t size) {
    uint8_t *end = memchr(field, 0, size);
    if (end)
        memset(end, 0, size - (size_t)(end - field));
}

const uint8_t *lmi_clean_names(lm_optimizing *o, const uint8_t *lump, size_t count, size_t stride,
                               size_t at, size_t size) {
    uint8_t *copy = lmi_arena_alloc(&o->arena, count, stride);
    if (copy && count > 0)
        memcpy(copy, lump, count * stride);
    for (size_t i = 0; copy && i < count; i++)
        lmi_clean_name(copy + i * stride + at, size);
    return copy;
}
