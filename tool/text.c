#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tool_parse_double(const char *text, double *value) {
    /* strtod would also take white space, hexadecimal, "inf" and "nan". */
    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    char *end;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static const char *parse_digits(const char *text, uint64_t max, uint64_t *value) {
    if (*text < '0' || *text > '9')
        return NULL;
    *value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (digit > max || *value > (max - digit) / 10)
            return NULL;
        *value = *value * 10 + digit;
    }
    return text;
}

bool tool_parse_uint(const char *text, uint64_t max, uint64_t *value) {
    const char *end = parse_digits(text, max, value);
    return end && *end == '\0';
}

bool tool_parse_size(const char *text, uint64_t max, uint64_t *value) {
    static const char units[] = "KMG";
    const char *end = parse_digits(text, max, value);
    if (!end)
        return false;
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);
        if (*value > max >> shift)
            return false;
        *value <<= shift;
        end++;
    }
    return *end == '\0';
}

bool tool_same_text(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

char *tool_copy(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
