#include "assimp.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

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

const lm_im_library *lm_im_library_open(lm_error *error) {
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

/* ---- Recovering from abort() -------------------------------------------------------------- */

static _Thread_local sigjmp_buf jump;
static _Thread_local volatile sig_atomic_t guarded;

static void leave(int number) {
    if (guarded)
        siglongjmp(jump, 1);
    signal(number, SIG_DFL); /* another thread called abort(): end the program as usual */
    raise(number);
}

/* After abort(), memory and other resources of the work are leaked. */
bool lm_im_guarded(void (*work)(void *user), void *user) {
    struct sigaction own = {.sa_handler = leave}, before;
    sigemptyset(&own.sa_mask);
    sigaction(SIGABRT, &own, &before);
    const bool done = sigsetjmp(jump, 1) == 0;
    if (done) {
        guarded = 1;
        work(user);
    }
    guarded = 0;
    sigaction(SIGABRT, &before, NULL);
    return done;
}
