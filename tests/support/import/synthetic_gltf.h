/* glTF files made by hand: JSON with one buffer in a data: URI, or .glb. */
#ifndef SYNTHETIC_GLTF_H
#define SYNTHETIC_GLTF_H

#include "support.h"

#include "lerpmesh/import.h"

OWNER(lm_import, lm_import_free)

/* The buffer of a test. Each call appends a buffer view and an accessor, and returns the accessor's
 * number. */
typedef struct synthetic_gltf {
    lm_buffer bytes, views, accessors;
    uint32_t count;
} synthetic_gltf;

uint32_t put_floats(synthetic_gltf *g, const char *type, const float *values, uint32_t count);
uint32_t put_raw(synthetic_gltf *g, const char *rest, const void *bytes, size_t size);

/* Returns the file; `rest` is the remaining JSON ("nodes" and so on). Releases the buffer. */
blob finish_glb(synthetic_gltf *g, const char *rest);
blob finish_gltf(synthetic_gltf *g, const char *rest);

/* A triangle moved by a skin, a morph target and its node, with a tag. */
blob small_gltf(bool glb);
/* The same as .gltf with one text replaced by another of any length; ' stands for ". */
blob small_gltf_with(const char *from, const char *to);

lm_import *import_of(const blob *file, const lm_import_options *options);

#endif
