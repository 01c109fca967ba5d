#include "motion.h"

#include "harness.h"
#include "lerpmesh/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void allocate(motion *m, uint32_t num_frames, uint32_t num_vertices) {
    *m = (motion){.num_frames = num_frames, .num_vertices = num_vertices};
    m->positions = bench_alloc(((size_t)num_frames * num_vertices + 1) * sizeof *m->positions);
    m->begins = bench_alloc(num_frames * sizeof *m->begins);
    m->corners = bench_alloc(((size_t)num_vertices + 1) * sizeof *m->corners);
}

void motion_free(motion *m) {
    free(m->positions);
    free(m->begins);
    free(m->corners);
}

static void find_begins(const lm_mesh *mesh, bool *begins) {
    memset(begins, mesh->num_clips > 0, mesh->num_frames);
    begins[0] = true;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        for (uint32_t k = 1; k < mesh->clips[i].count; k++)
            begins[mesh->clips[i].first + k] = false;
}

void motion_of_mesh(const lm_mesh *mesh, motion *out) {
    uint32_t count = 0, corner = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_vertices;
    allocate(out, mesh->num_frames, count);
    find_begins(mesh, out->begins);
    uint32_t *places = bench_alloc(((size_t)count + 1) * sizeof *places), used = 0, first = 0;
    memset(places, 0xFF, count * sizeof *places);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        for (uint32_t c = 0; c < s->num_triangles * 3; c++, corner++) {
            uint32_t *place = &places[first + s->triangles[c]];
            if (*place == UINT32_MAX) {
                out->corners[used] = corner;
                *place = used++;
            }
        }
        first += s->num_vertices;
    }
    out->num_vertices = used;
    first = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        for (uint32_t f = 0; f < mesh->num_frames; f++)
            for (uint32_t v = 0; v < s->num_vertices; v++)
                if (places[first + v] != UINT32_MAX)
                    memcpy(&out->positions[(size_t)f * used + places[first + v]],
                           s->positions + 3 * ((size_t)f * s->num_vertices + v), sizeof(lm_vec3));
        first += s->num_vertices;
    }
    free(places);
}

void motion_of_model(const lm_model *model, const motion *truth, motion *out) {
    const lm_surface *s = &model->surfaces[0];
    allocate(out, truth->num_frames, truth->num_vertices);
    lm_vec3 *row = bench_alloc(((size_t)s->num_vertices + 1) * sizeof *row);
    for (uint32_t f = 0; f < truth->num_frames; f++) {
        lm_sample(model, 0, &(lm_pose){f, f, 0}, 1, &(lm_sample_target){.positions = &row->x});
        for (uint32_t v = 0; v < truth->num_vertices; v++)
            out->positions[(size_t)f * truth->num_vertices + v] =
                row[s->triangles[truth->corners[v]]];
    }
    free(row);
}

static float *axis_of(lm_vec3 *v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* Finds the smallest and largest coordinate of a row. */
static void find_box(const motion *m, uint32_t frame, int axis, float *low, float *high) {
    lm_vec3 *row = m->positions + (size_t)frame * m->num_vertices;
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t v = 0; v < m->num_vertices; v++) {
        *low = fminf(*low, *axis_of(&row[v], axis));
        *high = fmaxf(*high, *axis_of(&row[v], axis));
    }
}

/* Rounds to a grid of 255 steps from `low` to `high`, shifted up by a fraction `phase` of a
 * step. */
static void round_to(const motion *truth, uint32_t frame, int axis, float low, float high,
                     float phase, motion *out) {
    const float scale = (high - low) / 255;
    for (size_t v = 0; v < truth->num_vertices; v++) {
        const size_t at = (size_t)frame * truth->num_vertices + v;
        const float x = *axis_of(&truth->positions[at], axis);
        const float line = scale > 0 ? rintf((x - low) / scale - phase) + phase : 0;
        *axis_of(&out->positions[at], axis) = line * scale + low;
    }
}

void motion_of_boxes(const motion *truth, float phase, motion *out) {
    allocate(out, truth->num_frames, truth->num_vertices);
    for (uint32_t f = 0; f < truth->num_frames; f++)
        for (int axis = 0; axis < 3; axis++) {
            float low, high;
            find_box(truth, f, axis, &low, &high);
            round_to(truth, f, axis, low, high, phase, out);
        }
}

void motion_of_one_box(const motion *truth, motion *out) {
    allocate(out, truth->num_frames, truth->num_vertices);
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t f = 0; f < truth->num_frames; f++) {
            float least, most;
            find_box(truth, f, axis, &least, &most);
            low = fminf(low, least);
            high = fmaxf(high, most);
        }
        for (uint32_t f = 0; f < truth->num_frames; f++)
            round_to(truth, f, axis, low, high, 0, out);
    }
}

static double square(double x, double y, double z) {
    return x * x + y * y + z * z;
}

static lm_vec3 difference(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double distance_square(lm_vec3 a, lm_vec3 b) {
    const lm_vec3 d = difference(a, b);
    return square((double)d.x, (double)d.y, (double)d.z);
}

static double largest_step(const motion *m, uint32_t frame) {
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low, high;
        find_box(m, frame, axis, &low, &high);
        most = fmax(most, (double)(high - low) / 255);
    }
    return most;
}

static void compare_steps(const motion *truth, const motion *made, uint32_t frame,
                          motion_error *e) {
    const double step = largest_step(truth, frame);
    const size_t row = (size_t)frame * truth->num_vertices;
    for (size_t v = row; v < row + truth->num_vertices; v++) {
        const lm_vec3 moved =
            difference(truth->positions[v], truth->positions[v - truth->num_vertices]);
        const lm_vec3 other =
            difference(made->positions[v], made->positions[v - truth->num_vertices]);
        const double size = square((double)moved.x, (double)moved.y, (double)moved.z);
        if (size == 0) {
            e->still += distance_square(other, moved);
            e->num_still++;
        } else if (size < step * step / 16) {
            e->slow += distance_square(other, moved);
            e->num_slow++;
        }
    }
}

motion_error motion_compare(const motion *truth, const motion *made) {
    motion_error e = {0};
    e.num_all = (uint64_t)truth->num_frames * truth->num_vertices;
    for (size_t i = 0; i < e.num_all; i++) {
        const double error = distance_square(truth->positions[i], made->positions[i]);
        e.all += error;
        e.most = fmax(e.most, sqrt(error));
    }
    for (uint32_t f = 1; f < truth->num_frames; f++)
        if (!truth->begins[f])
            compare_steps(truth, made, f, &e);
    return e;
}
