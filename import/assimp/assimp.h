/* Converts Assimp's scenes to nodes, parts and animations for baking. */
#ifndef IMPORT_ASSIMP_H
#define IMPORT_ASSIMP_H

#include "../bake.h"

#include <assimp/types.h>
/* The other headers need this one first. */
#include <assimp/anim.h>
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/commonMetaData.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/texture.h>

/* The functions of Assimp. The library is loaded when the first file needs it: loading it and its
 * dependencies takes longer than most commands. */
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

/* Returns the library. If it is not installed, returns NULL and fills the error. */
const lm_im_library *lmi_im_library_open(lm_error *error);

/* One import: Assimp's scene and the converted data. */
typedef struct lm_im_assimp {
    importing *im;
    const lm_im_library *library;
    const struct aiScene *scene;
    bool no_weights;             /* weights of targets at rest are not known */
    lm_im_gltf *gltf;            /* nodes, skins and animations only */
    const struct aiNode **nodes; /* [gltf->num_nodes] */
    uint32_t *materials;         /* [scene->mNumMaterials] its image, or IM_NONE; NULL: no images */
    uint32_t num_images;
    lm_import_image *images; /* named by their paths in the file; without bytes */
} lm_im_assimp;

/* Reads the source and the files that it refers to. Returns NULL and fills the error on failure.
 * Only one thread loads at a time, because Assimp stores the last error once for all threads. */
const struct aiScene *lmi_im_assimp_load(importing *im, const lm_im_library *library,
                                         const lm_im_source *source);

/* Returns the node of that name, or IM_NONE. Assimp identifies nodes by name only: if several nodes
 * share it, returns the first without a mesh, else the first. */
uint32_t lmi_im_assimp_find(const lm_im_assimp *a, const struct aiString *name);
/* lmi_im_assimp_images collects the images of materials, if the options request images. After
 * baking, lmi_im_assimp_read_images reads the used ones. */
bool lmi_im_assimp_images(lm_im_assimp *a);
bool lmi_im_assimp_read_images(lm_im_assimp *a);
bool lmi_im_assimp_parts(lm_im_assimp *a, const bool *tagged, lm_im_scene *scene);
bool lmi_im_assimp_motion(lm_im_assimp *a);
/* Copies a matrix by columns. Returns false if it has a number that is not finite. */
bool lmi_im_assimp_matrix(const struct aiMatrix4x4 *m, float out[16]);
/* Returns a copy of a string. Control characters become '_'. */
char *lmi_im_assimp_text(importing *im, const struct aiString *text);

#endif
