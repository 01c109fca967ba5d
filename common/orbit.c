#include "orbit.h"

#include <math.h>

#define MARGIN 0.95f
#define NEAREST 0.02f /* relative to the fitting distance */
#define FARTHEST 50.0f

bool orbit_aim(orbit_camera *o, lm_gl_scene *scene, const lm_gl_scene_instance *poses,
               uint32_t num_poses, const lm_gl_render_options *options, lm_gl_box *box,
               lm_error *error) {
    o->camera.zoom = MARGIN;
    if (!lm_gl_scene_fit(scene, poses, num_poses, options, &o->camera, box, error))
        return false;
    o->center = o->camera.target;
    o->extent = o->camera.radius;
    o->fitting = o->camera.distance;
    o->moved = false;
    return true;
}

void orbit_turn(orbit_camera *o, float azimuth, float elevation) {
    o->camera.azimuth = fmodf(o->camera.azimuth + azimuth, 360);
    o->camera.elevation = fminf(fmaxf(o->camera.elevation + elevation, -90), 90);
}

void orbit_zoom(orbit_camera *o, float factor) {
    float distance = o->camera.distance / factor;
    o->moved = true;
    o->camera.distance = fminf(fmaxf(distance, o->fitting * NEAREST), o->fitting * FARTHEST);
}

void orbit_pan(orbit_camera *o, float dx, float dy, float height) {
    lm_gl_view view;
    lm_gl_camera_view(&o->camera, &view);
    float half = tanf(LM_GL_FIELD_OF_VIEW / 2 * 3.14159265f / 180);
    float pixel = 2 * half * o->camera.distance / fmaxf(height, 1);
    float right = -dx * pixel, up = dy * pixel;
    o->moved = true;
    lm_vec3 *t = &o->camera.target;
    *t = (lm_vec3){t->x + right * view.right.x + up * view.up.x,
                   t->y + right * view.right.y + up * view.up.y,
                   t->z + right * view.right.z + up * view.up.z};
    /* The surroundings of the initial target must stay within the clipping planes. */
    o->camera.radius =
        o->extent + hypotf(hypotf(t->x - o->center.x, t->y - o->center.y), t->z - o->center.z);
}

lm_gl_camera orbit_eye(float aspect, float zoom) {
    const float target = 100, reach = 8192; /* what is nearer than a hundredth of it is clipped */
    return (lm_gl_camera){.target = {target, 0, 0},
                          .azimuth = 180,
                          .distance = target,
                          .radius = reach,
                          .field_of_view = 2 * atanf(1 / (aspect * zoom)) * 57.2957795f,
                          .aspect = aspect};
}
