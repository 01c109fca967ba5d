#include "export/names.h"

#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

#define SUFFIX_SIZE 12 /* "_4294967295" and its NUL */

struct lm_name_entry {
    char *text;
    size_t size;     /* of the allocation */
    uint32_t repeat; /* the suffix that was tried last for this name */
};

size_t lm_name_utf8(const char *text, char *out) {
    size_t length = strlen(text), written = 0;
    bool latin1 = !lm_utf8_valid(text, length);
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)text[i];
        bool wide = latin1 && byte >= 0x80;
        if (out && wide) {
            out[written] = (char)(0xC0 | byte >> 6);
            out[written + 1] = (char)(0x80 | (byte & 0x3F));
        } else if (out) {
            out[written] = text[i];
        }
        written += wide ? 2 : 1;
    }
    return written;
}

size_t lm_name_hash(const char *text) {
    uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001B3u;
    return (size_t)(hash ^ hash >> 32);
}

/* Where `text` is, or the empty entry where it belongs. */
static lm_name_entry *find(const lm_names *names, const char *text) {
    size_t mask = names->capacity - 1;
    size_t i = lm_name_hash(text) & mask;
    while (names->entries[i].text && strcmp(names->entries[i].text, text) != 0)
        i = (i + 1) & mask;
    return &names->entries[i];
}

static bool make_room(lm_names *names) {
    if (names->capacity > 2 * names->count)
        return true;
    lm_names grown = {.heap = names->heap, .count = names->count};
    grown.capacity = names->capacity ? 2 * names->capacity : 64;
    grown.entries = lm_heap_alloc(names->heap, grown.capacity, sizeof *grown.entries);
    if (!grown.entries)
        return false;
    memset(grown.entries, 0, grown.capacity * sizeof *grown.entries);
    for (size_t i = 0; i < names->capacity; i++)
        if (names->entries[i].text)
            *find(&grown, names->entries[i].text) = names->entries[i];
    lm_heap_free(names->heap, names->entries, names->capacity * sizeof *names->entries);
    *names = grown;
    return true;
}

const char *lm_names_add(lm_names *names, const char *wanted) {
    size_t length = lm_name_utf8(wanted, NULL);
    size_t size = length + SUFFIX_SIZE;
    char *text = make_room(names) ? lm_heap_alloc(names->heap, size, 1) : NULL;
    if (!text)
        return NULL;
    lm_name_utf8(wanted, text);
    text[length] = '\0';
    lm_name_entry *first = find(names, text), *entry = first;
    while (entry->text) {
        first->repeat++;
        snprintf(text + length, SUFFIX_SIZE, "_%u", (unsigned)first->repeat + 1);
        entry = find(names, text);
    }
    *entry = (lm_name_entry){text, size, 0};
    names->count++;
    return text;
}

void lm_names_free(lm_names *names) {
    for (size_t i = 0; i < names->capacity; i++)
        if (names->entries[i].text)
            lm_heap_free(names->heap, names->entries[i].text, names->entries[i].size);
    lm_heap_free(names->heap, names->entries, names->capacity * sizeof *names->entries);
    *names = (lm_names){.heap = names->heap};
}
