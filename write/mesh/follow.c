/* Tags that follow a model's surface. */
#include "mesh/follow.h"

#include "math/vectors.h"

/* A triangle, from one of its corners on. */
typedef struct anchor {
    const lm_mesh_surface *surface; /* NULL: none yet */
    uint32_t triangle, corner;
    double distance, area; /* squares */
} anchor;

static void corners_of(const anchor *a, uint32_t frame, lm_vec3 p[3]) {
    const uint32_t *triangle = a->surface->triangles + 3 * (size_t)a->triangle;
    const size_t first = (size_t)frame * a->surface->num_vertices;
    for (uint32_t k = 0; k < 3; k++)
        p[k] = lm_vec3_at(a->surface->positions, first + triangle[(a->corner + k) % 3]);
}

/* Places axes at the first corner: along the first edge, perpendicular to the triangle, and across.
 * Keeps the axes if it has no area. */
static void place(const lm_vec3 p[3], lm_transform *at) {
    const lm_wide points[3] = {lm_wide_of(p[0]), lm_wide_of(p[1]), lm_wide_of(p[2])};
    const lm_wide edge = lm_wide_sum(points[1], points[0], -1), side = lm_wide_side(points);
    at->origin = p[0];
    if (!(lm_wide_length(side) > 0))
        return;
    at->axis[0] = lm_unit((lm_vec3){(float)edge.x, (float)edge.y, (float)edge.z});
    at->axis[2] = lm_unit((lm_vec3){(float)side.x, (float)side.y, (float)side.z});
    at->axis[1] = lm_cross(at->axis[2], at->axis[0]);
}

/* Returns a point, or a direction, along the axes. */
static lm_vec3 seen_along(const lm_vec3 axis[3], lm_vec3 v) {
    return (lm_vec3){lm_dot(axis[0], v), lm_dot(axis[1], v), lm_dot(axis[2], v)};
}

bool lm_mesh_follow(const lm_mesh *mesh, uint32_t frame, lm_transform *poses) {
    const lm_vec3 origin = poses[frame].origin;
    anchor best = {0};
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        for (uint32_t t = 0; t < mesh->surfaces[s].num_triangles; t++)
            for (uint32_t k = 0; k < 3; k++) {
                anchor a = {.surface = &mesh->surfaces[s], .triangle = t, .corner = k};
                lm_vec3 p[3];
                corners_of(&a, frame, p);
                const lm_wide points[3] = {lm_wide_of(p[0]), lm_wide_of(p[1]), lm_wide_of(p[2])};
                const lm_wide side = lm_wide_side(points);
                a.distance = lm_square_between(p[0], origin);
                a.area = lm_wide_dot(side, side);
                if (a.area > 0 && (!best.surface || a.distance < best.distance ||
                                   (a.distance == best.distance && a.area > best.area)))
                    best = a;
            }
    if (!best.surface)
        return false;
    lm_vec3 first[3];
    lm_transform at;
    corners_of(&best, frame, first);
    place(first, &at);
    const lm_vec3 away = {origin.x - at.origin.x, origin.y - at.origin.y, origin.z - at.origin.z};
    const lm_transform own = {.origin = seen_along(at.axis, away),
                              .axis = {seen_along(at.axis, (lm_vec3){1, 0, 0}),
                                       seen_along(at.axis, (lm_vec3){0, 1, 0}),
                                       seen_along(at.axis, (lm_vec3){0, 0, 1})}};
    for (uint32_t f = 0; f < mesh->num_frames; f++) {
        lm_vec3 p[3];
        corners_of(&best, f, p);
        place(p, &at);
        if (!lm_same_vec3(p[0], first[0]) || !lm_same_vec3(p[1], first[1]) ||
            !lm_same_vec3(p[2], first[2]))
            lm_transform_nest(&at, &own, &poses[f]);
    }
    return true;
}
