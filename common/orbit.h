/* A camera that the mouse orbits around a target, for the programs with a view. */
#ifndef COMMON_ORBIT_H
#define COMMON_ORBIT_H

#include "lerpmesh/gl.h"

/* The state of such a camera. Start from {0} with the angles set, aim it, then turn, zoom and pan
 * it as events come. */
typedef struct orbit_camera {
    lm_gl_camera camera;
    lm_vec3 home;  /* the target after aiming */
    float reach;   /* the radius around it */
    float fitting; /* the distance from which that just fits */
    bool moved;    /* zoomed or panned since then */
} orbit_camera;

/* Begins a fit for a picture of that width / height, with a margin. Join the points of the fit
 * (lm_gl_fit_point, lm_gl_scene_fit), then call orbit_aim. The angles stay. */
void orbit_begin_aim(const orbit_camera *orbit, lm_gl_fit *fit, float aspect);
void orbit_aim(orbit_camera *orbit, const lm_gl_fit *fit);
/* Adds degrees. The elevation stays within -90 .. 90. */
void orbit_turn(orbit_camera *orbit, float azimuth, float elevation);
/* Enlarges by a factor. The distance stays within a fiftieth and 50 times the fitting one. */
void orbit_zoom(orbit_camera *orbit, float factor);
/* Moves the target so that the middle of a picture of `height` pixels follows the mouse. */
void orbit_pan(orbit_camera *orbit, float dx, float dy, float height);

#endif
