/* lerpmesh-bench-gl: the packed path against immediate mode, in one compatibility context.
 *
 *     lerpmesh-bench-gl MODEL.md2 SKIN [LERPMESH]
 *
 * LERPMESH is the command, for the time of a whole process. Times are by the clock on the wall,
 * because drivers work in threads of their own. */
#include "harness.h"
#include "immediate.h"
#include "lerpmesh/image.h"
#include "lerpmesh/io.h"

#include <epoxy/gl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CROWD 10000
#define MANY 20
#define PICTURE "/tmp/lerpmesh-bench-gl.png"
#define PASSPORT 256 /* pixels of a thumbnail's side */

typedef struct stage {
    lm_gl *gl;
    lm_gl_target *large, *small, *thumbnail;
    lm_model *models[2]; /* by triangles, by GL commands */
    lm_gl_model *drawn[2];
    lm_image *image;
    lm_gl_skin *skin;
    GLuint texture; /* the skin, for immediate mode */
    lm_gl_view view;
    lm_gl_instance *crowd;
    uint8_t *pixels;
    char *command[9];
    bool failed;
} stage;

/* One thing to measure. */
typedef struct scene {
    stage *stage;
    bool immediate, commands;
    int times; /* drawn in one picture */
} scene;

static const float grey[4] = {0.2f, 0.2f, 0.2f, 1};

static lm_pose pose_of(const stage *s, int i) {
    uint32_t count = s->models[0]->num_frames;
    return (lm_pose){(uint32_t)i % count, (uint32_t)(i + 1) % count, 0.5f};
}

static void draw_immediate(const stage *s, bool commands, lm_pose pose) {
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
    (commands ? immediate_commands : immediate_triangles)(s->models[commands], pose);
}

static void draw_scene(void *context) {
    const scene *c = context;
    stage *s = c->stage;
    const lm_gl_style style = {.shade = LM_GL_TEXTURE, .skin = s->skin};
    lm_gl_target_begin(c->times > 1 ? s->small : s->large, grey);
    for (int i = 0; i < c->times; i++)
        if (c->immediate)
            draw_immediate(s, c->commands, pose_of(s, i));
        else if (!lm_gl_draw(s->drawn[c->commands], &s->view, NULL, pose_of(s, i), &style, NULL))
            s->failed = true;
    glFinish();
}

static void draw_crowd(void *context) {
    stage *s = context;
    lm_gl_target_begin(s->small, grey);
    if (!lm_gl_draw_crowd(s->drawn[0], &s->view, s->crowd, CROWD, &(lm_gl_style){.skin = s->skin},
                          NULL))
        s->failed = true;
    glFinish();
}

static void draw_one_by_one(void *context) {
    stage *s = context;
    const lm_gl_style style = {.skin = s->skin};
    lm_gl_target_begin(s->small, grey);
    for (int i = 0; i < CROWD; i++)
        if (!lm_gl_draw(s->drawn[0], &s->view, &s->crowd[i].transform, s->crowd[i].pose, &style,
                        NULL))
            s->failed = true;
    glFinish();
}

/* All that a thumbnail takes once its file is loaded, PNG included. */
static void draw_thumbnail(void *context) {
    stage *s = context;
    const lm_gl_image picture = {s->image->width, s->image->height, s->image->pixels};
    lm_gl_model *model = lm_gl_model_new(s->gl, s->models[0], NULL);
    lm_gl_skin *skin = lm_gl_skin_new(s->gl, &picture, LM_GL_SMOOTH, NULL);
    lm_buffer png = {0};
    lm_gl_target_begin(s->thumbnail, grey);
    if (!model || !skin ||
        !lm_gl_draw(model, &s->view, NULL, pose_of(s, 0), &(lm_gl_style){.skin = skin}, NULL) ||
        !lm_gl_target_read(s->thumbnail, s->pixels, NULL) ||
        !lm_image_write_png(&(lm_image){.format = "",
                                        .width = PASSPORT,
                                        .height = PASSPORT,
                                        .pixels = s->pixels,
                                        .opaque = true},
                            &png, NULL))
        s->failed = true;
    lm_buffer_free(&png);
    lm_gl_skin_free(skin);
    lm_gl_model_free(model);
}

