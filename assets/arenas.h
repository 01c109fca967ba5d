/* What all of this library does with arenas. */
#ifndef LM_ASSETS_ARENAS_H
#define LM_ASSETS_ARENAS_H

#include "core/report.h"

#include <string.h>

/* Returns a copy of a text; NULL if there is no memory. */
static inline char *lm_copy_text(lm_arena *arena, const char *text) {
    return lm_arena_text(arena, text, strlen(text));
}

/* Counts memory that was refused in a call that failed as refused by this arena. Returns whether it
 * was. */
static inline bool lm_starved(lm_arena *arena, const lm_error *error) {
    return lm_arena_starve(arena, error->code == LM_CODE_OUT_OF_MEMORY);
}

#endif
