/* The names in a folder. */
#ifndef LM_FILES_LISTING_H
#define LM_FILES_LISTING_H

#include "core/arena.h"
#include "files/os.h"
#include "files/path.h"
#include "lerpmesh/files.h"

typedef struct lm_listed {
    const char *name;
    lm_path_kind kind;
    struct lm_listing *inside; /* its own listing, if it is a folder and has been read */
} lm_listed;

/* A list of names. Zeros and an arena make an empty one; the arena provides all its memory. */
typedef struct lm_listing {
    lm_arena *arena;
    lm_listed *names;
    size_t count, capacity;
    lm_listed **by_letters; /* [count], from lm_listing_index */
    bool failed;            /* out of memory */
} lm_listing;

/* Compares two items that begin with a pointer to their name, by its bytes. */
int lm_compare_names(const void *a, const void *b);

/* A callback for lm_os_list: returns false if there is no memory. */
bool lm_listing_add_name(void *listing, const char *name);
void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind);
/* Sorts the names in byte order and removes duplicates. */
void lm_listing_sort(lm_listing *listing);
/* Indexes a sorted listing, which must not grow any more. The order is case-insensitive; names that
 * differ in case only are in byte order. */
void lm_listing_index(lm_listing *listing);
/* Returns the first position in that order where a name of `length` bytes is or would be. The
 * entries from there on may match in another case. */
size_t lm_listing_find(const lm_listing *listing, const char *name, size_t length);

#endif
