/* Decodes compressed views with meshoptimizer, whose decoders are safe on any bytes. */
#include "../packed.h"

#include "library.h"

bool lm_im_can_unpack(void) {
    return lm_im_meshopt_open() != NULL;
}

bool lm_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                  lm_im_bytes *out) {
    const lm_im_meshopt *d = lm_im_meshopt_open();
    const size_t count = packed->count, stride = packed->stride, size = (size_t)packed->bytes.size;
    if (!d)
        return lm_im_fail(im, LM_CODE_NOT_BUILT_IN, location,
                          "it is compressed, but %s is not installed (Debian: libmeshoptimizer2d)",
                          LM_IM_MESHOPT_FILE);
    uint8_t *bytes = lm_arena_zeros(im->arena, count, stride);
    if (!bytes)
        return false;
    const int failed =
        packed->mode == IM_TRIANGLES
            ? d->meshopt_decodeIndexBuffer(bytes, count, stride, packed->bytes.data, size)
        : packed->mode == IM_INDICES
            ? d->meshopt_decodeIndexSequence(bytes, count, stride, packed->bytes.data, size)
            : d->meshopt_decodeVertexBuffer(bytes, count, stride, packed->bytes.data, size);
    if (failed)
        return lm_im_fail(im, LM_CODE_BAD_GLTF, location,
                          "its %llu compressed bytes are damaged, or need a newer version of %s",
                          (unsigned long long)packed->bytes.size, LM_IM_MESHOPT_FILE);
    if (packed->filter == IM_OCTAHEDRAL)
        d->meshopt_decodeFilterOct(bytes, packed->count, packed->stride);
    else if (packed->filter == IM_QUATERNION)
        d->meshopt_decodeFilterQuat(bytes, packed->count, packed->stride);
    else if (packed->filter == IM_EXPONENTIAL)
        d->meshopt_decodeFilterExp(bytes, packed->count, packed->stride);
    *out = (lm_im_bytes){bytes, (uint64_t)count * stride};
    return true;
}
