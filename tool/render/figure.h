/* A scene as the driver has it: its models uploaded with what they wear, posed, drawn. For whoever
 * brings a context: `lerpmesh render` without a window, the viewer with one. */
#ifndef RENDER_FIGURE_H
#define RENDER_FIGURE_H

#include "lerpmesh/gl.h"
#include "lerpmesh/scene.h"

/* What is shown beside the models. */
enum {
    RENDER_SHOW_BOX = 1,
    RENDER_SHOW_GRID = 2,
    RENDER_SHOW_AXES = 4,
    RENDER_SHOW_TAGS = 8
};

/* A part of a scene, ready to be drawn. */
typedef struct render_part {
    lm_gl_model *model;
    const lm_gl_skin **skins; /* [num_surfaces], entries may be NULL */
} render_part;

typedef struct render_figure {
    lm_gl *gl;
    const lm_scene *scene;
    lm_gl_skin **textures; /* [scene->num_textures], entries may be NULL */
    render_part *parts;    /* [scene->num_parts] */
    lm_pose *poses;        /* one of each part: the caller's to set */
    lm_transform *places;  /* where each stands in these poses: figure_place */
} render_figure;

/* Uploads a scene with the pixels of its textures, which must live until figure_free. Failing,
 * leaves nothing to free. */
bool figure_upload(render_figure *f, lm_gl *gl, const lm_scene *scene, lm_error *error);
void figure_free(render_figure *f);

/* Finds where each part stands in the poses. */
bool figure_place(render_figure *f, lm_error *error);

/* A box that grows around things. */
typedef struct render_box {
    lm_vec3 min, max;
    bool any;
} render_box;

/* Joins what the figure reaches, placed. `show`: RENDER_SHOW_TAGS counts tags too. */
void figure_join(const render_figure *f, unsigned show, render_box *box);

typedef struct figure_look {
    lm_gl_shade shade;
    unsigned show; /* RENDER_SHOW_ flags */
    bool two_sided;
} figure_look;

/* Draws all parts, then what is shown beside them. */
bool figure_draw(const render_figure *f, const lm_gl_view *view, const figure_look *look,
                 lm_error *error);

#endif
