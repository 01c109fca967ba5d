/* Where pictures are taken: a context, a renderer and a target, made once for all inputs. */
#ifndef PICTURE_STUDIO_H
#define PICTURE_STUDIO_H

#include "lerpmesh/gl.h"

/* How pictures look. */
typedef struct studio_look {
    uint32_t width, height, samples;
    float azimuth, elevation, zoom;
    float background[4]; /* multiplied by alpha */
    bool transparent;
    bool backdrop; /* a gradient, and a shadow on the ground */
    lm_gl_shade shade;
    unsigned show; /* LM_GL_SHOW_ flags */
} studio_look;

typedef struct studio {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target;
    lm_gl_target *rough;    /* the same with a sample a pixel; NULL until it is needed */
    uint32_t width, height; /* of the target */
    uint8_t *pixels;        /* of the last picture: 4 * width * height */
} studio;

/* Makes the context. Failing, fills the error; close in any case. */
bool studio_open(studio *s, const studio_look *look, lm_error *error);
void studio_close(studio *s);

/* What pictures are of: a scene, and the same as the driver has it. */
typedef struct studio_subject {
    const lm_scene *scene;
    lm_gl_scene *drawn;
} studio_subject;

/* One picture: a moment of a clip, or a pose of the first model, from a direction. */
typedef struct studio_shot {
    const char *clip; /* NULL: `pose` */
    double seconds;
    lm_pose pose;
    float azimuth; /* added to the view's */
} studio_shot;

/* From where, and how high the ground lies. */
typedef struct studio_view {
    lm_gl_camera camera;
    float middle[2], scale; /* what of the camera's picture is the middle, from -1 to 1, and how
                               much it is enlarged */
    float ground;
} studio_view;

/* Aims the camera at what is seen in the shots, which stands on the ground at its lowest. `around`:
 * at what they reach from all sides. Overwrites s->pixels. */
studio_view studio_aim(studio *s, const studio_look *look, const studio_subject *subject,
                       const studio_shot *shots, uint32_t num_shots, bool around);

/* Draws a picture into s->pixels. */
bool studio_shoot(studio *s, const studio_look *look, const studio_subject *subject,
                  const studio_view *aim, const studio_shot *shot, lm_error *error);

/* The same without the figure. */
bool studio_shoot_nothing(studio *s, const studio_look *look, lm_error *error);

#endif
