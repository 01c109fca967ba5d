/* A set of strings, which can make repeated ones unique. */
#ifndef LM_CORE_NAMES_H
#define LM_CORE_NAMES_H

#include "core/arena.h"

/* Bytes that lmi_names_unique may add to a name: '_', ten digits and the NUL. */
#define LM_NAME_ROOM 12

typedef struct lm_name {
    const char *text;
    uint32_t number; /* for the user; 0 in a new entry */
    /* The fork above this entry in the tree: its two sides, and the byte and bit that separate
     * them. */
    uint32_t side[2], byte;
    uint8_t mask;
} lm_name;

/* A crit-bit tree of strings. A search takes time linear in the string, even for untrusted input; a
 * hash table cannot guarantee this. Start from {.arena = arena}, or from {.names = memory} with
 * room for every name. */
typedef struct lm_names {
    lm_arena *arena;
    lm_name *names;
    uint32_t root;
    size_t count, capacity;
    bool any_case; /* case-insensitive (ASCII) */
} lm_names;

/* Returns the entry of a string and adds it if it is new; NULL if memory ran out. The entry keeps
 * the pointer, so the string must outlive the set. */
lm_name *lmi_names_put(lm_names *names, const char *text);
/* Returns the entry of a string; NULL if it was not added. */
const lm_name *lmi_names_find(const lm_names *names, const char *text);
/* The same for the first `length` bytes of a string, which has no NUL among them. */
const lm_name *lmi_names_find_part(const lm_names *names, const char *text, size_t length);
/* Makes a name unique: appends "_2", "_3", … if it was used before. The string needs LM_NAME_ROOM
 * more bytes. Returns the name; NULL if memory ran out. Uses `number`. */
char *lmi_names_unique(lm_names *names, char *text);
/* The same for a copy, in the arena. */
char *lmi_names_unique_copy(lm_names *names, const char *text);

#endif
