/* LM_IM_MESHOPT_FILE: file name of the shared library that matches the header of this build. Like
 * Assimp, it is loaded when it is needed. */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

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

const lm_im_meshopt *lm_im_meshopt_open(void) {
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
