/* The steps around an import's reader, from the bytes to the caller's result: shared by the readers
 * of glTF and Assimp. */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H

#include "bake.h"

typedef struct lm_im_source {
    const void *bytes;
    size_t size;
    const char *name; /* file name without its folder; NULL: unknown */
} lm_im_source;

typedef bool lm_im_reader(importing *im, const lm_im_source *source, lm_mesh *mesh);

/* Imports a source. `what`: the prefix of its messages, "gltf". */
lm_import *lm_im_import(const lm_im_source *source, const char *what, lm_im_reader *reader,
                        const lm_import_options *options, lm_error *error);

/* Finds the tags: the nodes that are tags by name or extras, and the nodes that the options name.
 * `tagged` [num_nodes] is set for the former. */
bool lm_im_find_tags(importing *im, const lm_im_gltf *gltf, bool *tagged, lm_im_scene *scene);
/* Bakes a scene with its parts and tags into a mesh, and checks the mesh. */
bool lm_im_bake_scene(importing *im, const lm_im_scene *scene, lm_mesh *mesh);

#endif
