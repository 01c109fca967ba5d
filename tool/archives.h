/* Files, wherever they are: a path may lead into an archive, "pak0.pak:models/a.md2". A real file
 * whose name has a ':' in it is that file. Archives are opened when they are first needed and stay
 * open until tool_archives_close; everything here may be used from any thread. */
#ifndef TOOL_ARCHIVES_H
#define TOOL_ARCHIVES_H

#include "lerpmesh/archive.h"

/* How many bytes of a path name the archive that it leads into, which a ':' follows; 0: none. */
size_t tool_archive_length(const char *path);

/* The archive of that path, of `length` bytes. NULL with `error` filled if it cannot be opened. */
lm_archive *tool_archive(const char *path, size_t length, lm_error *error);
void tool_archives_close(void);

/* lm_file_read of a path of either kind. `max_size` 0: what the library has as limit. */
bool tool_file_read(const char *path, size_t max_size, lm_file *file, lm_error *error);
/* Whether there is such a regular file, to be read. */
bool tool_file_exists(const char *path);

/* Where the files beside a file are. */
typedef struct tool_place {
    const lm_files *files;
    lm_folder *opened; /* NULL: an archive, which stays open */
    char *folder;      /* the file's own in `files`; "" is the root */
} tool_place;

/* The folder, or the archive, that a file is in. False with `error` filled if it cannot be opened;
 * then there is nothing to close. */
bool tool_files_for_input(const char *path, tool_place *place, lm_error *error);
/* A folder or an archive, by its own path; `folder` is NULL. */
bool tool_files_for_game(const char *path, tool_place *place, lm_error *error);
void tool_place_close(tool_place *place);

#endif
