/* Reading files into memory of the caller's choice, and views of parts of views. */
#ifndef LM_FILES_FILE_H
#define LM_FILES_FILE_H

#include "core/arena.h"
#include "lerpmesh/files.h"

/* Appends what is left of an open file; false with errno set (EFBIG: it is more than `max_size`
 * bytes; 0: no limit), and the buffer as it was. */
bool lm_read_to_end(int file, size_t max_size, lm_buffer *out);

/* lm_file_read that appends to a buffer. */
bool lm_file_append(const char *path, size_t max_size, lm_buffer *out, lm_error *error);

/* Gives a buffer's bytes to a file, which frees them. Frees the buffer and returns false if it
 * could not be filled (`done`), or if there is no memory. */
bool lm_file_own(lm_buffer *bytes, bool done, lm_file *file, lm_error *error);

/* FOLDER/NAME in a view; either may be "". False if that is too long. */
bool lm_path_join(const char *folder, const char *name, char path[LM_PATH_SIZE]);
/* Finds NAME in a folder of a view. */
lm_find lm_find_in(const lm_files *files, const char *folder, const char *name,
                   char actual[LM_PATH_SIZE]);

/* A view called `name` of what is below `folder` ("": all) in another, which must last. NULL
 * without memory. */
const lm_files *lm_below_open(const lm_files *files, const char *folder, const char *name,
                              lm_arena *arena);

#endif
