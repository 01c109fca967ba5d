/* Where pictures are taken: a context, a renderer and a target, made once for all inputs. */
#ifndef RENDER_STUDIO_H
#define RENDER_STUDIO_H

#include "lerpmesh/gl.h"
#include "settings.h"

typedef struct render_studio {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target;
    lm_gl_target *rough;    /* the same with a sample a pixel; NULL until it is needed */
    uint32_t width, height; /* of the target */
    uint8_t *pixels;        /* of the last picture: 4 * width * height */
} render_studio;

/* Makes the context. Failing, fills the error; close in any case. */
bool studio_open(render_studio *s, const render_settings *settings, lm_error *error);
void studio_close(render_studio *s);

/* An input with all that hangs on it. */
typedef struct render_sitter {
    lm_assets *assets;
    lm_gl_scene *scene;
} render_sitter;

/* Loads the job's input and gives it to the driver. Failing, fails the job and leaves nothing to
 * close. */
bool sitter_open(tool_job *job, const render_settings *settings, render_studio *s,
                 render_sitter *out);
void sitter_close(render_sitter *sitter);

/* One picture: a moment of a clip, or a pose of the first model, from a direction. */
typedef struct render_shot {
    const char *clip; /* NULL: `pose` */
    double seconds;
    lm_pose pose;
    float azimuth; /* added to the view's */
} render_shot;

/* From where, and how high the ground lies. */
typedef struct render_aim {
    lm_gl_camera camera;
    float middle[2], scale; /* what of the camera's picture is the middle, from -1 to 1, and how
                               much it is enlarged */
    float ground;
} render_aim;

/* Aims the camera at what is seen in the shots, which stands on the ground at its lowest. `around`:
 * at what they reach from all sides. Overwrites s->pixels. */
render_aim studio_aim(render_studio *s, const render_settings *settings, render_sitter *sitter,
                      const render_shot *shots, uint32_t num_shots, bool around);

/* Draws a picture into s->pixels. */
bool studio_shoot(render_studio *s, const render_settings *settings, render_sitter *sitter,
                  const render_aim *aim, const render_shot *shot, lm_error *error);

/* The same without the figure. */
bool studio_shoot_nothing(render_studio *s, const render_settings *settings, lm_error *error);

#endif
