/* lerpmesh-bench-gl: compares the renderer with immediate mode, in one compatibility context, and
 * many instances in one draw with single draws.
 *
 *     lerpmesh-bench-gl SKIN MODEL.md2...
 *
 * SKIN is the skin of every model. Times are wall-clock times, because drivers use their own
 * threads. */
#include "harness.h"
#include "lerpmesh/files.h"
#include "lerpmesh/gl.h"
#include "lerpmesh/image.h"
#include "lerpmesh/load.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INSTANCES = 10000,
    SMALL = 32, /* sides of an image in pixels */
    THUMBNAIL = 256,
    LARGE = 512
};

static const lm_gl_background grey = {.color = {0.2f, 0.2f, 0.2f, 1}};

/* A model in a context, with a skin. */
typedef struct stage {
    lm_gl *gl;
    lm_gl_target *large, *small, *thumbnail;
    lm_model *model;
    lm_gl_model *drawn;
    lm_image *image;
    lm_gl_texture *skin;
    unsigned texture; /* the skin, for immediate mode */
    lm_gl_view view;
    lm_gl_instance *instances;
    lm_transform *places; /* of the instances */
    uint8_t *pixels;
} stage;

static void check(bool drawn) {
    bench_failed = bench_failed || !drawn;
}

static lm_pose pose_of(const stage *s, int i) {
    const uint32_t count = s->model->num_frames;
    return (lm_pose){(uint32_t)i % count, (uint32_t)(i + 1) % count, 0.5f, false};
}

/* ---- Immediate mode ------------------------------------------------------------------------ */

static float mix(float a, float b, float t) {
    return a + t * (b - a);
}

/* Draws as in the descriptions of MD2: every corner is decoded, blended and sent one by one. */
static void draw_triangles(const lm_model *model, lm_pose pose) {
    const lm_surface *s = &model->surfaces[0];
    const lm_frame *fa = &model->frames[pose.frame_a], *fb = &model->frames[pose.frame_b];
    const lm_vec3 *normals = lm_normal_table(LM_NUM_NORMALS_162);
    glBegin(GL_TRIANGLES);
    for (size_t i = 0; i < 3 * (size_t)s->num_triangles; i++) {
        const uint32_t v = s->triangles[i], vertex = s->file_vertices[v];
        const uint8_t *a = s->keys + pose.frame_a * s->key_stride + vertex * s->key_size;
        const uint8_t *b = s->keys + pose.frame_b * s->key_stride + vertex * s->key_size;
        const lm_vec3 na = normals[a[3]], nb = normals[b[3]];
        glTexCoord2f(s->st[v].x, s->st[v].y);
        glNormal3f(mix(na.x, nb.x, pose.t), mix(na.y, nb.y, pose.t), mix(na.z, nb.z, pose.t));
        glVertex3f(mix((float)a[0] * fa->scale.x + fa->translate.x,
                       (float)b[0] * fb->scale.x + fb->translate.x, pose.t),
                   mix((float)a[1] * fa->scale.y + fa->translate.y,
                       (float)b[1] * fb->scale.y + fb->translate.y, pose.t),
                   mix((float)a[2] * fa->scale.z + fa->translate.z,
                       (float)b[2] * fb->scale.z + fb->translate.z, pose.t));
    }
    glEnd();
}

static void draw_immediate(void *context) {
    const stage *s = context;
    check(lm_gl_begin(s->gl, s->large, 0, 0, &grey, NULL));
    glUseProgram(0);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glFrontFace(GL_CW);
    glDisable(GL_BLEND);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(s->view.matrix);
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    draw_triangles(s->model, pose_of(s, 0));
    glFinish();
}

/* ---- The renderer -------------------------------------------------------------------------- */

static void draw_one(void *context) {
    const stage *s = context;
    const lm_gl_style style = {.shade = LM_GL_SHADE_TEXTURE, .texture = s->skin};
    check(lm_gl_begin(s->gl, s->large, 0, 0, &grey, NULL));
    check(lm_gl_draw(s->drawn, &s->view, &s->instances[0], 1, &style, NULL));
    glFinish();
}

static void draw_instances(void *context) {
    const stage *s = context;
    const lm_gl_style style = {.texture = s->skin};
    check(lm_gl_begin(s->gl, s->small, 0, 0, &grey, NULL));
    check(lm_gl_draw(s->drawn, &s->view, s->instances, INSTANCES, &style, NULL));
    glFinish();
}

static void draw_one_by_one(void *context) {
    const stage *s = context;
    const lm_gl_style style = {.texture = s->skin};
    check(lm_gl_begin(s->gl, s->small, 0, 0, &grey, NULL));
    for (int i = 0; i < INSTANCES; i++)
        check(lm_gl_draw(s->drawn, &s->view, &s->instances[i], 1, &style, NULL));
    glFinish();
}

/* Does everything for a thumbnail after its file is loaded, PNG included. */
static void draw_thumbnail(void *context) {
    const stage *s = context;
    const lm_gl_image image = {
        .width = s->image->width, .height = s->image->height, .pixels = s->image->pixels};
    const lm_model fresh = *s->model; /* a copy, not the one already in the renderer */
    lm_gl_model *model = lm_gl_model_new(s->gl, &fresh, NULL);
    lm_gl_texture *skin = lm_gl_texture_new(s->gl, &image, LM_GL_FILTER_PLAIN, NULL);
    const lm_gl_style style = {.texture = skin};
    lm_buffer png = {0};
    check(model && skin && lm_gl_begin(s->gl, s->thumbnail, 0, 0, &grey, NULL) &&
          lm_gl_draw(model, &s->view, &s->instances[0], 1, &style, NULL) &&
          lm_gl_target_read(s->thumbnail, s->pixels, NULL) &&
          lm_pixels_write(s->pixels, THUMBNAIL, THUMBNAIL, LM_PIXELS_PNG, NULL, &png, NULL));
    lm_buffer_free(&png);
    lm_gl_texture_free(skin);
    lm_gl_model_free(model);
}

