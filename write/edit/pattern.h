/* Patterns for names and their replacement: "s/PATTERN/NEW/flags". */
#ifndef LM_EDIT_PATTERN_H
#define LM_EDIT_PATTERN_H

#include "core/heap.h"

#define LM_MAX_PATTERN 256 /* steps */
#define LM_PATTERN_GROUPS 10
#define LM_PATTERN_CLASSES 16

typedef struct lm_pattern_step {
    uint8_t kind, byte;  /* number of a class or a mark */
    uint16_t one, other; /* next steps */
} lm_pattern_step;

typedef struct lm_pattern {
    lm_pattern_step steps[LM_MAX_PATTERN];
    uint32_t num_steps;
    uint32_t classes[LM_PATTERN_CLASSES][8]; /* a bit per byte value */
    uint32_t num_classes, num_groups;
    const char *replacement; /* points into the compiled text */
    size_t replacement_length;
    char delimiter;
    bool all, any_case;
} lm_pattern;

/* Compiles a substitution, which must outlive the pattern. Returns false and sets the error if it
 * is invalid. */
bool lm_pattern_compile(lm_pattern *pattern, const char *substitution, lm_error *error);

/* Applies a pattern to a name, and writes the result to `out`, with a NUL. Returns the number of
 * replacements. `length` is that of the whole result, which may exceed `room`. Takes at most time
 * proportional to the product of the lengths of name and pattern. */
unsigned lm_pattern_apply(const lm_pattern *pattern, const char *name, char *out, size_t room,
                          size_t *length);

#endif
