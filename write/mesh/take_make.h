/* Making takes that own all they point to. */
#ifndef LM_MESH_TAKE_MAKE_H
#define LM_MESH_TAKE_MAKE_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"

/* Makes a mesh like another, of which all is copied but what moves: positions, normals (if `like`
 * has any) and poses are room that the caller fills. NULL, and why, if there is no memory. */
lm_take *lm_make_take(const lm_take *like, lm_heap *heap);

/* The rows of a surface, and the poses of a tag, of a mesh that was made. */
static inline lm_vec3 *lm_made_rows(const float *rows) {
    return (lm_vec3 *)(void *)rows;
}
static inline lm_transform *lm_made_poses(const lm_take *made, uint32_t tag) {
    return (lm_transform *)made->tags[tag].poses;
}

/* Moves a mesh that its caller owns in place, as lm_take_place does. False, and why. */
bool lm_take_move(lm_take *take, const lm_transform *to, lm_error *error);
/* Turns triangles to face the other way; `corners` may be NULL. */
void lm_take_turn(uint32_t *corners, uint32_t num_triangles);

/* That there are frames, and that clips lie within them. */
bool lm_take_check_clips(const lm_take *take, lm_error *error);

/* The heap of a call that makes a take: without bounds where `memory` has none. */
void lm_take_heap(lm_heap *heap, const lm_memory *memory, lm_error *error);

#endif
