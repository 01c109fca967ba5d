/* Archives made in memory, with every field as the test wants it. */
#ifndef TESTS_ARCHIVE_MAKER_H
#define TESTS_ARCHIVE_MAKER_H

#include "support.h"

typedef struct packed_file {
    const char *name;
    const void *data; /* NULL: no bytes */
    size_t size;
    bool deflate;
    unsigned flags, mode, host; /* of a zip's record */
} packed_file;

/* The directory is at the end, as in most. */
blob make_pak(const packed_file *files, size_t count);
blob make_pk3(const packed_file *files, size_t count);

/* Where a PAK's directory begins, and a zip's. */
size_t pak_directory(const blob *pak);
size_t pk3_directory(const blob *pk3);

#endif
