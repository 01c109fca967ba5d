/* From nodes that move to frames of vertices. */
#ifndef IMPORT_BAKE_H
#define IMPORT_BAKE_H

#include "ours.h"
#include "parts.h"
#include "pose.h"

/* A place of the model: a node, and what it is called. */
typedef struct lm_im_place_of {
    const char *name;
    uint32_t node;
} lm_im_place_of;

typedef struct lm_im_scene {
    const lm_im_gltf *gltf;
    float scale; /* units of the take to one of the nodes */
    uint32_t num_parts, num_tags;
    lm_im_part *parts;
    const lm_im_place_of *tags;
    const lm_im_ours *ours; /* its frames, if it has any, are those of the take */
} lm_im_scene;

/* From glTF's axes to the models': x forward, y left, z up. */
lm_vec3 lm_im_turn(const double v[3], double scale);

/* Plays every animation and fills in the take; what it points to is the import's memory. */
bool lm_im_bake(importing *im, const lm_im_scene *scene, lm_take *take);

/* The first key of an animation, the last one, and how many frames a second it has: by the
 * options, or by its keys. */
typedef struct lm_im_span {
    double first, last, fps;
    uint32_t num_frames;
} lm_im_span;

void lm_im_span_of(const importing *im, const lm_im_animation *animation, lm_im_span *span);

#endif
