#include "files/listing.h"

#include <stdlib.h>
#include <string.h>

void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_os_kind kind) {
    if (listing->count == listing->capacity) {
        size_t wanted = listing->capacity ? listing->capacity * 2 : 32;
        lm_listed *grown = realloc(listing->names, wanted * sizeof *grown);
        listing->failed = listing->failed || !grown;
        if (!grown)
            return;
        listing->names = grown;
        listing->capacity = wanted;
    }
    char *copy = malloc(length + 1);
    listing->failed = listing->failed || !copy;
    if (!copy)
        return;
    memcpy(copy, name, length);
    copy[length] = '\0';
    listing->names[listing->count++] = (lm_listed){copy, kind};
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const lm_listed *)a)->name, ((const lm_listed *)b)->name);
}

void lm_listing_sort(lm_listing *listing) {
    size_t kept = 0;
    if (listing->count)
        qsort(listing->names, listing->count, sizeof *listing->names, compare_names);
    for (size_t i = 0; i < listing->count; i++)
        if (kept && strcmp(listing->names[kept - 1].name, listing->names[i].name) == 0)
            free(listing->names[i].name);
        else
            listing->names[kept++] = listing->names[i];
    listing->count = kept;
}

void lm_listing_free(lm_listing *listing) {
    for (size_t i = 0; i < listing->count; i++)
        free(listing->names[i].name);
    free(listing->names);
    *listing = (lm_listing){0};
}
