/* MD2: compares grids with id's boxes, and GL commands with the original ones. */
#include "bounds.h"
#include "encode/strips.h"
#include "harness.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/load.h"
#include "motion.h"
#include "sections.h"
#include "strips_port.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The figures of one kind of model. */
typedef struct figures {
    ratios rms, most, still, slow, smooth_rms, smooth_still, smooth_slow;
    ratios one_rms, one_still, shifted_most; /* ports */
} figures;

static figures figures_new(void) {
    return (figures){
        .rms = {.what = "RMS error / boxes", .root = true},
        .most = {.what = "largest error / boxes"},
        .still = {.what = "still vertices' jitter / boxes", .root = true},
        .slow = {.what = "slow vertices' jerk / boxes", .root = true},
        .smooth_rms = {.what = "smooth: RMS error / boxes", .root = true},
        .smooth_still = {.what = "smooth: still vertices' jitter / boxes", .root = true},
        .smooth_slow = {.what = "smooth: slow vertices' jerk / boxes", .root = true},
        .one_rms = {.what = "port: one box for all frames: RMS error", .root = true},
        .one_still = {.what = "port: one box: still vertices' jitter", .root = true},
        .shifted_most = {.what = "boxes half a line further: largest error"}};
}

static double mean(double sum, uint64_t count) {
    return count > 0 ? sum / (double)count : 0;
}

