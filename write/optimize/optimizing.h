/* The interface of the formats' optimizers, and the functions that they share. */
#ifndef LM_OPTIMIZE_OPTIMIZING_H
#define LM_OPTIMIZE_OPTIMIZING_H

#include "core/bytes.h"
#include "encode/triangles.h"
#include "lerpmesh/encode.h"

/* The steps, in their order (lm_optimize_report.gains). */
typedef enum lm_optimize_step {
    LM_OPTIMIZE_VERTICES,
    LM_OPTIMIZE_ST,
    LM_OPTIMIZE_FRAMES,
    LM_OPTIMIZE_COMMANDS,
    LM_OPTIMIZE_JUNK,
    LM_OPTIMIZE_LOSS,
    LM_NUM_OPTIMIZE_STEPS
} lm_optimize_step;

/* The mapping of a surface's triangles and vertices, for the proof. */
typedef struct lm_optimized_surface {
    uint32_t num_triangles, num_vertices; /* in the original file */
    const uint32_t *order;                /* [num_triangles] the original index of each triangle */
    const uint32_t
        *new_indices; /* [num_vertices] the new index of each vertex; LM_UNUSED: removed */
} lm_optimized_surface;

typedef struct lm_optimizing {
    lm_bytes file;                  /* readable by lm_load_memory without errors */
    const struct lm_editor *editor; /* of its format (edit/editing.h) */
    const lm_optimize_options *options;
    lm_heap *heap;
    lm_arena arena; /* for the whole call */
    lm_optimize_report *report;
    lm_optimize_gain *gains; /* [LM_NUM_OPTIMIZE_STEPS] */
    uint32_t num_surfaces;
    lm_optimized_surface *surfaces; /* [num_surfaces] filled in by the format's optimizer */
} lm_optimizing;

/* Pose numbers or texture coordinates: `size` bytes per vertex, one vertex after the other. */
typedef struct lm_vertex_row {
    const uint8_t *bytes;
    size_t size;
} lm_vertex_row;

/* For each vertex, finds the first one with the same bytes in every row. Returns false if memory
 * ran out, like the functions that follow. */
bool lmi_find_equal_vertices(const lm_vertex_row *rows, size_t num_rows, uint32_t num_vertices,
                             uint32_t *firsts, lm_heap *heap);
/* Copies the bytes of some vertices. */
void lmi_pick_vertices(lm_vertex_row row, const uint32_t *vertices, uint32_t count, uint8_t *out);

/* A surface whose corners are vertex indices. lmi_optimize_triangles merges identical vertices,
 * reorders triangles and vertices, and records the mapping. A vertex takes `size` bytes. */
typedef struct lm_optimize_mesh {
    uint32_t num_triangles, num_vertices;
    const uint32_t *corners; /* [3 * num_triangles] */
    const lm_vertex_row *rows;
    size_t num_rows;
    uint64_t size;
    bool some; /* the format requires a vertex: keep the first, even if no triangle uses it */
} lm_optimize_mesh;
bool lmi_optimize_triangles(lm_optimizing *o, uint32_t surface, const lm_optimize_mesh *mesh,
                            lm_cache_order *out);

/* Returns whether the triangles stay in order. */
static inline bool lmi_optimize_keeps_order(const lm_optimizing *o) {
    return o->options->keep_draw_order || o->options->keep_numbers;
}

/* Adds to the gains of a step. */
static inline void lmi_optimize_gained(const lm_optimizing *o, lm_optimize_step step,
                                       uint32_t count, uint64_t bytes) {
    o->gains[step].count += count;
    o->gains[step].bytes += (int64_t)(count * bytes);
}

/* Adds the number of vertices that a graphics card transforms for the triangles. */
bool lmi_optimize_count(const lm_optimizing *o, uint32_t num_triangles, uint32_t num_vertices,
                        const uint32_t *corners, uint64_t *transforms);

/* lmi_clean_name clears the bytes after the end of a name. lmi_clean_names returns a copy of a lump
 * with cleaned names: fields of `size` bytes, `stride` apart, the first at `at`. It returns NULL if
 * memory ran out. */
void lmi_clean_name(uint8_t *field, size_t size);
const uint8_t *lmi_clean_names(lm_optimizing *o, const uint8_t *lump, size_t count, size_t stride,
                               size_t at, size_t size);

/* Returns true if two models show the same. Names, skins, tags and materials must be equal. Each
 * triangle must occur once, with its corners and texture coordinates. Each position and normal must
 * be equal in every frame, to the bit. GL commands must draw the same triangles. `o->surfaces` maps
 * triangles and vertices. Otherwise ends the call of `o`, with an error that names the difference
 * or because memory ran out. */
bool lmi_prove_same(lm_optimizing *o, const lm_model *before, const lm_model *after);

#endif
