/* Patterns that are looked for in names, and what takes their place: "s/PATTERN/NEW/flags". */
#ifndef LM_EDIT_PATTERN_H
#define LM_EDIT_PATTERN_H

#include "core/heap.h"

#define LM_PATTERN_MOST 256 /* instructions */
#define LM_PATTERN_GROUPS 10
#define LM_PATTERN_CLASSES 16

typedef struct lm_pattern_step {
    uint8_t kind, byte;  /* of a class its number, of a mark which one */
    uint16_t one, other; /* where to go on */
} lm_pattern_step;

typedef struct lm_pattern {
    lm_pattern_step steps[LM_PATTERN_MOST];
    uint32_t num_steps;
    uint32_t classes[LM_PATTERN_CLASSES][8]; /* a bit a byte */
    uint32_t num_classes, num_groups;
    const char *replacement; /* within what was compiled */
    size_t replacement_length;
    char delimiter;
    bool all, any_case;
} lm_pattern;

/* Understands a substitution, which must stay as long as the pattern is used. False, and why, if it
 * is none. */
bool lm_pattern_compile(lm_pattern *pattern, const char *substitution, lm_error *error);

/* What becomes of a name, NUL-terminated in `out`. Returns how many times the pattern was found;
 * `length` gets the whole length, which may be more than there is room for. Takes time by the
 * product of the lengths of name and pattern, whatever they are. */
unsigned lm_pattern_apply(const lm_pattern *pattern, const char *name, char *out, size_t room,
                          size_t *length);

#endif
