/* What the system does for the command: system_posix.c and system_windows.c are the only files here
 * that know which system it is. Paths and arguments are UTF-8 with '/' (on POSIX, any bytes). */
#ifndef TOOL_SYSTEM_H
#define TOOL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TOOL_STDOUT = 1,
    TOOL_STDERR = 2
};

typedef enum tool_kind {
    TOOL_NOTHING,
    TOOL_FILE, /* a regular one */
    TOOL_FOLDER,
    TOOL_OTHER
} tool_kind;

/* What a path leads to; two are the same file if disk and number are. */
typedef struct tool_about {
    tool_kind kind;
    uint64_t disk, number;
} tool_about;

/* Arguments, the program's name first. */
typedef struct tool_arguments {
    int count;
    char **texts;
} tool_arguments;

/* To be called first: sees to it that no file that is opened later takes the place of a standard
 * stream that is closed, and that a reader who goes away does not kill us in the middle of a file;
 * and gives main's arguments as said above. They stay as long as the process. */
tool_arguments tool_system_begin(int argc, char **argv);

/* Writes all bytes; errno says why not. */
bool tool_system_write(int stream, const void *data, size_t size);
bool tool_system_is_terminal(int stream);

double tool_system_seconds(void); /* of a clock that nobody sets */
unsigned tool_system_processors(void);

tool_about tool_system_look(const char *path);
/* Who may read and write a file, and lets the same do so again once another has taken its place. */
unsigned tool_system_mode(const char *path);
void tool_system_set_mode(const char *path, unsigned mode);
bool tool_system_make_folder(const char *path); /* errno says why not */

#endif
