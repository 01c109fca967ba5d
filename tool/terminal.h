/* Standard output, standard error and the progress bar: the only place that writes to them. */
#ifndef TOOL_TERMINAL_H
#define TOOL_TERMINAL_H

#include "lerpmesh/base.h"

/* Exit codes. */
enum {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* something in the input, or a file that could not be written */
    TOOL_USAGE = 2
};

/* Writes a buffer to standard output and empties it. False if that failed, or the buffer had: then
 * the reason was said, unless the reader has simply gone. */
bool tool_write_result(lm_buffer *text);
/* The same, and frees it. Returns an exit code. */
int tool_print(lm_buffer *text);
bool tool_output_is_terminal(void);
/* Writes a buffer to standard error and empties it; of one that failed what there is. */
void tool_write_error(lm_buffer *text);

/* Says on standard error that there is no memory, without any, and sees to it that the command
 * fails. Returns false. From any thread. */
bool tool_no_memory(void);
/* Whether that was said. */
bool tool_was_starved(void);

/* A bar on standard error, shown only on a terminal and only when the work takes its time. */
typedef struct tool_progress {
    bool enabled;
    bool shown;
    double start; /* tool_system_seconds */
} tool_progress;

void tool_progress_begin(tool_progress *progress, bool enabled);
void tool_progress_draw(tool_progress *progress, size_t done, size_t total);
void tool_progress_clear(tool_progress *progress);
/* Since it began. */
double tool_progress_seconds(const tool_progress *progress);

#endif
