/* Finds the word closest to a mistyped one, for "did you mean". */
#ifndef LM_CORE_GUESS_H
#define LM_CORE_GUESS_H

#include <stddef.h>

/* A search for the candidate closest to a word. Start from {.word = ...} and try each candidate. */
typedef struct lm_guess {
    const char *word;
    const char *best; /* NULL: none is close */
    size_t distance;
} lm_guess;

void lm_guess_try(lm_guess *guess, const char *candidate);

#endif
