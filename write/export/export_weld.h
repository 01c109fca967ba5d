/* Which vertices are the same: values that they have are looked at one after the other. */
#ifndef LM_EXPORT_WELD_H
#define LM_EXPORT_WELD_H

#include "core/arena.h"
#include "core/index.h"

typedef struct lm_welding {
    uint32_t count, num_classes;
    uint32_t *classes, *divided; /* [count] the first vertex that is the same; the next of it */
    lm_index index;
} lm_welding;

/* Those that are left. */
typedef struct lm_welded {
    uint32_t count;
    uint32_t *vertices; /* [count] the first of each that are the same, ascending */
    uint32_t *drawn;    /* [all] which of these each is */
} lm_welded;

/* Memory for at most so many vertices; then for each mesh: begins with all the same, divides those
 * that differ in either of two values, a multiple of 4 bytes large each (or 0), says which are
 * left. Linear in vertices and values. */
void lm_welding_alloc(lm_welding *welding, lm_arena *arena, uint32_t most_vertices);
void lm_welding_start(lm_welding *welding, uint32_t num_vertices);
void lm_welding_divide(lm_welding *welding, const void *first, size_t first_size,
                       const void *second, size_t second_size);
bool lm_welding_end(const lm_welding *welding, lm_arena *arena, lm_welded *welded);

#endif
