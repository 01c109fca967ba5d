/* MD3: compares normals and positions with truncated ones, and measures the parts of large surfaces
 * and the cost of MD2's seams. */
#include "bounds.h"
#include "core/heap.h"
#include "encode/split.h"
#include "harness.h"
#include "lerpmesh/base.h"
#include "lerpmesh/encode.h"
#include "sections.h"
#include "stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (180 / 3.14159265358979323846)

/* ---- Rounding ------------------------------------------------------------------------------- */

typedef struct rounding {
    double squares, degrees, most_degrees;
    uint64_t count;
} rounding;

static double square(double x) {
    return x * x;
}

/* As common tools do: truncates to 64ths, and truncates angles to 255 steps. */
static void add_truncated(const float *p, const float *n, rounding *r) {
    const double turn = 6.283185307179586;
    double length = 0, product = 0;
    lm_vec3 made;
    for (int i = 0; i < 3; i++) {
        r->squares += square((double)p[i] - trunc((double)p[i] * 64) / 64);
        length += square((double)n[i]);
    }
    length = sqrt(length);
    if (!(length > 0))
        return;
    double sigma = atan2((double)n[1], (double)n[0]);
    const double rho = acos(fmax(-1, fmin(1, (double)n[2] / length)));
    sigma = sigma < 0 ? sigma + turn : sigma;
    lm_normal_from_angles((uint8_t)(rho * 255 / turn), (uint8_t)(sigma * 255 / turn), &made);
    product = ((double)n[0] * (double)made.x + (double)n[1] * (double)made.y +
               (double)n[2] * (double)made.z) /
              length;
    const double degrees = acos(fmax(-1, fmin(1, product))) * DEGREE;
    r->degrees += degrees;
    r->most_degrees = fmax(r->most_degrees, degrees);
    r->count++;
}

static void truncate_mesh(const lm_mesh *mesh, rounding *r) {
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        for (size_t k = 0; k < (size_t)mesh->num_frames * s->num_vertices; k++)
            add_truncated(s->positions + 3 * k, s->normals + 3 * k, r);
    }
}

/* After a rotation, positions are not 64ths and normals are not exact angles. */
static bool measure_rounding(const bench_truth *t, rounding *ours, rounding *cut) {
    lm_error error = {0};
    lm_buffer out = {0};
    lm_encode_report *report = NULL;
    lm_mesh *mesh = lm_mesh_transform(t->mesh, &bench_rotation, NULL, &error);
    const bool done =
        mesh && lm_encode(mesh, lm_format_by_name("md3"), NULL, &out, &report, &error);
    if (done) {
        const uint64_t count = (uint64_t)report->num_vertices * mesh->num_frames;
        ours->squares += square(report->rms_error) * (double)count;
        ours->degrees += report->mean_normal_error * (double)count;
        ours->most_degrees = fmax(ours->most_degrees, report->max_normal_error);
        ours->count += count;
        truncate_mesh(mesh, cut);
    } else {
        printf("  %s: %s\n", t->name, error.message);
    }
    lm_encode_report_free(report);
    lm_buffer_free(&out);
    lm_mesh_free(mesh);
    return done;
}

