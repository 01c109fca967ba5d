/* Memory that is taken piece by piece and given back all at once. */
#ifndef LM_CORE_ARENA_H
#define LM_CORE_ARENA_H

#include "core/heap.h"

#include <stdarg.h>

/* Start from {.heap = heap}, whose bounds hold. Small pieces share an allocation. */
typedef struct lm_chunk lm_chunk;
typedef struct lm_arena {
    lm_heap *heap;
    lm_chunk *chunks; /* the one that small pieces come from is first */
    size_t left;      /* bytes at its end */
} lm_arena;

/* Memory aligned for any type, not cleared; NULL as lm_heap_alloc, which then can say why. */
void *lm_arena_alloc(lm_arena *arena, uint64_t count, size_t element);
void *lm_arena_zeros(lm_arena *arena, uint64_t count, size_t element);
/* Gives an array room for `need` elements at least (doubling), and moves it if it must be: `array`
 * is the address of the pointer to it. False if there is no memory. */
bool lm_arena_grow(lm_arena *arena, void *array, size_t *capacity, size_t need, size_t element);
/* A sentence, shortened to LM_MESSAGE_SIZE as lm_text_fit does. NULL if there is no memory. */
char *lm_arena_sentence(lm_arena *arena, const char *sentence, va_list arguments);
void lm_arena_free(lm_arena *arena);

/* An arena with a heap of its own, which has no bounds, in that heap's memory. NULL without memory.
 */
lm_arena *lm_arena_new(const lm_allocator *allocator); /* may be NULL */
void lm_arena_delete(lm_arena *arena);                 /* NULL is allowed */

/* Copies of texts; NULL if there is no memory. */
char *lm_arena_text(lm_arena *arena, const char *text, size_t length);
char *lm_arena_printf(lm_arena *arena, const char *format, ...) LM_PRINTF(2, 3);

/* Whether memory was refused since the arena is there: who takes many pieces asks once, at the end.
 */
static inline bool lm_arena_failed(const lm_arena *arena) {
    return arena->heap->refused > 0;
}
/* Counts memory that somebody else was refused as refused by this arena. Returns whether it was. */
static inline bool lm_arena_starve(lm_arena *arena, bool refused) {
    arena->heap->refused += refused && arena->heap->refused == 0;
    return refused;
}

#endif
