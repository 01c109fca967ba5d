/* An orbit camera controlled by the mouse, for programs with a view. */
#ifndef COMMON_ORBIT_H
#define COMMON_ORBIT_H

#include "lerpmesh/gl.h"

/* The state of an orbit camera. Start from {0} with the angles set and aim it; then turn, zoom and
 * pan it as events arrive. */
typedef struct orbit_camera {
    lm_gl_camera camera;
    lm_vec3 center; /* the target after orbit_aim */
    float extent;   /* the radius around it */
    float fitting;  /* the distance at which that radius just fits */
    bool moved;     /* zoomed or panned since orbit_aim */
} orbit_camera;

/* Begins a fit, with a margin, for an image with aspect = width / height. Add points to the fit
 * (lm_gl_fit_point, lm_gl_scene_fit), then call orbit_aim. The angles do not change. */
void orbit_begin_aim(const orbit_camera *orbit, lm_gl_fit *fit, float aspect);
void orbit_aim(orbit_camera *orbit, const lm_gl_fit *fit);
/* Adds angles in degrees. The elevation stays within -90 .. 90. */
void orbit_turn(orbit_camera *orbit, float azimuth, float elevation);
/* Zooms in by a factor. The distance stays within 1/50 and 50 times the fitting distance. */
void orbit_zoom(orbit_camera *orbit, float factor);
/* Moves the target so that the model at the image's centre follows the mouse. `height` is the
 * image's, in pixels. */
void orbit_pan(orbit_camera *orbit, float dx, float dy, float height);

#endif