/* ---- Stage --------------------------------------------------------------------------------- */

static bool load(stage *s, const char *model, const char *skin, lm_error *error) {
    lm_buffer file = {0};
    s->gl = lm_gl_new(NULL, error);
    s->large = s->gl ? lm_gl_target_new(s->gl, LARGE, LARGE, 0, error) : NULL;
    s->small = s->large ? lm_gl_target_new(s->gl, SMALL, SMALL, 0, error) : NULL;
    s->thumbnail = s->small ? lm_gl_target_new(s->gl, THUMBNAIL, THUMBNAIL, 4, error) : NULL;
    s->model = s->thumbnail ? lm_load_file(model, NULL, error) : NULL;
    s->drawn = s->model ? lm_gl_model_new(s->gl, s->model, error) : NULL;
    if (!s->drawn || !lm_file_read(skin, 0, &file, error))
        return false;
    s->image = lm_image_read(file.data, file.size, NULL, error);
    lm_buffer_free(&file);
    if (!s->image)
        return false;
    const lm_gl_image image = {
        .width = s->image->width, .height = s->image->height, .pixels = s->image->pixels};
    s->skin = lm_gl_texture_new(s->gl, &image, LM_GL_FILTER_PLAIN, error);
    glGenTextures(1, &s->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST); /* as ours */
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)image.width, (GLsizei)image.height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, image.pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    return s->skin != NULL;
}

/* Places instances in rows. */
static void place(stage *s) {
    lm_vec3 min, max;
    lm_gl_camera camera = {.azimuth = 20};
    lm_model_bounds(s->model, 0, s->model->num_frames, &min, &max);
    lm_gl_camera_fit(&camera, &min, &max);
    lm_gl_camera_view(&camera, &s->view);
    s->instances = bench_alloc(INSTANCES * sizeof *s->instances);
    s->places = bench_alloc(INSTANCES * sizeof *s->places);
    s->pixels = bench_alloc((size_t)4 * THUMBNAIL * THUMBNAIL);
    for (int i = 0; i < INSTANCES; i++) {
        const int row = i / 100, column = i % 100 - 50;
        s->places[i] = (lm_transform)LM_TRANSFORM_IDENTITY;
        s->places[i].origin = (lm_vec3){(float)(-10 * row), (float)column, 0};
        s->instances[i] = (lm_gl_instance){.transform = &s->places[i], .pose = pose_of(s, i)};
    }
}

static void compare_model(const char *path, const char *skin) {
    stage s = {0};
    lm_error error = {0};
    char subject[128];
    const char *slash = strrchr(path, '/');
    const bench_contender modes[] = {{"immediate mode", draw_immediate, &s, 1e3},
                                     {"the renderer", draw_one, &s, 1e3}};
    const bench_contender instances[] = {{"10,000 draws", draw_one_by_one, &s, 1e6},
                                         {"one draw", draw_instances, &s, 1e6}};
    const bench_contender thumbnail[] = {{"upload, draw, read, PNG", draw_thumbnail, &s, 1e6}};
    const bool opened = load(&s, path, skin, &error);
    if (!opened || !s.model) {
        bench_require(false, error.message);
    } else {
        snprintf(subject, sizeof subject, "%.80s at 512 x 512", slash ? slash + 1 : path);
        place(&s);
        bench_rounds = 31;
        bench_compare(subject, "us a picture", CLOCK_MONOTONIC, modes, 2);
        bench_compare("thumbnails of 256 x 256 with one context", "ms", CLOCK_MONOTONIC, thumbnail,
                      1);
        bench_rounds = 5;
        bench_compare("10,000 instances at 32 x 32", "ms", CLOCK_MONOTONIC, instances, 2);
    }
    lm_gl_model_free(s.drawn);
    lm_model_free(s.model);
    lm_gl_texture_free(s.skin);
    lm_image_free(s.image);
    lm_gl_target_free(s.large);
    lm_gl_target_free(s.small);
    lm_gl_target_free(s.thumbnail);
    glDeleteTextures(1, &s.texture);
    lm_gl_free(s.gl);
    free(s.instances);
    free(s.places);
    free(s.pixels);
}

int main(int argc, char **argv) {
    lm_error error;
    if (argc < 3) {
        fputs("lerpmesh-bench-gl SKIN MODEL.md2...\n", stderr);
        return 2;
    }
    bench_batch_ns = 2e6;
    bench_keep_heap(); /* a software driver allocates memory for every draw */
    bench_describe_machine();
    lm_gl_headless *headless =
        lm_gl_headless_new(&(lm_gl_headless_options){.compatibility = true}, &error);
    if (!headless) {
        fprintf(stderr, "lerpmesh-bench-gl: %s\n", error.message);
        return 1;
    }
    printf("%s\n", glGetString(GL_RENDERER));
    for (int i = 2; i < argc; i++)
        compare_model(argv[i], argv[1]);
    lm_gl_headless_free(headless);
    return bench_failed ? 1 : 0;
}
