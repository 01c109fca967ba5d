/* The call: what its stages share. */
#ifndef LM_SKELETON_FIT_H
#define LM_SKELETON_FIT_H

#include "skeleton/tree.h"

typedef struct lm_fit {
    const lm_mesh *mesh;
    lm_skeleton_options options; /* with defaults */
    lm_heap heap;
    lm_arena arena; /* of the call */
    lm_skeleton *made;
    bool stopped;        /* by the caller */
    uint32_t num_welded; /* vertices with different trajectories */
    uint32_t *places;    /* [all vertices] the welded vertex of each, surface after surface */
    uint32_t *sources;   /* [num_welded] the first vertex of each, among all */
    uint32_t rest_frame;
    double (*centres)[3]; /* [num_frames] the mean of the vertices of each frame */
    double size;          /* the diagonal of the box around all frames */
    bool moves;           /* some vertex is not at one place in all frames */
    lm_rig rig;           /* of all frames */
    lm_tree tree;
    double free_error; /* the sum of the squared errors of free bones */
} lm_fit;

/* fit.c */
/* Returns a frame of the mesh that a rig uses: every `stride`-th, beginning at the rest frame and
 * continuing at the first after the last. */
static inline uint32_t lm_fit_frame(const lm_fit *fit, uint32_t stride, uint32_t index) {
    return (uint32_t)((fit->rest_frame + (uint64_t)index * stride) % fit->mesh->num_frames);
}

/* build.c */
/* Fills the skeleton with joints, poses and influences. Returns false if memory ran out. */
bool lm_fit_build(lm_fit *fit);

/* correct.c */
/* Adds corrective shapes as the options allow, if they make the measured error smaller. Returns
 * false if memory ran out. */
bool lm_fit_correct(lm_fit *fit);

/* roles.c */
/* Names the joints. Returns false if memory ran out. */
bool lm_fit_name(lm_fit *fit, lm_joint *joints);

/* measure.c */
/* Measures the errors of the skeleton, and judges it. Returns false if memory ran out. */
bool lm_fit_measure(lm_fit *fit);

#endif
