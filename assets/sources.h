/* Folders and archives in which files are looked for. */
#ifndef LM_ASSETS_SOURCES_H
#define LM_ASSETS_SOURCES_H

#include "disk.h"

/* All of it is the disk's, but for `folder`. */
typedef struct lm_source {
    const lm_files *files;
    const lm_archive *archive; /* NULL: a folder */
    const char *folder; /* of the file that it was opened for, "" is the root; NULL: for none */
} lm_source;

/* The archive that the first `archive` bytes of a path name; 0: the folder at it. False with
 * `error` filled. */
bool lm_source_open(lm_disk *disk, const char *path, size_t archive, lm_source *source,
                    lm_error *error);
/* The path of a file of a source, as lm_disk_read takes it. */
char *lm_source_path(const lm_source *source, const char *path, lm_arena *arena);
/* The path of the file NAME in the same folder as the one at `path`, in its real spelling; NULL:
 * there is none. */
const char *lm_source_sibling(lm_disk *disk, const lm_source *source, const char *path,
                              const char *name, lm_arena *arena);

#define LM_NO_ROOT UINT32_MAX

/* Where files of a model are looked for, in the engines' order: in the games' places, and before
 * these, or if one of them has the model behind them, in its own. `folder` is the model's there. */
typedef struct lm_places {
    lm_source *sources;
    uint32_t count;
    uint32_t own;     /* LM_NO_ROOT: it cannot be opened, or there is none */
    lm_error problem; /* why it cannot; LM_CODE_OK: nothing is wrong */
} lm_places;

/* The first that has a file of that name in the model's folder, letters in either case, and its
 * path there; NULL: none has. */
const lm_source *lm_places_find(const lm_places *places, const char *name, lm_arena *arena,
                                char actual[LM_PATH_SIZE]);

#endif
