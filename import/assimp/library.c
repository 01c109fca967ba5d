#include "assimp.h"

#include <dlfcn.h>
#include <pthread.h>

/* LM_IM_ASSIMP_FILE: file name of the shared library that matches the headers of this build. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool load(lm_im_library *library, void *handle, lm_error *error) {
    void *address;
#define LM_IM_FIND(name)                                                             \
    if (!(address = dlsym(handle, #name)))                                           \
        return lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,                            \
                             "%s has no function %s: this version is not supported", \
                             LM_IM_ASSIMP_FILE, #name);                              \
    *(void **)(void *)&library->name = address;
    LM_IM_ASSIMP_FUNCTIONS(LM_IM_FIND)
#undef LM_IM_FIND
    return true;
}

const lm_im_library *lmi_im_library_open(lm_error *error) {
    static lm_im_library library;
    static bool loaded;
    pthread_mutex_lock(&lock);
    if (!loaded) {
        void *handle = dlopen(LM_IM_ASSIMP_FILE, RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                          "this needs Assimp (Debian: libassimp5), which cannot be loaded: %.200s",
                          dlerror());
        loaded = handle && load(&library, handle, error);
        if (handle && !loaded)
            dlclose(handle);
    }
    pthread_mutex_unlock(&lock);
    return loaded ? &library : NULL;
}
