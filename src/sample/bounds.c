#include "lerpmesh/sample.h"

/* Vertices are sampled so many at a time, through a copy of the surface that shows only those. */
#define CHUNK 64u

typedef struct lm_box {
    lm_vec3 min, max;
    bool any;
} lm_box;

/* What models have is finite: comparing is enough, and inline, which fminf is not. */
static inline float lower(float a, float b) {
    return b < a ? b : a;
}

static inline float higher(float a, float b) {
    return b > a ? b : a;
}

static void include(lm_box *box, lm_vec3 min, lm_vec3 max) {
    if (!box->any) {
        *box = (lm_box){min, max, true};
        return;
    }
    box->min =
        (lm_vec3){lower(box->min.x, min.x), lower(box->min.y, min.y), lower(box->min.z, min.z)};
    box->max =
        (lm_vec3){higher(box->max.x, max.x), higher(box->max.y, max.y), higher(box->max.z, max.z)};
}

/* So many points, at least one. */
static void include_points(lm_box *box, const float *points, uint32_t count) {
    float x0 = points[0], y0 = points[1], z0 = points[2], x1 = x0, y1 = y0, z1 = z0;
    for (uint32_t i = 1; i < count; i++) {
        const float *p = points + 3 * (size_t)i;
        x0 = lower(x0, p[0]);
        x1 = higher(x1, p[0]);
        y0 = lower(y0, p[1]);
        y1 = higher(y1, p[1]);
        z0 = lower(z0, p[2]);
        z1 = higher(z1, p[2]);
    }
    include(box, (lm_vec3){x0, y0, z0}, (lm_vec3){x1, y1, z1});
}

/* Copies for seams lie where their originals are, so that only the file's vertices count. */
static void include_surface(const lm_model *model, const lm_surface *surface, uint32_t frame,
                            lm_box *box) {
    float positions[CHUNK * 3];
    lm_surface chunk = *surface;
    lm_model one = *model;
    one.surfaces = &chunk;
    one.num_surfaces = 1;
    for (uint32_t start = 0; start < surface->num_file_vertices; start += CHUNK) {
        uint32_t left = surface->num_file_vertices - start;
        chunk.num_vertices = chunk.num_file_vertices = left < CHUNK ? left : CHUNK;
        chunk.keys = surface->keys + start * surface->key_size;
        chunk.deltas = surface->deltas ? surface->deltas + start * (size_t)4 : NULL;
        lm_sample(&one, 0, &(lm_pose){frame, frame, 0}, 1,
                  &(lm_sample_target){.positions = positions});
        include_points(box, positions, chunk.num_vertices);
    }
}

bool lm_bounds(const lm_model *model, uint32_t first, uint32_t count, lm_vec3 *min, lm_vec3 *max) {
    lm_box box = {.any = false};
    if (count == 0 || first >= model->num_frames || count > model->num_frames - first)
        return false;
    for (uint32_t f = first; f < first + count; f++)
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            include_surface(model, &model->surfaces[s], f, &box);
    const bool no_vertices = !box.any;
    for (uint32_t f = first; f < first + count && no_vertices; f++)
        include(&box, model->frames[f].min, model->frames[f].max);
    *min = box.min;
    *max = box.max;
    return true;
}
