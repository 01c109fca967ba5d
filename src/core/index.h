/* An index of equal things: a hash table of their numbers. */
#ifndef LM_CORE_INDEX_H
#define LM_CORE_INDEX_H

#include "core/heap.h"

#include <string.h>

/* Adds bits to a hash. Start from 0. */
static inline uint64_t lmi_hash(uint64_t hash, uint64_t bits) {
    hash ^= bits;
    hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 33;
}

/* Adds the coordinates of a vector to a hash. -0 has the hash of 0. */
static inline uint64_t lmi_hash_vec3(uint64_t hash, lm_vec3 v) {
    const float plain[3] = {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
    uint32_t bits[3];
    memcpy(bits, plain, sizeof bits);
    return lmi_hash(lmi_hash(lmi_hash(hash, bits[0]), bits[1]), bits[2]);
}

/* Adds bytes to a hash, the same on machines of either byte order. */
uint64_t lmi_hash_bytes(uint64_t hash, const void *bytes, size_t size);

/* Returns true if the things numbered `a` and `b` are equal. */
typedef bool lm_equal(const void *context, uint32_t a, uint32_t b);

typedef struct lm_index {
    uint32_t *slots; /* [lmi_index_slots(count)] the caller's; a thing's number + 1; 0: free */
    size_t num_slots;
} lm_index;

/* Returns the number of slots of an index of at most `count` things. */
size_t lmi_index_slots(uint32_t count);
/* Empties an index for at most `count` things. Its slots must be allocated for that number. */
void lmi_index_clear(lm_index *index, uint32_t count);
/* Returns the first thing in the index that is equal to `number`. If there is none, adds `number`
 * and returns it. The number of comparisons is bounded: if an input forces hash collisions, some
 * equal things are not found, but the time stays linear. */
uint32_t lmi_index_find(const lm_index *index, uint64_t hash, uint32_t number, lm_equal *equal,
                        const void *context);
/* Returns the thing in the index that is equal to the one of the context; LM_NOT_INDEXED if it is
 * not found. `equal` gets LM_NOT_INDEXED as `b`. */
#define LM_NOT_INDEXED UINT32_MAX
uint32_t lmi_index_get(const lm_index *index, uint64_t hash, lm_equal *equal, const void *context);

/* Finds, for each of `count` things, the first one equal to it, which may be itself. Returns false
 * if memory ran out. */
bool lmi_find_equal(uint32_t count, const uint64_t *hashes, lm_equal *equal, const void *context,
                    uint32_t *firsts, lm_heap *heap);

#endif
