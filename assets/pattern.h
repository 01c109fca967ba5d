#ifndef LM_ASSETS_PATTERN_H
#define LM_ASSETS_PATTERN_H

#include <stdbool.h>

/* Whether a text has anything of a pattern in it (lm_path_match). */
bool lm_is_pattern(const char *text);

#endif
