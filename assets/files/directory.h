/* The directory of an archive, read without trusting it. */
#ifndef LM_IO_DIRECTORY_H
#define LM_IO_DIRECTORY_H

#include "lerpmesh/archive.h"

/* A member, and what only the reader of archives needs to know of it. */
typedef struct lm_entry {
    lm_member member;
    uint64_t start, end; /* the bytes it takes up, headers included */
    uint32_t order;      /* in the directory */
    uint32_t crc;
    bool has_crc;
} lm_entry;

typedef struct lm_directory {
    const char *format; /* "pak" or "pk3" */
    lm_entry *entries;
    size_t num_entries;
    char *names; /* what the paths point into */
} lm_directory;

/* Reads the directory of an open file of `size` bytes. Free in any case. */
bool lm_directory_read(int descriptor, uint64_t size, lm_directory *directory, lm_error *error);
void lm_directory_free(lm_directory *directory);

/* Reads bytes at a place in a file, all or none. */
bool lm_read_at(int descriptor, uint64_t offset, void *out, size_t size);

/* Orders paths with letters in either case. */
int lm_compare_letters(const char *a, const char *b);

#endif
