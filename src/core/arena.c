#include "core/arena.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define ALIGNMENT ((size_t)16) /* enough for any type */
/* Chunks for small pieces double in size, so that small objects are small. */
#define MIN_CHUNK ((size_t)1024)
#define MAX_CHUNK ((size_t)4096)
#define MAX_SMALL (MAX_CHUNK / 4)
#define HEADER_SIZE 16u
/* In fuzzers every piece is an allocation of its own, so that the sanitizer detects accesses past
 * its end. */
#ifdef LM_ARENA_APART
#define APART true
#else
#define APART false
#endif
_Static_assert(HEADER_SIZE % ALIGNMENT == 0, "pieces follow the header");

struct lm_chunk {
    lm_chunk *before;
    size_t size; /* with this header */
};
_Static_assert(sizeof(lm_chunk) <= HEADER_SIZE, "the header fits");

/* Adds a chunk with room for `size` bytes. If `front`, small pieces come from it. */
static lm_chunk *add_chunk(lm_arena *arena, size_t size, bool front) {
    lm_chunk *chunk = lmi_heap_alloc(arena->heap, (uint64_t)size + HEADER_SIZE, 1);
    if (!chunk)
        return NULL;
    chunk->size = size + HEADER_SIZE;
    lm_chunk **slot = front || !arena->chunks ? &arena->chunks : &arena->chunks->before;
    chunk->before = *slot;
    *slot = chunk;
    return chunk;
}

