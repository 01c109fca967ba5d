#include "sample/geometry.h"

#include "core/index.h"
#include "lerpmesh/sample.h"

#include <inttypes.h>
#include <math.h>

#define GRID_ROUNDING 1e-6 /* relative to the values' sizes; a float has 6e-8 */
#define BUCKET_BITS 36     /* of a double, which rounding blurs: 1.5e-5 of it */

/* Writes the place of a vertex: where files store bytes, in steps of the frame's grid from its
 * lowest corner, which rounding cannot blur; else its coordinates. */
static lm_vec3 place_of(const float *xyz, const float *low, const float *step) {
    float place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = xyz[i];
        if (step)
            place[i] = step[i] > 0 ? rintf((xyz[i] - low[i]) / step[i]) : 0;
    }
    return (lm_vec3){place[0], place[1], place[2]};
}

/* Adds a triangle to the sum; its first corner does not matter. A triangle without an area may be
 * left out of a copy. */
static void add_triangle(const uint64_t corners[3], lm_geometry *sum) {
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
        return;
    const int first = corners[0] < corners[1] ? (corners[0] < corners[2] ? 0 : 2)
                                              : (corners[1] < corners[2] ? 1 : 2);
    uint64_t hash = 0;
    for (int c = 0; c < 3; c++)
        hash = lmi_hash(hash, corners[(first + c) % 3]);
    sum->triangles++;
    sum->checksum += hash;
}

/* Adds the grid of a frame, which a copy may round otherwise. */
static void add_grid(uint32_t frame, const float *low, const float *step, lm_geometry *sum) {
    for (int i = 0; i < 3; i++) {
        const double steps = 255.0 * (double)step[i];
        sum->grid[i] += (frame + 1.0) * (double)low[i];
        sum->grid[3 + i] += (frame + 1.0) * steps;
        sum->sizes[i] += (frame + 1.0) * (fabs((double)low[i]) + steps);
    }
}

static void add_frame(const lm_model *model, const lm_surface *surface, uint32_t frame,
                      const float *xyz, lm_geometry *sum) {
    const lm_vec3 scale = model->frames[frame].scale;
    const float steps[] = {scale.x, scale.y, scale.z};
    const float *step = surface->encoding == LM_VERTEX_U8 ? steps : NULL;
    const size_t corners = 3 * (size_t)surface->num_triangles;
    float low[3] = {INFINITY, INFINITY, INFINITY};
    uint64_t triangle[3];
    for (size_t c = 0; step && c < corners; c++)
        for (int i = 0; i < 3; i++)
            low[i] = fminf(low[i], xyz[3 * (size_t)surface->triangles[c] + (size_t)i]);
    for (size_t c = 0; c < corners; c++) {
        const float *vertex = xyz + 3 * (size_t)surface->triangles[c];
        triangle[c % 3] = lmi_hash_vec3(frame, place_of(vertex, low, step));
        if (c % 3 == 2)
            add_triangle(triangle, sum);
    }
    if (step && corners > 0)
        add_grid(frame, low, step, sum);
}

bool lmi_geometry_of(const lm_model *model, lm_arena *arena, lm_geometry *out) {
    *out = (lm_geometry){.frames = model->num_frames};
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        const lm_surface *surface = &model->surfaces[s];
        float *xyz = lmi_arena_zeros(arena, surface->num_vertices + (uint64_t)1, 3 * sizeof *xyz);
        const lm_sample_target target = {.positions = xyz};
        for (uint32_t f = 0; xyz && f < model->num_frames; f++) {
            lm_sample(model, s, &(lm_pose){f, f, 0, false}, 1, &target);
            add_frame(model, surface, f, xyz, out);
        }
        if (!xyz)
            return false;
    }
    return true;
}

static bool is_equal(const lm_geometry *a, const lm_geometry *b) {
    bool equal =
        a->triangles == b->triangles && a->frames == b->frames && a->checksum == b->checksum;
    for (size_t i = 0; equal && i < LM_NUM_GRID; i++)
        equal = fabs(a->grid[i] - b->grid[i]) <= GRID_ROUNDING * a->sizes[i % 3];
    return equal;
}

/* Returns the bits of a number that depends on the whole grid: nearly the same ones for grids that
 * differ by rounding. */
static uint64_t grid_bits(const lm_geometry *g) {
    static const double weights[LM_NUM_GRID] = {0.31, 0.43, 0.59, 0.67, 0.79, 0.97};
    double sum = 0;
    uint64_t bits;
    for (size_t i = 0; i < LM_NUM_GRID; i++)
        sum += weights[i] * g->grid[i] + g->sizes[i % 3];
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* Two buckets overlap by half, so that grids that differ by rounding share at least one. */
const char *lmi_geometries_put(lm_geometries *known, const lm_geometry *own, const char *path) {
    lm_arena *arena = known->names.arena;
    const char *first = NULL;
    if (own->triangles == 0 ||
        !lmi_arena_grow(arena, &known->models, &known->capacity, known->count + 1, sizeof *own))
        return NULL;
    for (uint64_t half = 0; half < 2; half++) {
        const uint64_t bucket = (grid_bits(own) + (half << (BUCKET_BITS - 1))) >> BUCKET_BITS;
        const char *key =
            lmi_arena_printf(arena, "%d/%" PRIu32 "/%" PRIu64 "/%" PRIx64 "/%" PRIx64, (int)half,
                             own->frames, own->triangles, own->checksum, bucket);
        lm_name *name = key ? lmi_names_put(&known->names, key) : NULL;
        if (!name)
            return NULL;
        if (name->number > 0 && is_equal(&known->models[name->number - 1], own))
            first = known->models[name->number - 1].path;
        else if (name->number == 0)
            name->number = (uint32_t)known->count + 1;
    }
    known->models[known->count] = *own;
    known->models[known->count++].path = first ? first : lmi_arena_text(arena, path, strlen(path));
    return first;
}
