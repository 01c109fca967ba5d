/* Where pictures are taken: a context, a renderer and a target, made once for all inputs. */
#ifndef RENDER_STUDIO_H
#define RENDER_STUDIO_H

#include "batch.h"
#include "settings.h"

typedef struct render_studio {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target;
    uint32_t width, height; /* of the target */
    uint8_t *pixels;        /* of the last picture: 4 * width * height */
} render_studio;

/* Makes the context. Failing, fills the error; close in any case. */
bool studio_open(render_studio *s, const render_settings *settings, lm_error *error);
void studio_close(render_studio *s);

/* A model with its skins, ready to be drawn. */
typedef struct render_sitter {
    const tool_input *input;
    lm_gl_model *model;
    lm_gl_skin **skins; /* [num_surfaces], entries may be NULL */
    lm_gl_skin *skin;   /* for all surfaces, or NULL */
} render_sitter;

bool sitter_open(tool_job *job, const render_settings *settings, render_studio *s,
                 const tool_input *input, render_sitter *out);
void sitter_close(render_sitter *sitter);

/* One picture: a pose from a direction. */
typedef struct render_shot {
    lm_pose pose;
    float azimuth; /* added to the view's */
} render_shot;

/* Aims the camera at what the frames `first` .. `last` reach. `around`: at what they reach from all
 * sides. */
lm_gl_camera studio_aim(const render_studio *s, const render_settings *settings,
                        const lm_model *model, uint32_t first, uint32_t last, bool around);

/* Draws a picture into s->pixels. */
bool studio_shoot(render_studio *s, const render_settings *settings, const render_sitter *sitter,
                  const lm_gl_camera *camera, const render_shot *shot, lm_error *error);

#endif
