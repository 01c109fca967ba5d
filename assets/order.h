/* What depends on the order of a model's triangles and vertices. Programs get this through
 * common/internals.h. */
#ifndef LM_ASSETS_ORDER_H
#define LM_ASSETS_ORDER_H

#include "lerpmesh/assets.h"
#include "lerpmesh/load.h"

#include <stdbool.h>

/* Whether the order of a surface's triangles may be visible. */
typedef enum lm_order_risk {
    LM_ORDER_INVISIBLE,
    LM_ORDER_BLENDED, /* its shader blends it with what is behind it */
    LM_ORDER_UNKNOWN  /* its shader was not found */
} lm_order_risk;

/* Returns the greatest risk of the first part's surfaces, with the name of the texture. A surface
 * is not blended if a script says so, or if there are scripts, none of which has the name, and an
 * image has it. Only MD3 and MDC name shaders: an image of another format that was not found is no
 * risk. */
lm_order_risk lmi_order_risk_of(const lm_assets *assets, const char **name);

/* Returns the path of a file that refers to a model's triangles and vertices by their numbers:
 * X.mdx for X.md2, of UFO: Alien Invasion. Free it with lm_buffer_free; it is empty if there is no
 * such file. Returns false if memory ran out. */
bool lmi_order_sidecar(lm_vfs *vfs, const char *path, lm_buffer *out);

/* What engines demand of the files around a model. Programs get this through
 * common/internals.h. */

/* The demands of an engine. */
typedef struct lm_engine_files {
    lm_engine engine;
    const char *images;     /* the extensions of the images that it reads, for messages as well */
    const char *formats[2]; /* of these images, as in lm_image; NULL: one format */
    bool strict;      /* also rejects a skin without any image, and a sidecar that does not fit */
    const char *icon; /* a player's folder needs a skin NAME with an icon, whose name is NAME and
                         this, whatever the model lists; NULL: there is no such demand */
} lm_engine_files;

/* Returns what an engine demands; NULL: nothing is known. */
const lm_engine_files *lmi_engine_files_of(lm_engine engine);
/* Returns whether it reads images with the extension of a path. */
bool lmi_engine_reads_image(const lm_engine_files *demands, const char *path);
/* Returns whether it reads images of a format, as in lm_image. */
bool lmi_engine_reads_format(const lm_engine_files *demands, const char *format);

#endif
