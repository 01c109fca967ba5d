/* Computes the normals of parts whose morph targets have none. */
#ifndef IMPORT_SMOOTH_H
#define IMPORT_SMOOTH_H

#include "parts.h"

/* Groups the vertices that share their position and normal at rest, so that sharp edges stay sharp.
 * `groups` receives the first vertex of each vertex's group; NULL if all targets have normals, or
 * if the part has none. Returns false if memory ran out. */
bool lm_im_find_groups(importing *im, const lm_im_part *part, const uint32_t **groups);

/* Computes a frame's normals from its positions `at`: for each group the mean of its triangles'
 * normals, weighted by their angles. Vertices without triangles that have an area keep theirs.
 * `sums`: [3 * num_vertices] scratch. */
void lm_im_smooth(const lm_im_part *part, const uint32_t *groups, bool mirrored, const lm_vec3 *at,
                  double *sums, lm_vec3 *normals);

#endif
