/* One import from its bytes to what the caller is given, whoever reads them. */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H

#include "bake.h"

typedef struct lm_im_source {
    const void *bytes;
    size_t size;
    const char *name; /* of the file, without its folder; NULL: not known */
} lm_im_source;

typedef bool lm_im_reader(importing *im, const lm_im_source *source, lm_take *take);

/* `what` is how its sentences begin: "gltf". */
lm_import *lm_im_import(const lm_im_source *source, const char *what, lm_im_reader *reader,
                        const lm_import_options *options, lm_error *error);

/* The nodes that are tags by what they are called, and those that the options name. `tagged` has a
 * place for each node. */
bool lm_im_find_tags(importing *im, const lm_im_gltf *gltf, bool *tagged, lm_im_scene *scene);
/* What is seen of a scene with its parts and tags, checked. */
bool lm_im_bake_scene(importing *im, const lm_im_scene *scene, lm_take *take);

#endif
