#include "core/guess.h"

#include "core/text.h"

#include <string.h>

#define LONGEST_WORD 31

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Returns the number of letters to change, add or remove; SIZE_MAX for words longer than
 * LONGEST_WORD. */
static size_t edit_distance(const char *a, const char *b) {
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST_WORD || length_b > LONGEST_WORD)
        return SIZE_MAX;
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= length_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t above = row[j];
            row[j] = smallest(
                diagonal + (lm_lower((unsigned char)a[i - 1]) != lm_lower((unsigned char)b[j - 1])),
                above + 1, row[j - 1] + 1);
            diagonal = above;
        }
    }
    return row[length_b];
}

void lm_guess_try(lm_guess *guess, const char *candidate) {
    size_t length = strlen(guess->word);
    size_t distance = edit_distance(guess->word, candidate);
    /* A prefix of the candidate is a good hint, whatever the length of the rest. */
    if (length >= 2 && strncmp(guess->word, candidate, length) == 0)
        distance = distance < 1 ? distance : 1;
    if (distance <= (length + 2) / 3 && (!guess->best || distance < guess->distance)) {
        guess->best = candidate;
        guess->distance = distance;
    }
}
