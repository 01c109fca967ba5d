/* What the files that describe share. */
#ifndef COMMON_DESCRIBING_H
#define COMMON_DESCRIBING_H

#include "core/report.h"
#include "describe.h"
#include "lerpmesh/check.h"

/* Each texture of a part: where it was found, or everything that was tried. */
void lm_describe_textures(const lm_assets *assets, uint32_t part, bool verbose, lm_buffer *out);
void lm_describe_json_textures(const lm_assets *assets, uint32_t part, lm_json *json);

#endif
