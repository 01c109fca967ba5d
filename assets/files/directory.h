/* The directory of an archive, read as untrusted input. */
#ifndef LM_FILES_DIRECTORY_H
#define LM_FILES_DIRECTORY_H

#include "core/arena.h"
#include "lerpmesh/files.h"

/* The layouts.
 * - PAK: a header with "PACK", offset and size of the directory. The directory has 64 bytes per
 *   member: a name of 56 with its NUL, offset, size (Quake's source, common.c: packfile_t).
 * - zip: PKWARE's APPNOTE.TXT. 4.3.7 local header, 4.3.12 central directory, 4.3.16 end record, 4.4
 *   their fields. */
enum {
    PAK_HEADER = 12,
    PAK_NAME = 56,
    PAK_ENTRY = 64,
    ZIP_LOCAL = 30,
    ZIP_CENTRAL = 46,
    ZIP_END = 22,
    ZIP_STORED = 0,
    ZIP_DEFLATED = 8
};

/* A member, with the fields that only the reader of archives needs. */
typedef struct lm_entry {
    lm_member member;
    uint64_t start, end; /* the bytes that it occupies, headers included */
    uint64_t limit;      /* where the next member starts, or the directory */
    uint32_t crc;        /* only if it is zipped */
    bool zipped, deflated;
} lm_entry;

typedef struct lm_directory {
    const char *format; /* "pak" or "pk3" */
    lm_entry *entries;
    size_t num_entries;
    lm_entry *
        *parents; /* those whose name has ".." parts, sorted by name as `entries` are by path */
    size_t num_parents;
    char *names;    /* storage of the paths */
    uint64_t limit; /* the end of the members' bytes */
} lm_directory;

/* Reads the directory of an archive; the arena holds it. */
bool lmi_directory_read(const lm_reader *reader, lm_arena *arena, lm_directory *directory,
                        lm_error *error);

/* Finds the position of a member's bytes, of which there are `packed_size`. Fails if its local
 * header cannot be read or contradicts the directory. */
bool lmi_entry_locate(const lm_reader *reader, const lm_entry *entry, uint64_t *position);

/* Reads bytes at a position, all or none. Fails for positions outside. */
bool lmi_read_at(const lm_reader *reader, uint64_t offset, void *out, size_t size);

#endif
