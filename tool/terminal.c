#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void tool_streams_begin(void) {
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF)
            continue;
        /* The wrong way round, so that using it still fails. */
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            break;
    }
    signal(SIGPIPE, SIG_IGN);
}

static bool write_all(int stream, const uint8_t *data, size_t size) {
    while (size > 0) {
        ssize_t written = write(stream, data, size);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

bool tool_write_result(lm_buffer *text) {
    const char *reason = NULL;
    bool written = !text->failed && write_all(STDOUT_FILENO, text->data, text->size);
    if (text->failed)
        tool_no_memory();
    else if (!written && errno != EPIPE)
        reason = strerror(errno);
    if (reason) {
        lm_buffer message = {0};
        lm_buffer_printf(&message, "lerpmesh: cannot write to standard output: %s\n", reason);
        tool_write_error(&message);
        lm_buffer_free(&message);
    }
    text->size = 0;
    return written;
}

bool tool_output_is_terminal(void) {
    return isatty(STDOUT_FILENO);
}

void tool_write_error(lm_buffer *text) {
    /* Where standard error fails there is nobody left to tell. */
    (void)write_all(STDERR_FILENO, text->data, text->size);
    if (text->failed && text->size > 0 && text->data[text->size - 1] != '\n')
        (void)write_all(STDERR_FILENO, (const uint8_t *)"\n", 1);
    text->size = 0;
    if (text->failed)
        tool_no_memory();
}

/* The streams are the process's, and so is this. */
static atomic_bool starved;

bool tool_no_memory(void) {
    static const char sentence[] = "lerpmesh: out of memory\n";
    if (!atomic_exchange(&starved, true))
        (void)write_all(STDERR_FILENO, (const uint8_t *)sentence, sizeof sentence - 1);
    return false;
}

bool tool_was_starved(void) {
    return atomic_load(&starved);
}

#define PATIENCE 0.5 /* seconds of work before the bar appears */
#define BAR_WIDTH 30

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

void tool_progress_begin(tool_progress *progress, bool enabled) {
    *progress = (tool_progress){.enabled = enabled && isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

void tool_progress_draw(tool_progress *progress, size_t done, size_t total) {
    if (!progress->enabled || seconds_since(&progress->start) < PATIENCE)
        return;
    char bar[BAR_WIDTH + 1];
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', done * BAR_WIDTH / total);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %zu of %zu", bar, done, total);
    fflush(stderr);
    progress->shown = true;
}

double tool_progress_seconds(const tool_progress *progress) {
    return seconds_since(&progress->start);
}

void tool_progress_clear(tool_progress *progress) {
    if (progress->shown)
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 50, "");
    fflush(stderr);
    progress->shown = false;
}
