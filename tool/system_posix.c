#ifndef _WIN32

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

void tool_system_begin(void) {
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF)
            continue;
        /* Opened in the wrong direction, so that using it still fails. */
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            break;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* isolate.c waits for processes */
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

#endif
