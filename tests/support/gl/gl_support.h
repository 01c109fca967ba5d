/* What the tests of the renderer share: a context that reports every mistake, models, surfaces
 * made by hand. */
#ifndef GL_SUPPORT_H
#define GL_SUPPORT_H

#include "lerpmesh/gl.h"
#include "lerpmesh/load.h"

/* A debug context, current, with a renderer; each message of the driver fails the test. */
typedef struct gl_world {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target; /* 64 x 64, bound: without a window there is nothing else to draw on */
} gl_world;

extern gl_world world; /* the one of a program's tests */
void world_open(bool es);
/* Also fails if an error is left. */
void world_close(void);
/* The same as a test's setup and teardown. */
int open_world(void **state);
int close_world(void **state);
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

/* An instance in that pose: AT_ORIGIN({0, 1, 0.5f}), AT_ORIGIN(pose). */
#define AT_ORIGIN(...) (&(lm_gl_instance){.transform = LM_TRANSFORM_IDENTITY, .pose = __VA_ARGS__})

/* Fails if the driver had anything to say since the last call. */
void expect_quiet(void);

/* PATH below the folder of the sources. */
const char *source_path(const char *path);
lm_model *load(const char *path, lm_topology topology, unsigned quirks);
/* Calls `visit` with each model of the folder of the corpus, up to `most` of them. Returns how many
 * there were. */
int each_of_corpus(const char *folder, int most, void (*visit)(const char *path));

#endif
