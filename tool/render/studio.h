/* Where pictures are taken: a context, a renderer and a target, made once for all inputs. */
#ifndef RENDER_STUDIO_H
#define RENDER_STUDIO_H

#include "batch.h"
#include "settings.h"

typedef struct studio {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target;
    uint32_t width, height; /* of the target */
    uint8_t *pixels;        /* of the last picture: 4 * width * height */
} studio;

/* Makes the context. Failing, fills the error; close in any case. */
bool studio_open(studio *s, const render_settings *settings, lm_error *error);
void studio_close(studio *s);

/* A model with its skins, ready to be drawn. */
typedef struct sitter {
    const tool_input *input;
    lm_gl_model *model;
    lm_gl_skin **skins; /* [num_surfaces], entries may be NULL */
    lm_gl_skin *skin;   /* for all surfaces, or NULL */
} sitter;

bool sitter_open(tool_job *job, const render_settings *settings, studio *s, const tool_input *input,
                 sitter *out);
void sitter_close(sitter *sitter);

/* One picture: a pose from a direction. */
typedef struct shot {
    lm_pose pose;
    float azimuth; /* added to the view's */
} shot;

/* Aims the camera at what the frames `first` .. `last` reach. `around`: at what they reach from all
 * sides. */
lm_gl_camera studio_aim(const studio *s, const render_settings *settings, const lm_model *model,
                        uint32_t first, uint32_t last, bool around);

/* Draws a picture into s->pixels. */
bool studio_shoot(studio *s, const render_settings *settings, const sitter *sitter,
                  const lm_gl_camera *camera, const shot *shot, lm_error *error);

#endif
