/* File calls of a program, preloaded before it, one of which kills the program. The environment
 * configures it:
 *
 *     FILES_KILL_AT=K   the K-th call that changes files kills the program, counted from 1
 *     FILES_COUNT=FILE  the number of these calls goes to FILE when the program ends
 *
 * It is killed before the call does anything, or after half of its bytes are written.
 *
 * Any number of threads may use it. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library wants it
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_ulong count;
static unsigned long kill_at;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("FILES_KILL_AT");
    kill_at = text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FILES_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", atomic_load(&count));
        fclose(file);
    }
}

static void die(void) {
    kill(getpid(), SIGKILL);
    pause();
}

/* Counts a call, and dies if it is the one. */
static void change(void) {
    if (atomic_fetch_add(&count, 1) + 1 == kill_at)
        die();
}

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the library has its own names

ssize_t write(int file, const void *bytes, size_t size) {
    if (atomic_fetch_add(&count, 1) + 1 == kill_at) {
        syscall(SYS_write, file, bytes, size / 2);
        die();
    }
    return syscall(SYS_write, file, bytes, size);
}

static int open_at(int folder, const char *path, int flags, unsigned mode) {
    if (flags & O_CREAT)
        change();
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    return open_at(folder, path, flags, mode);
}

int renameat(int folder, const char *from, int other, const char *to) {
    change();
    return (int)syscall(SYS_renameat2, folder, from, other, to, 0);
}

int rename(const char *from, const char *to) {
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int folder, const char *path, int flags) {
    change();
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    change();
    return (int)syscall(SYS_mkdirat, folder, path, mode);
}

int mkdir(const char *path, mode_t mode) {
    return mkdirat(AT_FDCWD, path, mode);
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    change();
    return (int)syscall(SYS_linkat, folder, from, other, to, flags);
}

int link(const char *from, const char *to) {
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fchmod(int file, mode_t mode) {
    change();
    return (int)syscall(SYS_fchmod, file, mode);
}

int fchown(int file, uid_t owner, gid_t group) {
    change();
    return (int)syscall(SYS_fchown, file, owner, group);
}

int fsync(int file) {
    change();
    return (int)syscall(SYS_fsync, file);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
