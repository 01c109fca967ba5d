/* lerpmesh/io.h - files: a thin layer above the core, which knows only bytes.
 *
 *     #include <lerpmesh/io.h>
 *     #include <stdio.h>
 *
 *     // The model of a file; NULL, and why on the way out, if there is none.
 *     lm_model *open_model(const char *path) {
 *         lm_error error;
 *         lm_model *model = lm_load_file(path, NULL, &error);
 *         if (!model)
 *             fprintf(stderr, "%s: %s\n", path, error.message);
 *         return model;
 *     }
 */
#ifndef LERPMESH_IO_H
#define LERPMESH_IO_H

#include "lerpmesh/load.h"
#include "lerpmesh/texture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of a file; read-only. */
typedef struct lm_file {
    const uint8_t *data;
    size_t size;
    void *mapping; /* internal */
} lm_file;

/* Reads a file whole; "-" is standard input. More than `max_size` bytes (0: no limit) are refused,
 * before they are read where the file says how many it has.
 * Files are read, never mapped: whoever truncates a mapped file kills the programs that look at it,
 * and for files of this size mapping takes longer than reading into memory that is in use already
 * (docs/performance.md). Who wants it can map a file and give it to lm_load_memory with `borrow`.
 */
LM_ASSETS_API bool lm_file_read(const char *path, size_t max_size, lm_file *file, lm_error *error);
LM_ASSETS_API void lm_file_free(lm_file *file); /* NULL is allowed */

/* Writes a file so that it is never seen half-written, nor otherwise than it was meant: under a
 * temporary name in the same folder, which is read back and compared byte for byte, then renamed.
 * "-" is standard output. */
LM_ASSETS_API bool lm_file_write(const char *path, const void *data, size_t size, lm_error *error);

/* A file to be written. */
typedef struct lm_file_output {
    const char *path;
    const void *data;
    size_t size;
} lm_file_output;

/* Writes files that belong together, of which the last names the others: a .bin and its .gltf. None
 * is ever seen half-written, nor the last beside others than its own, even if the program is killed
 * meanwhile: all are written under temporary names before the first is renamed, and a last one that
 * is there already goes away before others take the place of its companions. If one cannot be
 * written, those that are there already stay. `flush` waits until the disk has them, which takes
 * long, for those who fear that the power fails. */
LM_ASSETS_API bool lm_file_write_all(const lm_file_output *files, size_t count, bool flush,
                                     lm_error *error);

/* No format of models can describe a larger file: their offsets have 31 bits. */
#define LM_MAX_MODEL_FILE ((size_t)INT32_MAX)

/* lm_load_memory of a file. One of more than memory.max_bytes, where that is not set of more than
 * LM_MAX_MODEL_FILE, is refused with LM_CODE_LIMIT, before it is read where it says how large it
 * is. */
LM_ASSETS_API lm_model *lm_load_file(const char *path, const lm_load_options *options,
                                     lm_error *error);

/* ---- Folders ------------------------------------------------------------------------------- */

/* A folder as a view of files (lerpmesh/texture.h): letters are matched in either case, the exact
 * spelling first, then in byte order. Symbolic links are followed as long as they end below the
 * folder. What a folder holds is remembered when it is first looked into: what is put there later
 * is not found. Any number of threads may use a view at once. */
typedef struct lm_folder lm_folder;

/* The folder and what it remembers are in the memory of an allocator (NULL: malloc's), which is
 * then called from every thread that uses the view, but by one at a time. What the system takes
 * while it is asked is malloc's. */
LM_ASSETS_API lm_folder *lm_folder_open(const char *path, const lm_allocator *memory,
                                        lm_error *error);
/* The view; it holds as long as the folder is open. */
LM_ASSETS_API const lm_files *lm_folder_files(const lm_folder *folder);
LM_ASSETS_API void lm_folder_free(lm_folder *folder); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
