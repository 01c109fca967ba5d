/* A mesh made by hand, for the tests of encoders. */
#ifndef SYNTHETIC_MESH_H
#define SYNTHETIC_MESH_H

#include "lerpmesh/mesh.h"

enum {
    MESH_FRAMES = 12,
    MESH_VERTICES = 6,
    MESH_TRIANGLES = 4
};

/* Two tags, two clips, a frame in no clip, a seam and a material. */
typedef struct synthetic_mesh {
    float positions[MESH_FRAMES * MESH_VERTICES * 3], normals[MESH_FRAMES * MESH_VERTICES * 3];
    float st[(MESH_VERTICES + 1) * 2];
    uint32_t triangles[MESH_TRIANGLES * 3], st_triangles[MESH_TRIANGLES * 3];
    lm_material material;
    lm_mesh_surface surface;
    lm_transform poses[2][MESH_FRAMES];
    lm_mesh_tag tags[2];
    lm_clip clips[2];
    const char *skin;
    lm_mesh mesh;
} synthetic_mesh;

void make_mesh(synthetic_mesh *m);

#endif
