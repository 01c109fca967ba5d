#include "core/index.h"
#include "math/vectors.h"
#include "skeleton/fit.h"

typedef struct gathering {
    const lm_mesh *mesh;
    uint32_t *surfaces, *vertices; /* [all] of each vertex */
    uint64_t *hashes;
    uint32_t count;
} gathering;

static lm_vec3 position_of(const gathering *g, uint32_t vertex, uint32_t frame) {
    const lm_mesh_surface *s = &g->mesh->surfaces[g->surfaces[vertex]];
    return lm_vec3_at(s->positions, (size_t)frame * s->num_vertices + g->vertices[vertex]);
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    const float plain = value + 0.0f; /* turns -0 into 0 */
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

static bool moves_alike(const void *context, uint32_t a, uint32_t b) {
    const gathering *g = context;
    for (uint32_t f = 0; f < g->mesh->num_frames; f++)
        if (!lm_same_vec3(position_of(g, a, f), position_of(g, b, f)))
            return false;
    return true;
}

/* Numbers all vertices, and hashes their trajectories. */
static bool list_vertices(lm_fit *fit, gathering *g) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < g->mesh->num_surfaces; i++)
        count += g->mesh->surfaces[i].num_vertices;
    if (count >= UINT32_MAX / LM_SKELETON_WEIGHTS || g->mesh->num_frames >= UINT32_MAX / 8)
        return lm_call_fail(&fit->heap.call, LM_CODE_LIMIT,
                            "there are too many vertices or frames for a skeleton");
    g->count = (uint32_t)count;
    g->surfaces = lm_arena_alloc(&fit->arena, count, sizeof *g->surfaces);
    g->vertices = lm_arena_alloc(&fit->arena, count, sizeof *g->vertices);
    g->hashes = lm_arena_zeros(&fit->arena, count, sizeof *g->hashes);
    fit->places = lm_arena_alloc(&fit->arena, count, sizeof *fit->places);
    if (lm_arena_failed(&fit->arena))
        return false;
    count = 0;
    for (uint32_t i = 0; i < g->mesh->num_surfaces; i++)
        for (uint32_t v = 0; v < g->mesh->surfaces[i].num_vertices; v++, count++) {
            g->surfaces[count] = i;
            g->vertices[count] = v;
        }
    for (uint32_t f = 0; f < g->mesh->num_frames; f++)
        for (uint32_t v = 0; v < g->count; v++) {
            const lm_vec3 p = position_of(g, v, f);
            g->hashes[v] =
                lm_hash(lm_hash(lm_hash(g->hashes[v], bits_of(p.x)), bits_of(p.y)), bits_of(p.z));
        }
    return true;
}

/* Numbers the vertices that differ. `places` has the first vertex like each. */
static bool number_welded(lm_fit *fit, const gathering *g) {
    fit->sources = lm_arena_alloc(&fit->arena, g->count, sizeof *fit->sources);
    if (!fit->sources)
        return false;
    for (uint32_t v = 0; v < g->count; v++) {
        if (fit->places[v] == v) {
            fit->sources[fit->num_welded] = v;
            fit->places[v] = fit->num_welded++;
        } else {
            fit->places[v] = fit->places[fit->places[v]];
        }
    }
    return true;
}

static void measure_frames(lm_fit *fit, const gathering *g) {
    lm_box box = LM_EMPTY_BOX;
    for (uint32_t f = 0; f < g->mesh->num_frames; f++) {
        lm_wide sum = {0, 0, 0};
        for (uint32_t i = 0; i < fit->num_welded; i++) {
            const lm_vec3 p = position_of(g, fit->sources[i], f);
            fit->moves = fit->moves || !lm_same_vec3(p, position_of(g, fit->sources[i], 0));
            sum = lm_wide_sum(sum, lm_wide_of(p), 1);
            lm_box_add(&box, p);
        }
        const double count = fit->num_welded > 0 ? fit->num_welded : 1;
        fit->centres[f][0] = sum.x / count;
        fit->centres[f][1] = sum.y / count;
        fit->centres[f][2] = sum.z / count;
    }
    for (int c = 0; c < 3 && fit->num_welded > 0; c++) {
        const double side = (double)box.high[c] - (double)box.low[c];
        fit->size += side * side;
    }
    fit->size = sqrt(fit->size);
}

bool lm_fit_gather(lm_fit *fit) {
    gathering g = {.mesh = fit->mesh};
    const lm_clip *clip = lm_rest_clip(fit->mesh->clips, fit->mesh->num_clips);
    fit->rest_frame = clip ? clip->backwards ? clip->first + clip->count - 1 : clip->first : 0;
    if (!list_vertices(fit, &g) ||
        !lm_find_equal(g.count, g.hashes, moves_alike, &g, fit->places, &fit->heap) ||
        !number_welded(fit, &g))
        return false;
    fit->centres = lm_arena_alloc(&fit->arena, fit->mesh->num_frames, sizeof *fit->centres);
    if (!fit->centres)
        return false;
    measure_frames(fit, &g);
    return true;
}

/* Fills the rows of one frame. */
static void fill_frame(const lm_fit *fit, lm_rig *rig, uint32_t index, uint32_t frame) {
    uint32_t all = 0, welded = 0;
    for (uint32_t i = 0; i < fit->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &fit->mesh->surfaces[i];
        for (uint32_t v = 0; v < s->num_vertices; v++, all++) {
            if (welded >= fit->num_welded || fit->sources[welded] != all)
                continue;
            const float *p = s->positions + 3 * ((size_t)frame * s->num_vertices + v);
            for (uint32_t c = 0; c < 3; c++) {
                const double x = (double)p[c] - fit->centres[frame][c];
                *lm_rig_x(rig, welded, 3 * index + c) = x;
                rig->squares[welded] += x * x;
                rig->frame_squares[index] += x * x;
                if (index == 0)
                    rig->rest[3 * (size_t)welded + c] = x;
            }
            welded++;
        }
    }
}

bool lm_fit_rig(lm_fit *fit, lm_arena *arena, uint32_t stride, uint32_t max_bones, lm_rig *rig) {
    const uint32_t num_frames = fit->mesh->num_frames, count = (num_frames + stride - 1) / stride;
    if (!lm_rig_alloc(rig, arena, fit->num_welded, count, max_bones))
        return false;
    rig->quantum = fit->options.quantum;
    for (uint32_t i = 0; i < count; i++)
        fill_frame(fit, rig, i, lm_fit_frame(fit, stride, i));
    return true;
}
