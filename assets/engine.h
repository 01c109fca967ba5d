/* What engines demand of the files around a model. Programs get this through
 * common/internals.h. */
#ifndef LM_ASSETS_ENGINE_H
#define LM_ASSETS_ENGINE_H

#include "lerpmesh/load.h"

#include <stdbool.h>

/* The demands of an engine. It also rejects a model with a sidecar that does not fit. */
typedef struct lm_engine_files {
    lm_engine engine;
    const char *images; /* the extensions of the images that it reads, for messages as well */
} lm_engine_files;

/* Returns what an engine demands; NULL: nothing is known. */
const lm_engine_files *lm_engine_files_of(lm_engine engine);
/* Returns whether it reads images with the extension of a path. */
bool lm_engine_reads_image(const lm_engine_files *demands, const char *path);

#endif
