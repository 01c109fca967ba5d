/* The compressor of the PNG writer. */
#ifndef LM_IMAGE_DEFLATE_H
#define LM_IMAGE_DEFLATE_H

#include "lerpmesh/base.h"

/* Appends `size` bytes (fewer than 2^31) as a zlib stream; `out->failed` if memory runs out. */
void lm_zlib_append(lm_buffer *out, const uint8_t *data, size_t size);

#endif
