#include "importing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16u
#define PIECE_SIZE ((size_t)1 << 14)
/* For fuzzers each is a piece of its own, so that the sanitizer sees where it ends. */
#ifdef LM_ARENA_APART
#define MOST_SMALL 0u
#define ROUND 1u
#else
#define MOST_SMALL (PIECE_SIZE / 4)
#define ROUND ALIGNMENT
#endif

struct lm_im_piece {
    lm_im_piece *next;
    size_t size; /* with this header */
    bool scratch;
};

#define HEADER ((sizeof(lm_im_piece) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static lm_im_piece *add_piece(lm_im_arena *arena, uint64_t size) {
    const uint64_t whole = size + HEADER;
    if (whole > arena->max_bytes - arena->used ||
        (arena->max_allocations && arena->allocations >= arena->max_allocations)) {
        arena->over_limit = true;
        return NULL;
    }
    lm_im_piece *piece = arena->allocator.alloc(arena->allocator.user, (size_t)whole);
    if (!piece)
        return NULL;
    arena->allocations++;
    arena->used += (size_t)whole;
    piece->size = (size_t)whole;
    piece->scratch = false;
    return piece;
}

static void *take_memory(lm_im_arena *arena, uint64_t size) {
    if (arena->pieces && size <= arena->left) {
        uint8_t *end = (uint8_t *)arena->pieces + arena->pieces->size;
        void *memory = end - arena->left;
        arena->left -= (size_t)size;
        return memory;
    }
    const bool own = size > MOST_SMALL;
    lm_im_piece *piece = add_piece(arena, own ? size : PIECE_SIZE);
    if (!piece)
        return NULL;
    uint8_t *memory = (uint8_t *)piece + HEADER;
    if (own && arena->pieces) { /* behind the one that small ones come from */
        piece->next = arena->pieces->next;
        arena->pieces->next = piece;
    } else {
        piece->next = arena->pieces;
        arena->pieces = piece;
        arena->left = own ? 0 : PIECE_SIZE - (size_t)size;
    }
    return memory;
}

void *lm_im_alloc(importing *im, uint64_t count, size_t element) {
    lm_im_arena *arena = im->arena;
    void *memory = NULL;
    if (count > SIZE_MAX / 4 / element)
        arena->over_limit = true;
    else
        memory = take_memory(arena, (count * element + ROUND - 1) / ROUND * ROUND);
    if (memory)
        return memset(memory, 0, (size_t)(count * element));
    if (arena->over_limit)
        lm_im_fail(im, LM_CODE_LIMIT, NULL,
                   "more than %zu bytes of memory would be needed: give it a larger limit, fewer "
                   "frames a second, or a simpler model",
                   arena->max_bytes);
    else
        lm_fail_plain(im->error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    return NULL;
}

/* Where the list has the piece that was made for this alone, one of the last; NULL: nowhere. */
static lm_im_piece **find_recent(lm_im_arena *arena, const void *memory) {
    lm_im_piece **slot = &arena->pieces;
    for (int i = 0; i < 4 && *slot; i++, slot = &(*slot)->next)
        if ((const uint8_t *)*slot + HEADER == memory && (*slot)->size != PIECE_SIZE + HEADER)
            return slot;
    return NULL;
}

static void remove_piece(lm_im_arena *arena, lm_im_piece **slot) {
    lm_im_piece *piece = *slot;
    *slot = piece->next;
    arena->used -= piece->size;
    arena->allocator.free(arena->allocator.user, piece, piece->size);
}

void lm_im_drop(importing *im, const void *memory) {
    lm_im_piece **slot = find_recent(im->arena, memory);
    if (slot)
        remove_piece(im->arena, slot);
}

void lm_im_mark_scratch(importing *im, const void *memory) {
    lm_im_piece **slot = find_recent(im->arena, memory);
    if (slot)
        (*slot)->scratch = true;
}

void lm_im_drop_scratch(importing *im) {
    for (lm_im_piece **slot = &im->arena->pieces; *slot;)
        if ((*slot)->scratch)
            remove_piece(im->arena, slot);
        else
            slot = &(*slot)->next;
}

void lm_im_arena_free(lm_im_arena *arena) {
    lm_im_piece *next;
    for (lm_im_piece *piece = arena->pieces; piece; piece = next) {
        next = piece->next;
        arena->allocator.free(arena->allocator.user, piece, piece->size);
    }
}

const char *lm_im_place(importing *im, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(im->place, sizeof im->place, format, values);
    va_end(values);
    return im->place;
}

bool lm_im_fail(importing *im, lm_code code, const char *place, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE / 2];
    va_list values;
    va_start(values, sentence);
    vsnprintf(text, sizeof text, sentence, values);
    va_end(values);
    lm_fail_plain(im->error, code, place ? "%s: %s: %s" : "%s: %s%s", im->what, place ? place : "",
                  text);
    if (im->error && place)
        snprintf(im->error->section, sizeof im->error->section, "%s", place);
    return false;
}

void lm_im_find(importing *im, lm_im_oddity oddity, const char *sentence) {
    lm_diagnostic *finding = &im->findings[oddity];
    if (finding->count++ == 0) {
        finding->code = LM_CODE_NOT_HELD;
        finding->severity = lm_code_severity(LM_CODE_NOT_HELD);
        finding->text = sentence;
    }
}
