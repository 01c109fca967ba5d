#include "copy_packer.h"

#include <limits.h>
#include <string.h>

int copy_packer_calls = INT_MAX;

static size_t copy(const void *from, size_t size, void *out, size_t room) {
    if (!out)
        return size;
    if (copy_packer_calls-- <= 0 || room < size)
        return 0;
    memcpy(out, from, size);
    return size;
}

static size_t copy_elements(const void *elements, size_t count, size_t stride, void *out,
                            size_t room) {
    return copy(elements, count * stride, out, room);
}

static size_t copy_indices(const uint32_t *indices, size_t count, void *out, size_t room) {
    return copy(indices, count * sizeof *indices, out, room);
}

const lm_gltf_packer copy_packer = {copy_elements, copy_indices};
