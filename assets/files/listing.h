/* The names in a folder. */
#ifndef LM_FILES_LISTING_H
#define LM_FILES_LISTING_H

#include "files/os.h"
#include "lerpmesh/texture.h"

typedef struct lm_listed {
    char *name;
    lm_os_kind kind;
} lm_listed;

/* Zero-initialised it is empty. */
typedef struct lm_listing {
    lm_listed *names;
    size_t count, capacity;
    bool failed; /* for want of memory */
} lm_listing;

void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_os_kind kind);
/* In byte order, each name once. */
void lm_listing_sort(lm_listing *listing);
void lm_listing_free(lm_listing *listing);

#endif
