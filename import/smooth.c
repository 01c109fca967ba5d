#include "smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vertex with its position and normal at rest. */
typedef struct lm_im_rest {
    float at[6];
    uint32_t vertex;
} lm_im_rest;

static int compare_at(const lm_im_rest *a, const lm_im_rest *b) {
    for (int i = 0; i < 6; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

static int compare_rest(const void *x, const void *y) {
    const lm_im_rest *a = x, *b = y;
    const int order = compare_at(a, b);
    return order != 0 ? order : a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static bool lacks_normals(const lm_im_part *part) {
    for (uint32_t t = 0; part->normals && t < part->num_targets; t++)
        if (part->targets[t].positions && !part->targets[t].normals)
            return true;
    return false;
}

bool lm_im_find_groups(importing *im, const lm_im_part *part, const uint32_t **groups) {
    *groups = NULL;
    if (!lacks_normals(part))
        return true;
    lm_arena once = {.heap = im->scratch.heap};
    lm_im_rest *rest = lm_arena_alloc(&once, part->num_vertices, sizeof *rest);
    uint32_t *out = lm_arena_alloc(&im->scratch, part->num_vertices, sizeof *out);
    if (rest && out) {
        for (uint32_t v = 0; v < part->num_vertices; v++) {
            memcpy(rest[v].at, part->positions + 3 * (size_t)v, 3 * sizeof(float));
            memcpy(rest[v].at + 3, part->normals + 3 * (size_t)v, 3 * sizeof(float));
            rest[v].vertex = v;
        }
        qsort(rest, part->num_vertices, sizeof *rest, compare_rest);
        for (uint32_t i = 0; i < part->num_vertices; i++) {
            const bool same = i > 0 && compare_at(&rest[i], &rest[i - 1]) == 0;
            out[rest[i].vertex] = same ? out[rest[i - 1].vertex] : rest[i].vertex;
        }
        *groups = out;
    }
    lm_arena_free(&once);
    return *groups != NULL;
}

/* Computes a triangle's normal. Returns false if it has no area. */
static bool face_normal(const double edges[3][3], double n[3]) {
    const double *a = edges[0], *b = edges[1];
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3 && length > 0; i++)
        n[i] /= length;
    return length > 0;
}

/* Returns the angle between the edge that leaves a corner and the one that enters it. */
static double corner_angle(const double *leaves, const double *enters) {
    double dot = 0, one = 0, other = 0;
    for (int i = 0; i < 3; i++) {
        dot -= leaves[i] * enters[i];
        one += leaves[i] * leaves[i];
        other += enters[i] * enters[i];
    }
    const double cosine = dot / sqrt(one * other);
    return acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

static void add_triangle(const uint32_t *groups, const uint32_t *corners, const lm_vec3 *at,
                         double *sums) {
    double edges[3][3], normal[3];
    for (int c = 0; c < 3; c++) {
        const lm_vec3 *p = &at[corners[c]], *q = &at[corners[(c + 1) % 3]];
        edges[c][0] = (double)q->x - (double)p->x;
        edges[c][1] = (double)q->y - (double)p->y;
        edges[c][2] = (double)q->z - (double)p->z;
    }
    if (!face_normal((const double(*)[3])edges, normal))
        return;
    for (int c = 0; c < 3; c++) {
        const double angle = corner_angle(edges[c], edges[(c + 2) % 3]);
        for (int i = 0; i < 3; i++)
            sums[3 * (size_t)groups[corners[c]] + (size_t)i] += angle * normal[i];
    }
}

void lm_im_smooth(const lm_im_part *part, const uint32_t *groups, bool mirrored, const lm_vec3 *at,
                  double *sums, lm_vec3 *normals) {
    memset(sums, 0, 3 * (size_t)part->num_vertices * sizeof *sums);
    for (size_t t = 0; t < part->num_triangles; t++)
        add_triangle(groups, part->triangles + 3 * t, at, sums);
    for (uint32_t v = 0; v < part->num_vertices; v++) {
        const double *n = sums + 3 * (size_t)groups[v];
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(length > 1e-9))
            continue;
        length = mirrored ? -length : length;
        normals[v] =
            (lm_vec3){(float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length)};
    }
}
