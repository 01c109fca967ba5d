#include "terminal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

bool tool_write_result(lm_buffer *text) {
    const char *reason = NULL;
    bool written = !text->failed && tool_system_write(TOOL_STDOUT, text->data, text->size);
    if (text->failed)
        tool_no_memory();
    else if (!written && errno != EPIPE)
        reason = strerror(errno);
    if (reason) {
        lm_buffer message = {0};
        lm_buffer_printf(&message, "lerpmesh: cannot write to standard output: %s\n", reason);
        tool_write_error(&message);
    }
    text->size = 0;
    return written;
}

int tool_print(lm_buffer *text) {
    const bool written = tool_write_result(text);
    lm_buffer_free(text);
    return written ? TOOL_DONE : TOOL_FAILED;
}

void tool_write_error(lm_buffer *text) {
    /* If standard error fails, there is no way to report it. */
    (void)tool_system_write(TOOL_STDERR, text->data, text->size);
    if (text->failed && text->size > 0 && text->data[text->size - 1] != '\n')
        (void)tool_system_write(TOOL_STDERR, "\n", 1);
    lm_buffer_free(text);
    if (text->failed)
        tool_no_memory();
}

/* One flag per process, like the streams. */
static atomic_bool out_of_memory;

bool tool_no_memory(void) {
    static const char sentence[] = "lerpmesh: out of memory\n";
    if (!atomic_exchange(&out_of_memory, true))
        (void)tool_system_write(TOOL_STDERR, sentence, sizeof sentence - 1);
    return false;
}

bool tool_ran_out_of_memory(void) {
    return atomic_load(&out_of_memory);
}

#define BAR_DELAY 0.5 /* seconds before the bar appears */
#define BAR_WIDTH 30

void tool_progress_begin(tool_progress *progress, bool enabled) {
    *progress = (tool_progress){.enabled = enabled && tool_system_is_terminal(TOOL_STDERR)};
    progress->start = tool_system_seconds();
}

void tool_progress_draw(tool_progress *progress, size_t done, size_t total) {
    if (!progress->enabled || tool_progress_seconds(progress) < BAR_DELAY)
        return;
    char bar[BAR_WIDTH + 1], text[BAR_WIDTH + 50];
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', done * BAR_WIDTH / total);
    bar[BAR_WIDTH] = '\0';
    const int length = snprintf(text, sizeof text, "\r[%s] %zu of %zu", bar, done, total);
    (void)tool_system_write(TOOL_STDERR, text, (size_t)length);
    progress->shown = true;
}

double tool_progress_seconds(const tool_progress *progress) {
    return tool_system_seconds() - progress->start;
}

void tool_progress_clear(tool_progress *progress) {
    char text[BAR_WIDTH + 53];
    const int length = snprintf(text, sizeof text, "\r%*s\r", BAR_WIDTH + 50, "");
    if (progress->shown)
        (void)tool_system_write(TOOL_STDERR, text, (size_t)length);
    progress->shown = false;
}
