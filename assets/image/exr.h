/* Writing OpenEXR. */
#ifndef LM_IMAGE_EXR_H
#define LM_IMAGE_EXR_H

#include "lerpmesh/image.h"

/* As lm_floats_write with LM_FLOATS_EXR. */
bool lm_exr_write(const float *rgb, uint32_t width, uint32_t height, lm_buffer *out,
                  lm_error *error);

#endif
