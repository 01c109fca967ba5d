/* Chooses the base frames of an MDC, and the base frame of each compressed frame. */
#ifndef LM_MDC_BASES_H
#define LM_MDC_BASES_H

#include "formats/vertex_mesh/vertex_mesh_encode.h"

/* The choice for a piece: both are [num_frames]. */
typedef struct lm_mdc_bases {
    uint32_t *first; /* the first frame with identical vertices */
    uint32_t *base;  /* the frame itself, or a base frame within reach; both are `first` frames */
} lm_mdc_bases;

/* Chooses as few base frames as it finds. Pieces of one group share them. All pieces are one group;
 * with the option `smallest`, the pieces of each surface are. `out` has one entry per piece.
 * Returns false if memory ran out. */
bool lm_mdc_choose_bases(lm_encoding *encoding, const lm_vertex_mesh_pieces *pieces,
                         lm_mdc_bases *out);

#endif
