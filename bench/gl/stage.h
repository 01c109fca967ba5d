/* What the benchmark of the renderer draws, and in how many ways. */
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "lerpmesh/gl.h"
#include "lerpmesh/image.h"

enum {
    STAGE_INSTANCES = 10000,
    STAGE_SCENES = 1000,
    STAGE_PARTS = 3,     /* of a scene */
    STAGE_PASSPORT = 256 /* pixels of a thumbnail's side */
};

/* A model in a context, with a skin. */
typedef struct stage {
    lm_gl *gl;
    lm_gl_target *large, *small, *thumbnail; /* 512, 32 and 256 pixels */
    lm_model *models[2];                     /* by triangles, by GL commands */
    lm_gl_model *drawn[2];
    lm_image *image;
    lm_gl_skin *skin;
    unsigned texture; /* the skin, for immediate mode */
    lm_gl_view view;
    lm_gl_instance *instances;        /* of the first model */
    lm_gl_instance *fading;           /* the same, halfway to another pose */
    lm_scene_part parts[STAGE_PARTS]; /* the first model each time */
    lm_scene scene;
    lm_gl_scene *drawn_scene;
    lm_gl_scene_instance *scenes;
    lm_pose *poses; /* of all parts of the scenes */
    uint8_t *pixels;
    bool failed; /* something could not be drawn */
} stage;

/* Wants a context with compatibility. Close in any case. */
bool stage_open(stage *s, const char *model, const char *skin, lm_error *error);
void stage_close(stage *s);

/* One thing to measure. */
typedef struct scene {
    stage *stage;
    bool immediate, commands;
    int times; /* drawn in one picture: 1 at 512 x 512, more at 32 x 32 */
} scene;

/* Each runs once what its name says, to its end. */
void draw_scene(void *context);     /* a scene */
void draw_instanced(void *context); /* a stage, like the others */
void draw_fading(void *context);
void draw_one_by_one(void *context);
void draw_scene_instances(void *context);
void draw_scenes_one_by_one(void *context);
/* All that a thumbnail takes once its file is loaded, PNG included. */
void draw_thumbnail(void *context);

#endif
