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
    struct lm_listing *inside; /* of a folder, once that was listed too */
} lm_listed;

/* Empty with nothing but the arena that all of it comes from. */
typedef struct lm_listing {
    lm_arena *arena;
    lm_listed *names;
    size_t count, capacity;
    lm_listed **by_letters; /* [count], of lm_listing_index */
    bool failed;            /* for want of memory */
} lm_listing;

/* The order of two items that begin with a pointer to their name: by its bytes. */
int lm_compare_names(const void *a, const void *b);

/* A callback of lm_os_list: false without memory. */
bool lm_listing_add_name(void *listing, const char *name);
void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind);
/* In byte order, each name once. */
void lm_listing_sort(lm_listing *listing);
/* Puts a sorted listing, which is to grow no more, in the order of names without their case; of
 * those that are the same so in byte order. */
void lm_listing_index(lm_listing *listing);
/* Where in that order a name of `length` bytes stands, or would: what follows may be it in other
 * letters. */
size_t lm_listing_find(const lm_listing *listing, const char *name, size_t length);

#endif
