/* Files, lists of names, and folders as views. */
#ifndef LM_FILES_FILE_H
#define LM_FILES_FILE_H

#include "core/arena.h"
#include "core/options.h"
#include "files/os.h"
#include "files/path.h"
#include "lerpmesh/files.h"

/* Restores a buffer to an earlier size after a failure, without memory if it was empty. */
void lmi_restore(lm_buffer *out, size_t size);

/* Decides what becomes of an existing file. Fails if it stops the call. */
bool lmi_file_existing(const lm_file_output *file, bool *writes, lm_error *error);
/* Returns whether a path has the same bytes, or a .png, .tga or .pcx with the same pixels. */
bool lmi_output_is_there(const char *path, const void *data, size_t size, uint64_t max_input,
                         lm_error *error);

/* Checks a view of the caller. `finds`: its `find` is called, not only its `read`. */
bool lmi_view_valid(const lm_files *files, bool finds, lm_error *error);

/* Appends the rest of an open file. Fails with errno set and the buffer unchanged. EFBIG: more than
 * `max_size` bytes; 0: no limit. */
bool lmi_read_to_end(int file, size_t max_size, lm_buffer *out);

/* Writes FOLDER/NAME of a view to `path`; either may be "". Fails if it is too long. */
bool lmi_path_join(const char *folder, const char *name, char path[LM_PATH_SIZE]);

/* Read a file, and list a folder. They fill an error that the view leaves empty. On failure,
 * reading restores the buffer. */
bool lmi_view_read(const lm_files *files, const char *path, size_t max_size, lm_buffer *out,
                   lm_error *error);
bool lmi_view_list(const lm_files *files, const char *folder, lm_list_each each, void *caller,
                   lm_error *error);
/* Finds NAME in a folder of a view. */
lm_find lmi_find_in(const lm_files *files, const char *folder, const char *name,
                    char actual[LM_PATH_SIZE]);

/* Returns the path by which a member is found: its path, or its name if another member has that
 * path. */
const char *lmi_member_address(const lm_archive *archive, const lm_member *member);

/* Opens a folder of a view ("": its root) as a view with the given name. The other view must
 * outlive it. NULL if there is no memory. */
const lm_files *lmi_subfolder_open(const lm_files *files, const char *folder, const char *name,
                                   lm_arena *arena);

/* ---- Folders as views ------------------------------------------------------------------------ */

typedef struct lm_folder lm_folder;

/* Opens a folder as lm_vfs_folder does. Any thread that uses its view may call the allocator, but
 * only one thread at a time. */
lm_folder *lmi_folder_open(const char *path, const lm_allocator *memory, lm_error *error);
const lm_files *lmi_folder_files(const lm_folder *folder);
void lmi_folder_free(lm_folder *folder);

/* ---- The names in a folder ------------------------------------------------------------------- */

typedef struct lm_listed {
    const char *name;
    lm_path_kind kind;
    struct lm_listing *inside; /* its own listing, if it is a folder and has been read */
} lm_listed;

/* A list of names. Zeros and an arena make an empty one; the arena provides all its memory. */
typedef struct lm_listing {
    lm_arena *arena;
    lm_listed *names;
    size_t count, capacity;
    lm_listed **by_letters; /* [count], case-insensitive; NULL: not indexed */
    bool failed;            /* out of memory */
} lm_listing;

/* Compares two items that begin with a pointer to their name, by its bytes. */
int lmi_compare_names(const void *a, const void *b);

/* A callback for lmi_os_list: returns false if there is no memory. */
bool lmi_listing_add_name(void *listing, const char *name);
void lmi_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind);
/* Sorts the names in byte order and removes duplicates. */
void lmi_listing_sort(lm_listing *listing);

#endif
