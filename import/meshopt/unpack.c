/* Decodes compressed views with meshoptimizer, whose decoders are safe on any bytes. */
#include "../packed.h"

#include <dlfcn.h>
#include <meshoptimizer.h>
#include <pthread.h>

/* LM_IM_MESHOPT_FILE: file name of the shared library that matches the header of this build. Like
 * Assimp, it is loaded when it is needed. */
#define FUNCTIONS(X)               \
    X(meshopt_decodeVertexBuffer)  \
    X(meshopt_decodeIndexBuffer)   \
    X(meshopt_decodeIndexSequence) \
    X(meshopt_decodeFilterOct)     \
    X(meshopt_decodeFilterQuat)    \
    X(meshopt_decodeFilterExp)

typedef struct lm_im_decoders {
#define MEMBER(name) __typeof__(name) *name; // NOLINT(bugprone-macro-parentheses)
    FUNCTIONS(MEMBER)
#undef MEMBER
} lm_im_decoders;

static bool load(lm_im_decoders *decoders, void *handle) {
    void *address;
#define FIND(name)                         \
    if (!(address = dlsym(handle, #name))) \
        return false;                      \
    *(void **)(void *)&decoders->name = address;
    FUNCTIONS(FIND)
#undef FIND
    return true;
}

static const lm_im_decoders *open_decoders(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static lm_im_decoders decoders;
    static bool loaded;
    pthread_mutex_lock(&lock);
    if (!loaded) {
        void *handle = dlopen(LM_IM_MESHOPT_FILE, RTLD_NOW | RTLD_LOCAL);
        loaded = handle && load(&decoders, handle);
        if (handle && !loaded)
            dlclose(handle);
    }
    pthread_mutex_unlock(&lock);
    return loaded ? &decoders : NULL;
}

bool lm_im_can_unpack(void) {
    return open_decoders() != NULL;
}

static void undo_filter(const lm_im_decoders *d, const lm_im_packed *packed, void *out) {
    if (packed->filter == IM_OCTAHEDRAL)
        d->meshopt_decodeFilterOct(out, packed->count, packed->stride);
    else if (packed->filter == IM_QUATERNION)
        d->meshopt_decodeFilterQuat(out, packed->count, packed->stride);
    else if (packed->filter == IM_EXPONENTIAL)
        d->meshopt_decodeFilterExp(out, packed->count, packed->stride);
}

bool lm_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                  lm_im_bytes *out) {
    const lm_im_decoders *d = open_decoders();
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
    undo_filter(d, packed, bytes);
    *out = (lm_im_bytes){bytes, (uint64_t)count * stride};
    return true;
}
