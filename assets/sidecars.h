/* Readers of the files next to a model that complete it: tags and smoothing. */
#ifndef LM_ASSETS_SIDECARS_H
#define LM_ASSETS_SIDECARS_H

#include "settings.h"

#define LM_TAGS_HEADER 32
#define LM_NORMALS_HEADER 18

/* A sidecar with the model that it is for. The file has a whole header of version 1. */
typedef struct lm_sidecar {
    const lm_file *file;
    lm_model *model;
    lm_arena *scratch; /* memory until the call ends */
    lm_arena *result;  /* memory for the model, which it receives if the call succeeds */
} lm_sidecar;

/* Gives a model the tags of a .tag file, or the normals of an .mdx file, of UFO: Alien Invasion.
 * Safe for any bytes; takes linear time. On failure, the model is unchanged; `error` stays as it is
 * if memory ran out. */
bool lm_sidecar_tags(const lm_sidecar *sidecar, lm_error *error);
bool lm_sidecar_normals(const lm_sidecar *sidecar, lm_error *error);

#endif
