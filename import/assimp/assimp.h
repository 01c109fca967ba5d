/* What the Assimp library reads, as nodes, parts and animations for baking. */
#ifndef IMPORT_ASSIMP_H
#define IMPORT_ASSIMP_H

#include "../bake.h"
#include "../pictures.h"
#include "../source.h"

#include <assimp/types.h>
/* Others of its headers need that one first. */
#include <assimp/anim.h>
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/texture.h>

/* Its functions. The library is loaded when the first file needs it: with all that it stands on
 * that takes longer than most of what else the command does. */
#define LM_IM_ASSIMP_FUNCTIONS(X)   \
    X(aiImportFileExWithProperties) \
    X(aiReleaseImport)              \
    X(aiGetErrorString)             \
    X(aiIsExtensionSupported)       \
    X(aiCreatePropertyStore)        \
    X(aiReleasePropertyStore)       \
    X(aiSetImportPropertyInteger)   \
    X(aiGetMaterialString)          \
    X(aiGetMaterialTexture)

typedef struct lm_im_library {
#define LM_IM_MEMBER(name) __typeof__(name) *name;
    LM_IM_ASSIMP_FUNCTIONS(LM_IM_MEMBER)
#undef LM_IM_MEMBER
} lm_im_library;

/* NULL, with why, where it is not installed. */
const lm_im_library *lm_im_library_open(lm_error *error);

/* One import: what Assimp has read, and what becomes of it. */
typedef struct lm_im_assimp {
    importing *im;
    const lm_im_library *library;
    const struct aiScene *scene;
    lm_im_gltf *gltf;            /* nodes, skins and animations only */
    const struct aiNode **nodes; /* [gltf->num_nodes] */
    uint32_t *dresses;           /* [scene->mNumMaterials] the picture of each, or IM_NONE; NULL */
    uint32_t num_pictures;
    lm_import_picture *pictures; /* their paths in the file are their names; without bytes */
} lm_im_assimp;

/* Reads the source and what it names beside it. NULL, and why. The library remembers the error of
 * the last import for all threads: imports wait for each other. */
const struct aiScene *lm_im_assimp_load(importing *im, const lm_im_library *library,
                                        const lm_im_source *source);

/* Does some work, of one thread at a time. False if it called abort() on the way. */
bool lm_im_guarded(void (*work)(void *user), void *user);

bool lm_im_assimp_nodes(lm_im_assimp *a);
/* The node of that name; IM_NONE. Of several, which Assimp tells apart by their names only, the
 * first that is no mesh. */
uint32_t lm_im_assimp_find(const lm_im_assimp *a, const struct aiString *name);
/* Which pictures materials have, if they are asked for; and, after baking, those that are worn. */
bool lm_im_assimp_pictures(lm_im_assimp *a);
bool lm_im_assimp_read_pictures(lm_im_assimp *a);
bool lm_im_assimp_parts(lm_im_assimp *a, const bool *tagged, lm_im_scene *scene);
bool lm_im_assimp_motion(lm_im_assimp *a);
/* A copy of a name, without control characters. */
char *lm_im_assimp_text(importing *im, const struct aiString *text);

/* The bytes that Assimp is handed at most, of the source and of each file beside it. */
size_t lm_im_assimp_most(const importing *im);

#endif
