/* Numbers and words as users write them. */
#include "convert_options.h"

#include <ctype.h>
#include <string.h>

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

bool lmi_parse_uint(const char *text, uint64_t max, uint64_t *value) {
    const char *end = parse_digits(text, max, value);
    return end && *end == '\0';
}

bool lmi_parse_pair(const char *text, char between, uint64_t max, uint32_t *a, uint32_t *b) {
    uint64_t x, y;
    const char *end = parse_digits(text, max, &x);
    if (!end || *end != between || !lmi_parse_uint(end + 1, max, &y))
        return false;
    *a = (uint32_t)x;
    *b = (uint32_t)y;
    return true;
}

bool lmi_parse_size(const char *text, uint64_t max, uint64_t *value) {
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

const char *lmi_next_word(const char **words, size_t *length) {
    const char *word = *words;
    *length = strcspn(word, " ");
    *words = word + *length + (word[*length] == ' ');
    return word;
}

bool lmi_word_in(const char *words, const char *word, size_t length, unsigned *number) {
    size_t size;
    for (*number = 0; *words; ++*number) {
        const char *known = lmi_next_word(&words, &size);
        if (size == length && memcmp(known, word, length) == 0)
            return true;
    }
    return false;
}
