/* Joins corners into drawn vertices: one for each pair of vertex and attribute. */
#ifndef LM_MODEL_WELD_H
#define LM_MODEL_WELD_H

#include "core/arena.h"
#include "lerpmesh/model.h"

#include <string.h>

/* Joins the corners of triangles. A corner has an index into the file's vertices and one into its
 * attributes (texture coordinates); all are in range. A vertex is drawn as itself with the last
 * attribute that a corner gives it, and as a copy with each other one.
 *     lmi_weld_begin(&weld);
 *     for each corner: lmi_weld_put(&weld, corner, vertex, attribute);
 *     lmi_weld_corners(&weld, heap);
 */
typedef struct lm_weld {
    uint32_t num_corners;
    uint32_t num_vertices, num_attributes;

    /* The arrays are from the caller or from lmi_weld_alloc. */
    /* [num_corners] in: the vertex, < num_vertices; out: the drawn vertex. Drawn vertex
     * num_vertices + i is copy i. */
    uint32_t *corners;
    uint32_t *attributes;        /* [num_corners] < num_attributes */
    uint32_t *vertex_attributes; /* [num_vertices], LM_UNUSED if no corner uses it */
    uint32_t num_copies;
    uint32_t *copy_vertices;   /* [num_corners], num_copies used, ascending */
    uint32_t *copy_attributes; /* [num_corners], num_copies used */
} lm_weld;

#define LM_UNUSED UINT32_MAX

static inline void lmi_weld_begin(lm_weld *weld) {
    memset(weld->vertex_attributes, 0xFF, (size_t)weld->num_vertices * sizeof(uint32_t));
}

/* Allocates memory for at most `corners` corners and begins. num_vertices must be set. Returns
 * false if memory ran out. */
bool lmi_weld_alloc(lm_weld *weld, uint64_t corners, lm_arena *arena);

static inline void lmi_weld_put(lm_weld *weld, size_t corner, uint32_t vertex, uint32_t attribute) {
    weld->corners[corner] = vertex;
    weld->attributes[corner] = attribute;
    weld->vertex_attributes[vertex] = attribute;
}

/* Joins the corners in linear time. Returns false if memory ran out. */
bool lmi_weld_corners(lm_weld *weld, lm_heap *heap);
/* Gets the file's vertex of each drawn vertex: the vertices themselves, then those of the
 * copies. */
void lmi_weld_file_vertices(const lm_weld *weld, uint32_t *file_vertices);
/* Gives a model one surface: the welded vertices, each frame's packed ones at `keys`, and triangles
 * of the corners if there are `num_triangles` times three. Returns its texture coordinates, to be
 * filled; NULL if memory ran out. `triangles` gets its triangles. */
lm_vec2 *lmi_weld_surface(const lm_weld *weld, const uint8_t *keys, size_t key_stride,
                          uint32_t num_triangles, lm_arena *arena, lm_model *model,
                          uint32_t **triangles);

/* Gives each distinct key a number, in linear time: ids[i] == ids[j] if and only if keys[i] ==
 * keys[j]. `num_ids` gets how many there are. Returns false if memory ran out. */
bool lmi_rank_keys(const uint64_t *keys, uint32_t count, uint32_t *ids, uint32_t *num_ids,
                   lm_heap *heap);

#endif
