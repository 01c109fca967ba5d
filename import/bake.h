/* Bakes moving nodes into frames of vertices. */
#ifndef IMPORT_BAKE_H
#define IMPORT_BAKE_H

#include "extras.h"
#include "parts.h"
#include "pose.h"

/* A tag: its name and the node that it follows. */
typedef struct lm_im_tag {
    const char *name;
    uint32_t node;
} lm_im_tag;

typedef struct lm_im_scene {
    const lm_im_gltf *gltf;
    float scale; /* mesh units per node unit */
    uint32_t num_parts, num_tags;
    lm_im_part *parts;
    const lm_im_tag *tags;
    const lm_im_extras *extras; /* if it has frames, they are the mesh's frames */
    /* The turn from the file's axes to glTF's, by columns. Tags are turned back, except joints. */
    bool is_turned;
    double turn[9];
} lm_im_scene;

/* Converts a vector from glTF's axes (z forward, x left, y up) to the models' (x forward, y left, z
 * up), and scales it. */
lm_vec3 lm_im_rotate(const double v[3], double scale);

/* Plays every animation and fills in the mesh, whose arrays are in the import's memory. */
bool lm_im_bake(importing *im, const lm_im_scene *scene, lm_mesh *mesh);

/* The time span of an animation: its first and last key [s], and its frame rate, from the options
 * or from its keys. */
typedef struct lm_im_span {
    double first, last, fps;
    uint32_t num_frames;
} lm_im_span;

void lm_im_span_of(const importing *im, const lm_im_animation *animation, lm_im_span *span);

#endif
