/* What paths lead to, for all stages of opening: files, folders, archives and mounted views. */
#ifndef LM_ASSETS_DISK_H
#define LM_ASSETS_DISK_H

#include "core/report.h"
#include "disk_path.h"
#include "files/listing.h"
#include "lerpmesh/assets.h"

/* The disk's allocator, complete. */
const lm_allocator *lm_disk_memory(const lm_disk *disk);

lm_path_kind lm_disk_kind(lm_disk *disk, const char *path); /* links are followed */
/* A folder, and no link to one. */
bool lm_disk_is_real_folder(lm_disk *disk, const char *path);
/* Whether a file begins like an archive, and can be opened as one. */
bool lm_disk_is_archive(lm_disk *disk, const char *path);
/* Whether there is a file that can be opened; else false with the reason: `missing` if there is
 * none. */
bool lm_disk_can_open(lm_disk *disk, const char *path, const char *missing, lm_error *error);

/* The names in a folder but for "." and "..", in byte order; they are the arena's. False with the
 * reason in `error`. */
bool lm_disk_list(lm_disk *disk, const char *folder, lm_arena *arena, lm_listing *names,
                  lm_error *error);

/* lm_disk_read that appends to a buffer. */
bool lm_disk_append(lm_disk *disk, const char *path, size_t max_size, lm_buffer *out,
                    lm_error *error);

/* A folder as a view, whose name is `path`. It stays the disk's. NULL with `error` filled. */
const lm_files *lm_disk_folder(lm_disk *disk, const char *path, lm_error *error);

/* ---- Opened once --------------------------------------------------------------------------- */

/* What a disk opens once, whatever asks for it, and closes when it forgets. Each kind has keys of
 * its own. */
typedef enum lm_cached {
    LM_CACHED_ARCHIVE, /* these three by the disk itself */
    LM_CACHED_FOLDER,
    LM_CACHED_VIEW,
    LM_CACHED_CLIPS,
    LM_CACHED_GAME,
    LM_CACHED_PALETTE,
    LM_CACHED_SKIN,
    LM_CACHED_IMAGES,
    LM_CACHED_SCRIPTS,
    LM_NUM_CACHED
} lm_cached;

/* What is to be opened. */
typedef struct lm_request {
    lm_disk *disk;
    const char *key;
    const void *context;
} lm_request;

/* `open` fills an object of zeros (core/arena.h), or returns false with `error` filled, and is
 * asked again the next time; it may use the disk, but for lm_disk_open_once. `close` frees what is
 * not in the object's arena, of an object that was not filled too; NULL: all is. */
typedef struct lm_opener {
    lm_cached kind;
    size_t size; /* of the object */
    bool (*open)(const lm_request *request, void *object, lm_error *error);
    void (*close)(void *object);
} lm_opener;

const void *lm_disk_open_once(const lm_opener *opener, const lm_request *request, lm_error *error);

/* ---- Names --------------------------------------------------------------------------------- */

/* FOLDER/NAME. */
char *lm_join(lm_arena *arena, const char *folder, const char *name);
/* Letters compare without case. */
bool lm_same_text(const char *a, const char *b);
bool lm_begins_same(const char *a, const char *b, size_t length);

#endif
