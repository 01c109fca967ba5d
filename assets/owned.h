/* Objects that own an arena, which has all that they point to. */
#ifndef LM_ASSETS_OWNED_H
#define LM_ASSETS_OWNED_H

#include "core/arena.h"

/* Returns `size` bytes of zeros with an arena of their own; NULL without memory. */
static inline void *lm_owned_new(const lm_allocator *memory, size_t size) {
    lm_arena *arena = lm_arena_new(memory);
    uint8_t *piece = arena ? lm_arena_zeros(arena, (uint64_t)size + LM_ALIGNMENT, 1) : NULL;
    if (!piece) {
        lm_arena_delete(arena);
        return NULL;
    }
    *(lm_arena **)(void *)piece = arena;
    return piece + LM_ALIGNMENT;
}

static inline lm_arena *lm_owned_arena(const void *object) {
    return *(lm_arena *const *)(const void *)((const uint8_t *)object - LM_ALIGNMENT);
}

static inline void lm_owned_free(const void *object) {
    if (object)
        lm_arena_delete(lm_owned_arena(object));
}

/* Ends the making of an object. Returns it; NULL, and nothing is left of it, if it is not done or
 * its arena was refused memory. */
static inline void *lm_owned_end(void *object, bool done) {
    if (object && done && !lm_arena_failed(lm_owned_arena(object)))
        return object;
    lm_owned_free(object);
    return NULL;
}

#endif
