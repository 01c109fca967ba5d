/* New frames for a file: the vertices and tags that move (lm_edit_put_frames). */
#ifndef LM_MESH_MOVES_H
#define LM_MESH_MOVES_H

#include "lerpmesh/mesh.h"

/* Both meshes have the file's vertices. */
typedef struct lm_moves {
    const lm_mesh *mesh, *old;
    double tolerance; /* units */
} lm_moves;

/* Return true if a vertex, any vertex of a surface, any of all surfaces, or a tag changes in a
 * frame. */
bool lm_moves_vertex(const lm_moves *moves, uint32_t surface, uint32_t frame, uint32_t vertex);
bool lm_moves_surface(const lm_moves *moves, uint32_t surface, uint32_t frame);
bool lm_moves_surfaces(const lm_moves *moves, uint32_t frame);
bool lm_moves_tag(const lm_moves *moves, uint32_t tag, uint32_t frame);
bool lm_moves_frame(const lm_moves *moves, uint32_t frame);
/* Returns the position of a vertex in a changed frame: the new one if it moves, else the old one.
 */
lm_vec3 lm_moved_position(const lm_moves *moves, uint32_t surface, uint32_t frame, uint32_t vertex);
/* Returns the new normal of a vertex; NULL: it keeps its own. */
const lm_vec3 *lm_moved_normal(const lm_moves *moves, uint32_t surface, uint32_t frame,
                               uint32_t vertex);
/* Finds the bytes of a position on a grid. Returns false if it lies outside. */
bool lm_find_bytes(lm_vec3 position, lm_vec3 scale, lm_vec3 translate, uint8_t bytes[3]);

/* Lets a tag follow the mesh from its pose in a frame, which has the model's axes. Sets poses in
 * the frames in which its triangle lies elsewhere. Returns false if there is no triangle to follow.
 */
bool lm_mesh_follow(const lm_mesh *mesh, uint32_t frame, lm_transform *poses);

#endif
