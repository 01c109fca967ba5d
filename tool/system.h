/* System functions of the command. Only system_posix.c, system_windows.c and isolate.c depend on
 * the system. */
#ifndef TOOL_SYSTEM_H
#define TOOL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
