/* The library's lock type: pthreads, Windows' own, or nothing (WASM without threads). */
#ifndef LM_ASSETS_LOCK_H
#define LM_ASSETS_LOCK_H

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
typedef SRWLOCK lm_lock;
#define LM_LOCK_INIT SRWLOCK_INIT
#define lm_lock_acquire(lock) AcquireSRWLockExclusive(lock)
#define lm_lock_release(lock) ReleaseSRWLockExclusive(lock)
#elif defined(__wasm__) && !defined(_REENTRANT)
typedef char lm_lock;
#define LM_LOCK_INIT 0
#define lm_lock_acquire(lock) ((void)(lock))
#define lm_lock_release(lock) ((void)(lock))
#else
#include <pthread.h>
typedef pthread_mutex_t lm_lock;
#define LM_LOCK_INIT PTHREAD_MUTEX_INITIALIZER
#define lm_lock_acquire(lock) pthread_mutex_lock(lock)
#define lm_lock_release(lock) pthread_mutex_unlock(lock)
#endif
#endif
