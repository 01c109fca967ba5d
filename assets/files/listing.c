#include "files/listing.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind) {
    const char *copy = lm_arena_text(listing->arena, name, length);
    listing->failed = listing->failed || !copy ||
                      !lm_arena_grow(listing->arena, &listing->names, &listing->capacity,
                                     listing->count + 1, sizeof *listing->names);
    if (!listing->failed)
        listing->names[listing->count++] = (lm_listed){copy, kind, NULL};
}

bool lm_listing_add_name(void *listing, const char *name) {
    lm_listing_add(listing, name, strlen(name), LM_PATH_NOTHING);
    return !((lm_listing *)listing)->failed;
}

int lm_compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void lm_listing_sort(lm_listing *listing) {
    size_t count = 0;
    if (listing->count)
        qsort(listing->names, listing->count, sizeof *listing->names, lm_compare_names);
    for (size_t i = 0; i < listing->count; i++)
        if (!count || strcmp(listing->names[count - 1].name, listing->names[i].name) != 0)
            listing->names[count++] = listing->names[i];
    listing->count = count;
}

static int compare_letters(const void *a, const void *b) {
    const char *left = (*(lm_listed *const *)a)->name, *right = (*(lm_listed *const *)b)->name;
    int order = lm_compare_letters(left, right);
    return order ? order : strcmp(left, right);
}

void lm_listing_index(lm_listing *listing) {
    listing->by_letters = lm_arena_alloc(listing->arena, listing->count, sizeof(lm_listed *));
    listing->failed = listing->failed || !listing->by_letters;
    if (!listing->by_letters)
        return;
    for (size_t i = 0; i < listing->count; i++)
        listing->by_letters[i] = &listing->names[i];
    qsort((void *)listing->by_letters, listing->count, sizeof(lm_listed *), compare_letters);
}

size_t lm_listing_find(const lm_listing *listing, const char *name, size_t length) {
    size_t first = 0, end = listing->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (lm_compare_part(listing->by_letters[middle]->name, name, length) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}
