#include "lerpmesh/sample.h"

#include <math.h>

/* Vertices are sampled so many at a time, through a copy of the surface that shows only those. */
#define CHUNK 64u

typedef struct lm_box {
    lm_vec3 min, max;
    bool any;
} lm_box;

static void include(lm_box *box, lm_vec3 min, lm_vec3 max) {
    if (!box->any) {
        *box = (lm_box){min, max, true};
        return;
    }
    box->min =
        (lm_vec3){fminf(box->min.x, min.x), fminf(box->min.y, min.y), fminf(box->min.z, min.z)};
    box->max =
        (lm_vec3){fmaxf(box->max.x, max.x), fmaxf(box->max.y, max.y), fmaxf(box->max.z, max.z)};
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
        for (uint32_t v = 0; v < chunk.num_vertices; v++) {
            const float *p = positions + 3 * (size_t)v;
            include(box, (lm_vec3){p[0], p[1], p[2]}, (lm_vec3){p[0], p[1], p[2]});
        }
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
