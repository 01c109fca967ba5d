/* lerpmesh/texture.h - views of files: a folder and an archive look alike.
 *
 *     #include <lerpmesh/texture.h>
 *
 *     // The bytes of a file in a folder or an archive, in whatever spelling it is there.
 *     bool read_any(const lm_files *files, const char *path, lm_buffer *out) {
 *         char actual[LM_PATH_SIZE];
 *         return files->find(files->user, path, actual) == LM_FIND_FILE &&
 *                files->read(files->user, actual, 0, out, NULL);
 *     }
 */
#ifndef LERPMESH_TEXTURE_H
#define LERPMESH_TEXTURE_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Views of files ------------------------------------------------------------------------ */

#define LM_PATH_SIZE 512 /* of a path in a view, with its NUL */

typedef enum lm_find {
    LM_FIND_NOTHING, /* there is no such file */
    LM_FIND_FILE,
    LM_FIND_OUTSIDE, /* there is, but by a link that leads out of the view: refused */
    LM_FIND_STARVED  /* there was no memory to look for it */
} lm_find;

/* What is told of a name in a folder; false: enough. */
typedef bool (*lm_list_each)(void *caller, const char *name, bool is_folder);

/* Paths are separated by '/', below the view's root, without empty, "." or ".." parts. A view must
 * itself refuse what is not like that. */
typedef struct lm_files {
    void *user;
    const char *name; /* for messages: the folder, the archive */
    /* Finds a regular file, letters in either case; writes its real spelling. */
    lm_find (*find)(void *user, const char *path, char actual[LM_PATH_SIZE]);
    /* Appends the bytes of a file, named as `find` spelled it; more than max_size bytes (0: no
     * limit) are refused with LM_CODE_LIMIT. */
    bool (*read)(void *user, const char *path, size_t max_size, lm_buffer *out, lm_error *error);
    /* Calls `each` with the names of the files and folders right below a folder ("": the root), in
     * byte order. Letters of `folder` are matched in either case. False with `error` filled if
     * there is no such folder. May be NULL: a view that cannot list. */
    bool (*list)(void *user, const char *folder, lm_list_each each, void *caller, lm_error *error);
    /* Appends the first bytes of a file, `size` at most, without reading much more; false if it
     * cannot, for want of memory with out->failed set. May be NULL: a view that cannot. */
    bool (*peek)(void *user, const char *path, size_t size, lm_buffer *out);
} lm_files;

#ifdef __cplusplus
}
#endif
#endif
