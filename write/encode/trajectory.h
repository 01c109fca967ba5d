/* Vertices that move alike. */
#ifndef LM_ENCODE_TRAJECTORY_H
#define LM_ENCODE_TRAJECTORY_H

#include "core/heap.h"

/* For each vertex the first one that has the same positions (to the bit, but that 0 and -0 are the
 * same) and the same normals, as numbers of the format's table, in every frame; itself if it is the
 * first. Positions are 3 floats, normals one number, vertex by vertex and frame by frame. Linear.
 * False if memory ran out. */
bool lm_weld_trajectories(uint32_t num_frames, uint32_t num_vertices, const float *positions,
                          const uint16_t *normals, uint32_t *firsts, lm_heap *heap);

#endif
