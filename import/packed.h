/* Compressed buffer views (EXT_meshopt_compression, KHR_meshopt_compression). */
#ifndef IMPORT_PACKED_H
#define IMPORT_PACKED_H

#include "gltf.h"

typedef enum lm_im_pack_mode {
    IM_ATTRIBUTES,
    IM_TRIANGLES,
    IM_INDICES
} lm_im_pack_mode;

typedef enum lm_im_filter {
    IM_NO_FILTER,
    IM_OCTAHEDRAL,
    IM_QUATERNION,
    IM_EXPONENTIAL
} lm_im_filter;

typedef struct lm_im_packed {
    lm_im_bytes bytes;
    uint32_t count, stride; /* elements, and decoded bytes per element */
    lm_im_pack_mode mode;
    lm_im_filter filter;
} lm_im_packed;

/* Returns true if meshoptimizer is available; loads it on first use. */
bool lm_im_can_unpack(void);
/* Decodes a view. The caller has checked that the extension allows its count and stride. */
bool lm_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                  lm_im_bytes *out);

#endif
