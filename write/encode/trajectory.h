/* Finds vertices that move alike. */
#ifndef LM_ENCODE_TRAJECTORY_H
#define LM_ENCODE_TRAJECTORY_H

#include "core/heap.h"

/* Finds for each vertex the first one with the same positions and normals in every frame; the
 * vertex itself if it is the first. Positions are compared bit by bit, except that 0 equals -0.
 * Normals are indices into the format's table. Positions are 3 floats, normals one number, vertex
 * by vertex and frame by frame. Linear time. Returns false if memory ran out. */
bool lm_weld_trajectories(uint32_t num_frames, uint32_t num_vertices, const float *positions,
                          const uint16_t *normals, uint32_t *firsts, lm_heap *heap);

#endif
