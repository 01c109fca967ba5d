#ifndef LM_MESH_FOLLOW_H
#define LM_MESH_FOLLOW_H

#include "lerpmesh/mesh.h"

/* Lets a tag follow the mesh from its pose in the first frame on, which has the model's axes. Sets
 * poses[1] and later ones in the frames in which its triangle has moved. Returns false if there is
 * no triangle to follow. */
bool lm_mesh_follow(const lm_mesh *mesh, lm_transform *poses);

#endif