static void print_rounding(const char *who, const rounding *r) {
    printf("  %-48s %.5f units; normals %.3f degrees in the mean, %.3f at most\n", who,
           sqrt(r->squares / (double)r->count), r->degrees / (double)r->count, r->most_degrees);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

typedef struct parts {
    uint32_t max_vertices, max_triangles;
    uint32_t surfaces, found, needed, worst, port_found; /* `worst`: the largest excess over the
                                                          * needed number, of one surface */
    uint64_t vertices, extra, port_extra;
} parts;

/* Counts the vertices of all parts. */
static uint64_t count_vertices(const lm_surface *s, const uint32_t *part, uint32_t num_parts) {
    uint32_t *seen = bench_alloc((s->num_vertices + (size_t)1) * sizeof *seen);
    uint64_t count = 0;
    for (uint32_t p = 0; p < num_parts; p++) {
        memset(seen, 0, s->num_vertices * sizeof *seen);
        for (uint32_t t = 0; t < s->num_triangles; t++)
            for (size_t c = 0; part[t] == p && c < 3; c++) {
                uint32_t *one = &seen[s->triangles[3 * (size_t)t + c]];
                count += *one == 0;
                *one = 1;
            }
    }
    free(seen);
    return count;
}

/* Fills one part after the other, in the order of the file. */
static uint32_t split_in_order(const lm_surface *s, const parts *limits, uint32_t *part) {
    uint32_t *seen = bench_alloc((s->num_vertices + (size_t)1) * sizeof *seen);
    uint32_t number = 0, vertices = 0, triangles = 0;
    memset(seen, 0xFF, s->num_vertices * sizeof *seen);
    for (uint32_t t = 0; t < s->num_triangles; t++) {
        const uint32_t *c = s->triangles + 3 * (size_t)t;
        uint32_t fresh = 0;
        for (int i = 0; i < 3; i++)
            fresh += seen[c[i]] != number;
        if (triangles + 1 > limits->max_triangles || vertices + fresh > limits->max_vertices) {
            number++;
            vertices = triangles = 0;
            fresh = 3;
        }
        for (int i = 0; i < 3; i++)
            seen[c[i]] = number;
        vertices += fresh;
        triangles++;
        part[t] = number;
    }
    free(seen);
    return number + 1;
}

static uint32_t shares(uint32_t count, uint32_t most) {
    return (count + most - 1) / most;
}

static void split_surface(const lm_surface *s, parts *p) {
    const lm_memory plenty = {.max_bytes = SIZE_MAX};
    lm_heap heap;
    lm_heap_init(&heap, &plenty, 0);
    if (s->num_vertices <= p->max_vertices && s->num_triangles <= p->max_triangles)
        return;
    uint32_t *part = bench_alloc(s->num_triangles * sizeof *part), count = 1;
    const uint32_t by_vertices = shares(s->num_vertices, p->max_vertices);
    const uint32_t by_triangles = shares(s->num_triangles, p->max_triangles);
    const uint32_t needed = by_vertices > by_triangles ? by_vertices : by_triangles;
    memset(part, 0, s->num_triangles * sizeof *part);
    const uint64_t used = count_vertices(s, part, 1);
    lm_split_triangles(&(lm_split){s->num_triangles, s->num_vertices, s->triangles,
                                   p->max_triangles, p->max_vertices},
                       part, &count, &heap);
    p->surfaces++;
    p->found += count;
    p->needed += needed;
    p->worst = count - needed > p->worst ? count - needed : p->worst;
    p->vertices += used;
    p->extra += count_vertices(s, part, count) - used;
    count = split_in_order(s, p, part);
    p->port_found += count;
    p->port_extra += count_vertices(s, part, count) - used;
    free(part);
}

static void print_parts(const parts *p) {
    printf("  %4u surfaces beyond %u vertices or %u triangles: %u parts (%u are needed), %.2f%% "
           "more vertices; port, in file order: %u, %.2f%%\n",
           (unsigned)p->surfaces, (unsigned)p->max_vertices, (unsigned)p->max_triangles,
           (unsigned)p->found, (unsigned)p->needed, 100 * (double)p->extra / (double)p->vertices,
           (unsigned)p->port_found, 100 * (double)p->port_extra / (double)p->vertices);
}

/* ---- Seams ---------------------------------------------------------------------------------- */

typedef struct row_of {
    const uint8_t *data;
    size_t size;
} row_of;

static int by_row(const void *a, const void *b) {
    const row_of *x = a, *y = b;
    return memcmp(x->data, y->data, x->size);
}

static uint32_t count_different(row_of *rows, uint32_t count) {
    uint32_t different = 0;
    qsort(rows, count, sizeof *rows, by_row);
    for (uint32_t i = 0; i < count; i++)
        different += i == 0 || by_row(&rows[i - 1], &rows[i]) != 0;
    return different;
}

/* Counts the vertices used by triangles that move separately or have different normals. */
static uint32_t count_trajectories(const lm_mesh *mesh) {
    const lm_mesh_surface *s = &mesh->surfaces[0];
    const size_t each = 3 * sizeof(float) + 1, size = mesh->num_frames * each;
    uint8_t *data = bench_alloc(s->num_vertices * size + 1);
    row_of *rows = bench_alloc(s->num_vertices * sizeof *rows);
    bool *used = bench_alloc(s->num_vertices);
    uint32_t count = 0;
    memset(used, 0, s->num_vertices);
    for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c++)
        used[s->triangles[c]] = true;
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        if (!used[v])
            continue;
        uint8_t *out = data + v * size;
        rows[count++] = (row_of){out, size};
        for (uint32_t f = 0; f < mesh->num_frames; f++, out += each) {
            const size_t at = 3 * ((size_t)f * s->num_vertices + v);
            memcpy(out, s->positions + at, each - 1);
            out[each - 1] = lm_nearest_normal_162((const lm_vec3 *)(const void *)(s->normals + at));
        }
    }
    count = count_different(rows, count);
    free(data);
    free(rows);
    free(used);
    return count;
}

