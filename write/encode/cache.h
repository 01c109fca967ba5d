/* The order in which graphics cards like to be given triangles. */
#ifndef LM_ENCODE_CACHE_H
#define LM_ENCODE_CACHE_H

#include "core/heap.h"

/* Cards remember about so many of the vertices that they transformed last. */
#define LM_CACHE_SIZE 16

/* Reorders triangles, whose corners are [3 * num_triangles] vertices below num_vertices, so that
 * vertices are found in such a memory as often as may be; corners keep their order within the
 * triangle. Leaves them as they are where that is no better. `moved` (NULL, or [num_triangles])
 * gets which triangle is where. Linear, and the same everywhere. False if memory ran out. */
bool lm_order_triangles(uint32_t num_triangles, uint32_t num_vertices, uint32_t *corners,
                        uint32_t *moved, lm_heap *heap);

/* How many vertices a card that remembers LM_CACHE_SIZE, the oldest of which goes first, transforms
 * for these triangles. `times` [num_vertices] is for it to write in. */
uint32_t lm_count_transforms(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                             uint32_t *times);

#endif
