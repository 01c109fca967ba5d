/* A mesh made by hand, for the tests of encoders. */
#ifndef MADE_TAKE_H
#define MADE_TAKE_H

#include "lerpmesh/mesh.h"

enum {
    MADE_FRAMES = 12,
    MADE_VERTICES = 6,
    MADE_TRIANGLES = 4
};

/* Two tags, two clips, a frame in no clip, a seam and a material. */
typedef struct made_take {
    float positions[MADE_FRAMES * MADE_VERTICES * 3], normals[MADE_FRAMES * MADE_VERTICES * 3];
    float st[(MADE_VERTICES + 1) * 2];
    uint32_t triangles[MADE_TRIANGLES * 3], st_triangles[MADE_TRIANGLES * 3];
    lm_material material;
    lm_take_surface surface;
    lm_transform poses[2][MADE_FRAMES];
    lm_take_tag tags[2];
    lm_clip clips[2];
    const char *skin;
    lm_take take;
} made_take;

void make_take(made_take *m);

#endif
