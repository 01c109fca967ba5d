#include "formats/lumps.h"

bool lm_find_lump(lm_bytes file, void *owner, const lm_lump_member *lump, lm_extent extent,
                  size_t start, uint64_t *claimed) {
    int32_t offset = lm_lump_offset(owner, lump);
    if (extent.count == 0)
        return true;
    /* A lump in front of its own surface would belong to another one. */
    if (offset < 0 ||
        !lm_fits(file.size, (uint64_t)start + (uint32_t)offset, extent.count, extent.element))
        return false;
    lm_set_lump_data(owner, lump, file.data + start + offset);
    *claimed += lm_extent_size(extent);
    return true;
}

size_t lm_lump_end(lm_bytes file, const void *owner, const lm_lump_member *lump, lm_extent extent) {
    const uint8_t *data = lm_lump_data(owner, lump);
    return data ? (size_t)(data - file.data) + (size_t)lm_extent_size(extent) : 0;
}

bool lm_equal_lumps(const void *a, const void *b, const lm_lump_member *lump, lm_extent extent) {
    size_t size = (size_t)lm_extent_size(extent);
    return size == 0 || memcmp(lm_lump_data(a, lump), lm_lump_data(b, lump), size) == 0;
}

void lm_order_lumps(const int32_t *offsets, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && offsets[order[at - 1]] > offsets[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
