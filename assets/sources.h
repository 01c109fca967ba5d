/* Sources: folders and archives to search for files. */
#ifndef LM_ASSETS_SOURCES_H
#define LM_ASSETS_SOURCES_H

#include "vfs.h"

/* A folder or an archive to search. The file system owns everything except `folder`. */
typedef struct lm_source {
    const lm_files *files;
    const lm_archive *archive; /* NULL: a folder */
    const char *folder;        /* of the file it was opened for; "": the root; NULL: none */
} lm_source;

/* Opens the archive that the first `archive` bytes of a path name; 0: the folder at the path. Fails
 * with `error` filled. */
bool lm_source_open(lm_vfs *vfs, const char *path, size_t archive, lm_source *source,
                    lm_error *error);
/* Opens the folder or archive that contains the file at a path, which is `inside` there. Fails with
 * `error` filled. */
bool lm_source_of(lm_vfs *vfs, const char *path, lm_arena *arena, lm_source *source,
                  const char **inside, lm_error *error);
/* Returns the path of a source's file, as for lm_vfs_read. */
char *lm_source_path(const lm_source *source, const char *path, lm_arena *arena);
/* Returns the path of NAME in the same folder as `path`, in its real spelling; NULL: there is no
 * such file. */
const char *lm_source_sibling(lm_vfs *vfs, const lm_source *source, const char *path,
                              const char *name, lm_arena *arena);

#define LM_NO_SOURCE UINT32_MAX

/* The search path of a model's files, in the engines' order: the games' sources, and the model's
 * own. The own source comes first, or last if one of the games' sources contains the model.
 * lm_source.folder is the model's folder in each source. */
typedef struct lm_search_path {
    lm_source *sources;
    uint32_t count;
    uint32_t own;     /* LM_NO_SOURCE: it cannot be opened, or there is none */
    lm_error problem; /* the reason why it cannot be opened; LM_CODE_OK: none */
} lm_search_path;

/* Returns the first source with a file of that name in the model's folder, case-insensitive, and
 * sets the file's path there. NULL: none. */
const lm_source *lm_search_path_find(const lm_search_path *search, const char *name,
                                     lm_arena *arena, char actual[LM_PATH_SIZE]);

#endif
