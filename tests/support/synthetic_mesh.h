/* A mesh made by hand, for the tests of encoders. */
#ifndef SYNTHETIC_MESH_H
#define SYNTHETIC_MESH_H

#include "lerpmesh/mesh.h"

enum {
    MADE_FRAMES = 12,
    MADE_VERTICES = 6,
    MADE_TRIANGLES = 4
};

/* Two tags, two clips, a frame in no clip, a seam and a material. */
typedef struct synthetic_mesh {
    float positions[MADE_FRAMES * MADE_VERTICES * 3], normals[MADE_FRAMES * MADE_VERTICES * 3];
    float st[(MADE_VERTICES + 1) * 2];
    uint32_t triangles[MADE_TRIANGLES * 3], st_triangles[MADE_TRIANGLES * 3];
    lm_material material;
    lm_mesh_surface surface;
    lm_transform poses[2][MADE_FRAMES];
    lm_mesh_tag tags[2];
    lm_clip clips[2];
    const char *skin;
    lm_mesh mesh;
} synthetic_mesh;

void make_mesh(synthetic_mesh *m);

#endif
