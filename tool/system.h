/* What the system does for the command: system_posix.c and system_windows.c are the only files here
 * that know which system it is. */
#ifndef TOOL_SYSTEM_H
#define TOOL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TOOL_STDOUT = 1,
    TOOL_STDERR = 2
};

/* To be called first: sees to it that no file that is opened later takes the place of a standard
 * stream that is closed, and that a reader who goes away does not kill us in the middle of a file.
 */
void tool_system_begin(void);

/* Writes all bytes; errno says why not. */
bool tool_system_write(int stream, const void *data, size_t size);
bool tool_system_is_terminal(int stream);

double tool_system_seconds(void); /* of a clock that nobody sets */
unsigned tool_system_processors(void);

/* Who may read and write a file, and lets the same do so again once another has taken its place. */
unsigned tool_system_mode(const char *path);
void tool_system_set_mode(const char *path, unsigned mode);

#endif
