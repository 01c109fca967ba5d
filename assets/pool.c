#include "pool.h"

#include "core/heap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A piece, behind which its memory lies. */
typedef struct lm_piece {
    _Alignas(16) struct lm_piece *next;
    size_t size;
} lm_piece;

void lm_pool_init(lm_pool *pool, const lm_allocator *allocator) {
    *pool = (lm_pool){.allocator = lm_allocator_or_default(allocator)};
}

void lm_pool_free(lm_pool *pool) {
    while (pool->pieces) {
        lm_piece *next = pool->pieces->next;
        pool->allocator.free(pool->allocator.user, pool->pieces, pool->pieces->size);
        pool->pieces = next;
    }
}

void *lm_pool_get(lm_pool *pool, size_t count, size_t size) {
    size_t most = (SIZE_MAX - sizeof(lm_piece)) / (size ? size : 1);
    size_t whole = sizeof(lm_piece) + count * size;
    lm_piece *piece = NULL;
    if (!pool->failed && count <= most)
        piece = pool->allocator.alloc(pool->allocator.user, whole);
    if (!piece) {
        pool->failed = true;
        return NULL;
    }
    memset(piece, 0, whole);
    *piece = (lm_piece){pool->pieces, whole};
    pool->pieces = piece;
    return piece + 1;
}

char *lm_pool_text(lm_pool *pool, const char *text, size_t length) {
    char *copy = lm_pool_get(pool, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *lm_pool_printf(lm_pool *pool, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : lm_pool_get(pool, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

bool lm_pool_grow(lm_pool *pool, void **array, uint32_t *capacity, uint32_t count, size_t size) {
    if (count < *capacity)
        return true;
    uint32_t wanted = *capacity ? *capacity * 2 : 16;
    void *grown = wanted > *capacity ? lm_pool_get(pool, wanted, size) : NULL;
    if (!grown)
        return false;
    if (count > 0)
        memcpy(grown, *array, count * size);
    *array = grown;
    *capacity = wanted;
    return true;
}

bool lm_pool_starved(lm_pool *pool, lm_code code) {
    pool->failed = pool->failed || code == LM_CODE_OUT_OF_MEMORY;
    return code == LM_CODE_OUT_OF_MEMORY;
}
