/* Compares with other loaders and animation, if installed: Assimp and Irrlicht when this program
 * was configured, three.js' MD2Loader at run time. */
#include "sections.h"

#include "lerpmesh/files.h"
#include "lerpmesh/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef BENCH_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif
#ifdef BENCH_IRRLICHT
#include "irrlicht.h"
#endif

/* A run of three.js takes seconds to start, and Irrlicht takes milliseconds. */
#define PEER_MIN_SIZE 100000u
#define PEER_ROUNDS 31u
/* Poses per run: all quarters of some frames. */
#define ANIMATED 16u

static void run_ours(void *context) {
    const bench_file *file = context;
    lm_model_free(lm_load_file(file->path, NULL, NULL));
}

#if defined(BENCH_ASSIMP) || defined(BENCH_IRRLICHT)
static void compare_load(bench *b, const bench_file *file, bench_contender other, double bound) {
    char subject[256];
    const bench_contender contenders[] = {{"lm_load_file, all frames", run_ours, (void *)file},
                                          other};
    const bench_claim claims[] = {{BENCH_FASTER, 0, 1, bound}};
    snprintf(subject, sizeof subject, "load %s against others", file->name);
    bench_compare(b,
                  &(bench_comparison){.section = "peers",
                                      .subject = subject,
                                      .unit = "us a load",
                                      .units = 1e3,
                                      .contenders = contenders,
                                      .num_contenders = 2,
                                      .claims = claims,
                                      .num_claims = 1},
                  NULL);
}
#endif

#ifdef BENCH_ASSIMP
static void run_assimp(void *context) {
    const bench_file *file = context;
    aiReleaseImport(aiImportFile(file->path, 0));
}

static void assimp(bench *b, const bench_file *file) {
    const struct aiScene *scene = aiImportFile(file->path, 0);
    const bool same = scene && scene->mNumMeshes == 1 &&
                      scene->mMeshes[0]->mNumFaces == file->model->surfaces->num_triangles;
    aiReleaseImport(scene);
    if (!bench_require(b, same, "Assimp"))
        return;
    compare_load(b, file, (bench_contender){"Assimp, its first frame", run_assimp, (void *)file},
                 2.3);
}
#else
static void assimp(bench *b, const bench_file *file) {
    (void)b;
    (void)file;
}
#endif

#ifdef BENCH_IRRLICHT
typedef struct animation {
    const lm_model *model;
    void *mesh;
    float *out;
} animation;

static void run_irrlicht_load(void *context) {
    const bench_file *file = context;
    irrlicht_unload(irrlicht_load(file->path));
}

/* Frame 0 to 1, 1 to 2..., in quarters. */
static lm_pose quarter(unsigned i) {
    return (lm_pose){i / 4, i / 4 + 1, 0.25f * (float)(i % 4)};
}

static void run_irrlicht_animate(void *context) {
    const animation *a = context;
    for (unsigned i = 0; i < ANIMATED; i++)
        irrlicht_animate(a->mesh, (int32_t)i);
}

static void animate_one(const animation *a, unsigned i) {
    const lm_pose pose = quarter(i);
    lm_sample(a->model, 0, &pose, 1,
              &(lm_sample_target){.positions = a->out, .normals = a->out + 3, .stride = 24});
}

static void run_our_animate(void *context) {
    for (unsigned i = 0; i < ANIMATED; i++)
        animate_one(context, i);
}

/* Checks that both boxes have the same size and position. */
static bool same_boxes(bench *b, const animation *a) {
    for (unsigned i = 0; i < ANIMATED; i++) {
        float theirs[6], ours[6] = {1e9f, 1e9f, 1e9f, -1e9f, -1e9f, -1e9f};
        irrlicht_box(a->mesh, (int32_t)i, theirs);
        animate_one(a, i);
        for (uint32_t v = 0; v < a->model->surfaces->num_vertices; v++)
            for (int c = 0; c < 3; c++) {
                const float x = a->out[v * 6 + (uint32_t)c];
                ours[c] = x < ours[c] ? x : ours[c];
                ours[3 + c] = x > ours[3 + c] ? x : ours[3 + c];
            }
        if (!bench_agree(b, "Irrlicht's box", theirs, ours, 6, 2e-3))
            return false;
    }
    return true;
}

static void compare_animation(bench *b, const bench_file *file, animation *a) {
    char subject[256];
    const bench_contender contenders[] = {
        {"lm_sample, stride 24, each vertex once", run_our_animate, a},
        {"Irrlicht, three corners a triangle", run_irrlicht_animate, a}};
    const bench_claim claims[] = {{BENCH_FASTER, 0, 1, 20}};
    snprintf(subject, sizeof subject, "animate %s against others", file->name);
    bench_compare(b,
                  &(bench_comparison){.section = "peers",
                                      .subject = subject,
                                      .unit = "us a frame",
                                      .units = 1e3 * ANIMATED,
                                      .contenders = contenders,
                                      .num_contenders = 2,
                                      .claims = claims,
                                      .num_claims = 1},
                  NULL);
}

