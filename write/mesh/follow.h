#ifndef LM_MESH_FOLLOW_H
#define LM_MESH_FOLLOW_H

#include "lerpmesh/mesh.h"

/* Lets a tag follow the mesh from its pose in a frame, which has the model's axes. Sets poses in
 * the frames in which its triangle lies elsewhere. Returns false if there is no triangle to follow.
 */
bool lm_mesh_follow(const lm_mesh *mesh, uint32_t frame, lm_transform *poses);

#endif
