/* Several surfaces as one, for formats that have only one. */
#ifndef LM_ENCODE_MERGE_H
#define LM_ENCODE_MERGE_H

#include "encode/encoding.h"

typedef struct lm_merged {
    lm_take_surface surface; /* all there is: vertices and triangles in the surfaces' order */
    uint32_t *firsts;        /* [num_surfaces] the first vertex of each */
} lm_merged;

/* Merges a complete take's surfaces. What has no texture coordinates gets one, 0, for all of its
 * corners, so that st_triangles are always there; one surface that has them is taken as it is.
 * Where surfaces are drawn with different materials, that is noted. False after saying why, or if
 * memory ran out. */
bool lm_encode_merge(lm_encoding *encoding, lm_merged *merged);

#endif
