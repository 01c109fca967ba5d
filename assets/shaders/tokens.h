/* The words of a script. */
#ifndef LM_SHADERS_TOKENS_H
#define LM_SHADERS_TOKENS_H

#include "shaders/script.h"

typedef struct lm_tokens {
    const char *at, *end;
    uint32_t line;      /* the line of `at`, from 1 */
    const char *start;  /* of the last word */
    uint32_t word_line; /* the line of the last word */
    const char *marks;  /* bytes that are words of their own, except in quotes; NULL: none */
    char word[LM_SCRIPT_NAME];
} lm_tokens;

/* Reads the next word on any line. False, with an empty word, at the end. */
bool lmi_tokens_next(lm_tokens *tokens);
/* Reads the next word if it is on the line where the last one ended. */
bool lmi_tokens_argument(lm_tokens *tokens);
void lmi_tokens_skip_line(lm_tokens *tokens);
/* Moves past the closing brace of an opening brace that was just read. Returns false if it is
 * missing. */
bool lmi_tokens_skip_braces(lm_tokens *tokens);

bool lmi_tokens_is(const lm_tokens *tokens, const char *word); /* case-insensitive */
/* Returns the number at the start of the word, as C's atof reads decimal ones, but always
 * finite. */
float lmi_tokens_number(const lm_tokens *tokens);

#endif
