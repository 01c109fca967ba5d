/* Joining corners: one drawn vertex for each pair of vertex and attribute. */
#ifndef LM_MODEL_WELD_H
#define LM_MODEL_WELD_H

#include "core/heap.h"

/* Corners of triangles come in as indices into the file's vertices and into its attributes
 * (texture coordinates). All are in range. */
typedef struct lm_weld {
    uint32_t num_corners;
    const uint32_t *vertices;   /* [num_corners] < num_vertices */
    const uint32_t *attributes; /* [num_corners] < num_attributes */
    uint32_t num_vertices, num_attributes;

    uint32_t num_drawn;
    uint32_t *corner_drawn;     /* [num_corners] out */
    uint32_t *drawn_vertices;   /* [num_corners] out, num_drawn used, ascending */
    uint32_t *drawn_attributes; /* the same */
} lm_weld;

/* Fills the outputs, which the caller provides. Linear in corners, vertices and attributes. False
 * if memory ran out. */
bool lm_weld_corners(lm_weld *weld, lm_heap *heap);

/* Gives each distinct key a number: ids[i] == ids[j] exactly if keys[i] == keys[j]. Linear. Returns
 * how many there are, through *num_ids; false if memory ran out. */
bool lm_rank_keys(const uint64_t *keys, uint32_t count, uint32_t *ids, uint32_t *num_ids,
                  lm_heap *heap);

#endif