/* Encodes and reads back; the model is NULL on failure. `ms` receives the time of the call. */
static lm_model *through_md2(const bench_truth *t, const lm_encode_options *options,
                             lm_encode_report **report, double *ms) {
    lm_buffer out = {0};
    lm_error error;
    const double start = now_ms();
    lm_model *model = NULL;
    if (lm_encode(t->mesh, lm_format_by_name("md2"), options, &out, report, &error)) {
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
    motion from, boxes, shifted, one;
    motion_error ours, smooth;
    motion_of_mesh(t->mesh, &from);
    motion_of_boxes(&from, 0, &boxes);
    motion_of_boxes(&from, 0.5f, &shifted);
    motion_of_one_box(&from, &one);
    const motion_error id = motion_compare(&from, &boxes);
    const motion_error single = motion_compare(&from, &one);
    const bool done =
        measure_motion(t, &(lm_encode_options){.strips = LM_STRIPS_NONE}, &from, &ours) &&
        measure_motion(t, &(lm_encode_options){.strips = LM_STRIPS_NONE, .smooth = true}, &from,
                       &smooth);
    if (done) {
        ratios_put(&f->rms, mean(ours.all, ours.num_all), mean(id.all, id.num_all));
        ratios_put(&f->most, ours.most, id.most);
        ratios_put(&f->still, ours.still, id.still);
        ratios_put(&f->slow, ours.slow, id.slow);
        ratios_put(&f->smooth_rms, mean(smooth.all, ours.num_all), mean(id.all, id.num_all));
        ratios_put(&f->smooth_still, smooth.still, id.still);
        ratios_put(&f->smooth_slow, smooth.slow, id.slow);
        ratios_put(&f->one_rms, mean(single.all, ours.num_all), mean(id.all, id.num_all));
        ratios_put(&f->one_still, single.still, id.still);
        ratios_put(&f->shifted_most, motion_compare(&from, &shifted).most, id.most);
    }
    if (done && listed)
        printf("%-60s rms %.5f/%.5f=%.3f most %.3f still %.5f/%.5f=%.3f slow %.3f smooth %.3f "
               "%.3f\n",
               t->name, sqrt(mean(ours.all, ours.num_all)), sqrt(mean(id.all, id.num_all)),
               sqrt(ours.all / id.all), ours.most / id.most, sqrt(mean(ours.still, ours.num_still)),
               sqrt(mean(id.still, id.num_still)), sqrt(ours.still / id.still),
               sqrt(ours.slow / id.slow), sqrt(smooth.all / id.all), sqrt(smooth.slow / id.slow));
    motion_free(&boxes);
    motion_free(&shifted);
    motion_free(&one);
    motion_free(&from);
    return done;
}

typedef struct gl_figures {
    ratios fast, best, port, fast_triangle, best_triangle, shipped_triangle;
    double fast_ms, best_ms;
    uint64_t triangles;
} gl_figures;

/* Times the search alone: the shortest of several runs. */
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

/* Returns true for models made by samples/, whose search for strips begins like this one. */
static bool is_from_samples(const bench_truth *t) {
    return strstr(t->name, "tick.md2") != NULL;
}

static bool compare_strips(const bench_truth *t, gl_figures *f, bool listed) {
    uint32_t fast, best;
    const double shipped = t->model->gl_commands.num_integers;
    const double triangles = t->model->surfaces[0].num_triangles;
    if (!measure_strips(t, LM_STRIPS_FAST, &fast) || !measure_strips(t, LM_STRIPS_BEST, &best))
        return false;
    const double fast_ms = time_strips(&t->model->surfaces[0], false, 20);
    const double best_ms = time_strips(&t->model->surfaces[0], true, 3);
    if (is_from_samples(t)) {
        printf("\nour own %s, whose GL commands are searched for: %.3f fast, %.3f best\n", t->name,
               fast / shipped, best / shipped);
        return true;
    }
    ratios_put(&f->fast, fast, shipped);
    ratios_put(&f->port, strips_of_id(&t->model->surfaces[0]), shipped);
    ratios_put(&f->best, best, shipped);
    ratios_put(&f->shipped_triangle, shipped, triangles);
    ratios_put(&f->fast_triangle, fast, triangles);
    ratios_put(&f->best_triangle, best, triangles);
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
    ratios_heading(title);
    ratios_print(&f->rms);
    ratios_print(&f->most);
    ratios_print(&f->still);
    ratios_print(&f->slow);
    ratios_print(&f->smooth_rms);
    ratios_print(&f->smooth_still);
    ratios_print(&f->smooth_slow);
    ratios_print(&f->one_rms);
    ratios_print(&f->one_still);
    ratios_print(&f->shifted_most);
}

static void print_strips(gl_figures *f) {
    if (f->fast.count == 0)
        return;
    const double thousands = (double)f->triangles / 1000;
    ratios_heading("GL commands of MD2s");
    ratios_print(&f->shipped_triangle);
    ratios_print(&f->fast_triangle);
    ratios_print(&f->best_triangle);
    ratios_print(&f->fast);
    ratios_print(&f->best);
    ratios_print(&f->port);
    printf("  CPU time a 1,000 triangles: fast %.3f ms, best %.1f ms\n", f->fast_ms / thousands,
           f->best_ms / thousands);
}

static void put_bounds(figures *oa, figures *md2s, gl_figures *gl) {
    static const char of_oa[] = "OpenArena's animated MD3s", of_md2[] = "MD2s that others made";
    if (oa->rms.count > 0) {
        bound("MD2 jitter / id's boxes, all together", 0.10, ratios_pooled(&oa->still), of_oa);
        bound("MD2 jitter / id's boxes, worst model", 1, ratios_at(&oa->still, 1), of_oa);
        bound("MD2 RMS error / id's boxes, median", 1.08, ratios_at(&oa->rms, 0.5), of_oa);
        bound("MD2 RMS error / id's boxes, p90", 1.12, ratios_at(&oa->rms, 0.9), of_oa);
        bound("MD2 largest error / id's boxes, median", 1.05, ratios_at(&oa->most, 0.5), of_oa);
        bound("MD2 largest error / id's boxes, p90", 1.13, ratios_at(&oa->most, 0.9), of_oa);
        bound("--smooth slow parts / id's boxes, median", 0.5, ratios_at(&oa->smooth_slow, 0.5),
              of_oa);
        bound("--smooth RMS error / id's boxes, median", 1.10, ratios_at(&oa->smooth_rms, 0.5),
              of_oa);
    }
    if (md2s->rms.count > 0) {
        bound("MD2 jitter / id's boxes, all together", 0.02, ratios_pooled(&md2s->still), of_md2);
        bound("MD2 jitter / id's boxes, worst model", 1, ratios_at(&md2s->still, 1), of_md2);
    }
    if (gl->fast.count > 0) {
        const double thousands = (double)gl->triangles / 1000;
        bound("GL commands / shipped, fast", 0.89, ratios_pooled(&gl->fast), of_md2);
        bound("GL commands, fast: ms a 1,000 triangles", 0.1, gl->fast_ms / thousands, of_md2);
        bound("GL commands / shipped, best", 0.85, ratios_pooled(&gl->best), of_md2);
        bound("GL commands, best: ms a 1,000 triangles", 100, gl->best_ms / thousands, of_md2);
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
    gl.port.what = "port: greedy, from each triangle / shipped";
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
    put_bounds(&openarena, &md2s, &gl);
    return done;
}
