/* Corners of triangles: numbers for what they use, and those of all surfaces as one. */
#ifndef LM_MESH_CORNERS_H
#define LM_MESH_CORNERS_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"
#include "model/weld.h"

/* Returns `count` numbers that are LM_UNUSED; NULL if memory ran out. */
uint32_t *lm_unused_numbers(lm_arena *arena, uint64_t count);

/* Numbers ids in the order of their first use: ids[i] becomes its number, and used[number] gets the
 * id. `numbers` has LM_UNUSED for each id, and gets its number. Returns how many there are. */
uint32_t lm_number_by_use(uint32_t *ids, size_t count, uint32_t *numbers, uint32_t *used);
/* The same for ids below `limit`, whatever `numbers` [limit] has. */
uint32_t lm_rename_by_use(uint32_t *ids, size_t count, uint32_t limit, uint32_t *numbers,
                          uint32_t *used);

/* Gives the corners of a surface ids that are equal where both `keys` [3 * num_triangles] and the
 * texture coordinates are equal. `ids` may be `keys`. False if memory ran out. */
bool lm_rank_corners(const lm_take_surface *surface, const uint32_t *keys, uint32_t *ids,
                     uint32_t *num_ids, lm_arena *scratch);

/* The triangles that each vertex has. Those of vertex v are triangles[first[v]] ..
 * triangles[first[v + 1] - 1], in their order; one that has it twice is there twice, in a row. */
typedef struct lm_around {
    uint32_t *first, *triangles;
} lm_around;

/* In the arena's memory. Linear. False if it ran out. */
bool lm_list_around(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                    lm_arena *arena, lm_around *out);

/* Merges all surfaces: their vertices and triangles one after the other, with st_triangles. All
 * corners of a surface without texture coordinates have one, 0. Normals are those of the first
 * `num_normals` frames, 0 where a surface has none. False if there are too many or memory ran out.
 */
bool lm_merge_surfaces(const lm_take *take, uint32_t num_normals, lm_arena *arena,
                       lm_take_surface *out);

#endif
