#include "lerpmesh/sample.h"
#include "math/vectors.h"

/* Vertices are sampled in chunks of this size, through a copy of the surface that shows only the
 * chunk. */
#define CHUNK 64u

/* Includes the surface's vertices of a frame. Copies for seams have the positions of their
 * originals, so only the file's own vertices matter. */
static void include_surface(const lm_model *model, const lm_surface *surface, uint32_t frame,
                            lm_box *out) {
    lm_box box = *out; /* a local copy, which nothing aliases */
    lm_vec3 positions[CHUNK];
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
                  &(lm_sample_target){.positions = &positions->x});
        for (uint32_t v = 0; v < chunk.num_vertices; v++)
            lm_box_add(&box, positions[v]);
    }
    *out = box;
}

bool lm_bounds(const lm_model *model, uint32_t first, uint32_t count, lm_vec3 *min, lm_vec3 *max) {
    lm_box vertices = LM_EMPTY_BOX, lows = LM_EMPTY_BOX, highs = LM_EMPTY_BOX;
    if (count == 0 || first >= model->num_frames || count > model->num_frames - first)
        return false;
    for (uint32_t f = first; f < first + count; f++) {
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            include_surface(model, &model->surfaces[s], f, &vertices);
        lm_box_add(&lows, model->frames[f].min);
        lm_box_add(&highs, model->frames[f].max);
    }
    const bool empty = vertices.low[0] > vertices.high[0];
    *min = lm_vec3_at(empty ? lows.low : vertices.low, 0);
    *max = lm_vec3_at(empty ? highs.high : vertices.high, 0);
    return true;
}
