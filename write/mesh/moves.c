/* Comparing the frames of a file with new ones. */
#include "mesh/moves.h"

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

bool lm_moves_vertex(const lm_moves *moves, uint32_t surface, uint32_t frame, uint32_t vertex) {
    const size_t at = 3 * index_of(moves, surface, frame, vertex);
    return differ(moves->mesh->surfaces[surface].positions + at,
                  moves->old->surfaces[surface].positions + at, 3, moves->tolerance);
}

bool lm_moves_surface(const lm_moves *moves, uint32_t surface, uint32_t frame) {
    const size_t at = 3 * index_of(moves, surface, frame, 0);
    return differ(moves->mesh->surfaces[surface].positions + at,
                  moves->old->surfaces[surface].positions + at,
                  3 * (size_t)moves->old->surfaces[surface].num_vertices, moves->tolerance);
}

bool lm_moves_tag(const lm_moves *moves, uint32_t tag, uint32_t frame) {
    const lm_transform *a = &moves->mesh->tags[tag].poses[frame];
    const lm_transform *b = &moves->old->tags[tag].poses[frame];
    return differ(&a->origin.x, &b->origin.x, 3, moves->tolerance) ||
           differ(&a->axis[0].x, &b->axis[0].x, 3, SAME_AXIS) ||
           differ(&a->axis[1].x, &b->axis[1].x, 3, SAME_AXIS) ||
           differ(&a->axis[2].x, &b->axis[2].x, 3, SAME_AXIS);
}

bool lm_moves_surfaces(const lm_moves *moves, uint32_t frame) {
    bool found = false;
    for (uint32_t s = 0; !found && s < moves->old->num_surfaces; s++)
        found = lm_moves_surface(moves, s, frame);
    return found;
}

bool lm_moves_frame(const lm_moves *moves, uint32_t frame) {
    bool found = lm_moves_surfaces(moves, frame);
    for (uint32_t t = 0; !found && t < moves->old->num_tags; t++)
        found = lm_moves_tag(moves, t, frame);
    return found;
}

lm_vec3 lm_moved_position(const lm_moves *moves, uint32_t surface, uint32_t frame,
                          uint32_t vertex) {
    const bool moved = lm_moves_vertex(moves, surface, frame, vertex);
    const lm_mesh *from = moved ? moves->mesh : moves->old;
    return lm_vec3_at(from->surfaces[surface].positions, index_of(moves, surface, frame, vertex));
}

const lm_vec3 *lm_moved_normal(const lm_moves *moves, uint32_t surface, uint32_t frame,
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

bool lm_find_bytes(lm_vec3 position, lm_vec3 scale, lm_vec3 translate, uint8_t bytes[3]) {
    return find_byte(position.x, scale.x, translate.x, &bytes[0]) &&
           find_byte(position.y, scale.y, translate.y, &bytes[1]) &&
           find_byte(position.z, scale.z, translate.z, &bytes[2]);
}
