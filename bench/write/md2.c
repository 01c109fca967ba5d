/* MD2s: grids against id's boxes, GL commands against those that were shipped. */
#include "encode/strips.h"
#include "harness.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/load.h"
#include "motion.h"
#include "sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_MODELS = 2000
};

/* Ratios over many models. */
typedef struct ratios {
    const char *what;
    double values[MOST_MODELS];
    size_t count;
    double ours, other; /* sums, for the ratio of all together */
    bool root;          /* they are squares */
} ratios;

static void put(ratios *r, double ours, double other) {
    if (!(other > 0) || r->count == MOST_MODELS)
        return;
    r->ours += ours;
    r->other += other;
    r->values[r->count++] = r->root ? sqrt(ours / other) : ours / other;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_ratios(ratios *r) {
    if (r->count == 0)
        return;
    qsort(r->values, r->count, sizeof *r->values, by_size);
    const double pooled = r->ours / r->other;
    printf("  %-44s %5zu  %6.3f %6.3f %6.3f  %6.3f\n", r->what, r->count, r->values[r->count / 2],
           r->values[r->count * 9 / 10], r->values[r->count - 1], r->root ? sqrt(pooled) : pooled);
}

/* The figures of one kind of truths. */
typedef struct figures {
    ratios rms, most, still, slow, smooth_rms, smooth_still, smooth_slow;
} figures;

static figures figures_new(void) {
    return (figures){
        .rms = {.what = "RMS error / boxes", .root = true},
        .most = {.what = "largest error / boxes"},
        .still = {.what = "still vertices' wobble / boxes", .root = true},
        .slow = {.what = "slow vertices' jerk / boxes", .root = true},
        .smooth_rms = {.what = "smooth: RMS error / boxes", .root = true},
        .smooth_still = {.what = "smooth: still vertices' wobble / boxes", .root = true},
        .smooth_slow = {.what = "smooth: slow vertices' jerk / boxes", .root = true}};
}

static double mean(double sum, uint64_t count) {
    return count > 0 ? sum / (double)count : 0;
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Encodes and reads back; the model is NULL if that failed. `ms` gets the time of the call. */
static lm_model *through_md2(const bench_truth *t, const lm_encode_options *options,
                             lm_encode_report **report, double *ms) {
    lm_buffer out = {0};
    lm_error error;
    const double start = now_ms();
    lm_model *model = NULL;
    if (lm_encode(t->take, lm_format_by_name("md2"), options, &out, report, &error)) {
        *ms = now_ms() - start;
        model = lm_load_memory(out.data, out.size, NULL, &error);
    }
    if (!model)
        printf("  %s: %s\n", t->name, error.message);
    lm_buffer_free(&out);
    return model;
}

static bool measure_motion(const bench_truth *t, const lm_encode_options *options,
                           const motion *from, motion_error *e) {
    double ms;
    lm_model *model = through_md2(t, options, NULL, &ms);
    if (!model)
        return false;
    motion made;
    motion_of_model(model, from, &made);
    *e = motion_compare(from, &made);
    motion_free(&made);
    lm_model_free(model);
    return true;
}

static bool compare_grids(const bench_truth *t, figures *f, bool listed) {
    motion from, boxes;
    motion_error ours, smooth;
    motion_of_take(t->take, &from);
    motion_of_boxes(&from, &boxes);
    const motion_error id = motion_compare(&from, &boxes);
    const bool done =
        measure_motion(t, &(lm_encode_options){.strips = LM_STRIPS_NONE}, &from, &ours) &&
        measure_motion(t, &(lm_encode_options){.strips = LM_STRIPS_NONE, .smooth = true}, &from,
                       &smooth);
    if (done) {
        put(&f->rms, mean(ours.all, ours.num_all), mean(id.all, id.num_all));
        put(&f->most, ours.most, id.most);
        put(&f->still, ours.still, id.still);
        put(&f->slow, ours.slow, id.slow);
        put(&f->smooth_rms, mean(smooth.all, ours.num_all), mean(id.all, id.num_all));
        put(&f->smooth_still, smooth.still, id.still);
        put(&f->smooth_slow, smooth.slow, id.slow);
    }
    if (done && listed)
        printf("%-60s rms %.5f/%.5f=%.3f most %.3f still %.5f/%.5f=%.3f slow %.3f smooth %.3f "
               "%.3f\n",
               t->name, sqrt(mean(ours.all, ours.num_all)), sqrt(mean(id.all, id.num_all)),
               sqrt(ours.all / id.all), ours.most / id.most, sqrt(mean(ours.still, ours.num_still)),
               sqrt(mean(id.still, id.num_still)), sqrt(ours.still / id.still),
               sqrt(ours.slow / id.slow), sqrt(smooth.all / id.all), sqrt(smooth.slow / id.slow));
    motion_free(&boxes);
    motion_free(&from);
    return done;
}

typedef struct gl_figures {
    ratios fast, best, fast_triangle, best_triangle, shipped_triangle;
    double fast_ms, best_ms;
    uint64_t triangles;
} gl_figures;

/* The search alone: the shortest of some runs. */
static double time_strips(const lm_surface *s, bool best, int rounds) {
    const lm_memory bounds = {.max_bytes = SIZE_MAX};
    uint32_t *corners = bench_alloc(((size_t)s->num_triangles * 3 + 1) * sizeof *corners);
    uint32_t count = 0;
    double least = INFINITY;
    lm_heap heap;
    lm_heap_init(&heap, &bounds, 0);
    for (uint32_t t = 0; t < s->num_triangles; t++) {
        const uint32_t *c = s->triangles + (size_t)3 * t;
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memcpy(corners + (size_t)3 * count++, c, 3 * sizeof *c);
    }
    for (int round = 0; round < rounds; round++) {
        lm_arena arena = {.heap = &heap};
        lm_strips_found found;
        const double start = now_ms();
        lm_find_strips(corners, count, s->num_vertices, best, &found, &arena);
        least = fmin(least, now_ms() - start);
        lm_arena_free(&arena);
    }
    free(corners);
    return least;
}

static bool measure_strips(const bench_truth *t, lm_strips strips, uint32_t *integers) {
    lm_encode_report *report;
    double ms;
    lm_model *model = through_md2(t, &(lm_encode_options){.strips = strips}, &report, &ms);
    *integers = report ? report->num_gl_integers : 0;
    lm_encode_report_free(report);
    lm_model_free(model);
    return model != NULL;
}

static bool compare_strips(const bench_truth *t, gl_figures *f, bool listed) {
    uint32_t fast, best;
    const double shipped = t->model->gl_commands.num_integers;
    const double triangles = t->model->surfaces[0].num_triangles;
    if (!measure_strips(t, LM_STRIPS_FAST, &fast) || !measure_strips(t, LM_STRIPS_BEST, &best))
        return false;
    const double fast_ms = time_strips(&t->model->surfaces[0], false, 20);
    const double best_ms = time_strips(&t->model->surfaces[0], true, 3);
    put(&f->fast, fast, shipped);
    put(&f->best, best, shipped);
    put(&f->shipped_triangle, shipped, triangles);
    put(&f->fast_triangle, fast, triangles);
    put(&f->best_triangle, best, triangles);
    f->fast_ms += fast_ms;
    f->best_ms += best_ms;
    f->triangles += (uint64_t)triangles;
    if (listed)
        printf("%-60s %.0f triangles: GL %.0f shipped, %u fast (%.3f), %u best (%.3f); %.3f, %.1f "
               "ms\n",
               t->name, triangles, shipped, (unsigned)fast, fast / shipped, (unsigned)best,
               best / shipped, fast_ms, best_ms);
    return true;
}

static void print_figures(const char *title, figures *f) {
    if (f->rms.count == 0)
        return;
    printf("\n%-46s models  median    p90   most  pooled\n", title);
    print_ratios(&f->rms);
    print_ratios(&f->most);
    print_ratios(&f->still);
    print_ratios(&f->slow);
    print_ratios(&f->smooth_rms);
    print_ratios(&f->smooth_still);
    print_ratios(&f->smooth_slow);
}

static void print_strips(gl_figures *f) {
    if (f->fast.count == 0)
        return;
    const double thousands = (double)f->triangles / 1000;
    printf("\n%-46s models  median    p90   most  pooled\n", "GL commands of MD2s");
    print_ratios(&f->shipped_triangle);
    print_ratios(&f->fast_triangle);
    print_ratios(&f->best_triangle);
    print_ratios(&f->fast);
    print_ratios(&f->best);
    printf("  CPU time a 1,000 triangles: fast %.3f ms, best %.1f ms\n", f->fast_ms / thousands,
           f->best_ms / thousands);
}

static void print_speed(const truths *all) {
    for (size_t i = 0; i < all->count; i++) {
        const bench_truth *t = &all->list[i];
        double best = INFINITY, ms = 0;
        if (!strstr(t->name, "sydney"))
            continue;
        for (int round = 0; round < 5; round++) {
            lm_model_free(through_md2(t, NULL, NULL, &ms));
            best = fmin(best, ms);
        }
        printf("\n%s (%u frames, %u triangles) again, default effort: %.1f ms\n", t->name,
               (unsigned)t->model->num_frames, (unsigned)t->model->surfaces[0].num_triangles, best);
    }
}

bool write_md2(const truths *all, bool listed) {
    static figures openarena, md2s;
    static gl_figures gl;
    bool done = true;
    openarena = figures_new();
    md2s = figures_new();
    gl.shipped_triangle.what = "shipped integers / triangle";
    gl.fast_triangle.what = "fast integers / triangle";
    gl.best_triangle.what = "best integers / triangle";
    gl.fast.what = "fast / shipped";
    gl.best.what = "best / shipped";
    for (size_t i = 0; i < all->count; i++) {
        const bench_truth *t = &all->list[i];
        const bool md2 = strcmp(t->model->format, "md2") == 0;
        if (t->model->num_surfaces == 0)
            continue;
        if (t->model->num_frames > 1 && (md2 || t->openarena))
            done = compare_grids(t, md2 ? &md2s : &openarena, listed) && done;
        if (md2 && t->model->gl_commands.num_integers > 1)
            done = compare_strips(t, &gl, listed) && done;
    }
    print_figures("OpenArena, animated", &openarena);
    print_figures("MD2s, animated", &md2s);
    print_strips(&gl);
    print_speed(all);
    return done;
}
