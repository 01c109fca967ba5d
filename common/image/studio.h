/* A studio draws images: a context, a renderer and a target, created once for all inputs. */
#ifndef IMAGE_STUDIO_H
#define IMAGE_STUDIO_H

#include "skeletons.h"

#include <stdint.h>

/* An image that was drawn smaller and enlarged, because its triangles fill it too often. */

typedef struct coarse_image {
    double fill, max_fill; /* how often triangles would fill the whole image, and the limit; fill 0:
                              no image was enlarged */
    uint32_t width, height; /* the size that was drawn */
} coarse_image;

/* The options of drawing. */
typedef struct studio_options {
    uint32_t width, height, samples;
    float azimuth, elevation, zoom;
    float background[4]; /* premultiplied by alpha */
    bool transparent;
    bool backdrop; /* a gradient, and a shadow on the ground */
    lm_gl_shade shade;
    unsigned show;   /* LM_GL_SHOW_ flags */
    double max_fill; /* draws an image more coarsely if triangles fill it more often
                        (lm_gl_scene_fill); 0: STUDIO_MAX_FILL */
} studio_options;

#define STUDIO_MAX_FILL 250

typedef struct studio {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target;
    lm_gl_target *rough;    /* the same with one sample per pixel; NULL until needed */
    uint32_t width, height; /* of the target */
    uint32_t samples;       /* as requested */
    uint8_t *pixels;        /* of the last image: 4 * width * height */
    coarse_image coarse;    /* the coarsest since the caller set its `fill` to 0 */
} studio;

/* Creates the context. Fails with `error` filled; close it in any case. */
bool studio_open(studio *s, const studio_options *options, lm_error *error);
void studio_close(studio *s);

/* The subject of images: a scene, and its GPU resources. */
typedef struct studio_subject {
    const lm_scene *scene;
    lm_gl_scene *drawn;
    skeleton_bones *const *bones; /* [num_parts], entries may be NULL; NULL: none to draw */
} studio_subject;

/* One image: a moment of a clip, or a pose of the first model, from a direction. */
typedef struct studio_shot {
    const char *clip; /* NULL: `pose` */
    double seconds;
    lm_pose pose;
    float azimuth; /* added to the view's */
} studio_shot;

/* The camera, and what it shows. */
typedef struct studio_view {
    lm_gl_camera camera;
    float middle[2], scale; /* the centre of the visible area in the camera's image, from -1 to 1,
                               and its zoom */
    lm_gl_fit fit;
} studio_view;

/* Aims the camera at the visible part of the shots. The ground is below their lowest point.
 * `all_around`: keeps them in view from all sides. Overwrites s->pixels. */
studio_view studio_aim(studio *s, const studio_options *options, const studio_subject *subject,
                       const studio_shot *shots, uint32_t num_shots, bool all_around);

/* Something to draw in front of a background. The scene, view and options predict the cost. */
typedef struct studio_drawing {
    const lm_gl_scene *scene;
    const lm_gl_view *view;
    const lm_gl_render_options *options;
    const float *background;
    bool (*draw)(const void *user, lm_error *error);
    const void *user;
} studio_drawing;

/* Draws it into s->pixels: at once, or if triangles would fill the image more than max_fill times,
 * in a smaller image that is then enlarged. */
bool studio_draw(studio *s, const studio_drawing *drawing, lm_error *error);

/* Draws a shot into s->pixels. */
bool studio_shoot(studio *s, const studio_options *options, const studio_subject *subject,
                  const studio_view *aim, const studio_shot *shot, lm_error *error);

/* Draws the background alone. */
bool studio_shoot_nothing(studio *s, const studio_options *options, lm_error *error);

#endif
