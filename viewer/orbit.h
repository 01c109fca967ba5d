/* A camera that the mouse turns around what it looks at. Knows no window. */
#ifndef VIEWER_ORBIT_H
#define VIEWER_ORBIT_H

#include "lerpmesh/gl.h"

typedef struct orbit {
    lm_gl_camera camera;
    lm_vec3 home;  /* where it aimed, */
    float reach;   /* what is around it, */
    float fitting; /* and the distance from which that just fits */
    bool moved;    /* nearer, farther or aside since then */
} orbit;

/* Aims at what was joined since orbit_begin_aim, so that it just fits into a picture of that width
 * / height; the angles stay. */
void orbit_begin_aim(const orbit *o, lm_gl_fit *fit, float aspect);
void orbit_aim(orbit *o, const lm_gl_fit *fit);

void orbit_turn(orbit *o, float azimuth, float elevation);
/* 2: twice as large. */
void orbit_zoom(orbit *o, float factor);
/* What is in the middle of a picture of `height` pixels follows the mouse. */
void orbit_pan(orbit *o, float dx, float dy, float height);

#endif
