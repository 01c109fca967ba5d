/* What those who make files smaller are given, how they answer, and what they share. */
#ifndef LM_OPTIMIZE_OPTIMIZING_H
#define LM_OPTIMIZE_OPTIMIZING_H

#include "core/bytes.h"
#include "encode/reduce.h"
#include "lerpmesh/encode.h"

/* What became of a surface: the proof goes by it. */
typedef struct lm_optimized_surface {
    uint32_t num_triangles, num_vertices; /* of the file that was read */
    const uint32_t *order;                /* [num_triangles] which of its triangles is where */
    const uint32_t *places; /* [num_vertices] which vertex each became; LM_UNUSED: none */
} lm_optimized_surface;

typedef struct lm_optimizing {
    lm_bytes file;                  /* that lm_load_memory reads without complaint */
    const struct lm_editor *editor; /* of its format (edit/editing.h) */
    const lm_optimize_options *options;
    lm_heap *heap;
    lm_arena arena; /* until all is done */
    lm_optimize_report *report;
    uint32_t num_surfaces;
    lm_optimized_surface *surfaces; /* [num_surfaces] the format fills them in */
} lm_optimizing;

/* Numbers of a pose, or texture coordinates: `size` bytes of each vertex, one behind the other. */
typedef struct lm_vertex_row {
    const uint8_t *bytes;
    size_t size;
} lm_vertex_row;

/* For each vertex the first that has the same bytes in every row. False if memory ran out, as all
 * that follow. */
bool lm_find_alike_vertices(const lm_vertex_row *rows, size_t num_rows, uint32_t num_vertices,
                            uint32_t *firsts, lm_heap *heap);
/* The bytes of some vertices. */
void lm_pick_vertices(lm_vertex_row row, const uint32_t *vertices, uint32_t count, uint8_t *out);

/* A surface whose triangles' corners are vertices: those that are alike become one, triangles and
 * vertices are put in order, and what became of them is noted. A vertex takes `size` bytes. */
typedef struct lm_optimize_mesh {
    uint32_t num_triangles, num_vertices;
    const uint32_t *corners; /* [3 * num_triangles] */
    const lm_vertex_row *rows;
    size_t num_rows;
    uint64_t size;
    bool some; /* the format needs a vertex, even if nothing draws it: the first stays */
} lm_optimize_mesh;
bool lm_optimize_triangles(lm_optimizing *o, uint32_t surface, const lm_optimize_mesh *mesh,
                           lm_reduction *out);

/* Adds to what a step won. */
static inline void lm_optimize_gained(const lm_optimizing *o, lm_optimize_step step, uint32_t count,
                                      uint64_t bytes) {
    o->report->gains[step].count += count;
    o->report->gains[step].bytes += (int64_t)(count * bytes);
}

/* Adds what a card transforms for triangles. */
bool lm_optimize_count(const lm_optimizing *o, uint32_t num_triangles, uint32_t num_vertices,
                       const uint32_t *corners, uint64_t *transforms);

/* Clears what stands behind the end of a name; and returns a copy of a lump in which that is done
 * to the names: fields of `size` bytes, `stride` apart, the first at `at`. NULL if memory ran out.
 */
void lm_clean_name(uint8_t *field, size_t size);
const uint8_t *lm_clean_names(lm_optimizing *o, const uint8_t *lump, size_t count, size_t stride,
                              size_t at, size_t size);

#endif
