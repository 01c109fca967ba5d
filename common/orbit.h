/* An orbit camera controlled by the mouse, for programs with a view. */
#ifndef COMMON_ORBIT_H
#define COMMON_ORBIT_H

#include "lerpmesh/gl.h"

/* The state of an orbit camera. Start from {0} with the angles set and aim it; then turn, zoom and
 * pan it as events arrive. The program sets the camera's aspect. */
typedef struct orbit_camera {
    lm_gl_camera camera;
    lm_vec3 center; /* the target after orbit_aim */
    float extent;   /* the radius around it */
    float fitting;  /* the distance at which that radius just fits */
    bool moved;     /* zoomed or panned since orbit_aim */
} orbit_camera;

/* Aims at all poses of a scene, with a margin: lm_gl_scene_fit. The angles do not change. */
bool orbit_aim(orbit_camera *orbit, lm_gl_scene *scene, const lm_gl_scene_instance *poses,
               uint32_t num_poses, const lm_gl_render_options *options, lm_gl_box *box,
               lm_error *error);
/* Adds angles in degrees. The elevation stays within -90 .. 90. */
void orbit_turn(orbit_camera *orbit, float azimuth, float elevation);
/* Zooms in by a factor. The distance stays within 1/50 and 50 times the fitting distance. */
void orbit_zoom(orbit_camera *orbit, float factor);
/* Moves the target so that the model at the image's centre follows the mouse. `height` is the
 * image's, in pixels. */
void orbit_pan(orbit_camera *orbit, float dx, float dy, float height);

/* Returns the camera at a player's eye, from where the games show weapons: at the origin, along x.
 * As in the games, its field of view is horizontal: 90 degrees at zoom 1. */
lm_gl_camera orbit_eye(float aspect, float zoom);

#endif
