/* The meshes of the nodes that are shown: what is drawn, before it moves. */
#ifndef IMPORT_PARTS_H
#define IMPORT_PARTS_H

#include "gltf.h"

typedef struct lm_im_target {
    const float *positions, *normals; /* differences; NULL: none */
} lm_im_target;

/* A primitive of a node. Its vertices are those that its triangles use. */
typedef struct lm_im_part {
    uint32_t node, skin;
    uint32_t same_as[3]; /* parts that agree in these show the same at rest */
    const char *name;
    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags;         /* of lm_take_surface */
    const uint32_t *dress; /* lm_im_read_dress; NULL */
    uint32_t num_vertices, num_triangles;
    uint32_t *triangles;                   /* as in the file: counter-clockwise */
    const float *positions, *normals, *st; /* normals and st may be NULL */
    uint32_t num_targets;
    const lm_im_target *targets;
    uint32_t num_joints; /* a vertex */
    const uint32_t *joints;
    const float *weights;
} lm_im_part;

/* All parts of the scene. Nodes of `tagged` are markers, which are not drawn. */
bool lm_im_read_parts(importing *im, const lm_im_gltf *gltf, const bool *tagged, lm_im_part **parts,
                      uint32_t *count);

/* Weights of a vertex become 1 together; where all are 0, it follows its node. */
void lm_im_normalise_weights(importing *im, const lm_im_part *part, float *weights);

#endif
