/* Times writing and reading: the shortest of several runs, in CPU time. */
#include "bounds.h"
#include "harness.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"
#include "lerpmesh/mesh.h"
#include "sections.h"
#ifdef BENCH_IMPORT
#include "lerpmesh/import.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 7,
    FRAMES = 500,
    AROUND = 40, /* of a swaying tube, 1,000 vertices */
    RINGS = 25,
    VERTICES = AROUND * RINGS
};

static double encode_ms(const lm_mesh *mesh, const char *format, lm_encode_report **report) {
    lm_buffer out = {0};
    lm_error error;
    const double start = now_ms();
    if (!lm_encode(mesh, lm_format_by_name(format), NULL, &out, report, &error))
        printf("  %s\n", error.message);
    const double ms = now_ms() - start;
    lm_buffer_free(&out);
    return ms;
}

/* Times encoding with and without a report, in turn. */
static void time_encoding(const lm_mesh *mesh, const char *format, double least[2]) {
    least[0] = least[1] = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        lm_encode_report *report = NULL;
        least[0] = fmin(least[0], encode_ms(mesh, format, NULL));
        least[1] = fmin(least[1], encode_ms(mesh, format, &report));
        lm_encode_report_free(report);
    }
}

static void sway(float *p, float *n) {
    for (int f = 0; f < FRAMES; f++)
        for (int v = 0; v < VERTICES; v++, p += 3, n += 3) {
            const int ring = v / AROUND;
            const double angle = 6.283185307 * (v % AROUND) / AROUND, up = ring * 2.4 - 30;
            const double aside = sin(f * 0.11 + up * 0.1) * 6;
            const double wide = 12 + 3 * sin(f * 0.07 + angle * 2);
            const double turned = angle + 0.3 * sin(f * 0.03 + up);
            const double at[3] = {wide * cos(angle) + aside, wide * sin(angle) + aside / 2,
                                  up + cos(f * 0.05) * 4};
            const double to[3] = {0.95 * cos(turned), 0.95 * sin(turned),
                                  0.31 * cos(up + f * 0.02)};
            for (int i = 0; i < 3; i++) {
                p[i] = (float)at[i];
                n[i] = (float)to[i];
            }
        }
}

static void time_mdc(void) {
    static uint32_t triangles[6 * VERTICES];
    static float st[2 * VERTICES];
    const size_t count = (size_t)3 * FRAMES * VERTICES;
    float *p = bench_alloc(count * sizeof *p), *n = bench_alloc(count * sizeof *n);
    lm_mesh_surface s = {.name = "tube",
                         .num_vertices = VERTICES,
                         .positions = p,
                         .normals = n,
                         .num_st = VERTICES,
                         .st = st,
                         .triangles = triangles};
    const lm_mesh mesh = {.num_frames = FRAMES, .num_surfaces = 1, .surfaces = &s};
    double ms[2];
    sway(p, n);
    for (uint32_t v = 0; v + AROUND < VERTICES; v++) {
        const uint32_t next = v % AROUND + 1 == AROUND ? v + 1 - AROUND : v + 1;
        const uint32_t corners[6] = {v, v + AROUND, next, next, v + AROUND, next + AROUND};
        memcpy(triangles + 3 * (size_t)s.num_triangles, corners, sizeof corners);
        s.num_triangles += 2;
    }
    time_encoding(&mesh, "mdc", ms);
    printf("  MDC, 500 frames of 1,000 vertices: %.1f ms, with a report %.1f ms\n", ms[0], ms[1]);
    bound("MDC of 500 frames x 1,000 vertices, ms", 50, ms[0], "made: a tube that sways");
    free(p);
    free(n);
}

static void time_md2(const bench_truth *t) {
    double ms[2];
    time_encoding(t->mesh, "md2", ms);
    printf("  %s, %u frames, again as MD2: %.1f ms, with a report %.1f ms\n", t->name,
           (unsigned)t->model->num_frames, ms[0], ms[1]);
    bound("sydney re-encoded, default effort, ms", 60, ms[0], t->name);
}

#ifdef BENCH_IMPORT
/* Times the import of the model's own export; measures its distance from the model, relative to the
 * model's size. */
static void time_gltf(const bench_truth *t) {
    lm_buffer glb = {0};
    lm_error error;
    double ms = INFINITY, size = 0, away = INFINITY;
    lm_mesh *mesh = lm_mesh_from_model(t->model, NULL, &error);
    for (uint32_t f = 0; f < t->model->num_frames; f++) {
        const lm_frame *frame = &t->model->frames[f];
        size = fmax(size, (double)(frame->max.z - frame->min.z));
    }
    if (!mesh || !lm_gltf_write(t->model, NULL, &glb, NULL, NULL, &error))
        return;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_ms();
        lm_import *import = lm_import_gltf(glb.data, glb.size, NULL, &error);
        ms = fmin(ms, now_ms() - start);
        lm_comparison *found =
            import && round == 0 ? lm_compare(mesh, import->mesh, NULL, &error) : NULL;
        if (found)
            away = found->all.max_distance;
        lm_comparison_free(found);
        lm_import_free(import);
    }
    printf("  %s as glTF, %zu bytes, read and baked: %.1f ms, %.2g units off at most\n", t->name,
           glb.size, ms, away);
    bound("glTF of 2.5 MB read and baked, ms", 20, ms, t->name);
    bound("glTF through our export, off by size of the model", 1e-5, away / size,
          "sydney (tests/import/test_bake.py: an independent baker)");
    lm_buffer_free(&glb);
    lm_mesh_free(mesh);
}
#else
static void time_gltf(const bench_truth *t) {
    printf("  %s as glTF: not measured, this build has no lerpmesh-import\n", t->name);
}
#endif

bool write_speed(const truths *all, bool listed) {
    (void)listed;
    printf("\nCPU time, the least of %d runs\n", ROUNDS);
    time_mdc();
    for (size_t i = 0; i < all->count; i++)
        if (strstr(all->list[i].name, "sydney.md2")) {
            time_md2(&all->list[i]);
            time_gltf(&all->list[i]);
            break;
        }
    return true;
}
