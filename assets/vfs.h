/* Internal functions of the virtual file system, for all stages of opening: files, folders,
 * archives and mounted views. */
#ifndef LM_ASSETS_VFS_H
#define LM_ASSETS_VFS_H

#include "core/report.h"
#include "files/file.h"
#include "lerpmesh/assets.h"
#include "vfs_path.h"

/* Returns the allocator, with all of its functions set. */
const lm_allocator *lmi_vfs_memory(const lm_vfs *vfs);

lm_path_kind lmi_vfs_kind(lm_vfs *vfs, const char *path); /* follows links */
/* Returns whether a path is a folder and not a link to one. */
bool lmi_vfs_is_real_folder(lm_vfs *vfs, const char *path);
/* Returns whether a file begins like an archive and can be opened as one. */
bool lmi_vfs_is_archive(lm_vfs *vfs, const char *path);
/* Returns whether a path leads to a file that can be opened. Else fails with the reason, which is
 * `missing` if there is no such file. */
bool lmi_vfs_can_open(lm_vfs *vfs, const char *path, const char *missing, lm_error *error);

/* Lists the names in a folder except "." and "..", in byte order, in the arena's memory. Fails with
 * the reason in `error`. */
bool lmi_vfs_list_names(lm_vfs *vfs, const char *folder, lm_arena *arena, lm_listing *names,
                        lm_error *error);

/* Returns false if a path leads into a view that cannot list its files. Then nothing tells its
 * folders from paths that do not exist. */
bool lmi_vfs_can_list(lm_vfs *vfs, const char *path);

/* ---- Cache ----------------------------------------------------------------------------------- */

/* The kinds of cached objects. Each is opened once per key, and closed by lm_vfs_free. Each kind
 * has its own keys. */
typedef enum lm_cached {
    LM_CACHED_ARCHIVE, /* the file system itself opens these three */
    LM_CACHED_FOLDER,
    LM_CACHED_VIEW,
    LM_CACHED_CLIPS,
    LM_CACHED_GAME,
    LM_CACHED_PALETTE,
    LM_CACHED_SKIN,
    LM_CACHED_IMAGES,
    LM_CACHED_SCRIPTS,
    LM_CACHED_UFO_SCRIPT,
    LM_CACHED_PROJECT,
    LM_CACHED_NAMES,
    LM_NUM_CACHED
} lm_cached;

/* A request to open an object. */
typedef struct lm_request {
    lm_vfs *vfs;
    const char *key;
    const void *context;
} lm_request;

/* The functions that open and close objects of a kind. `open` fills a zeroed object (core/arena.h),
 * or returns false with `error` filled; then the next request tries again. It may use the file
 * system, but not lmi_vfs_open_once. `close` frees whatever is not in the object's arena, also of
 * an object whose `open` failed. NULL: everything is in the arena. */
typedef struct lm_opener {
    lm_cached kind;
    size_t size; /* of the object, in bytes */
    bool (*open)(const lm_request *request, void *object, lm_error *error);
    void (*close)(void *object);
} lm_opener;

const void *lmi_vfs_open_once(const lm_opener *opener, const lm_request *request, lm_error *error);

/* ---- Names --------------------------------------------------------------------------------- */

/* Returns FOLDER/NAME. */
char *lmi_join(lm_arena *arena, const char *folder, const char *name);
/* Case-insensitive comparisons. */
bool lmi_same_text(const char *a, const char *b);
bool lmi_begins_same(const char *a, const char *b, size_t length);

#endif