static void run_command(void *context) {
    stage *s = context;
    pid_t child;
    int status = -1;
    if (posix_spawn(&child, s->command[0], NULL, NULL, s->command, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0)
        s->failed = true;
}

/* ---- The stage ----------------------------------------------------------------------------- */

static bool load(stage *s, const char *model, const char *skin, lm_error *error) {
    lm_file file;
    for (int i = 0; i < 2; i++) {
        lm_load_options options = {.topology = i ? LM_TOPOLOGY_GL_COMMANDS : LM_TOPOLOGY_TRIANGLES};
        s->models[i] = lm_load_file(model, &options, error);
        s->drawn[i] = s->models[i] ? lm_gl_model_new(s->gl, s->models[i], error) : NULL;
        if (!s->drawn[i])
            return false;
    }
    if (!lm_file_read(skin, 0, &file, error))
        return false;
    s->image = lm_image_read(file.data, file.size, NULL, error);
    lm_file_close(&file);
    const lm_gl_image picture = {s->image ? s->image->width : 0, s->image ? s->image->height : 0,
                                 s->image ? s->image->pixels : NULL};
    s->skin = s->image ? lm_gl_skin_new(s->gl, &picture, LM_GL_SMOOTH, error) : NULL;
    return s->skin != NULL;
}

/* Immediate mode samples the same way. */
static void make_texture(stage *s) {
    glGenTextures(1, &s->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)s->image->width, (GLsizei)s->image->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, s->image->pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static void place(stage *s) {
    lm_vec3 min, max;
    lm_gl_camera camera = {.azimuth = 20};
    lm_bounds(s->models[0], 0, s->models[0]->num_frames, &min, &max);
    lm_gl_camera_fit(&camera, min, max, 1, 1);
    s->view = lm_gl_camera_view(&camera, 1);
    s->crowd = bench_alloc(CROWD * sizeof *s->crowd);
    s->pixels = bench_alloc(4 * PASSPORT * PASSPORT);
    for (int i = 0; i < CROWD; i++) {
        s->crowd[i] = (lm_gl_instance){LM_GL_IDENTITY, pose_of(s, i)};
        int row = i / 100, column = i % 100;
        s->crowd[i].transform.origin = (lm_vec3){(float)(-10 * row), (float)(column - 50), 0};
    }
}

static bool open_stage(stage *s, char **argv, lm_error *error) {
    s->gl = lm_gl_new(error);
    s->large = s->gl ? lm_gl_target_new(s->gl, 512, 512, 0, error) : NULL;
    s->small = s->large ? lm_gl_target_new(s->gl, 32, 32, 0, error) : NULL;
    s->thumbnail = s->small ? lm_gl_target_new(s->gl, PASSPORT, PASSPORT, 4, error) : NULL;
    if (!s->thumbnail || !load(s, argv[1], argv[2], error))
        return false;
    make_texture(s);
    place(s);
    return true;
}

static void close_stage(stage *s) {
    for (int i = 0; i < 2; i++) {
        lm_gl_model_free(s->drawn[i]);
        lm_free(s->models[i]);
    }
    lm_gl_skin_free(s->skin);
    lm_image_free(s->image);
    lm_gl_target_free(s->large);
    lm_gl_target_free(s->small);
    lm_gl_target_free(s->thumbnail);
    glDeleteTextures(1, &s->texture);
    lm_gl_free(s->gl);
    free(s->crowd);
    free(s->pixels);
}

/* ---- Comparisons --------------------------------------------------------------------------- */

static void compare_modes(bench *b, stage *s, const char *subject, int times, double target) {
    scene scenes[4] = {{s, false, false, times},
                       {s, true, false, times},
                       {s, false, true, times},
                       {s, true, true, times}};
    const bench_contender contenders[] = {
        {"packed frames, triangles", draw_scene, &scenes[0]},
        {"immediate mode, triangles", draw_scene, &scenes[1]},
        {"packed frames, GL commands", draw_scene, &scenes[2]},
        {"immediate mode, GL commands", draw_scene, &scenes[3]},
    };
    const bench_claim claims[] = {{BENCH_FASTER, 0, 1, target}, {BENCH_FASTER, 2, 3, target}};
    bench_compare(b,
                  &(bench_comparison){.section = "gl",
                                      .subject = subject,
                                      .unit = "us a picture",
                                      .units = 1e3,
                                      .wall = true,
                                      .contenders = contenders,
                                      .num_contenders = 4,
                                      .claims = claims,
                                      .num_claims = 2},
                  NULL);
}

/* Times one or two things in milliseconds; the first at most `target`, where it is not 0. */
static void compare_ms(bench *b, const char *subject, const bench_contender *contenders,
                       unsigned count, double target) {
    const bench_claim claims[] = {{BENCH_BELOW, 0, 0, target}, {BENCH_FASTER, 0, 1, 0}};
    bench_compare(b,
                  &(bench_comparison){.section = "gl",
                                      .subject = subject,
                                      .unit = "ms",
                                      .units = 1e6,
                                      .wall = true,
                                      .contenders = contenders,
                                      .num_contenders = count,
                                      .claims = target > 0 ? claims : claims + 1,
                                      .num_claims = 1},
                  NULL);
}

static void compare_all(bench *b, stage *s) {
    compare_modes(b, s, "one model at 512 x 512", 1, 1.2);
    compare_modes(b, s, "20 models at 32 x 32", MANY, 1.5);
    b->rounds = 5;
    const bench_contender crowds[] = {{"10,000 instances in one draw", draw_crowd, s},
                                      {"10,000 draws", draw_one_by_one, s}};
    compare_ms(b, "a crowd at 32 x 32", crowds, 2, 0);
    b->rounds = 31;
    const bench_contender thumbnail[] = {{"upload, draw, read, PNG", draw_thumbnail, s}};
    compare_ms(b, "thumbnails of 256 x 256 with one context", thumbnail, 1, 100);
    const bench_contender process[] = {{"lerpmesh render --size 256", run_command, s}};
    if (s->command[0])
        compare_ms(b, "whole process", process, 1, 150);
}

int main(int argc, char **argv) {
    bench b = {.rounds = 31, .batch_ns = 2e6, .json = {.out = &b.text}};
    stage s = {.failed = false};
    lm_error error = {0};
    if (argc < 3) {
        fputs("lerpmesh-bench-gl MODEL.md2 SKIN [LERPMESH]\n", stderr);
        return 2;
    }
    lm_gl_headless *headless =
        lm_gl_headless_new(&(lm_gl_headless_options){.compatibility = true}, &error);
    if (!headless || !open_stage(&s, argv, &error)) {
        fprintf(stderr, "lerpmesh-bench-gl: %s\n", error.message);
        return 1;
    }
    if (argc > 3)
        memcpy(s.command,
               (char *[9]){argv[3], "render", argv[1], "--size", "256", "-q", "-o", PICTURE, NULL},
               sizeof s.command);
    printf("%s\n", lm_gl_driver(s.gl));
    lm_json_open(&b.json, NULL, '{');
    compare_all(&b, &s);
    lm_json_close(&b.json);
    bench_require(&b, !s.failed, "drawing");
    unlink(PICTURE);
    close_stage(&s);
    lm_gl_headless_free(headless);
    lm_buffer_free(&b.text);
    return b.failed ? 1 : 0;
}
