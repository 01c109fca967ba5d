/* The geometry of the shown nodes, before animation. */
#ifndef IMPORT_PARTS_H
#define IMPORT_PARTS_H

#include "gltf.h"

typedef struct lm_im_target {
    const float *positions, *normals; /* differences from the base; NULL: none */
} lm_im_target;

/* A part: a primitive of a node. It has only the vertices that its triangles use. Parts of nodes
 * with the same mesh share their arrays. */
typedef struct lm_im_part {
    uint32_t node, skin;
    lm_im_ref primitive;
    uint32_t index; /* of the primitive in its mesh */
    uint32_t num_file_vertices;
    uint32_t *file_vertices; /* [num_vertices] */
    uint32_t same_as[3];     /* parts with equal values look the same at rest */
    const char *name;
    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags;          /* of lm_mesh_surface */
    const uint32_t *images; /* from lm_im_read_variants; NULL: no images */
    uint32_t num_vertices, num_triangles;
    uint32_t *triangles;                   /* front faces counter-clockwise, as in the file */
    const float *positions, *normals, *st; /* normals and st may be NULL */
    uint32_t num_targets;
    const lm_im_target *targets;
    uint32_t num_joints; /* per vertex */
    const uint32_t *joints;
    const float *weights;
} lm_im_part;

/* Reads all parts of the scene. Meshes of `tagged` nodes are only markers and are skipped. */
bool lm_im_read_parts(importing *im, const lm_im_gltf *gltf, const bool *tagged, lm_im_part **parts,
                      uint32_t *count);

/* Scales each vertex's weights to a sum of 1. A vertex whose weights are all 0 follows its node. */
void lm_im_normalise_weights(importing *im, const lm_im_part *part, float *weights);

/* Computes the normals of parts whose morph targets have none. */

#endif
