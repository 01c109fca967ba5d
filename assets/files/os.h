/* What the system does for files, the same everywhere: os_posix.c and os_windows.c are the only
 * ones who know which system it is.
 *
 * Paths are UTF-8 with '/' (on POSIX, any bytes). What fails says why in errno. */
#ifndef LM_FILES_OS_H
#define LM_FILES_OS_H

#include "lerpmesh/files.h"

typedef enum lm_path_kind {
    LM_PATH_NOTHING,
    LM_PATH_FILE, /* a regular one */
    LM_PATH_FOLDER,
    LM_PATH_OTHER /* a pipe, a device */
} lm_path_kind;

/* What a path leads to, links followed; two lead to the same if disk and number are the same. */
typedef struct lm_path_about {
    uint64_t disk, number;
    lm_path_kind kind;
} lm_path_about;

#define LM_OS_INPUT 0 /* the standard streams: open, and not to be closed */
#define LM_OS_OUTPUT 1

/* Opens a file; -1 if that fails. Reading waits for nobody to open the other end of a pipe unless
 * `patient`; writing is to what is there, creating to what is not yet. */
int lm_os_open(const char *path, bool patient);
int lm_os_open_to_write(const char *path);
int lm_os_create(const char *path);
bool lm_os_close(int file);

/* What an open file is; the size of a regular one, else 0. */
lm_path_kind lm_os_about(int file, uint64_t *size);
lm_path_kind lm_os_kind_of(const char *path); /* links are followed */
bool lm_os_is_link(const char *path);
/* Looks at what a path leads to; NULL leads to nothing. */
void lm_path_look(const char *path, lm_path_about *about);
bool lm_os_make_folder(const char *path);

/* Makes main's arguments what paths are here: on Windows, whose C library loses letters, those that
 * the system knows, with '/' for '\'. They stay as long as the process; call it once. Without
 * memory they are as they were. */
void lm_arguments_take(int *argc, char ***argv);

/* Reads what comes next, at most `size` bytes: how many there were, 0 at the end, -1 for errors. */
int64_t lm_os_read(int file, void *bytes, size_t size);
/* The same at a position. From any number of threads at once; not to be mixed with lm_os_read. */
int64_t lm_os_read_at(int file, uint64_t offset, void *bytes, size_t size);
/* Writes some of `size` bytes: how many, -1 for errors. */
int64_t lm_os_write(int file, const void *bytes, size_t size);
/* Waits until the disk has what was written to a file, which is then read from there if the system
 * can be asked for that, or the names that a folder got. */
bool lm_os_flush(int file);
bool lm_os_flush_folder(const char *path);

/* Waits until no other program or thread holds a folder in this way, and holds it. -1 if it cannot
 * be held, which may be given back too. */
int lm_os_hold_folder(const char *path);
void lm_os_let_folder_go(int held);

/* At once: nobody sees neither. Of two that replace the same file one waits. */
bool lm_os_replace(const char *from, const char *to);
void lm_os_remove(const char *path);
unsigned lm_os_process(void); /* a number that no other process has */

/* Where a path really is, all links followed, without a '/' at the end (the root of all is "");
 * for the caller to free. NULL if there is nothing. */
char *lm_os_real_path(const char *path);
/* Opens a real path for reading, of which `root` is the beginning, following no link behind that:
 * what has become one meanwhile is not opened. */
int lm_os_open_real(const char *root, const char *real);
/* Calls `each` with every name in a folder but "." and "..", until it returns false. False if the
 * folder cannot be read. */
bool lm_os_list(const char *path, bool (*each)(void *user, const char *name), void *user);

#endif
