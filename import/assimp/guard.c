/* Recovers from abort(), which packaged builds of Assimp call if a file violates an assertion. */
#include "assimp.h"

#include <setjmp.h>
#include <signal.h>

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
