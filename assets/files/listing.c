#include "files/listing.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind) {
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
    listing->names[listing->count++] = (lm_listed){copy, kind, NULL};
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

static int compare_letters(const void *a, const void *b) {
    const char *left = (*(lm_listed *const *)a)->name, *right = (*(lm_listed *const *)b)->name;
    int order = lm_compare_letters(left, right);
    return order ? order : strcmp(left, right);
}

void lm_listing_index(lm_listing *listing) {
    listing->by_letters = (lm_listed **)malloc((listing->count + 1) * sizeof(lm_listed *));
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

// NOLINTNEXTLINE(misc-no-recursion): no deeper than a path can be long
void lm_listing_free(lm_listing *listing) {
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->names[i].inside)
            lm_listing_free(listing->names[i].inside);
        free(listing->names[i].inside);
        free(listing->names[i].name);
    }
    free((void *)listing->by_letters);
    free(listing->names);
    *listing = (lm_listing){0};
}
