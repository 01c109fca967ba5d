#include "clips/clip_namer.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

bool lm_clip_namer_carve(lm_clip_namer *namer, lm_block *block, uint32_t num_clips,
                         uint64_t name_bytes) {
    uint64_t slots = 4;
    while (slots < 2 * (uint64_t)num_clips)
        slots *= 2;
    namer->mask = (uint32_t)(slots - 1);
    namer->clips = lm_carve(block, num_clips, sizeof(lm_clip));
    namer->table = lm_carve(block, slots, sizeof(uint32_t));
    namer->suffixes = lm_carve(block, num_clips, sizeof(uint32_t));
    namer->pool = lm_carve(block, name_bytes + (uint64_t)num_clips * LM_CLIP_SUFFIX_ROOM, 1);
    if (!block->base)
        return false;
    memset(namer->table, 0, (size_t)slots * sizeof(uint32_t));
    return true;
}

/* FNV-1a over lower case, its high bits folded into the low ones that pick the slot. */
static uint32_t hash_name(const char *text, size_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint64_t)lm_lower((uint8_t)text[i])) * UINT64_C(0x100000001b3);
    return (uint32_t)(hash ^ hash >> 32);
}

/* The slot that holds a name, or the free one where it belongs. */
static uint32_t *find_slot(const lm_clip_namer *namer, const char *text, size_t length) {
    for (uint32_t at = hash_name(text, length) & namer->mask;; at = (at + 1) & namer->mask) {
        uint32_t *slot = &namer->table[at];
        if (*slot == 0)
            return slot;
        const char *name = namer->clips[*slot - 1].name;
        if (strlen(name) == length && lm_same_letters(name, text, length))
            return slot;
    }
}

void lm_clip_namer_name(lm_clip_namer *namer, uint32_t index, const void *text, size_t length) {
    char *name = namer->pool;
    memcpy(name, text, length);
    name[length] = '\0';
    uint32_t *slot = find_slot(namer, name, length);
    if (*slot != 0) {
        /* Each number is tried once for each name: what is taken was taken by a clip of its own. */
        uint32_t *suffix = &namer->suffixes[*slot - 1];
        size_t stem = length;
        do {
            length = stem + (size_t)snprintf(name + stem, LM_CLIP_SUFFIX_ROOM, "_%lu",
                                             (unsigned long)(*suffix)++);
            slot = find_slot(namer, name, length);
        } while (*slot != 0);
    }
    *slot = index + 1;
    namer->suffixes[index] = 2;
    namer->clips[index].name = name;
    namer->pool += length + 1;
}
