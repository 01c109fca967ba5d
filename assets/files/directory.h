/* The directory of an archive, read without trusting it. */
#ifndef LM_IO_DIRECTORY_H
#define LM_IO_DIRECTORY_H

#include "core/arena.h"
#include "lerpmesh/files.h"

/* Layouts: a PAK has a header with "PACK", offset and size of its directory, and there 64 bytes a
 * member, a name of 56 with its NUL, offset, size (Quake's source, common.c: packfile_t); a zip is
 * PKWARE's APPNOTE.TXT: 4.3.7 a member's own header, 4.3.12 the central directory, 4.3.16 the end
 * record, 4.4 their fields. */
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

/* A member, and what only the reader of archives needs to know of it. */
typedef struct lm_entry {
    lm_member member;
    uint64_t start, end; /* the bytes it takes up, headers included */
    uint64_t limit;      /* where the next one starts, or the directory */
    uint32_t crc;        /* where it is zipped */
    bool zipped, deflated;
} lm_entry;

typedef struct lm_directory {
    const char *format; /* "pak" or "pk3" */
    lm_entry *entries;
    size_t num_entries;
    char *names;    /* what the paths point into */
    uint64_t limit; /* where members end */
} lm_directory;

/* Reads the directory of an archive into memory of the arena's. */
bool lm_directory_read(const lm_reader *reader, lm_arena *arena, lm_directory *directory,
                       lm_error *error);

/* Where the bytes of a member begin, of which there are `packed_size`; false if its own header is
 * not what the directory says, or cannot be read. */
bool lm_entry_locate(const lm_reader *reader, const lm_entry *entry, uint64_t *position);

/* Reads bytes at a position, all or none; false for those outside. */
bool lm_read_at(const lm_reader *reader, uint64_t offset, void *out, size_t size);

const char *lm_archive_format(const lm_archive *archive); /* "pak" or "pk3" */

#endif
