/* How far what was written is from the truth, and how it moves: recomputed of what readers decode,
 * not taken from reports. */
#ifndef BENCH_WRITE_MOTION_H
#define BENCH_WRITE_MOTION_H

#include "truths.h"

/* The vertices of a take that its triangles use, in one row a frame. */
typedef struct motion {
    uint32_t num_frames, num_vertices;
    lm_vec3 *positions; /* [num_frames * num_vertices] */
    bool *begins;       /* [num_frames] whether it belongs to another clip than the one before */
    uint32_t *corners; /* [num_vertices] the first corner with each, over all surfaces' triangles */
} motion;

void motion_of_take(const lm_take *take, motion *out);
/* The same vertices in a model of one surface with the take's triangles in their order. */
void motion_of_model(const lm_model *model, const motion *truth, motion *out);
/* As a port of what id's own tool does: a box of 255 steps around each frame, and rounding. With a
 * phase its lines lie that share of a step further up: as good a grid, which happens to fall
 * otherwise. */
void motion_of_boxes(const motion *truth, float phase, motion *out);
/* As tools do that want no wobble at any price: one box around all frames. */
void motion_of_one_box(const motion *truth, motion *out);
void motion_free(motion *m);

/* Sums of squares of distances in units, and of how many. Still: what the truth has in one place in
 * two frames of a clip, and how far it moves. Slow: what moves there, by less than the largest step
 * of the frame's box, and how far from the truth's way its own is. */
typedef struct motion_error {
    double all, still, slow, most;
    uint64_t num_all, num_still, num_slow;
} motion_error;

motion_error motion_compare(const motion *truth, const motion *made);

#endif
