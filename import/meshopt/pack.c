/* Compresses arrays with meshoptimizer, whose encoders allocate nothing. */
#include "library.h"

#include "lerpmesh/import.h"

static size_t pack_elements(const void *elements, size_t count, size_t stride, void *out,
                            size_t room) {
    const lm_im_meshopt *m = lm_im_meshopt_open();
    return out ? m->meshopt_encodeVertexBuffer(out, room, elements, count, stride)
               : m->meshopt_encodeVertexBufferBound(count, stride);
}

static size_t pack_indices(const uint32_t *indices, size_t count, void *out, size_t room) {
    const lm_im_meshopt *m = lm_im_meshopt_open();
    return out ? m->meshopt_encodeIndexSequence(out, room, indices, count)
               : m->meshopt_encodeIndexSequenceBound(count, UINT32_MAX);
}

const lm_gltf_packer *lm_meshopt_packer(void) {
    static const lm_gltf_packer packer = {pack_elements, pack_indices};
    return lm_im_meshopt_open() ? &packer : NULL;
}
