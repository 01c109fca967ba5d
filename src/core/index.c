#include "core/index.h"

#include "core/bytes.h"

#include <string.h>

#define MAX_PROBES 32

uint64_t lmi_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *p = bytes;
    for (; size >= 4; p += 4, size -= 4)
        hash = lmi_hash(hash, lmi_get_u32(p));
    for (; size > 0; p++, size--)
        hash = lmi_hash(hash, *p);
    return hash;
}

size_t lmi_index_slots(uint32_t count) {
    size_t slots = 16;
    while (slots < 2 * (uint64_t)count)
        slots *= 2;
    return slots;
}

void lmi_index_clear(lm_index *index, uint32_t count) {
    index->num_slots = lmi_index_slots(count);
    memset(index->slots, 0, index->num_slots * sizeof *index->slots);
}

uint32_t lmi_index_find(const lm_index *index, uint64_t hash, uint32_t number, lm_equal *equal,
                        const void *context) {
    size_t at = (size_t)hash;
    for (unsigned probe = 0; probe < MAX_PROBES; at += ++probe) {
        uint32_t *slot = &index->slots[at & (index->num_slots - 1)];
        if (*slot == 0)
            *slot = number + 1;
        if (*slot == number + 1 || equal(context, *slot - 1, number))
            return *slot - 1;
    }
    return number;
}

uint32_t lmi_index_get(const lm_index *index, uint64_t hash, lm_equal *equal, const void *context) {
    size_t at = (size_t)hash;
    for (unsigned probe = 0; probe < MAX_PROBES; at += ++probe) {
        const uint32_t slot = index->slots[at & (index->num_slots - 1)];
        if (slot == 0)
            break;
        if (equal(context, slot - 1, LM_NOT_INDEXED))
            return slot - 1;
    }
    return LM_NOT_INDEXED;
}

bool lmi_find_equal(uint32_t count, const uint64_t *hashes, lm_equal *equal, const void *context,
                    uint32_t *firsts, lm_heap *heap) {
    lm_index index = {.slots = lmi_heap_alloc(heap, lmi_index_slots(count), sizeof *index.slots)};
    if (!index.slots)
        return false;
    lmi_index_clear(&index, count);
    for (uint32_t i = 0; i < count; i++)
        firsts[i] = lmi_index_find(&index, hashes[i], i, equal, context);
    lmi_heap_free(heap, index.slots, index.num_slots * sizeof *index.slots);
    return true;
}
