/* Which frames an MDC stores whole, and which of these the others are offsets from. */
#ifndef LM_MDC_BASES_H
#define LM_MDC_BASES_H

#include "formats/vertex_mesh/vertex_mesh_encode.h"

/* Of a piece: both [num_frames]. */
typedef struct lm_mdc_bases {
    uint32_t *first; /* the first frame that is the same in all of the piece's vertices */
    uint32_t *base;  /* the frame it is told by: itself, or one from which it is in reach; both are
                        `first` frames */
} lm_mdc_bases;

/* As few base frames as can be found. Pieces of one group get the same ones: all, but with the
 * option `smallest` those of one surface. `out` has one for each piece. False if memory ran out. */
bool lm_mdc_choose_bases(lm_encoding *encoding, const lm_mesh_pieces *pieces, lm_mdc_bases *out);

#endif
