/* Corners of triangles: numbering the ids that they use, and merging surfaces. */
#ifndef LM_VERTEX_MESH_CORNERS_H
#define LM_VERTEX_MESH_CORNERS_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"
#include "model/weld.h"

/* Returns `count` numbers that are LM_UNUSED, or NULL if memory ran out. */
uint32_t *lm_unused_numbers(lm_arena *arena, uint64_t count);

/* Numbers ids in the order of their first use. Replaces ids[i] by its number, and sets used[number]
 * to the id. `numbers` is indexed by id: LM_UNUSED before the call, the number after it. Returns
 * the number of different ids. */
uint32_t lm_number_by_use(uint32_t *ids, size_t count, uint32_t *numbers, uint32_t *used);
/* The same for ids below `limit`. `numbers` [limit] need not be initialised. */
uint32_t lm_rename_by_use(uint32_t *ids, size_t count, uint32_t limit, uint32_t *numbers,
                          uint32_t *used);

/* Gives the corners of a surface ids. Two ids are equal if both `keys` [3 * num_triangles] and the
 * texture coordinates are equal. `ids` may be `keys`. Returns false if memory ran out. */
bool lm_rank_corners(const lm_mesh_surface *surface, const uint32_t *keys, uint32_t *ids,
                     uint32_t *num_ids, lm_arena *scratch);

/* The triangles around each vertex. Those of vertex v are triangles[first[v]] .. triangles[first[v
 * + 1] - 1], in ascending order. A triangle that uses v twice is listed twice in a row. */
typedef struct lm_neighbours {
    uint32_t *first, *triangles;
} lm_neighbours;

/* Lists the triangles around each vertex, in the arena. Linear time. Returns false if memory ran
 * out. */
bool lm_list_neighbours(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                        lm_arena *arena, lm_neighbours *out);

/* Merges all surfaces: their vertices and triangles one after the other, with st_triangles. If a
 * surface has no texture coordinates, all its corners share one, (0, 0). Normals are merged for the
 * first `num_normals` frames, and are 0 if a surface has none. Returns false if the sum is too
 * large or memory ran out. */
bool lm_merge_surfaces(const lm_mesh *mesh, uint32_t num_normals, lm_arena *arena,
                       lm_mesh_surface *out);

#endif
