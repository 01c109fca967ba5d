/* The words of a shader script. */
#ifndef LM_SHADERS_TOKENS_H
#define LM_SHADERS_TOKENS_H

#include "lerpmesh/assets.h"

typedef struct lm_tokens {
    const char *at, *end;
    uint32_t line;      /* where `at` is, from 1 */
    const char *start;  /* of the word that was read last */
    uint32_t word_line; /* where that is */
    char word[LM_SCRIPT_NAME];
} lm_tokens;

/* Reads the next word, wherever it is; false, with an empty word, at the end. */
bool lm_tokens_next(lm_tokens *tokens);
/* The same if it is on the line where the last one ended. */
bool lm_tokens_argument(lm_tokens *tokens);
void lm_tokens_skip_line(lm_tokens *tokens);
/* Behind the brace that closes one which was read; false if none does. */
bool lm_tokens_skip_braces(lm_tokens *tokens);

bool lm_tokens_is(const lm_tokens *tokens, const char *word); /* letters in either case */
/* What the word begins with as a number, as C's atof reads decimal ones, but always finite. */
float lm_tokens_number(const lm_tokens *tokens);

#endif
