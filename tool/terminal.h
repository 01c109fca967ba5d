/* Standard output, standard error and the progress bar. Nothing else writes to them. */
#ifndef TOOL_TERMINAL_H
#define TOOL_TERMINAL_H

#include "lerpmesh/base.h"

/* Exit codes. */
enum {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* an invalid input, or a file that could not be written */
    TOOL_USAGE = 2
};

/* Writes a buffer to standard output and empties it. Fails if the buffer failed or writing fails,
 * and reports the reason, unless the reader closed the pipe. */
bool tool_write_result(lm_buffer *text);
/* The same, and frees the buffer. Returns an exit code. */
int tool_print(lm_buffer *text);
/* Writes a buffer to standard error and frees it; if the buffer failed, the bytes that it has. */
void tool_write_error(lm_buffer *text);

/* Reports lack of memory on standard error without allocating, and makes the command fail. Returns
 * false. May be called from any thread. */
bool tool_no_memory(void);
/* Returns whether tool_no_memory was called. */
bool tool_ran_out_of_memory(void);

/* A progress bar on standard error, shown only on a terminal, and only if the work takes a
 * while. */
typedef struct tool_progress {
    bool enabled;
    bool shown;
    double start; /* tool_system_seconds */
} tool_progress;

void tool_progress_begin(tool_progress *progress, bool enabled);
void tool_progress_draw(tool_progress *progress, size_t done, size_t total);
void tool_progress_clear(tool_progress *progress);
/* Returns the seconds since tool_progress_begin. */
double tool_progress_seconds(const tool_progress *progress);

/* ---- The system ------------------------------------------------------------------------------ */

enum {
    TOOL_STDOUT = 1,
    TOOL_STDERR = 2
};

/* Call this first. Opens closed standard streams, so that no file opened later gets their numbers.
 * If a reader closes a pipe, writing to it fails and does not end the process. */
void tool_system_begin(void);

/* Writes all bytes. Fails with errno set. */
bool tool_system_write(int stream, const void *data, size_t size);
bool tool_system_is_terminal(int stream);

double tool_system_seconds(void); /* of a monotonic clock */
unsigned tool_system_processors(void);

#endif
