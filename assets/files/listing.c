#include "files/listing.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void lm_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind) {
    const lm_allocator *from = &listing->memory;
    if (listing->count == listing->capacity) {
        const size_t wanted = listing->capacity ? listing->capacity * 2 : 32;
        const size_t size = wanted * sizeof *listing->names, old = size / 2;
        lm_listed *grown = listing->names ? from->realloc(from->user, listing->names, old, size)
                                          : from->alloc(from->user, size);
        listing->failed = listing->failed || !grown;
        if (!grown)
            return;
        listing->names = grown;
        listing->capacity = wanted;
    }
    char *copy = from->alloc(from->user, length + 1);
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

static void free_name(const lm_listing *listing, char *name) {
    listing->memory.free(listing->memory.user, name, strlen(name) + 1);
}

void lm_listing_sort(lm_listing *listing) {
    size_t kept = 0;
    if (listing->count)
        qsort(listing->names, listing->count, sizeof *listing->names, compare_names);
    for (size_t i = 0; i < listing->count; i++)
        if (kept && strcmp(listing->names[kept - 1].name, listing->names[i].name) == 0)
            free_name(listing, listing->names[i].name);
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
    listing->by_letters = (lm_listed **)listing->memory.alloc(
        listing->memory.user, (listing->count + 1) * sizeof(lm_listed *));
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
    const lm_allocator *from = &listing->memory;
    for (size_t i = 0; i < listing->count; i++) {
        lm_listing *inside = listing->names[i].inside;
        if (inside) {
            lm_listing_free(inside);
            from->free(from->user, inside, sizeof *inside);
        }
        free_name(listing, listing->names[i].name);
    }
    if (listing->by_letters)
        from->free(from->user, (void *)listing->by_letters,
                   (listing->count + 1) * sizeof(lm_listed *));
    if (listing->names)
        from->free(from->user, listing->names, listing->capacity * sizeof *listing->names);
    *listing = (lm_listing){.memory = listing->memory};
}
