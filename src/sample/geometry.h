/* What equal models have in common, whatever the order of their triangles and the rounding of their
 * grids. */
#ifndef LM_SAMPLE_GEOMETRY_H
#define LM_SAMPLE_GEOMETRY_H

#include "core/names.h"
#include "lerpmesh/model.h"

#define LM_NUM_GRID 6

typedef struct lm_geometry {
    uint64_t triangles; /* with an area, in all frames */
    uint64_t checksum;  /* the sum of theirs */
    uint32_t frames;
    double grid[LM_NUM_GRID]; /* sums over the frames: lowest corner, 255 steps */
    double sizes[3];          /* of both */
    const char *path;         /* of the first model with this geometry */
} lm_geometry;

/* Models by their geometry. Start from {.names = {.arena = arena}}. */
typedef struct lm_geometries {
    lm_names names;
    lm_geometry *models;
    size_t count, capacity;
} lm_geometries;

/* Sums up the triangles of all frames, in any order. Returns false if memory ran out. */
bool lmi_geometry_of(const lm_model *model, lm_arena *arena, lm_geometry *out);
/* Adds a model. Returns the path of the first one with equal geometry; NULL: this is the first one,
 * or it has no triangles, or memory ran out. */
const char *lmi_geometries_put(lm_geometries *known, const lm_geometry *own, const char *path);

#endif
