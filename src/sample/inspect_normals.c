/* Judges the normals that a file stores. */
#include "lerpmesh/sample.h"
#include "math/vectors.h"
#include "sample/smooth.h"

#define INSPECTED_FRAMES 16u
/* Normals point inward if more than this fraction of the triangles face away from theirs. */
#define INWARD 0.75
/* A flat surface may have one normal for all vertices: then at most this fraction of its triangles
 * face more than 60 degrees away from it. */
#define ASTRAY 0.25

/* A frame's vertices, and the counts over all frames. */
typedef struct inspection {
    const lm_surface *surface;
    lm_vec3 *positions, *normals; /* [num_file_vertices] */
    uint32_t compared, inward, astray;
    double volume; /* six times the enclosed volume, if the triangles face outwards */
    bool identical;
} inspection;

void lm_sample_own(const lm_model *model, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                   lm_vec3 *normals) {
    lm_surface own = model->surfaces[surface];
    lm_model one = *model;
    own.num_vertices = own.num_file_vertices;
    one.surfaces = &own;
    one.num_surfaces = 1;
    lm_sample(&one, 0, &(lm_pose){frame, frame, 0}, 1,
              &(lm_sample_target){.positions = &positions->x, .normals = (float *)normals});
}

static void inspect_triangle(inspection *l, const uint32_t *corners, lm_wide middle) {
    lm_wide p[3], normal = {0, 0, 0};
    for (int c = 0; c < 3; c++) {
        uint32_t v = l->surface->file_vertices[corners[c]];
        p[c] = lm_wide_of(l->positions[v]);
        normal = lm_wide_sum(normal, lm_wide_of(l->normals[v]), 1);
    }
    lm_wide side = lm_wide_side(p);
    double length = lm_wide_length(side), along = lm_wide_dot(side, normal);
    if (!(length > 0))
        return;
    l->compared++;
    l->inward += along < 0;
    l->astray += along < 0.5 * length * lm_wide_length(normal);
    l->volume += lm_wide_dot(side, lm_wide_sum(p[0], middle, -1));
}

/* If the signed volume is negative, the triangles are inverted, not the normals. */
static lm_code verdict(const inspection *l) {
    if (l->identical && l->astray > ASTRAY * l->compared)
        return LM_CODE_IDENTICAL_NORMALS;
    return l->inward > INWARD * l->compared && l->volume > 0 ? LM_CODE_NORMALS_INWARD : LM_CODE_OK;
}

bool lm_inspect_normals(const lm_model *model, uint32_t surface, lm_heap *heap,
                        lm_normals_quality *quality) {
    const lm_surface *s = &model->surfaces[surface];
    const size_t count = s->num_file_vertices, size = 2 * count * sizeof(lm_vec3);
    lm_vec3 *vectors = lm_heap_alloc(heap, 2 * (uint64_t)count, sizeof *vectors);
    if (!vectors)
        return false;
    inspection l = {s, vectors, vectors + count, 0, 0, 0, 0, count > 3};
    uint32_t steps = model->num_frames < INSPECTED_FRAMES ? model->num_frames : INSPECTED_FRAMES;
    for (uint32_t i = 0; i < steps && s->num_triangles > 0; i++) {
        lm_sample_own(model, surface, (uint32_t)((uint64_t)i * model->num_frames / steps),
                      l.positions, l.normals);
        lm_wide middle = {0, 0, 0};
        for (uint32_t v = 0; v < l.surface->num_file_vertices; v++)
            middle =
                lm_wide_sum(middle, lm_wide_of(l.positions[v]), 1.0 / l.surface->num_file_vertices);
        for (uint32_t v = 1; v < l.surface->num_file_vertices; v++)
            l.identical &= lm_same_vec3(l.normals[v], l.normals[0]);
        for (uint32_t t = 0; t < l.surface->num_triangles; t++)
            inspect_triangle(&l, l.surface->triangles + 3 * (size_t)t, middle);
    }
    *quality = (lm_normals_quality){verdict(&l), l.inward, l.compared};
    lm_heap_free(heap, vectors, size);
    return true;
}
