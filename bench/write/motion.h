/* Measures the distance and the motion of an encoded file relative to the truth, computed from
 * decoded files, not taken from reports. */
#ifndef BENCH_WRITE_MOTION_H
#define BENCH_WRITE_MOTION_H

#include "truths.h"

/* The vertices that a mesh's triangles use, in one row per frame. */
typedef struct motion {
    uint32_t num_frames, num_vertices;
    lm_vec3 *positions; /* [num_frames * num_vertices] */
    bool *begins;       /* [num_frames] true if the frame starts another clip */
    uint32_t *corners;  /* [num_vertices] the first corner of each, over all surfaces' triangles */
} motion;

void motion_of_mesh(const lm_mesh *mesh, motion *out);
/* Makes the same vertices of a model of one surface with the mesh's triangles in their order. */
void motion_of_model(const lm_model *model, const motion *truth, motion *out);
/* Ports the rounding of id's own tool: a box of 255 steps around each frame. `phase` shifts its
 * lines up by a fraction of a step: an equally good grid with another alignment. */
void motion_of_boxes(const motion *truth, float phase, motion *out);
/* Ports tools that avoid jitter at any cost: one box around all frames. */
void motion_of_one_box(const motion *truth, motion *out);
void motion_free(motion *m);

/* Sums of squared distances in units, and their counts. Still: coordinates that are constant in two
 * frames of a clip in the truth, and their movement. Slow: coordinates that move there by less than
 * the largest step of the frame's box, and the error of their movement. */
typedef struct motion_error {
    double all, still, slow, most;
    uint64_t num_all, num_still, num_slow;
} motion_error;

motion_error motion_compare(const motion *truth, const motion *made);

#endif
