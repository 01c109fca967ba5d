/* Text from files: names are bytes, not always UTF-8. */
#ifndef LM_CORE_UTF8_H
#define LM_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `size` bytes are valid UTF-8. */
bool lm_utf8_valid(const char *text, size_t size);
/* How many of a field's `size` bytes come before its first NUL. */
size_t lm_field_length(const void *field, size_t size);

#endif
