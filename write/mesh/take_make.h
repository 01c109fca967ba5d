/* Creating meshes that own all their data. */
#ifndef LM_MESH_TAKE_MAKE_H
#define LM_MESH_TAKE_MAKE_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"

/* Copies a mesh except for its animated data: positions, normals (if `like` has any) and tag poses
 * are allocated for the caller to fill. Returns NULL and sets the error if memory ran out. */
lm_take *lm_make_take(const lm_take *like, lm_heap *heap);

/* Return the writable rows of a surface, and poses of a tag, of a mesh from lm_make_take. */
static inline lm_vec3 *lm_made_rows(const float *rows) {
    return (lm_vec3 *)(void *)rows;
}
static inline lm_transform *lm_made_poses(const lm_take *made, uint32_t tag) {
    return (lm_transform *)made->tags[tag].poses;
}

/* Transforms a mesh in place, like lm_take_place. Returns false and sets the error on failure. */
bool lm_take_move(lm_take *take, const lm_transform *to, lm_error *error);
/* Reverses the winding of triangles; `corners` may be NULL. */
void lm_take_turn(uint32_t *corners, uint32_t num_triangles);

/* Returns true if there are frames and all clips lie within them; sets the error otherwise. */
bool lm_take_check_clips(const lm_take *take, lm_error *error);

/* Begins the heap of a call that creates a mesh. Without bounds if `memory` sets none. */
void lm_take_heap(lm_heap *heap, const lm_memory *memory, lm_error *error);

#endif
