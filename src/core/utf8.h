/* Text from files: names are bytes, not always UTF-8. */
#ifndef LM_CORE_UTF8_H
#define LM_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if `size` bytes are valid UTF-8. */
bool lm_utf8_valid(const char *text, size_t size);
/* Writes a byte of Latin-1 as UTF-8. Returns the number of bytes written. */
size_t lm_utf8_of_latin1(uint8_t byte, char out[2]);
/* Writes `text` as UTF-8; invalid text is read as Latin-1. Returns the number of bytes, without a
 * NUL. If `out` is NULL, only counts. 2 * strlen(text) bytes always suffice. */
size_t lm_utf8_from(const char *text, char *out);
/* Returns the number of bytes of a field before its first NUL; `size` if it has none. */
size_t lm_field_length(const void *field, size_t size);

#endif
