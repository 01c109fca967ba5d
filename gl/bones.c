/* Bones: octahedra with dark edges, in front of everything else. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

#define RING_SHARE 0.12f  /* of a bone's length: the distance of the ring from the head */
#define WIDTH_SHARE 0.11f /* the ring's radius */
#define EDGE_SHARE 0.16f  /* of the ring's radius: the width of an edge */
#define POINTS 48u        /* of a bone's eight faces: a dark triangle, and a smaller one on it */

typedef struct bone_points {
    const lm_gl_view *view;
    const uint8_t *rgba;
    float edge; /* width */
    lm_gl_point *points;
    uint32_t count;
} bone_points;

static void add_triangle(bone_points *out, const lm_vec3 corners[3], float light) {
    for (unsigned i = 0; i < 3; i++) {
        lm_gl_point *point = &out->points[out->count++];
        point->position = corners[i];
        for (unsigned c = 0; c < 3; c++)
            point->rgba[c] = lmi_gl_byte_of((float)out->rgba[c] / 255 * light);
        point->rgba[3] = out->rgba[3];
    }
}

/* Moves the sides of a triangle inward. */
static void shrink(lm_vec3 corners[3], float by) {
    lm_vec3 middle = {0, 0, 0};
    float sides = 0, radius;
    for (unsigned i = 0; i < 3; i++) {
        const float side = gl_length(gl_sum(corners[(i + 1) % 3], corners[(i + 2) % 3], -1));
        middle = gl_sum(middle, corners[i], side);
        sides += side;
    }
    const lm_vec3 n =
        gl_cross(gl_sum(corners[1], corners[0], -1), gl_sum(corners[2], corners[0], -1));
    radius = gl_length(n) / sides; /* of the inscribed circle */
    middle = gl_sum((lm_vec3){0, 0, 0}, middle, 1 / sides);
    for (unsigned i = 0; i < 3; i++)
        corners[i] = gl_sum(corners[i], gl_sum(middle, corners[i], -1), fminf(by / radius, 1));
}

/* Adds a face of a solid around `inside`, if it faces the eye, in the light of a lamp above the
 * camera's left side. */
static void add_face(bone_points *out, lm_vec3 inside, const lm_vec3 given[3]) {
    const lm_gl_view *view = out->view;
    lm_vec3 corners[3] = {given[0], given[1], given[2]};
    lm_vec3 n = gl_cross(gl_sum(given[1], given[0], -1), gl_sum(given[2], given[0], -1));
    n = gl_unit(gl_dot(n, gl_sum(given[0], inside, -1)) < 0 ? gl_sum((lm_vec3){0, 0, 0}, n, -1) : n,
                view->toward);
    const lm_vec3 lamp =
        gl_unit(gl_sum(gl_sum(view->toward, view->up, 0.5f), view->right, -0.6f), view->toward);
    if (gl_dot(n, gl_sum(view->eye, given[0], -1)) <= 0)
        return;
    add_triangle(out, corners, 0.2f);
    shrink(corners, out->edge);
    add_triangle(out, corners, 0.5f + 0.5f * fmaxf(gl_dot(n, lamp), 0));
}

/* The ring has a corner toward the eye, so that a bone looks the same from all sides. */
static void add_bone(bone_points *out, const lm_gl_line *bone) {
    const lm_vec3 along = gl_sum(bone->to, bone->from, -1);
    const float width = gl_length(along) * WIDTH_SHARE;
    const lm_vec3 side = gl_unit(gl_cross(along, out->view->toward), out->view->right);
    const lm_vec3 front = gl_unit(gl_cross(side, along), out->view->up);
    const lm_vec3 middle = gl_sum(bone->from, along, RING_SHARE), ends[2] = {bone->from, bone->to};
    const lm_vec3 ring[4] = {gl_sum(middle, side, width), gl_sum(middle, front, width),
                             gl_sum(middle, side, -width), gl_sum(middle, front, -width)};
    if (!(width > 0))
        return;
    out->rgba = bone->rgba;
    out->edge = width * EDGE_SHARE;
    for (unsigned i = 0; i < 8; i++)
        add_face(out, middle, (lm_vec3[3]){ends[i / 4], ring[i % 4], ring[(i + 1) % 4]});
}

/* A bone's distance along the view. */
typedef struct bone_depth {
    const lm_gl_line *bone;
    float depth;
} bone_depth;

static int compare_depths(const void *a, const void *b) {
    const float one = ((const bone_depth *)a)->depth, other = ((const bone_depth *)b)->depth;
    return (one > other) - (one < other);
}

bool lmi_gl_draw_bones(lm_gl *gl, const lm_gl_view *view, const lm_gl_line *bones,
                       uint32_t num_bones, lm_error *error) {
    bone_points all = {.view = view};
    if (!lmi_gl_alive(gl, error))
        return false;
    const bool few = num_bones < INT32_MAX / (POINTS * sizeof *all.points);
    bone_depth *sorted = few ? malloc((num_bones + (size_t)1) * sizeof *sorted) : NULL;
    all.points = few ? malloc((num_bones + (size_t)1) * POINTS * sizeof *all.points) : NULL;
    const bool ok = sorted && all.points;
    for (uint32_t i = 0; ok && i < num_bones; i++)
        sorted[i] =
            (bone_depth){&bones[i], gl_dot(gl_sum(bones[i].from, bones[i].to, 1), view->toward)};
    if (ok && num_bones > 1)
        qsort(sorted, num_bones, sizeof *sorted, compare_depths);
    for (uint32_t i = 0; ok && i < num_bones; i++)
        add_bone(&all, sorted[i].bone);
    const bool drawn = ok ? lmi_gl_draw_points(gl, view->matrix, GL_TRIANGLES, GL_DEPTH_FRONT,
                                               all.points, all.count, error)
                          : lmi_gl_no_memory(error);
    free(sorted);
    free(all.points);
    return drawn;
}
