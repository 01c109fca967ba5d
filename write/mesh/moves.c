/* Comparing the frames of a file with new ones. */
#include "mesh/mesh_make.h"

#include "math/vectors.h"

#include <math.h>

#define SAME_AXIS 1e-4 /* of each coordinate of a tag's axes */

static size_t index_of(const lm_moves *moves, uint32_t surface, uint32_t frame, uint32_t vertex) {
    return (size_t)frame * moves->old->surfaces[surface].num_vertices + vertex;
}

static bool differ(const float *a, const float *b, size_t count, double tolerance) {
    bool same = true;
    for (size_t i = 0; same && i < count; i++)
        same = fabs((double)a[i] - (double)b[i]) <= tolerance;
    return !same;
}

bool lmi_moves_vertex(const lm_moves *moves, uint32_t surface, uint32_t frame, uint32_t vertex) {
    const size_t at = 3 * index_of(moves, surface, frame, vertex);
    return differ(moves->mesh->surfaces[surface].positions + at,
                  moves->old->surfaces[surface].positions + at, 3, moves->tolerance);
}

bool lmi_moves_surface(const lm_moves *moves, uint32_t surface, uint32_t frame) {
    const size_t at = 3 * index_of(moves, surface, frame, 0);
    return differ(moves->mesh->surfaces[surface].positions + at,
                  moves->old->surfaces[surface].positions + at,
                  3 * (size_t)moves->old->surfaces[surface].num_vertices, moves->tolerance);
}

bool lmi_moves_tag(const lm_moves *moves, uint32_t tag, uint32_t frame) {
    const lm_transform *a = &moves->mesh->tags[tag].poses[frame];
    const lm_transform *b = &moves->old->tags[tag].poses[frame];
    return differ(&a->origin.x, &b->origin.x, 3, moves->tolerance) ||
           differ(&a->axis[0].x, &b->axis[0].x, 3, SAME_AXIS) ||
           differ(&a->axis[1].x, &b->axis[1].x, 3, SAME_AXIS) ||
           differ(&a->axis[2].x, &b->axis[2].x, 3, SAME_AXIS);
}

bool lmi_moves_surfaces(const lm_moves *moves, uint32_t frame) {
    bool found = false;
    for (uint32_t s = 0; !found && s < moves->old->num_surfaces; s++)
        found = lmi_moves_surface(moves, s, frame);
    return found;
}

bool lmi_moves_frame(const lm_moves *moves, uint32_t frame) {
    bool found = lmi_moves_surfaces(moves, frame);
    for (uint32_t t = 0; !found && t < moves->old->num_tags; t++)
        found = lmi_moves_tag(moves, t, frame);
    return found;
}

lm_vec3 lmi_moved_position(const lm_moves *moves, uint32_t surface, uint32_t frame,
                           uint32_t vertex) {
    const bool moved = lmi_moves_vertex(moves, surface, frame, vertex);
    const lm_mesh *from = moved ? moves->mesh : moves->old;
    return lmi_vec3_at(from->surfaces[surface].positions, index_of(moves, surface, frame, vertex));
}

const lm_vec3 *lmi_moved_normal(const lm_moves *moves, uint32_t surface, uint32_t frame,
                                uint32_t vertex) {
    const float *normals = moves->mesh->surfaces[surface].normals;
    return normals ? (const lm_vec3 *)(const void *)(normals +
                                                     3 * index_of(moves, surface, frame, vertex))
                   : NULL;
}

static bool find_byte(float value, float scale, float translate, uint8_t *byte) {
    const double from = (double)value - (double)translate;
    const double steps = scale != 0 ? from / (double)scale : from == 0 ? 0 : -1;
    if (!(steps > -0.5 && steps < 255.5))
        return false;
    *byte = (uint8_t)(steps + 0.5);
    return true;
}

bool lmi_find_bytes(lm_vec3 position, lm_vec3 scale, lm_vec3 translate, uint8_t bytes[3]) {
    return find_byte(position.x, scale.x, translate.x, &bytes[0]) &&
           find_byte(position.y, scale.y, translate.y, &bytes[1]) &&
           find_byte(position.z, scale.z, translate.z, &bytes[2]);
}

/* ---- Following a triangle ----------------------------------------------------------------- */

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
        p[k] = lmi_vec3_at(a->surface->positions, first + triangle[(a->corner + k) % 3]);
}

/* Places axes at the first corner: along the first edge, perpendicular to the triangle, and across.
 * Keeps the axes if it has no area. */
static void place(const lm_vec3 p[3], lm_transform *at) {
    const lm_wide points[3] = {lmi_wide_of(p[0]), lmi_wide_of(p[1]), lmi_wide_of(p[2])};
    const lm_wide edge = lmi_wide_sum(points[1], points[0], -1), side = lmi_wide_side(points);
    at->origin = p[0];
    if (!(lmi_wide_length(side) > 0))
        return;
    at->axis[0] = lmi_unit((lm_vec3){(float)edge.x, (float)edge.y, (float)edge.z});
    at->axis[2] = lmi_unit((lm_vec3){(float)side.x, (float)side.y, (float)side.z});
    at->axis[1] = lmi_cross(at->axis[2], at->axis[0]);
}

/* Returns a point, or a direction, along the axes. */
static lm_vec3 seen_along(const lm_vec3 axis[3], lm_vec3 v) {
    return (lm_vec3){lmi_dot(axis[0], v), lmi_dot(axis[1], v), lmi_dot(axis[2], v)};
}

bool lmi_mesh_follow(const lm_mesh *mesh, uint32_t frame, lm_transform *poses) {
    const lm_vec3 origin = poses[frame].origin;
    anchor best = {0};
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        for (uint32_t t = 0; t < mesh->surfaces[s].num_triangles; t++)
            for (uint32_t k = 0; k < 3; k++) {
                anchor a = {.surface = &mesh->surfaces[s], .triangle = t, .corner = k};
                lm_vec3 p[3];
                corners_of(&a, frame, p);
                const lm_wide points[3] = {lmi_wide_of(p[0]), lmi_wide_of(p[1]), lmi_wide_of(p[2])};
                const lm_wide side = lmi_wide_side(points);
                a.distance = lmi_square_between(p[0], origin);
                a.area = lmi_wide_dot(side, side);
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
        if (!lmi_same_vec3(p[0], first[0]) || !lmi_same_vec3(p[1], first[1]) ||
            !lmi_same_vec3(p[2], first[2]))
            lm_transform_nest(&at, &own, &poses[f]);
    }
    return true;
}
