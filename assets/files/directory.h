/* The directory of an archive, read without trusting it. */
#ifndef LM_IO_DIRECTORY_H
#define LM_IO_DIRECTORY_H

#include "core/arena.h"
#include "files/directory.h"
#include "lerpmesh/files.h"

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

/* lm_archive_read, as lm_file_read does it with files. */
bool lm_archive_read_file(const lm_archive *archive, const char *path, size_t max_size,
                          lm_file *file, lm_error *error);

const char *lm_archive_format(const lm_archive *archive); /* "pak" or "pk3" */

#endif
