/* Text from files: names are bytes, not always UTF-8. */
#ifndef LM_CORE_UTF8_H
#define LM_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `size` bytes are valid UTF-8. */
bool lm_utf8_valid(const char *text, size_t size);
/* Writes a byte of Latin-1 as UTF-8. Returns how many bytes that takes. */
size_t lm_utf8_of_latin1(uint8_t byte, char out[2]);
/* Writes `text` as UTF-8: as it is, or from Latin-1 if it is not valid. Returns how many bytes that
 * takes, without a NUL. `out` may be NULL to count only; 2 * strlen(text) always suffices. */
size_t lm_utf8_from(const char *text, char *out);
/* How many of a field's `size` bytes come before its first NUL. */
size_t lm_field_length(const void *field, size_t size);

#endif
