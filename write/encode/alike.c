#include "encode/alike.h"

#include "core/bytes.h"
#include "model/weld.h"

uint64_t lm_mix_bytes(uint64_t key, const uint8_t *bytes, size_t size) {
    for (; size >= 4; bytes += 4, size -= 4)
        key = lm_mix(key, lm_get_u32(bytes));
    for (; size > 0; bytes++, size--)
        key = lm_mix(key, *bytes);
    return key;
}

bool lm_find_alike(uint32_t count, const uint64_t *keys, lm_same *same, const void *context,
                   uint32_t *firsts, lm_heap *heap) {
    const size_t size = (size_t)count * 2 * sizeof(uint32_t);
    uint32_t num_ids, *ids = lm_heap_alloc(heap, count, 2 * sizeof *ids);
    if (!ids)
        return false;
    uint32_t *first_of = ids + count;
    const bool done = lm_rank_keys(keys, count, ids, &num_ids, heap);
    memset(first_of, 0xFF, count * sizeof *first_of);
    for (uint32_t i = 0; done && i < count; i++) {
        uint32_t *first = &first_of[ids[i]];
        *first = *first == LM_UNUSED ? i : *first;
        firsts[i] = *first == i || same(context, *first, i) ? *first : i;
    }
    lm_heap_free(heap, ids, size);
    return done;
}