static void irrlicht(bench *b, const bench_file *file) {
    const lm_surface *surface = file->model->surfaces;
    animation a = {.model = file->model, .mesh = irrlicht_load(file->path)};
    if (!bench_require(b, a.mesh && irrlicht_animate(a.mesh, 1) == 3 * surface->num_triangles,
                       "Irrlicht"))
        return;
    a.out = bench_alloc(surface->num_vertices * 6 * sizeof *a.out);
    if (file->model->num_frames > ANIMATED / 4 && same_boxes(b, &a))
        compare_animation(b, file, &a);
    free(a.out);
    irrlicht_unload(a.mesh);
    compare_load(b, file, (bench_contender){"Irrlicht", run_irrlicht_load, (void *)file}, 0);
}
#else
static bool irrlicht_start(void) {
    return false;
}
static void irrlicht_stop(void) {}
static void irrlicht(bench *b, const bench_file *file) {
    (void)b;
    (void)file;
}
#endif

/* Parses the script's output: frames, then quartiles in microseconds. Returns false without node or
 * three.js, or if it cannot read the file. */
static bool run_three(const bench_file *file, bench_spread *out) {
    char command[8192];
    unsigned frames = 0;
    if (strchr(file->path, '\'') || access(BENCH_THREE_LOADER, R_OK) != 0)
        return false;
    snprintf(command, sizeof command, "node '%s' '%s' '%s' 2>/dev/null", BENCH_THREE_SCRIPT,
             BENCH_THREE_LOADER, file->path);
    FILE *answer = popen(command, "r");
    if (!answer)
        return false;
    const int got = fscanf(answer, "%u %lf %lf %lf", &frames, &out->low, &out->median, &out->high);
    return pclose(answer) == 0 && got == 4 && frames == file->model->num_frames;
}

/* The measurements are not interleaved, because three.js runs in another process. The quartiles of
 * the ratio are far apart, but the bound may be far outside them: so the verdict is printed even
 * without a ratio. */
static void three(bench *b, const bench_file *file) {
    char subject[256];
    bench_spread theirs, ours;
    bench_unpin();
    const bool there = run_three(file, &theirs);
    bench_pin();
    if (!there)
        return;
    const bench_contender contender = {"lm_load_file", run_ours, (void *)file};
    snprintf(subject, sizeof subject, "load %s against three.js' MD2Loader", file->name);
    bench_compare(b,
                  &(bench_comparison){.section = "peers",
                                      .subject = subject,
                                      .unit = "us a load",
                                      .units = 1e3,
                                      .contenders = &contender,
                                      .num_contenders = 1},
                  &ours);
    printf("  %-52s %11.2f %7.0f %%\n", "three.js in node, from memory, CPU time of its process",
           theirs.median, 100 * bench_share_of(theirs));
    const bench_spread ratio = {theirs.low / ours.high, theirs.median / ours.median,
                                theirs.high / ours.low};
    const bool meaningless = bench_share_of(ratio) > BENCH_MAX_SPREAD;
    char number[32] = "no ratio";
    if (!meaningless)
        snprintf(number, sizeof number, "%.0f x", ratio.median);
    printf("  > %8s (%.0f..%.0f) as fast as three.js: lm_load_file, one after the other and not "
           "interleaved; bound >= 300.00: %s\n",
           number, ratio.low, ratio.high, bench_verdict(ratio, 300, true));
    lm_json_open(&b->json, NULL, '{');
    lm_json_string(&b->json, "section", "peers");
    lm_json_string(&b->json, "subject", subject);
    lm_json_double(&b->json, "three_us", theirs.median);
    lm_json_bool(&b->json, "meaningless", meaningless);
    lm_json_double(&b->json, "times_as_fast_low", ratio.low);
    lm_json_double(&b->json, "times_as_fast_high", ratio.high);
    lm_json_close(&b->json);
}

static void print_missing_peers(bool irrlicht_runs) {
#ifndef BENCH_ASSIMP
    printf("\npeers: Assimp is left out: it was not found (LERPMESH_BENCH_ASSIMP)\n");
#endif
    if (!irrlicht_runs)
        printf("\npeers: Irrlicht is left out: it was not found (LERPMESH_BENCH_IRRLICHT), or does "
               "not start\n");
    if (access(BENCH_THREE_LOADER, R_OK) != 0)
        printf("\npeers: three.js is left out: there is no %s\n", BENCH_THREE_LOADER);
}

void bench_peers(bench *b, const bench_corpus *corpus) {
    const unsigned rounds = b->rounds;
    const bool irrlicht_runs = irrlicht_start();
    b->rounds = rounds < PEER_ROUNDS ? rounds : PEER_ROUNDS;
    print_missing_peers(irrlicht_runs);
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (file->size < PEER_MIN_SIZE || strcmp(file->model->format, "md2") != 0)
            continue;
        assimp(b, file);
        if (irrlicht_runs)
            irrlicht(b, file);
        three(b, file);
    }
    irrlicht_stop();
    b->rounds = rounds;
}