static uint32_t count_texels(const lm_mesh *mesh) {
    const lm_mesh_surface *s = &mesh->surfaces[0];
    const uint32_t corners = s->num_triangles * 3;
    int32_t *texels = bench_alloc((size_t)corners * 2 * sizeof *texels);
    row_of *rows = bench_alloc(corners * sizeof *rows);
    for (uint32_t c = 0; c < corners; c++) {
        const float *st = s->st + 2 * (size_t)s->st_triangles[c];
        texels[2 * c] = (int32_t)floor((double)st[0] * mesh->skin_width + 0.5);
        texels[2 * c + 1] = (int32_t)floor((double)st[1] * mesh->skin_height + 0.5);
        rows[c] = (row_of){(const uint8_t *)&texels[2 * c], 2 * sizeof *texels};
    }
    const uint32_t count = count_different(rows, corners);
    free(texels);
    free(rows);
    return count;
}

static void compare_seams(const bench_truth *t, uint32_t sums[4]) {
    lm_buffer out = {0};
    lm_encode_report *report = NULL;
    const lm_encode_options options = {.strips = LM_STRIPS_NONE};
    if (lm_encode(t->mesh, lm_format_by_name("md2"), &options, &out, &report, NULL)) {
        sums[0] += report->num_vertices;
        sums[1] += count_trajectories(t->mesh);
        sums[2] += report->num_st;
        sums[3] += count_texels(t->mesh);
    }
    lm_encode_report_free(report);
    lm_buffer_free(&out);
}

/* ---- Results -------------------------------------------------------------------------------- */

static void print_all(const rounding *ours, const rounding *cut, const parts *limits,
                      const uint32_t seams[4]) {
    static const char corpus[] = "OpenArena's MD3s", turned[] = "OpenArena's MD3s, turned";
    printf("\nMD3 of OpenArena's, turned: RMS error\n");
    print_rounding("ours: rounded to the nearest", ours);
    print_rounding("port: truncated, angles in 255 steps", cut);
    bound("MD3 normals, mean degrees", 0.5, ours->degrees / (double)ours->count, turned);
    bound("MD3 normals, largest degrees", 1, ours->most_degrees, turned);
    for (int i = 0; i < 2; i++)
        if (limits[i].surfaces > 0) {
            print_parts(&limits[i]);
            bound(i == 0 ? "MD3 parts beyond what is needed, of a surface"
                         : "the same with 300 vertices, 600 triangles",
                  1, limits[i].worst, corpus);
            bound("MD3 extra vertices, share of all", 0.03,
                  (double)limits[i].extra / (double)limits[i].vertices, corpus);
        }
    if (seams[1] > 0) {
        bound("MD2 xyz / distinct trajectories and normals", 1, (double)seams[0] / seams[1],
              "MD2s");
        bound("MD2 st / distinct pixels", 1, (double)seams[2] / seams[3], "MD2s");
    }
}

bool write_md3(const truths *all, bool listed) {
    rounding ours = {0}, cut = {0};
    parts limits[2] = {{.max_vertices = 999, .max_triangles = 1999},
                       {.max_vertices = 300, .max_triangles = 600}};
    uint32_t seams[4] = {0};
    bool done = true;
    (void)listed;
    for (size_t i = 0; i < all->count; i++) {
        const bench_truth *t = &all->list[i];
        const bool md3 = t->openarena && strcmp(t->model->format, "md3") == 0;
        for (uint32_t s = 0; md3 && s < t->model->num_surfaces; s++)
            for (int k = 0; k < 2; k++)
                split_surface(&t->model->surfaces[s], &limits[k]);
        if (md3 && t->model->num_surfaces > 0)
            done = measure_rounding(t, &ours, &cut) && done;
        if (strcmp(t->model->format, "md2") == 0)
            compare_seams(t, seams);
    }
    if (ours.count > 0)
        print_all(&ours, &cut, limits, seams);
    return done;
}
