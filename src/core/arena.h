/* Arenas: memory allocated in pieces and freed together, and objects that own the memory they point
 * to. */
#ifndef LM_CORE_ARENA_H
#define LM_CORE_ARENA_H

#include "core/heap.h"

#include <stdarg.h>

/* An arena. Start from {.heap = heap}; the heap's limits apply. Small pieces share an
 * allocation. */
typedef struct lm_chunk lm_chunk;
typedef struct lm_arena {
    lm_heap *heap;
    lm_chunk *chunks;  /* the chunk for small pieces is first */
    size_t left;       /* bytes left at the end of the first chunk */
    size_t last_chunk; /* the size of the last chunk for small pieces; 0: none yet */
    bool apart;        /* each piece is an allocation of its own, for lmi_arena_piece */
} lm_arena;

/* Returns uninitialised memory aligned for any type. If it fails, returns NULL as lmi_heap_alloc
 * does, and lmi_heap_diagnose reports the reason. */
void *lmi_arena_alloc(lm_arena *arena, uint64_t count, size_t element);
void *lmi_arena_zeros(lm_arena *arena, uint64_t count, size_t element);
/* Grows an array to at least `need` elements by doubling it, and may move it: `array` is the
 * address of the pointer to it. Returns false if memory ran out. */
bool lmi_arena_grow(lm_arena *arena, void *array, size_t *capacity, size_t need, size_t element);
/* Returns the piece that starts at `piece` and has at least `size` bytes. Every piece of the arena
 * must be an allocation of its own (`apart`). Returns NULL if there is no such piece. */
uint8_t *lmi_arena_piece(const lm_arena *arena, const void *piece, size_t size);
/* Moves all pieces of another arena with the same heap into this one. */
void lmi_arena_join(lm_arena *arena, lm_arena *other);
void lmi_arena_free(lm_arena *arena);

/* Copies of strings. They return NULL if memory ran out. */
char *lmi_copy_text(lm_arena *arena, const char *text); /* NULL for NULL */
char *lmi_arena_text(lm_arena *arena, const char *text, size_t length);
char *lmi_arena_printf(lm_arena *arena, const char *format, ...) LM_PRINTF(2, 3);
/* Copies a raw field of at most `length` bytes, up to its NUL. */
char *lmi_arena_field(lm_arena *arena, const uint8_t *field, size_t length);
/* Formats a sentence and shortens it to LM_MESSAGE_SIZE as lmi_text_fit does. */
char *lmi_arena_sentence(lm_arena *arena, const char *sentence, va_list arguments);
/* Copies bytes of the input. If the heap allows borrowing, returns the input's bytes themselves.
 * `data` may be NULL if the size is 0. */
const uint8_t *lmi_arena_bytes(lm_arena *arena, const void *data, uint64_t count, size_t element);

/* Returns true if an allocation has failed since the call began. Functions that allocate many
 * pieces check this once, at the end. */
static inline bool lmi_arena_failed(const lm_arena *arena) {
    return arena->heap->failed_size > 0;
}
/* If `failed`, records in this arena that an allocation failed elsewhere. Returns `failed`. */
static inline bool lmi_arena_out_of_memory(lm_arena *arena, bool failed) {
    arena->heap->failed_size += failed && arena->heap->failed_size == 0;
    return failed;
}

/* Records an allocation failure of a call that failed. Returns true if `error` is one. */
static inline bool lmi_ran_out(lm_arena *arena, const lm_error *error) {
    return lmi_arena_out_of_memory(arena, error->code == LM_CODE_OUT_OF_MEMORY);
}

/* ---- Objects ------------------------------------------------------------------------------- */

/* Creates an object that the caller of the library receives and frees. It owns an arena, which
 * holds everything it points to. Returns `size` bytes of zeros; NULL if memory ran out. */
void *lmi_object(lm_heap *heap, size_t size);
/* Returns the object's arena, which is valid until the call ends or lmi_object_unbind. */
lm_arena *lmi_arena_of(const void *object);
/* Completes an object and returns it. If it is not done or an allocation failed, frees it with
 * everything it owns and returns NULL. */
void *lmi_object_end(void *object, bool done);
/* Gives the object ownership of one more block from the same allocator: at most one per object. */
void lmi_object_keep(void *object, void *memory, size_t size);
void lmi_object_free(const void *object); /* NULL is allowed */

/* Lets an object's arena allocate after the call has ended, without limits. */
void lmi_object_unbind(void *object);
/* Returns an object that is unbound from the start; NULL if memory ran out. */
void *lmi_object_new(const lm_allocator *allocator, size_t size); /* may be NULL */
/* Creates an arena of its own: that of an unbound object without bytes. Returns NULL if memory ran
 * out. */
lm_arena *lmi_arena_new(const lm_allocator *allocator); /* may be NULL */
void lmi_arena_delete(lm_arena *arena);                 /* NULL is allowed */

#endif
