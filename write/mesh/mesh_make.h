/* Creating meshes that own all their data. */
#ifndef LM_MESH_MESH_MAKE_H
#define LM_MESH_MESH_MAKE_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"

/* Copies a mesh except for its animated data: positions, normals (if `like` has any) and tag poses
 * are allocated for the caller to fill. Returns NULL and sets the error if memory ran out. */
lm_mesh *lm_make_mesh(const lm_mesh *like, lm_heap *heap);

/* Return the writable rows of a surface, and poses of a tag, of a mesh from lm_make_mesh. */
static inline lm_vec3 *lm_mesh_rows(const float *rows) {
    return (lm_vec3 *)(void *)rows;
}
static inline lm_transform *lm_mesh_poses(const lm_mesh *made, uint32_t tag) {
    return (lm_transform *)made->tags[tag].poses;
}

/* Transforms a mesh in place, like lm_mesh_transform. Returns false and sets the error on failure.
 */
bool lm_mesh_move(lm_mesh *mesh, const lm_transform *to, lm_error *error);
/* Reverses the winding of triangles; `corners` may be NULL. */
void lm_mesh_rotate(uint32_t *corners, uint32_t num_triangles);

/* Returns true if there are frames and all clips lie within them; sets the error otherwise. */
bool lm_mesh_check_clips(const lm_mesh *mesh, lm_error *error);

/* Lists the poses and the clips of a resampled mesh. Returns the number of poses. */
uint32_t lm_mesh_sample_clips(const lm_mesh *mesh, double fps, lm_pose *poses, lm_clip *clips);

/* Begins the heap of a call that creates a mesh. Without bounds if `memory` sets none. */
void lm_mesh_heap(lm_heap *heap, const lm_memory *memory, lm_error *error);

#endif
