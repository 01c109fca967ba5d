#include "core/names.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* Marks a side of a fork that is a text, not another fork. Both are indices of entries. */
#define TEXT 0x80000000u

static unsigned byte_at(const lm_names *names, const char *text, size_t at) {
    uint8_t byte = (uint8_t)text[at];
    return (unsigned)(names->any_case ? lmi_lower(byte) : byte);
}

/* Returns the side of a fork for a text of `length` bytes. */
static uint32_t *side_of(const lm_names *names, lm_name *fork, const char *text, size_t length) {
    unsigned byte = fork->byte < length ? byte_at(names, text, fork->byte) : 0;
    return &fork->side[(byte & fork->mask) != 0];
}

/* Inserts the last entry at the bit where its text differs from the others: above the first fork
 * with a later byte or a lower bit. */
static void insert(lm_names *names, size_t length, uint32_t byte, uint8_t mask) {
    uint32_t index = (uint32_t)names->count - 1, *node = &names->root;
    lm_name *entry = &names->names[index];
    while (!(*node & TEXT)) {
        lm_name *fork = &names->names[*node];
        if (fork->byte > byte || (fork->byte == byte && fork->mask < mask))
            break;
        node = side_of(names, fork, entry->text, length);
    }
    entry->byte = byte;
    entry->mask = mask;
    unsigned side = (byte_at(names, entry->text, byte) & mask) != 0;
    entry->side[side] = index | TEXT;
    entry->side[!side] = *node;
    *node = index;
}

static lm_name *add_entry(lm_names *names, const char *text) {
    if (names->count >= TEXT ||
        (names->arena && !lmi_arena_grow(names->arena, &names->names, &names->capacity,
                                         names->count + 1, sizeof *names->names)))
        return NULL;
    names->names[names->count] = (lm_name){.text = text};
    return &names->names[names->count++];
}

/* Returns the entry with the longest common prefix of bits. The set must not be empty. */
static lm_name *nearest_to(const lm_names *names, const char *text, size_t length) {
    uint32_t node = names->root;
    while (!(node & TEXT))
        node = *side_of(names, &names->names[node], text, length);
    return &names->names[node & ~TEXT];
}

const lm_name *lmi_names_find_part(const lm_names *names, const char *text, size_t length) {
    const lm_name *nearest = names->count ? nearest_to(names, text, length) : NULL;
    for (size_t at = 0; nearest && at < length; at++)
        if (byte_at(names, nearest->text, at) != byte_at(names, text, at))
            return NULL;
    return nearest && nearest->text[length] == '\0' ? nearest : NULL;
}

const lm_name *lmi_names_find(const lm_names *names, const char *text) {
    return lmi_names_find_part(names, text, strlen(text));
}

lm_name *lmi_names_put(lm_names *names, const char *text) {
    if (names->count == 0) {
        names->root = TEXT;
        return add_entry(names, text);
    }
    size_t length = strlen(text);
    lm_name *nearest = nearest_to(names, text, length);
    uint32_t at = 0;
    while (byte_at(names, nearest->text, at) == byte_at(names, text, at))
        if (text[at++] == '\0')
            return nearest;
    unsigned differ = byte_at(names, nearest->text, at) ^ byte_at(names, text, at);
    uint8_t mask = 0x80;
    while (!(differ & mask))
        mask >>= 1;
    if (!add_entry(names, text))
        return NULL;
    insert(names, length, at, mask);
    return &names->names[names->count - 1];
}

char *lmi_names_unique(lm_names *names, char *text) {
    size_t length = strlen(text);
    lm_name *name = lmi_names_put(names, text);
    if (!name || ++name->number == 1)
        return name ? text : NULL;
    /* Each number is tried once per name: a number in use belongs to an entry of its own. */
    size_t first = (size_t)(name - names->names);
    for (;;) {
        snprintf(text + length, LM_NAME_ROOM, "_%u", (unsigned)names->names[first].number);
        name = lmi_names_put(names, text);
        if (!name || ++name->number == 1)
            return name ? text : NULL;
        name->number--;
        names->names[first].number++;
    }
}

char *lmi_names_unique_copy(lm_names *names, const char *text) {
    const size_t length = strlen(text) + 1;
    char *copy = lmi_arena_alloc(names->arena, length + (uint64_t)LM_NAME_ROOM, 1);
    return copy ? lmi_names_unique(names, memcpy(copy, text, length)) : NULL;
}
