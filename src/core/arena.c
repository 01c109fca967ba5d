#include "core/arena.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define CHUNK_SIZE 4096u
#define HEADER_SIZE 16u
/* For fuzzers each piece is an allocation of its own, so that the sanitizer sees where it ends. */
#ifdef LM_ARENA_APART
#define MOST_SMALL 0u
#define ROUND 1u
#else
#define MOST_SMALL (CHUNK_SIZE / 4)
#define ROUND LM_ALIGNMENT
#endif
_Static_assert(HEADER_SIZE % LM_ALIGNMENT == 0, "pieces follow the header");

struct lm_chunk {
    lm_chunk *before;
    size_t size; /* with this */
};
_Static_assert(sizeof(lm_chunk) <= HEADER_SIZE, "the header has its place");

/* Adds a chunk with room for `size` bytes, in front if small pieces are to come from it. */
static lm_chunk *add_chunk(lm_arena *arena, size_t size, bool front) {
    lm_chunk *chunk = lm_heap_alloc(arena->heap, (uint64_t)size + HEADER_SIZE, 1);
    if (!chunk)
        return NULL;
    chunk->size = size + HEADER_SIZE;
    lm_chunk **slot = front || !arena->chunks ? &arena->chunks : &arena->chunks->before;
    chunk->before = *slot;
    *slot = chunk;
    return chunk;
}

void *lm_arena_alloc(lm_arena *arena, uint64_t count, size_t element) {
    uint64_t most = SIZE_MAX / 2;
    if (element && count > most / element)
        return lm_heap_alloc(arena->heap, count, element); /* which refuses it */
    size_t size = ((size_t)count * element + ROUND - 1) & ~(size_t)(ROUND - 1);
    size = size ? size : ROUND;
    bool large = size > MOST_SMALL;
    if (!large && size <= arena->left) {
        arena->left -= size;
        return (uint8_t *)arena->chunks + arena->chunks->size - arena->left - size;
    }
    lm_chunk *chunk = add_chunk(arena, large ? size : CHUNK_SIZE - HEADER_SIZE, !large);
    if (!chunk) {
        arena->heap->refused = count && element ? (size_t)count * element : 1;
        return NULL;
    }
    if (!large)
        arena->left = chunk->size - HEADER_SIZE - size;
    return (uint8_t *)chunk + HEADER_SIZE;
}

void *lm_arena_zeros(lm_arena *arena, uint64_t count, size_t element) {
    void *memory = lm_arena_alloc(arena, count, element);
    if (memory)
        memset(memory, 0, (size_t)count * element);
    return memory;
}

bool lm_arena_grow(lm_arena *arena, void *array, size_t *capacity, size_t need, size_t element) {
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity ? *capacity : 8;
    while (wanted < need)
        wanted *= 2;
    void *old, *grown = lm_arena_alloc(arena, wanted, element);
    if (!grown)
        return false;
    memcpy(&old, array, sizeof old);
    if (old)
        memcpy(grown, old, *capacity * element);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

char *lm_arena_sentence(lm_arena *arena, const char *sentence, va_list arguments) {
    char text[LM_MESSAGE_SIZE];
    lm_text_fit(text, sizeof text, sentence, arguments);
    const size_t size = strlen(text) + 1;
    char *kept = lm_arena_alloc(arena, size, 1);
    if (kept)
        memcpy(kept, text, size);
    return kept;
}

void lm_arena_free(lm_arena *arena) {
    for (lm_chunk *chunk = arena->chunks, *before; chunk; chunk = before) {
        before = chunk->before;
        lm_heap_free(arena->heap, chunk, chunk->size);
    }
    *arena = (lm_arena){.heap = arena->heap};
}

/* ---- Arenas of their own ------------------------------------------------------------------- */

typedef struct own_arena {
    lm_arena arena; /* first: what the caller has */
    lm_heap heap;
} own_arena;

lm_arena *lm_arena_new(const lm_allocator *allocator) {
    const lm_memory unbounded = {lm_allocator_or_default(allocator), SIZE_MAX, 0};
    lm_heap heap;
    lm_heap_init(&heap, &unbounded, 0);
    own_arena *own = lm_heap_alloc(&heap, 1, sizeof *own);
    if (!own)
        return NULL;
    *own = (own_arena){{.heap = &own->heap}, heap};
    return &own->arena;
}

void lm_arena_delete(lm_arena *arena) {
    if (!arena)
        return;
    lm_arena_free(arena);
    lm_heap heap = *arena->heap;
    lm_heap_free(&heap, arena, sizeof(own_arena));
}

char *lm_arena_text(lm_arena *arena, const char *text, size_t length) {
    char *copy = lm_arena_alloc(arena, (uint64_t)length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *lm_arena_printf(lm_arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : lm_arena_alloc(arena, (uint64_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}
