/* Replaces a file's stored normals by normals computed from the triangles. */
#ifndef LM_SAMPLE_SMOOTH_H
#define LM_SAMPLE_SMOOTH_H

#include "core/heap.h"
#include "lerpmesh/load.h"

/* The quality of a surface's stored normals. */
typedef struct lm_normals_quality {
    lm_code code;              /* LM_CODE_OK, LM_CODE_NORMALS_INWARD or LM_CODE_IDENTICAL_NORMALS */
    uint32_t inward, compared; /* triangles whose normals point inward, and triangles with an area,
                                  in all frames examined */
} lm_normals_quality;

/* Examines the normals in at most 16 frames. Returns false if memory ran out. */
bool lm_inspect_normals(const lm_model *model, uint32_t surface, lm_heap *heap,
                        lm_normals_quality *quality);

/* Gives the surfaces of a new model, which nothing else uses yet, the requested normals, and adds
 * warnings about them. Linear in the vertices and triangles of all frames. Returns false if memory
 * ran out. */
bool lm_smooth_model(lm_model *model, lm_normals request, lm_heap *heap);

/* Samples the file's own vertices of a surface in a frame. `normals` may be NULL. */
void lm_sample_own(const lm_model *model, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                   lm_vec3 *normals);

#endif
