/* Paths that a disk leads to, and their parts. Programs see this by common/internals.h. */
#ifndef LM_DISK_PATH_H
#define LM_DISK_PATH_H

#include "lerpmesh/assets.h"

/* How many bytes of a path name the archive that it leads into, which a ':' follows; 0: none. */
size_t lm_disk_archive_length(lm_disk *disk, const char *path);
/* The archive whose path is the first `length` bytes. It stays the disk's. NULL with `error`
 * filled. */
lm_archive *lm_disk_archive(lm_disk *disk, const char *path, size_t length, lm_error *error);

/* Whether there is such a file, to be read; a folder, not in an archive. */
bool lm_disk_is_file(lm_disk *disk, const char *path);
bool lm_disk_is_folder(lm_disk *disk, const char *path);
/* Whether a folder that lm_disk_player opens is a player's: lower has upper beside it; tris.md2, as
 * Quake II's monsters are called as well, has weapon.md2 or is in a folder of players/. */
bool lm_disk_is_players(lm_disk *disk, const char *folder);

/* Parts of a path, which they point into. The last part; in an archive, of the member's path. */
const char *lm_disk_base_name(lm_disk *disk, const char *path);
/* From its last dot on; "" if it has none but at its beginning. */
const char *lm_disk_extension(lm_disk *disk, const char *path);
/* The last part without the extension, of `length` bytes. Slashes at the end do not count, and what
 * they follow, a folder, has no extension. */
const char *lm_disk_stem(lm_disk *disk, const char *path, size_t *length);

#endif
