/* A set of texts: which were there before, and telling apart those that come again. */
#ifndef LM_CORE_NAMES_H
#define LM_CORE_NAMES_H

#include "core/arena.h"

/* The most that telling apart adds to a name: '_' and ten digits, and its NUL. */
#define LM_NAME_ROOM 12

typedef struct lm_name {
    const char *text;
    uint32_t number; /* the user's; 0 in a new one */
    /* The fork above it in the tree: where its two sides part, in which byte and bits. */
    uint32_t side[2], byte;
    uint8_t mask;
} lm_name;

/* A tree of the texts' bits: a search takes no longer than the text is, whatever texts a stranger
 * has chosen, which of a hash table could only be hoped. Start from {.arena = arena}, or from
 * {.names = memory} for as many names as are ever put. */
typedef struct lm_names {
    lm_arena *arena;
    lm_name *names;
    uint32_t root;
    size_t count, capacity;
    bool any_case; /* letters of either case are the same */
} lm_names;

/* The entry of a text, which is a new one if it was not there; NULL if memory ran out. The text
 * itself is kept, and must last. */
lm_name *lm_names_put(lm_names *names, const char *text);
/* The entry of a text that was put; NULL if it was not. */
const lm_name *lm_names_find(const lm_names *names, const char *text);
/* Writes "_2", "_3", ... behind a name that was made before, in LM_NAME_ROOM bytes that follow it.
 * Returns the name, NULL if memory ran out. Uses `number`. */
char *lm_names_unique(lm_names *names, char *text);

#endif
