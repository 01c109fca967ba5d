/* The scenes of the renderer's benchmark, and the ways to draw them. */
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "lerpmesh/gl.h"
#include "lerpmesh/image.h"

enum {
    STAGE_INSTANCES = 10000,
    STAGE_SCENES = 1000,
    STAGE_PARTS = 3,     /* of a scene */
    STAGE_PASSPORT = 256 /* side of a thumbnail in pixels */
};

/* A model in a context, with a skin. */
typedef struct stage {
    lm_gl *gl;
    lm_gl_target *large, *small, *thumbnail; /* 512, 32 and 256 pixels */
    lm_model *models[2];                     /* by triangles, by GL commands */
    lm_gl_model *drawn[2];
    lm_image *image;
    lm_gl_texture *skin;
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
    bool failed; /* a drawing failed */
} stage;

/* Needs a compatibility context. Close the stage in any case. */
bool stage_open(stage *s, const char *model, const char *skin, lm_error *error);
void stage_close(stage *s);

/* One thing to measure. */
typedef struct scene {
    stage *stage;
    bool immediate, commands;
    int times; /* draws per image: 1 at 512 x 512, more at 32 x 32 */
} scene;

/* Each draws once, completely. */
void draw_scene(void *context);     /* a scene */
void draw_instanced(void *context); /* a stage, as for the following ones */
void draw_fading(void *context);
void draw_one_by_one(void *context);
void draw_scene_instances(void *context);
void draw_scenes_one_by_one(void *context);
/* Everything for a thumbnail after its file is loaded, PNG included. */
void draw_thumbnail(void *context);

#endif