static size_t aligned(size_t size) {
    return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/* Returns the size of the next chunk for small pieces, `size` bytes at least. */
static size_t next_chunk(lm_arena *arena, size_t size) {
    size_t next = arena->last_chunk < MAX_CHUNK ? 2 * arena->last_chunk : MAX_CHUNK;
    for (next = next ? next : MIN_CHUNK; next - HEADER_SIZE < size;)
        next *= 2;
    arena->last_chunk = next;
    return next - HEADER_SIZE;
}

/* Returns a piece without any alignment. */
static void *allocate(lm_arena *arena, size_t size) {
    size = size ? size : 1; /* so that there is a chunk */
    const bool large = APART || arena->apart || size > MAX_SMALL;
    if (!large && size <= arena->left) {
        arena->left -= size;
        return (uint8_t *)arena->chunks + arena->chunks->size - arena->left - size;
    }
    lm_chunk *chunk = add_chunk(arena, large ? size : next_chunk(arena, size), !large);
    if (!chunk) {
        arena->heap->failed_size = size;
        return NULL;
    }
    if (!large)
        arena->left = chunk->size - HEADER_SIZE - size;
    return (uint8_t *)chunk + HEADER_SIZE;
}

void *lmi_arena_alloc(lm_arena *arena, uint64_t count, size_t element) {
    if (element && count > SIZE_MAX / 2 / element)
        return lmi_heap_alloc(arena->heap, count, element); /* fails */
    arena->left &= ~(ALIGNMENT - 1);                        /* chunks end aligned */
    return allocate(arena, (size_t)count * element);
}

void *lmi_arena_zeros(lm_arena *arena, uint64_t count, size_t element) {
    void *memory = lmi_arena_alloc(arena, count, element);
    if (memory)
        memset(memory, 0, (size_t)count * element);
    return memory;
}

bool lmi_arena_grow(lm_arena *arena, void *array, size_t *capacity, size_t need, size_t element) {
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity ? *capacity : 8;
    while (wanted < need)
        wanted *= 2;
    void *old, *grown = lmi_arena_alloc(arena, wanted, element);
    if (!grown)
        return false;
    memcpy(&old, array, sizeof old);
    if (old)
        memcpy(grown, old, *capacity * element);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

uint8_t *lmi_arena_piece(const lm_arena *arena, const void *piece, size_t size) {
    for (lm_chunk *chunk = arena->chunks; chunk; chunk = chunk->before) {
        uint8_t *start = (uint8_t *)chunk + HEADER_SIZE;
        if (piece == start && size <= chunk->size - HEADER_SIZE)
            return start;
    }
    return NULL;
}

void lmi_arena_join(lm_arena *arena, lm_arena *other) {
    lm_chunk **last = &other->chunks;
    while (*last)
        last = &(*last)->before;
    *last = arena->chunks;
    arena->chunks = other->chunks;
    arena->left = other->chunks == *last ? arena->left : other->left;
    *other = (lm_arena){.heap = other->heap};
}

void lmi_arena_free(lm_arena *arena) {
    for (lm_chunk *chunk = arena->chunks, *before; chunk; chunk = before) {
        before = chunk->before;
        lmi_heap_free(arena->heap, chunk, chunk->size);
    }
    *arena = (lm_arena){.heap = arena->heap, .apart = arena->apart};
}

/* ---- Copies -------------------------------------------------------------------------------- */

char *lmi_arena_text(lm_arena *arena, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? allocate(arena, length + 1) : NULL;
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *lmi_copy_text(lm_arena *arena, const char *text) {
    return text ? lmi_arena_text(arena, text, strlen(text)) : NULL;
}

char *lmi_arena_printf(lm_arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : allocate(arena, (size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

char *lmi_arena_field(lm_arena *arena, const uint8_t *field, size_t length) {
    return lmi_arena_text(arena, (const char *)field, lmi_field_length(field, length));
}

char *lmi_arena_sentence(lm_arena *arena, const char *sentence, va_list arguments) {
    char text[LM_MESSAGE_SIZE];
    lmi_text_fit(text, sizeof text, sentence, arguments);
    return lmi_arena_text(arena, text, strlen(text));
}

const uint8_t *lmi_arena_bytes(lm_arena *arena, const void *data, uint64_t count, size_t element) {
    if (arena->heap->borrow)
        return data;
    uint8_t *copy = lmi_arena_alloc(arena, count, element);
    if (copy && data)
        memcpy(copy, data, (size_t)count * element);
    return copy;
}

/* ---- Objects ------------------------------------------------------------------------------- */

/* The owner of an object. It precedes the object in the same allocation. */
typedef struct lm_owner {
    lm_arena arena; /* first, for lmi_arena_delete */
    lm_heap heap;   /* the object's allocator, without limits */
    size_t size;    /* of the owner and the object */
    void *adopted;
    size_t adopted_size;
} lm_owner;

static lm_owner *owner_of(const void *object) {
    return (lm_owner *)(void *)((uint8_t *)object - aligned(sizeof(lm_owner)));
}

void *lmi_object(lm_heap *heap, size_t size) {
    const size_t all = aligned(sizeof(lm_owner)) + size;
    lm_owner *owner = lmi_heap_alloc(heap, all, 1);
    if (!owner)
        return NULL;
    memset(owner, 0, all);
    owner->arena.heap = heap;
    owner->heap = (lm_heap){.allocator = heap->allocator, .max_bytes = SIZE_MAX};
    owner->size = all;
    return (uint8_t *)owner + aligned(sizeof *owner);
}

lm_arena *lmi_arena_of(const void *object) {
    return &owner_of(object)->arena;
}

void *lmi_object_end(void *object, bool done) {
    if (object && done && !lmi_arena_failed(lmi_arena_of(object)))
        return object;
    lmi_object_free(object);
    return NULL;
}

void lmi_object_keep(void *object, void *memory, size_t size) {
    owner_of(object)->adopted = memory;
    owner_of(object)->adopted_size = size;
}

void lmi_object_free(const void *object) {
    if (!object)
        return;
    lm_owner *owner = owner_of(object);
    lm_heap heap = owner->heap; /* the call's heap may no longer exist */
    owner->arena.heap = &heap;
    lmi_arena_free(&owner->arena);
    if (owner->adopted)
        heap.allocator.free(heap.allocator.user, owner->adopted, owner->adopted_size);
    lmi_heap_free(&heap, owner, owner->size);
}

void lmi_object_unbind(void *object) {
    owner_of(object)->arena.heap = &owner_of(object)->heap;
}

void *lmi_object_new(const lm_allocator *allocator, size_t size) {
    const lm_memory unbounded = {lmi_allocator_or_default(allocator), SIZE_MAX, 0};
    lm_heap heap;
    lmi_heap_init(&heap, &unbounded, 0);
    void *object = lmi_object(&heap, size);
    if (object)
        lmi_object_unbind(object);
    return object;
}

lm_arena *lmi_arena_new(const lm_allocator *allocator) {
    void *object = lmi_object_new(allocator, 0);
    return object ? lmi_arena_of(object) : NULL;
}

void lmi_arena_delete(lm_arena *arena) {
    lmi_object_free(arena ? (uint8_t *)arena + aligned(sizeof(lm_owner)) : NULL);
}
