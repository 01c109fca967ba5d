/* What the readers and writers of all formats share: lumps, where they lie and how large they are.
 */
#ifndef LM_FORMATS_LUMPS_H
#define LM_FORMATS_LUMPS_H

#include "core/bytes.h"

/* A lump's place in its header on disk and in the struct that shows the header (a document or one
 * of its surfaces), so that reading, writing and comparing treat all lumps alike. */
typedef struct lm_lump_member {
    const char *name;
    size_t ofs_at;           /* its offset's place in the header on disk */
    size_t ofs_member, data; /* offsetof the struct's: int32_t, const uint8_t * */
} lm_lump_member;

/* How many elements a lump has and how large each is. */
typedef struct lm_extent {
    uint64_t count;
    size_t element;
} lm_extent;

static inline uint64_t lm_extent_size(lm_extent extent) {
    return extent.count * extent.element;
}

static inline int32_t lm_lump_offset(const void *owner, const lm_lump_member *lump) {
    int32_t offset;
    memcpy(&offset, (const char *)owner + lump->ofs_member, sizeof offset);
    return offset;
}

static inline void lm_set_lump_offset(void *owner, const lm_lump_member *lump, int32_t offset) {
    memcpy((char *)owner + lump->ofs_member, &offset, sizeof offset);
}

static inline const uint8_t *lm_lump_data(const void *owner, const lm_lump_member *lump) {
    const uint8_t *data;
    memcpy(&data, (const char *)owner + lump->data, sizeof data);
    return data;
}

static inline void lm_set_lump_data(void *owner, const lm_lump_member *lump, const uint8_t *data) {
    memcpy((char *)owner + lump->data, &data, sizeof data);
}

/* Points the owner at a lump whose offset, which the owner has, counts from `start`. False if it
 * does not lie in the file. `claimed` adds up the bytes that all lumps say are theirs. */
bool lm_find_lump(lm_bytes file, void *owner, const lm_lump_member *lump, lm_extent extent,
                  size_t start, uint64_t *claimed);
/* Where a lump that was found ends in the file, 0 if it is empty. */
size_t lm_lump_end(lm_bytes file, const void *owner, const lm_lump_member *lump, lm_extent extent);
bool lm_equal_lumps(const void *a, const void *b, const lm_lump_member *lump, lm_extent extent);

/* The order in which lumps stood in the file that a document was read from: by offset, and for
 * equal offsets (empty lumps, or a document made from nothing) as they are listed. */
void lm_order_lumps(const int32_t *offsets, int count, int *order);

#endif
