/* lerpmesh/texture.h - where a model's textures are.
 *
 *     #include <lerpmesh/texture.h>
 *
 *     // The bytes of a texture, from the folder of its model or else from the game's.
 *     bool load(const lm_files *own, const lm_files *game, const char *name, lm_buffer *out) {
 *         const lm_texture_root roots[] = {{own, ""}, {game, NULL}};
 *         const lm_texture_search search = {roots, 2};
 *         lm_texture texture;
 *         if (!lm_texture_find(&search, name, &texture))
 *             return false;
 *         const lm_files *files = roots[texture.root].files;
 *         return files->read(files->user, texture.path, 0, out, NULL);
 *     }
 *
 * Files are seen through views, so that a folder (lm_folder_open in lerpmesh/io.h) and an archive
 * are alike. A name in a model is data from a stranger: whatever it says, only files below the
 * roots are found.
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

/* Paths are separated by '/', below the view's root, without empty, "." or ".." parts (see
 * lm_path_clean). A view must itself refuse what is not like that. */
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

/* ---- Finding ------------------------------------------------------------------------------- */

typedef struct lm_texture_root {
    const lm_files *files;
    const char *folder; /* the model's own folder in this view ("" is the root), NULL: elsewhere */
} lm_texture_root;

/* Roots in the order in which they are looked at: the model's own first. */
typedef struct lm_texture_search {
    const lm_texture_root *roots;
    uint32_t num_roots;
} lm_texture_search;

typedef struct lm_texture {
    bool found;
    bool unsafe;             /* worth a warning (LM_CODE_UNSAFE_PATH): the name, or a link met */
    bool starved;            /* there was no memory to look everywhere */
    uint32_t root;           /* where, if found */
    char path[LM_PATH_SIZE]; /* in that root, in its real spelling */
    uint32_t num_tried;      /* candidates 0 .. num_tried - 1 were looked for */
} lm_texture;

/* Looks for a texture by its name in a model; returns result->found. In each root it tries
 * 1. the name below the root,
 * 2. the name below the model's folder,
 * 3. the name without its folders in the model's folder
 * (2 and 3 only where the model is in that root), each with the extension it names and then with
 * .tga .jpg .jpeg .png .pcx .webp (as ioquake3 does); a name without an extension gets these only.
 * Of an unsafe name only the part behind the last separator is looked for, by rule 3. */
LM_ASSETS_API bool lm_texture_find(const lm_texture_search *search, const char *name,
                                   lm_texture *result);

/* What the search for a name tries, by number; false beyond the last. */
LM_ASSETS_API bool lm_texture_candidate(const lm_texture_search *search, const char *name,
                                        uint32_t index, uint32_t *root, char path[LM_PATH_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
