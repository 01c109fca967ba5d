/* MDC: compares sizes with MD3's and with ports of other encoders, compares the number of base
 * frames with the minimum, and measures errors. */
#include "bounds.h"
#include "encode/cover.h"
#include "encode/nearby_rows.h"
#include "harness.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/load.h"
#include "sections.h"
#include "stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets are -127 .. 128 steps of 0.05 units around 64ths, with rounding. */
#define LEAST_REACH (-408)
#define MOST_REACH 411

enum {
    MOST_EXACT = 70,
    MOST_STEPS = 2000000000 /* for the search of the exact cover of one model */
};

/* ---- Sizes ---------------------------------------------------------------------------------- */

/* Returns the file's size without the parts that depend on the storage of frames. */
static double fixed_size(const lm_model *m, bool mdc) {
    const double frames = m->num_frames, tags = m->num_tags;
    double size = mdc ? 112 + frames * 56 + tags * 64 + frames * tags * 12
                      : 108 + frames * 56 + frames * tags * 112;
    for (uint32_t i = 0; i < m->num_surfaces; i++) {
        const lm_surface *s = &m->surfaces[i];
        size += (mdc ? 124 + frames * 4 : 108) + s->num_materials * 68.0 + s->num_triangles * 12.0 +
                s->num_file_vertices * 8.0;
    }
    return size;
}

static double md3_size(const lm_model *m) {
    double size = fixed_size(m, false);
    for (uint32_t i = 0; i < m->num_surfaces; i++)
        size += 8.0 * m->num_frames * m->surfaces[i].num_file_vertices;
    return size;
}

/* ---- Ports of other encoders ---------------------------------------------------------------- */

static const int16_t *vertex_at(const lm_surface *s, uint32_t frame, uint32_t vertex) {
    const uint32_t key = s->frame_keys ? s->frame_keys[frame] : frame;
    return (const int16_t *)(const void *)(s->keys + key * s->key_stride + vertex * s->key_size);
}

static bool fits(const lm_surface *s, uint32_t base, uint32_t frame) {
    for (uint32_t v = 0; v < s->num_file_vertices; v++)
        for (int i = 0; i < 3; i++) {
            const int away = vertex_at(s, frame, v)[i] - vertex_at(s, base, v)[i];
            if (away < LEAST_REACH || away > MOST_REACH)
                return false;
        }
    return true;
}

static bool all_fit(const lm_model *m, uint32_t base, uint32_t frame) {
    for (uint32_t i = 0; i < m->num_surfaces; i++)
        if (!fits(&m->surfaces[i], base, frame))
            return false;
    return true;
}

/* Like RtCW's tools: stores a frame against the newest base frame if all vertices of every surface
 * are within reach of it. Otherwise the frame is a base frame of all surfaces. */
static double previous_base(const lm_model *m) {
    double size = fixed_size(m, true);
    uint32_t base = 0, bases = 1;
    for (uint32_t f = 1; f < m->num_frames; f++)
        if (!all_fit(m, base, f)) {
            base = f;
            bases++;
        }
    for (uint32_t i = 0; i < m->num_surfaces; i++)
        size += m->surfaces[i].num_file_vertices * (8.0 * bases + 4.0 * (m->num_frames - bases));
    return size;
}

/* Does the same for each surface separately. */
static double greedy_surfaces(const lm_model *m) {
    double size = fixed_size(m, true);
    for (uint32_t i = 0; i < m->num_surfaces; i++) {
        const lm_surface *s = &m->surfaces[i];
        uint32_t base = 0, bases = 1;
        for (uint32_t f = 1; f < m->num_frames; f++)
            if (!fits(s, base, f)) {
                base = f;
                bases++;
            }
        size += s->num_file_vertices * (8.0 * bases + 4.0 * (m->num_frames - bases));
    }
    return size;
}

/* ---- The minimum of base frames ------------------------------------------------------------- */

