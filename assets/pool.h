/* Memory of many pieces that goes at once. */
#ifndef LM_ASSETS_POOL_H
#define LM_ASSETS_POOL_H

#include "lerpmesh/base.h"

typedef struct lm_pool {
    lm_allocator allocator; /* complete */
    struct lm_piece *pieces;
    bool failed; /* once there was no memory, there is none any more: check at the end */
} lm_pool;

void lm_pool_init(lm_pool *pool, const lm_allocator *allocator); /* may be NULL */
void lm_pool_free(lm_pool *pool);

/* All zero, aligned for any type. NULL and `failed` if there is no memory. */
void *lm_pool_get(lm_pool *pool, size_t count, size_t size);
char *lm_pool_text(lm_pool *pool, const char *text, size_t length);
char *lm_pool_printf(lm_pool *pool, const char *format, ...) LM_PRINTF(2, 3);
/* An array with room for one more than `count`; doubled when it is full. `array` as it was if there
 * is no memory; then false. */
bool lm_pool_grow(lm_pool *pool, void **array, uint32_t *capacity, uint32_t count, size_t size);
/* What was not found for want of memory is not missing: whether CODE says so; then `failed`. */
bool lm_pool_starved(lm_pool *pool, lm_code code);

#endif
