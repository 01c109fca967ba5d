/* The nearest of several words to a mistyped one. */
#ifndef LM_CORE_GUESS_H
#define LM_CORE_GUESS_H

#include <stddef.h>

/* The nearest of several words to a mistyped one: start from {.word = ...} and try each. */
typedef struct lm_guess {
    const char *word;
    const char *best; /* NULL: none is near */
    size_t distance;
} lm_guess;

void lm_guess_try(lm_guess *guess, const char *candidate);

#endif