/* Fills a row with every coordinate of a frame's vertices. */
static void fill_row(const lm_model *m, uint32_t frame, int16_t *out) {
    for (uint32_t i = 0; i < m->num_surfaces; i++)
        for (uint32_t v = 0; v < m->surfaces[i].num_file_vertices; v++, out += 3)
            memcpy(out, vertex_at(&m->surfaces[i], frame, v), 3 * sizeof *out);
}

static uint32_t find_different(const int16_t *values, size_t row, uint32_t count, uint32_t *list) {
    uint32_t different = 0;
    for (uint32_t f = 0; f < count; f++) {
        uint32_t k = 0;
        while (k < different && memcmp(values + list[k] * row, values + f * row, row * 2) != 0)
            k++;
        if (k == different)
            list[different++] = f;
    }
    return different;
}

/* Counts the base frames found by our search for the distinct frames, and the number needed, as far
 * as proven. */
static void compare_covers(const lm_model *m, uint32_t *ours, lm_cover_bounds *bounds) {
    uint32_t vertices = 0, count = 0;
    const lm_memory plenty = {.max_bytes = SIZE_MAX};
    lm_heap heap;
    lm_heap_init(&heap, &plenty, 0);
    for (uint32_t i = 0; i < m->num_surfaces; i++)
        vertices += m->surfaces[i].num_file_vertices;
    const size_t blocks = (3 * (size_t)vertices + LM_NEARBY_BLOCK - 1) / LM_NEARBY_BLOCK;
    const size_t row = blocks * LM_NEARBY_BLOCK;
    int16_t *values = bench_alloc((size_t)m->num_frames * row * sizeof *values);
    uint32_t *list = bench_alloc(m->num_frames * sizeof *list);
    memset(values, 0, (size_t)m->num_frames * row * sizeof *values);
    for (uint32_t f = 0; f < m->num_frames; f++)
        fill_row(m, f, values + f * row);
    count = find_different(values, row, m->num_frames, list);
    for (uint32_t i = 0; i < count; i++)
        memmove(values + i * row, values + list[i] * row, row * sizeof *values);
    const size_t words = LM_COVER_WORDS(count);
    uint64_t *covers = bench_alloc(count * words * sizeof *covers);
    bool *chosen = bench_alloc(count * sizeof *chosen);
    lm_find_nearby(&(lm_nearby){count, blocks, values, LEAST_REACH, MOST_REACH}, words, covers);
    lm_cover(count, covers, chosen, &heap);
    *ours = 0;
    for (uint32_t i = 0; i < count; i++)
        *ours += chosen[i];
    lm_cover_exact(count, covers, MOST_STEPS, chosen, bounds, &heap);
    free(values);
    free(list);
    free(covers);
    free(chosen);
}

/* ---- Ours ----------------------------------------------------------------------------------- */

typedef struct mdc_figures {
    ratios free, smallest, previous, greedy;
    double most, degrees, most_degrees;
    uint64_t num_degrees;
    uint32_t bases, fewest, num_exact, num_compared;
} mdc_figures;

static double encoded_size(const bench_truth *t, bool smallest, lm_encode_report **report) {
    lm_buffer out = {0};
    lm_error error;
    const lm_encode_options options = {.smallest = smallest};
    double size = 0;
    if (lm_encode(t->mesh, lm_format_by_name("mdc"), &options, &out, report, &error))
        size = (double)out.size;
    else
        printf("  %s: %s\n", t->name, error.message);
    lm_buffer_free(&out);
    return size;
}

/* After a rotation, positions are not 64ths and normals are not exact angles. */
static void measure_rotated(const bench_truth *t, mdc_figures *f) {
    lm_error error;
    lm_buffer out = {0};
    lm_encode_report *report = NULL;
    lm_mesh *mesh = lm_mesh_transform(t->mesh, &bench_rotation, NULL, &error);
    if (mesh && lm_encode(mesh, lm_format_by_name("mdc"), NULL, &out, &report, &error)) {
        const uint64_t count = (uint64_t)report->num_vertices * mesh->num_frames;
        f->most = fmax(f->most, report->max_error);
        f->degrees += report->mean_normal_error * (double)count;
        f->num_degrees += count;
        f->most_degrees = fmax(f->most_degrees, report->max_normal_error);
    }
    lm_encode_report_free(report);
    lm_buffer_free(&out);
    lm_mesh_free(mesh);
}

