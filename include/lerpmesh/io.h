/* lerpmesh/io.h - files: a thin layer above the core, which knows only bytes.
 */
#ifndef LERPMESH_IO_H
#define LERPMESH_IO_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of a file; read-only. */
typedef struct lm_file {
    const uint8_t *data;
    size_t size;
    void *mapping; /* internal */
} lm_file;

/* Reads a file whole; "-" is standard input. `max_size` 0: no limit. */
LM_API bool lm_file_read(const char *path, size_t max_size, lm_file *file, lm_error *error);
LM_API void lm_file_close(lm_file *file);

/* Writes a file so that it is never seen half-written: under a temporary name in the same folder,
 * then renamed. "-" is standard output. */
LM_API bool lm_file_write(const char *path, const void *data, size_t size, lm_error *error);

/* lm_load_memory of a file. */
LM_API lm_model *lm_load_file(const char *path, const lm_load_options *options, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
