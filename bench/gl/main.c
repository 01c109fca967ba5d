/* lerpmesh-bench-gl: compares the renderer with immediate mode, in one compatibility context.
 *
 *     lerpmesh-bench-gl LERPMESH SKIN MODEL.md2...
 *
 * LERPMESH is the command, to measure a whole process, and SKIN the skin of every model. Instances,
 * thumbnails and processes show the first model. Times are wall-clock times, because drivers use
 * their own threads, except for the work of the calling thread itself. */
#include "harness.h"
#include "lerpmesh/load.h"
#include "models.h"
#include "stage.h"

#include <epoxy/gl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 20
#define IMAGE "/tmp/lerpmesh-bench-gl.png"

/* ---- Comparison with immediate mode -------------------------------------------------------- */

static void compare_modes(bench *b, stage *s, const char *subject, int times, double bound) {
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
    const bench_claim claims[] = {{BENCH_FASTER, 0, 1, bound}, {BENCH_FASTER, 2, 3, bound}};
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

/* Times one or two contenders in milliseconds; the first takes at most `bound`, unless that is
 * 0. */
static void compare_ms(bench *b, const char *subject, const bench_contender *contenders,
                       unsigned count, double bound) {
    const bench_claim claims[] = {{BENCH_BELOW, 0, 0, bound}, {BENCH_FASTER, 0, 1, 0}};
    bench_compare(b,
                  &(bench_comparison){.section = "gl",
                                      .subject = subject,
                                      .unit = "ms",
                                      .units = 1e6,
                                      .wall = true,
                                      .contenders = contenders,
                                      .num_contenders = count,
                                      .claims = bound > 0 ? claims : claims + 1,
                                      .num_claims = 1},
                  NULL);
}

static void compare_instances(bench *b, stage *s) {
    const bench_contender ways[] = {{"10,000 instances in one draw", draw_instanced, s},
                                    {"10,000 draws", draw_one_by_one, s},
                                    {"10,000 cross-fades in one draw", draw_fading, s}};
    const bench_contender scenes[] = {{"1,000 instances of a scene", draw_scene_instances, s},
                                      {"1,000 scenes one by one", draw_scenes_one_by_one, s}};
    unsigned rounds = b->rounds;
    b->rounds = 5;
    compare_ms(b, "10,000 models at 32 x 32", ways, 3, 0);
    compare_ms(b, "1,000 scenes of 3 parts at 32 x 32", scenes, 2, 0);
    b->rounds = rounds;
}

/* ---- Work of the calling thread ------------------------------------------------------------ */

#define NUM_SIZES 4
#define MOST_GROWTH 1.1 /* from the smallest to the largest */

typedef struct sized_model {
    lm_model *model;
    lm_gl_model *drawn;
    const lm_gl_view *view;
    bool failed;
} sized_model;

static void GLAPIENTRY draw_nothing(GLenum mode, GLsizei count, GLenum type, const void *indices) {
    (void)mode, (void)count, (void)type, (void)indices;
}

/* One draw without the driver's part, which a software driver does in the same thread. */
static void prepare_draw(void *context) {
    sized_model *m = context;
    const lm_gl_instance instance = {LM_TRANSFORM_IDENTITY, .pose = {0, 1, 0.5f}};
    PFNGLDRAWELEMENTSPROC kept = epoxy_glDrawElements;
    epoxy_glDrawElements = draw_nothing;
    if (!lm_gl_draw(m->drawn, m->view, &instance, NULL, NULL))
        m->failed = true;
    epoxy_glDrawElements = kept;
}

static bool make_sized(const stage *s, uint32_t vertices, sized_model *m) {
    lm_buffer file = {0};
    bench_make_md2(vertices, 2, &file);
    *m = (sized_model){.view = &s->view};
    m->model = lm_load_memory(file.data, file.size, NULL, NULL);
    m->drawn = m->model ? lm_gl_model_new(s->gl, m->model, NULL) : NULL;
    lm_buffer_free(&file);
    return m->drawn;
}

static void compare_sizes(bench *b, stage *s) {
    static const uint32_t sizes[NUM_SIZES] = {100, 1000, 10000, 100000};
    const char *names[NUM_SIZES] = {"100 vertices", "1,000 vertices", "10,000 vertices",
                                    "100,000 vertices"};
    sized_model models[NUM_SIZES];
    bench_contender contenders[NUM_SIZES];
    const bench_claim claim = {BENCH_COST, NUM_SIZES - 1, 0, MOST_GROWTH};
    bool made = true;
    for (int i = 0; i < NUM_SIZES; i++) {
        made = make_sized(s, sizes[i], &models[i]) && made;
        contenders[i] = (bench_contender){names[i], prepare_draw, &models[i]};
    }
    if (bench_require(b, made, "the models of several sizes"))
        bench_compare(b,
                      &(bench_comparison){.section = "gl",
                                          .subject = "one draw, the driver's part left out",
                                          .unit = "ns of CPU",
                                          .units = 1,
                                          .contenders = contenders,
                                          .num_contenders = NUM_SIZES,
                                          .claims = &claim,
                                          .num_claims = 1},
                      NULL);
    for (int i = 0; i < NUM_SIZES; i++) {
        s->failed |= models[i].failed;
        lm_gl_model_free(models[i].drawn);
        lm_model_free(models[i].model);
    }
}

/* ---- Processes ----------------------------------------------------------------------------- */

typedef struct command {
    char *words[9];
    bool failed;
} command;

static void run_command(void *context) {
    command *c = context;
    pid_t child;
    int status = -1;
    if (posix_spawn(&child, c->words[0], NULL, NULL, c->words, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0)
        c->failed = true;
}

static void compare_process(bench *b, char **argv, int i) {
    command c = {{argv[1], "render", argv[i], "--size", "256", "-q", "-o", IMAGE, NULL}, false};
    const bench_contender process[] = {{"lerpmesh render --size 256", run_command, &c}};
    compare_ms(b, "whole process", process, 1, 150);
    bench_require(b, !c.failed, "running lerpmesh");
    unlink(IMAGE);
}

/* ---- All ----------------------------------------------------------------------------------- */

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool compare_model(bench *b, char **argv, int i) {
    stage s;
    lm_error error = {0};
    char subject[128];
    const bench_contender thumbnail[] = {{"upload, draw, read, PNG", draw_thumbnail, &s}};
    bool opened = stage_open(&s, argv[i], argv[2], &error);
    if (opened) {
        snprintf(subject, sizeof subject, "%.80s at 512 x 512", name_of(argv[i]));
        compare_modes(b, &s, subject, 1, 1.1);
        snprintf(subject, sizeof subject, "%d times %.80s at 32 x 32", MANY, name_of(argv[i]));
        compare_modes(b, &s, subject, MANY, 1.4);
    } else {
        fprintf(stderr, "lerpmesh-bench-gl: %s: %s\n", argv[i], error.message);
    }
    if (opened && i == 3) {
        compare_instances(b, &s);
        compare_sizes(b, &s);
        compare_ms(b, "thumbnails of 256 x 256 with one context", thumbnail, 1, 100);
        compare_process(b, argv, i);
    }
    bench_require(b, opened && !s.failed, "drawing");
    stage_close(&s);
    return opened;
}

static bool compare_all(bench *b, int argc, char **argv) {
    lm_error error = {0};
    lm_gl_headless *headless =
        lm_gl_headless_new(&(lm_gl_headless_options){.compatibility = true}, &error);
    bool done = headless;
    if (!headless)
        fprintf(stderr, "lerpmesh-bench-gl: %s\n", error.message);
    else
        printf("%s\n", glGetString(GL_RENDERER));
    for (int i = 3; i < argc && done; i++)
        done = compare_model(b, argv, i);
    lm_gl_headless_free(headless);
    return done;
}

int main(int argc, char **argv) {
    bench b = {.rounds = 31, .batch_ns = 2e6, .json = {.out = &b.text}};
    if (argc < 4) {
        fputs("lerpmesh-bench-gl LERPMESH SKIN MODEL.md2...\n", stderr);
        return 2;
    }
    bench_keep_heap(); /* a software driver allocates memory for every draw */
    lm_json_open(&b.json, NULL, '{');
    bench_describe_machine(&b, -1);
    bool done = compare_all(&b, argc, argv);
    lm_json_close(&b.json);
    lm_buffer_free(&b.text);
    return done && !b.failed ? 0 : 1;
}
