#ifndef _WIN32

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

tool_arguments tool_system_begin(int argc, char **argv) {
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF)
            continue;
        /* The wrong way round, so that using it still fails. */
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            break;
    }
    signal(SIGPIPE, SIG_IGN);
    return (tool_arguments){argc, argv};
}

bool tool_system_write(int stream, const void *data, size_t size) {
    for (const uint8_t *from = data; size > 0;) {
        ssize_t written = write(stream, from, size);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        from += written;
        size -= (size_t)written;
    }
    return true;
}

bool tool_system_is_terminal(int stream) {
    return isatty(stream);
}

double tool_system_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

unsigned tool_system_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

tool_about tool_system_look(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0)
        return (tool_about){TOOL_NOTHING, 0, 0};
    tool_kind kind = S_ISREG(info.st_mode)   ? TOOL_FILE
                     : S_ISDIR(info.st_mode) ? TOOL_FOLDER
                                             : TOOL_OTHER;
    return (tool_about){kind, (uint64_t)info.st_dev, (uint64_t)info.st_ino};
}

unsigned tool_system_mode(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (unsigned)info.st_mode & 0777 : 0666;
}

void tool_system_set_mode(const char *path, unsigned mode) {
    if (tool_system_mode(path) != mode)
        chmod(path, (mode_t)mode);
}

bool tool_system_make_folder(const char *path) {
    return mkdir(path, 0777) == 0;
}

#endif
