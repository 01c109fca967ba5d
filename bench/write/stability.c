#include "stability.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_FRAMES = 4
};

static float component(lm_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Follows a coordinate through all frames, `stride` apart. */
static void stabilize_coordinate(const lm_model *model, int axis, float *x, size_t stride) {
    for (uint32_t first = 0, end; first < model->num_frames; first = end) {
        float low = -INFINITY, high = INFINITY;
        for (end = first; end < model->num_frames; end++) {
            const float half = component(model->frames[end].scale, axis) / 2;
            const float next_low = fmaxf(low, x[end * stride] - half);
            const float next_high = fminf(high, x[end * stride] + half);
            if (next_low > next_high)
                break;
            low = next_low;
            high = next_high;
        }
        for (uint32_t f = first; f < end && end - first >= LEAST_FRAMES; f++)
            x[f * stride] = (low + high) / 2;
    }
}

const lm_transform bench_rotation = {
    {0.3f, -0.2f, 0.1f}, {{0.8f, 0.6f, 0}, {-0.48f, 0.64f, 0.6f}, {0.36f, -0.48f, 0.8f}}};

/* Rotates about all axes, so that no line of the file's own grids is a line of its box's. */
static void turn(float *p) {
    const float turned[3] = {0.8f * p[0] - 0.48f * p[1] + 0.36f * p[2],
                             0.6f * p[0] + 0.64f * p[1] - 0.48f * p[2], 0.6f * p[1] + 0.8f * p[2]};
    memcpy(p, turned, sizeof turned);
}

void stable_mesh(const lm_model *model, lm_mesh *mesh) {
    const lm_mesh_surface *s = &mesh->surfaces[0];
    const size_t count = (size_t)mesh->num_frames * s->num_vertices;
    float *positions = (float *)s->positions; /* not shared with other code yet */
    for (size_t v = 0; v < s->num_vertices; v++)
        for (int axis = 0; axis < 3; axis++)
            stabilize_coordinate(model, axis, positions + 3 * v + axis,
                                 3 * (size_t)s->num_vertices);
    for (size_t i = 0; i < count; i++)
        turn(positions + 3 * i);
}
