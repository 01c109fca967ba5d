#include "core/text.h"

#include <stdint.h>
#include <string.h>

bool lm_same_letters(const void *a, const void *b, size_t length) {
    const uint8_t *left = a, *right = b;
    if (length == 0 || memcmp(a, b, length) == 0) /* as most are, and quickly told */
        return true;
    for (size_t i = 0; i < length; i++)
        if (lm_lower(left[i]) != lm_lower(right[i]))
            return false;
    return true;
}

int lm_compare_letters(const char *a, const char *b) {
    const uint8_t *left = (const uint8_t *)a, *right = (const uint8_t *)b;
    while (*left && lm_lower(*left) == lm_lower(*right))
        left++, right++;
    return lm_lower(*left) - lm_lower(*right);
}

bool lm_ends_in(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && lm_same_letters(text + length - wanted, end, wanted);
}
