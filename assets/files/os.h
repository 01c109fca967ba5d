/* File functions of the operating system, with the same meaning on all of them. Only os_posix.c,
 * os_windows.c and path.c depend on the system.
 *
 * Paths are UTF-8 with '/' (on POSIX, any bytes). Functions that fail set errno. */
#ifndef LM_FILES_OS_H
#define LM_FILES_OS_H

#include "lerpmesh/files.h"

typedef enum lm_path_kind {
    LM_PATH_NOTHING,
    LM_PATH_FILE, /* a regular file */
    LM_PATH_FOLDER,
    LM_PATH_OTHER /* a pipe, a device */
} lm_path_kind;

/* The identity of a file, with links resolved. Two paths lead to the same file if device and
 * number are equal. */
typedef struct lm_path_identity {
    uint64_t device, number;
    lm_path_kind kind;
} lm_path_identity;

#define LM_OS_INPUT 0 /* the standard streams: always open, never closed */
#define LM_OS_OUTPUT 1

/* Open a file; -1 on failure. Reading does not wait for the writer of a pipe unless `patient`.
 * Writing needs an existing file. */
int lmi_os_open(const char *path, bool patient);
int lmi_os_open_to_write(const char *path);
bool lmi_os_close(int file);

/* Returns the kind of an open file, and its size if it is a regular one, else 0. */
lm_path_kind lmi_os_stat(int file, uint64_t *size);
lm_path_kind lmi_os_kind_of(const char *path); /* follows links */
bool lmi_os_is_link(const char *path);
/* Fills `identity` for a path; NULL leads to nothing. */
void lmi_path_identify(const char *path, lm_path_identity *identity);
/* Returns whether two paths lead to the same file. */
static inline bool lmi_path_is_same(const lm_path_identity *a, const lm_path_identity *b) {
    return a->kind != LM_PATH_NOTHING && b->kind != LM_PATH_NOTHING && a->device == b->device &&
           a->number == b->number;
}
bool lmi_os_make_folder(const char *path);

/* Converts main's arguments to the paths of this header. Windows' C library loses letters, so there
 * it takes them from the system, with '/' for '\'. They stay valid for the life of the process;
 * call it once. Without memory it leaves them as they were. */
void lmi_utf8_arguments(int *argc, char ***argv);

/* Reads up to `size` bytes from the current position. Returns their number, 0 at the end, -1 on
 * error. */
int64_t lmi_os_read(int file, void *bytes, size_t size);
/* The same from a given position, from any number of threads at once. Do not combine with
 * lmi_os_read. */
int64_t lmi_os_read_at(int file, uint64_t offset, void *bytes, size_t size);
/* Writes up to `size` bytes. Returns their number, -1 on error. */
int64_t lmi_os_write(int file, const void *bytes, size_t size);
/* Waits until a file's data are on the disk. If the system allows it, later reads of the file come
 * from the disk and not from a cache. */
bool lmi_os_flush(int file);

/* A folder to write in. */
#define LM_OS_ANY_FOLDER (-2) /* paths are used as they are, and links are followed */

/* Opens the folder of a file. `below` is the end of `path`, after a folder that the caller trusts.
 * In that part, this creates missing folders and follows no link (ELOOP); POSIX guarantees that
 * even if another program replaces a folder by a link at the same time. NULL: LM_OS_ANY_FOLDER. -1
 * on failure. Closing keeps errno. */
int lmi_os_open_folder(const char *path, const char *below);
void lmi_os_close_folder(int folder);

/* The functions that follow take a folder and the path of a file directly in it, which may have
 * another name than the one that lmi_os_open_folder got. Only in LM_OS_ANY_FOLDER do they follow a
 * link of that name. */

/* A link counts as nothing: a new file replaces it. */
lm_path_kind lmi_os_kind_in(int folder, const char *path);
/* Creates a file that does not exist yet; -1 on failure. It gets the permissions of the regular
 * file `like`, in `like_folder`, and its owner and group as far as the system allows, before
 * anything is written. If there is no such file, it gets the permissions of any program's new
 * file. */
int lmi_os_create(int folder, const char *path, int like_folder, const char *like);
/* Opens a file that lmi_os_create has made, for reading. */
int lmi_os_open_created(int folder, const char *path);
/* Replaces a file atomically: there is always either the old one or the new one. If two programs
 * replace the same file, one waits. */
bool lmi_os_replace(int folder, const char *from, const char *to);
void lmi_os_remove(int folder, const char *path);
/* Removes a folder directly in a folder, if it is empty. */
void lmi_os_remove_folder(int folder, const char *path);

/* In these two, `path` is the path of the folder, for LM_OS_ANY_FOLDER. The first waits until new
 * names are on the disk. The second waits until no other program or thread has locked the folder,
 * then locks it. -1 if that fails; lmi_os_unlock_folder accepts it too. */
bool lmi_os_flush_folder(int folder, const char *path);
int lmi_os_lock_folder(int folder, const char *path);
void lmi_os_unlock_folder(int lock);

unsigned lmi_os_process(void); /* different for each running process */

/* Resolves all links of a path. The result has no '/' at its end (the root is ""); free it. NULL if
 * the path leads to nothing. */
char *lmi_os_real_path(const char *path);
/* Opens a real path, which begins with `root`, for reading. Follows no links below `root`: a part
 * that has become a link in the meantime is not opened. */
int lmi_os_open_real(const char *root, const char *real);
/* Calls `each` for every name in a folder except "." and "..", until it returns false. Fails if the
 * folder cannot be read. */
bool lmi_os_list(const char *path, bool (*each)(void *user, const char *name), void *user);

#endif
