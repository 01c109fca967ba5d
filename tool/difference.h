/* What `lerpmesh compare --picture` draws, in a build with the renderer; else it says what is
 * missing. */
#ifndef TOOL_DIFFERENCE_H
#define TOOL_DIFFERENCE_H

#include "job.h"
#include "lerpmesh/take.h"

/* One of two models in a frame, as it was compared with the other. */
typedef struct difference_side {
    const char *title; /* a line or two below it */
    const lm_model *model;
    const lm_take *take; /* of the model */
    uint32_t frame;
    const float *distances; /* of lm_compare_frame */
} difference_side;

typedef struct difference_picture {
    difference_side sides[2];
    const char *title;    /* what the legend is of */
    float worst;          /* the hottest colour, units */
    bool has_spot;        /* the worst place is turned toward the eye and gets a ring: */
    int spot_side;        /* the side */
    lm_vec3 spot, toward; /* where it is, and its normal */
} difference_picture;

/* Draws both beside each other in colours of heat, with a legend, as PNG. Failing, fails the job.
 */
bool difference_draw(tool_job *job, const difference_picture *picture, lm_buffer *png);

#endif
