/* Memory that is taken piece by piece and freed together, and objects that own what they point to.
 */
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
    bool apart;       /* each piece is an allocation of its own, which lm_arena_piece finds */
} lm_arena;

/* Memory aligned for any type, not cleared; NULL as lm_heap_alloc, which then can say why. */
void *lm_arena_alloc(lm_arena *arena, uint64_t count, size_t element);
void *lm_arena_zeros(lm_arena *arena, uint64_t count, size_t element);
/* Gives an array room for `need` elements at least (doubling), and moves it if it must be: `array`
 * is the address of the pointer to it. False if there is no memory. */
bool lm_arena_grow(lm_arena *arena, void *array, size_t *capacity, size_t need, size_t element);
/* Returns a piece of at least `size` bytes of an arena whose pieces lie apart; NULL if it is none.
 */
uint8_t *lm_arena_piece(const lm_arena *arena, const void *piece, size_t size);
/* Moves all pieces of another arena with the same heap into this one. */
void lm_arena_join(lm_arena *arena, lm_arena *other);
void lm_arena_free(lm_arena *arena);

/* Copies of texts; NULL if there is no memory. */
char *lm_copy_text(lm_arena *arena, const char *text); /* NULL stays NULL */
char *lm_arena_text(lm_arena *arena, const char *text, size_t length);
char *lm_arena_printf(lm_arena *arena, const char *format, ...) LM_PRINTF(2, 3);
/* Copies a raw field of at most `length` bytes, up to its NUL. */
char *lm_arena_field(lm_arena *arena, const uint8_t *field, size_t length);
/* Copies a sentence, shortened to LM_MESSAGE_SIZE as lm_text_fit does. */
char *lm_arena_sentence(lm_arena *arena, const char *sentence, va_list arguments);
/* Copies bytes of the input, or returns them if the heap's call may borrow. `data` may be NULL if
 * they take no bytes. */
const uint8_t *lm_arena_bytes(lm_arena *arena, const void *data, uint64_t count, size_t element);

/* Returns whether memory was refused since the call began: functions that take many pieces ask
 * once, at the end. */
static inline bool lm_arena_failed(const lm_arena *arena) {
    return arena->heap->refused > 0;
}
/* Counts memory that somebody else was refused as refused by this arena. Returns whether it was. */
static inline bool lm_arena_starve(lm_arena *arena, bool refused) {
    arena->heap->refused += refused && arena->heap->refused == 0;
    return refused;
}

/* The same of memory that was refused in a call that failed. */
static inline bool lm_starved(lm_arena *arena, const lm_error *error) {
    return lm_arena_starve(arena, error->code == LM_CODE_OUT_OF_MEMORY);
}

/* ---- Objects ------------------------------------------------------------------------------- */

/* An object that a caller is given and frees: it owns an arena, which has all that it points to.
 * Returns `size` bytes of zeros; NULL if there is no memory. */
void *lm_object(lm_heap *heap, size_t size);
/* The object's arena, until the call ends or lm_object_unbind. */
lm_arena *lm_arena_of(const void *object);
/* Ends the making of an object. Returns it; NULL, and nothing is left of it, if it is not done or
 * memory was refused. */
void *lm_object_end(void *object, bool done);
/* Makes other memory of the same allocator go with an object: one block at most. */
void lm_object_keep(void *object, void *memory, size_t size);
void lm_object_free(const void *object); /* NULL is allowed */

/* Lets an object's arena give memory when the call has ended: without bounds. */
void lm_object_unbind(void *object);
/* Returns an object that is unbound from the start; NULL if there is no memory. */
void *lm_object_new(const lm_allocator *allocator, size_t size); /* may be NULL */
/* An arena of its own: that of such an object of no bytes. */
lm_arena *lm_arena_new(const lm_allocator *allocator); /* may be NULL */
void lm_arena_delete(lm_arena *arena);                 /* NULL is allowed */

#endif
