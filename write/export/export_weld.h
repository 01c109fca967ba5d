/* Finds identical vertices, by comparing one value after the other. */
#ifndef LM_EXPORT_WELD_H
#define LM_EXPORT_WELD_H

#include "core/arena.h"
#include "core/index.h"

typedef struct lm_welding {
    uint32_t count, num_classes;
    uint32_t *classes, *divided; /* [count] the first vertex of each one's class; the next step's */
    lm_index index;
} lm_welding;

/* The result of welding. */
typedef struct lm_welded {
    uint32_t count;
    uint32_t *vertices; /* [count] the first vertex of each class, ascending */
    uint32_t *drawn;    /* [all] for each vertex, its index in `vertices` */
} lm_welded;

/* lm_welding_alloc allocates memory for at most `most_vertices`. For each mesh, lm_welding_start
 * begins with one class. lm_welding_divide separates vertices that differ in either of two values,
 * whose sizes are multiples of 4 bytes (or 0). lm_welding_end lists the result, and returns false
 * if memory ran out. Linear time in vertices and values. */
void lm_welding_alloc(lm_welding *welding, lm_arena *arena, uint32_t most_vertices);
void lm_welding_start(lm_welding *welding, uint32_t num_vertices);
void lm_welding_divide(lm_welding *welding, const void *first, size_t first_size,
                       const void *second, size_t second_size);
bool lm_welding_end(const lm_welding *welding, lm_arena *arena, lm_welded *welded);

#endif
