/* Normals computed from the triangles, in place of those that a file stores. */
#ifndef LM_SAMPLE_SMOOTH_H
#define LM_SAMPLE_SMOOTH_H

#include "core/heap.h"
#include "lerpmesh/load.h"

/* What the stored normals of a surface are worth. */
typedef struct lm_normals_look {
    lm_code code;              /* LM_CODE_OK, LM_CODE_NORMALS_INWARD or LM_CODE_IDENTICAL_NORMALS */
    uint32_t inward, compared; /* triangles whose normals point inward, of so many that have an
                                  area, in all frames that were looked at */
} lm_normals_look;

/* Looks at 16 frames at most. False if memory ran out. */
bool lm_look_at_normals(const lm_model *model, uint32_t surface, lm_heap *heap,
                        lm_normals_look *look);

/* Gives the surfaces of a model that was just made, and that nobody else knows, the normals that
 * were wished for, with the warnings that say so. Linear in the vertices and triangles of all
 * frames. False if memory ran out. */
bool lm_smooth_model(lm_model *model, lm_normals wish, lm_heap *heap);

/* Samples the file's own vertices of a surface in a frame; `normals` may be NULL. */
void lm_sample_own(const lm_model *model, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                   lm_vec3 *normals);

#endif
