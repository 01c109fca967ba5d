/* Helpers of the renderer's tests: a context that reports every error, models, and surfaces made by
 * hand. */
#ifndef GL_SUPPORT_H
#define GL_SUPPORT_H

#include "gl_internal.h"
#include "lerpmesh/image.h"
#include "testing.h"

OWNER(lm_image, lm_image_free)
OWNER(lm_gl_model, lm_gl_model_free)
OWNER(lm_gl_scene, lm_gl_scene_free)
OWNER(lm_gl_target, lm_gl_target_free)
OWNER(lm_gl_texture, lm_gl_texture_free)
OWNER(lm_model, lm_model_free)

/* A current debug context with a renderer. Each message of the driver fails the test. */
typedef struct gl_world {
    lm_gl_headless *headless;
    lm_gl *gl;
    lm_gl_target *target; /* 64 x 64, bound: without a window there is no other framebuffer */
} gl_world;

extern gl_world world; /* shared by a program's tests */
void world_open(bool es);
/* Also fails if a GL error is pending. */
void world_close(void);
/* Work as a test's setup and teardown. */
int open_world(void **state);
int close_world(void **state);
#define GL_TEST(name) TEST_WITH(name, open_world, close_world)

/* An instance in a given pose: AT_ORIGIN({0, 1, 0.5f}), AT_ORIGIN(pose). */
#define AT_ORIGIN(...) (&(lm_gl_instance){.pose = __VA_ARGS__})

/* Begins an image in a target, with a colour. */
void begin_image(lm_gl_target *target, float r, float g, float b, float a);

/* The first frame of a scene, and its rest. */
#define AT_REST (&(lm_gl_scene_instance){0})

/* Fits the camera to a box, in a square image, and returns its view. */
lm_gl_view fitted_view(lm_gl_camera *camera, lm_vec3 min, lm_vec3 max);

/* Fails if the driver has sent a message since the last call. */
void expect_quiet(void);

/* Returns the path of PATH below the source folder. */
const char *source_path(const char *path);
lm_model *load(const char *path, lm_topology topology, unsigned quirks);

/* ---- Models made by hand, of any size -------------------------------------------------------- */

/* An MD2-like model of one surface and two frames, with all its memory. */
typedef struct handmade {
    lm_model model;
    lm_surface surface;
    lm_frame frames[2];
    uint8_t *keys;
    lm_vec2 *st;
    uint32_t *triangles, *file_vertices;
} handmade;

/* Places the vertices on a spiral; triangles join neighbours. */
void make_model(handmade *h, uint32_t num_vertices, uint32_t num_triangles);
void free_model(handmade *h);

/* Returns a view that shows most of the model. */
lm_gl_view any_view(void);

/* ---- Drawn images against those in tests/images.zip ------------------------------------------ */

#define REFERENCE_SIDE 256
#define REFERENCE_PIXELS ((size_t)REFERENCE_SIDE * REFERENCE_SIDE)
/* The mean error per channel, of 255. The same driver gives the same bytes; another version may
 * round differently at edges. A mirrored "2" costs more than twice this. */
#define REFERENCE_THRESHOLD 0.5

double mean_error(const uint8_t *a, const uint8_t *b);

/* Compares with the reference NAME.png. A differing image is written to the folder `images` of
 * the build, with its difference. With `writing`, writes the reference itself there, for
 * `zip -jX0 tests/images.zip`. */
bool equals_reference(const char *name, const uint8_t *drawn, bool writing);

#endif
