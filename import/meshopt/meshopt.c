#include "lerpmesh/import.h"

#include "../gltf.h"

#include <dlfcn.h>
#include <meshoptimizer.h>
#include <pthread.h>
#include <stdbool.h>

#define LM_IM_MESHOPT_FUNCTIONS(X)      \
    X(meshopt_decodeVertexBuffer)       \
    X(meshopt_decodeIndexBuffer)        \
    X(meshopt_decodeIndexSequence)      \
    X(meshopt_decodeFilterOct)          \
    X(meshopt_decodeFilterQuat)         \
    X(meshopt_decodeFilterExp)          \
    X(meshopt_encodeVertexBuffer)       \
    X(meshopt_encodeVertexBufferBound)  \
    X(meshopt_encodeVertexVersion)      \
    X(meshopt_encodeIndexSequence)      \
    X(meshopt_encodeIndexSequenceBound) \
    X(meshopt_encodeIndexVersion)

typedef struct lm_im_meshopt {
#define MEMBER(name) __typeof__(name) *name; // NOLINT(bugprone-macro-parentheses)
    LM_IM_MESHOPT_FUNCTIONS(MEMBER)
#undef MEMBER
} lm_im_meshopt;

/* ---- The library -------------------------------------------------------------------------- */

/* LM_IM_MESHOPT_FILE: file name of the shared library that matches the header of this build. Like
 * Assimp, it is loaded when it is needed. */

static bool load(lm_im_meshopt *library, void *handle) {
    void *address;
#define FIND(name)                         \
    if (!(address = dlsym(handle, #name))) \
        return false;                      \
    *(void **)(void *)&library->name = address;
    LM_IM_MESHOPT_FUNCTIONS(FIND)
#undef FIND
    /* The versions that EXT_meshopt_compression defines. Newer libraries begin with others. */
    library->meshopt_encodeVertexVersion(0);
    library->meshopt_encodeIndexVersion(1);
    return true;
}

/* Returns the library's functions; NULL if it is not installed. Safe in any thread. */
static const lm_im_meshopt *im_meshopt_open(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static lm_im_meshopt library;
    static bool loaded;
    pthread_mutex_lock(&lock);
    if (!loaded) {
        void *handle = dlopen(LM_IM_MESHOPT_FILE, RTLD_NOW | RTLD_LOCAL);
        loaded = handle && load(&library, handle);
        if (handle && !loaded)
            dlclose(handle);
    }
    pthread_mutex_unlock(&lock);
    return loaded ? &library : NULL;
}

/* ---- Packing ------------------------------------------------------------------------------ */

static size_t pack_elements(const void *elements, size_t count, size_t stride, void *out,
                            size_t room) {
    const lm_im_meshopt *m = im_meshopt_open();
    return out ? m->meshopt_encodeVertexBuffer(out, room, elements, count, stride)
               : m->meshopt_encodeVertexBufferBound(count, stride);
}

static size_t pack_indices(const uint32_t *indices, size_t count, void *out, size_t room) {
    const lm_im_meshopt *m = im_meshopt_open();
    return out ? m->meshopt_encodeIndexSequence(out, room, indices, count)
               : m->meshopt_encodeIndexSequenceBound(count, UINT32_MAX);
}

const lm_gltf_packer *lm_meshopt_packer(void) {
    static const lm_gltf_packer packer = {.pack_elements = pack_elements,
                                          .pack_indices = pack_indices};
    return im_meshopt_open() ? &packer : NULL;
}

/* ---- Unpacking ---------------------------------------------------------------------------- */

bool lmi_im_can_unpack(void) {
    return im_meshopt_open() != NULL;
}

bool lmi_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                   lm_im_bytes *out) {
    const lm_im_meshopt *d = im_meshopt_open();
    const size_t count = packed->count, stride = packed->stride, size = (size_t)packed->bytes.size;
    if (!d)
        return lmi_im_fail(im, LM_CODE_NOT_BUILT_IN, location,
                           "it is compressed, but %s is not installed (Debian: libmeshoptimizer2d)",
                           LM_IM_MESHOPT_FILE);
    uint8_t *bytes = lmi_arena_zeros(im->arena, count, stride);
    if (!bytes)
        return false;
    const int failed =
        packed->mode == IM_TRIANGLES
            ? d->meshopt_decodeIndexBuffer(bytes, count, stride, packed->bytes.data, size)
        : packed->mode == IM_INDICES
            ? d->meshopt_decodeIndexSequence(bytes, count, stride, packed->bytes.data, size)
            : d->meshopt_decodeVertexBuffer(bytes, count, stride, packed->bytes.data, size);
    if (failed)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
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
