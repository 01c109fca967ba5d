/* Builds archives in memory with every field as the test chooses. */
#ifndef TESTS_ARCHIVE_MAKER_H
#define TESTS_ARCHIVE_MAKER_H

#include "support.h"

typedef struct packed_file {
    const char *name;
    const void *data; /* NULL: no bytes */
    size_t size;
    bool deflate;
    unsigned flags, mode, host; /* of a zip's entry */
} packed_file;

/* The directory is at the end, as in most archives. */
blob make_pak(const packed_file *files, size_t count);
blob make_pk3(const packed_file *files, size_t count);

/* Returns the offset of the directory in a PAK or in a zip. */
size_t pak_directory(const blob *pak);
size_t pk3_directory(const blob *pk3);

#endif
