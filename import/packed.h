/* Buffer views that are compressed (EXT_meshopt_compression, KHR_meshopt_compression). */
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
    uint32_t count, stride; /* elements, and bytes of each, when they are unpacked */
    lm_im_pack_mode mode;
    lm_im_filter filter;
} lm_im_packed;

/* Whether the library that can is there; loads it when it is asked first. */
bool lm_im_can_unpack(void);
/* Counts and strides are those that the extension allows. */
bool lm_im_unpack(importing *im, const char *place, const lm_im_packed *packed, lm_im_bytes *out);

#endif
