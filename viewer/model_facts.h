/* Facts of a model that lists can show and sort by before it is opened. */
#ifndef VIEWER_MODEL_FACTS_H
#define VIEWER_MODEL_FACTS_H

#include "lerpmesh/assets.h"

typedef struct model_facts {
    uint64_t size;      /* bytes of its file; of a player, of all its models */
    uint32_t frames;    /* of the first part */
    uint32_t triangles; /* of all parts */
    uint32_t problems;  /* errors and warnings of `lerpmesh check`, of all parts */
    char *damage;       /* why it cannot be opened; NULL: it can */
} model_facts;

/* Reads a model, without its images. `player`: with all parts of the player. May be called from any
 * thread. */
model_facts model_facts_read(lm_vfs *vfs, const char *path, bool player);
void model_facts_clear(model_facts *facts);

#endif
