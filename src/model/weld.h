/* Joining corners: one drawn vertex for each pair of vertex and attribute. */
#ifndef LM_MODEL_WELD_H
#define LM_MODEL_WELD_H

#include "core/arena.h"

#include <string.h>

/* Corners of triangles come in as indices into the file's vertices and into its attributes
 * (texture coordinates). All are in range. A vertex is drawn as itself with the last attribute
 * that a corner gives it, and as a copy with each other one.
 *     lm_weld_begin(&weld);
 *     for each corner: lm_weld_put(&weld, corner, vertex, attribute);
 *     lm_weld_corners(&weld, heap);
 */
typedef struct lm_weld {
    uint32_t num_corners;
    uint32_t num_vertices, num_attributes;

    /* Memory that the caller provides, or lm_weld_alloc. */
    /* [num_corners] in: the vertex, < num_vertices; out: the drawn vertex. Drawn vertex
     * num_vertices + i is copy i. */
    uint32_t *corners;
    uint32_t *attributes;        /* [num_corners] < num_attributes */
    uint32_t *vertex_attributes; /* [num_vertices], LM_UNUSED where no corner is */
    uint32_t num_copies;
    uint32_t *copy_vertices;   /* [num_corners], num_copies used, ascending */
    uint32_t *copy_attributes; /* the same */
} lm_weld;

#define LM_UNUSED UINT32_MAX

static inline void lm_weld_begin(lm_weld *weld) {
    memset(weld->vertex_attributes, 0xFF, (size_t)weld->num_vertices * sizeof(uint32_t));
}

/* Provides memory for at most so many corners, given num_vertices, and begins. False if there is
 * none. */
bool lm_weld_alloc(lm_weld *weld, uint64_t corners, lm_arena *arena);

static inline void lm_weld_put(lm_weld *weld, size_t corner, uint32_t vertex, uint32_t attribute) {
    weld->corners[corner] = vertex;
    weld->attributes[corner] = attribute;
    weld->vertex_attributes[vertex] = attribute;
}

/* Linear in corners, vertices and attributes. False if memory ran out. */
bool lm_weld_corners(lm_weld *weld, lm_heap *heap);
/* For each drawn vertex, the file's: themselves, then those of the copies. */
void lm_weld_file_vertices(const lm_weld *weld, uint32_t *file_vertices);

/* Gives each distinct key a number: ids[i] == ids[j] exactly if keys[i] == keys[j]. Linear. Returns
 * how many there are, through *num_ids; false if memory ran out. */
bool lm_rank_keys(const uint64_t *keys, uint32_t count, uint32_t *ids, uint32_t *num_ids,
                  lm_heap *heap);

#endif