static void compare_bases(const bench_truth *t, mdc_figures *f, bool listed) {
    uint32_t ours;
    lm_cover_bounds bounds;
    if (f->num_exact == MOST_EXACT)
        return;
    compare_covers(t->model, &ours, &bounds);
    f->num_compared++;
    if (bounds.least == bounds.found) {
        f->num_exact++;
        f->bases += ours;
        f->fewest += bounds.least;
    }
    if (listed)
        printf("%-60s base frames: %u, %u to %u are needed\n", t->name, (unsigned)ours,
               (unsigned)bounds.least, (unsigned)bounds.found);
}

static bool compare_sizes(const bench_truth *t, mdc_figures *f, bool listed) {
    lm_encode_report *report = NULL;
    const double md3 = md3_size(t->model), smallest = encoded_size(t, true, NULL);
    const double ours = encoded_size(t, false, &report);
    if (ours > 0 && smallest > 0) {
        ratios_put(&f->free, ours, md3);
        ratios_put(&f->smallest, smallest, md3);
        ratios_put(&f->previous, previous_base(t->model), md3);
        ratios_put(&f->greedy, greedy_surfaces(t->model), md3);
        compare_bases(t, f, listed);
        measure_rotated(t, f);
    }
    lm_encode_report_free(report);
    return ours > 0 && smallest > 0;
}

static void put_bounds(mdc_figures *f) {
    static const char corpus[] = "OpenArena's animated MD3s without the mature pack";
    bound("MDC / MD3, crack-free, all together", 0.44, ratios_pooled(&f->free), corpus);
    bound("MDC / MD3, smallest, all together", 0.43, ratios_pooled(&f->smallest), corpus);
    if (f->fewest > 0)
        bound("MDC base frames / fewest there can be", 1.01, (double)f->bases / f->fewest,
              "of those, the first 20 that are proven");
    bound("MDC largest distance (0.025 on each axis)", 0.025 * sqrt(3) + 1e-5, f->most,
          "the same, turned");
    bound("MDC normals, mean degrees", 4.95, f->degrees / (double)f->num_degrees,
          "the same, turned");
}

bool write_mdc(const truths *all, bool listed) {
    static mdc_figures f = {
        .free = {.what = "ours, no cracks"},
        .smallest = {.what = "ours, smallest"},
        .previous = {.what = "port: previous base, of the model (RtCW's tools)"},
        .greedy = {.what = "port: previous base, of each surface"}};
    bool done = true;
    for (size_t i = 0; i < all->count; i++) {
        const bench_truth *t = &all->list[i];
        if (t->openarena && !t->mature && strcmp(t->model->format, "md3") == 0 &&
            t->model->num_frames > 1 && t->model->num_surfaces > 0)
            done = compare_sizes(t, &f, listed) && done;
    }
    if (f.free.count == 0)
        return done;
    ratios_heading("MDC / MD3, OpenArena's without the mature pack");
    ratios_print(&f.free);
    ratios_print(&f.smallest);
    ratios_print(&f.previous);
    ratios_print(&f.greedy);
    printf("  base frames of %u models that are proven (of %u tried): %u; the fewest there can be: "
           "%u\n  turned: %.5f units off at most; normals %.2f degrees in the mean, %.2f at "
           "most\n",
           (unsigned)f.num_exact, (unsigned)f.num_compared, (unsigned)f.bases, (unsigned)f.fewest,
           f.most, f.degrees / (double)f.num_degrees, f.most_degrees);
    put_bounds(&f);
    return done;
}
