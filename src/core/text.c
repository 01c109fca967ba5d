#include "core/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool lm_same_letters(const void *a, const void *b, size_t length) {
    const uint8_t *left = a, *right = b;
    if (length == 0 || memcmp(a, b, length) == 0) /* usual, and fast */
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

int lm_compare_part(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const int order = lm_lower((uint8_t)a[i]) - lm_lower((uint8_t)b[i]);
        if (order)
            return order;
    }
    return a[length] != '\0';
}

uint32_t lm_find_name(const void *items, uint32_t count, size_t size, const char *name,
                      size_t length) {
    uint32_t other_case = LM_NO_NAME;
    for (uint32_t i = 0; i < count; i++) {
        const char *const *text = (const void *)((const char *)items + i * size);
        if (strncmp(*text, name, length) == 0 && (*text)[length] == '\0')
            return i;
        if (other_case == LM_NO_NAME && lm_compare_part(*text, name, length) == 0)
            other_case = i;
    }
    return other_case;
}

bool lm_ends_in(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && lm_same_letters(text + length - wanted, end, wanted);
}

/* ---- Words that agree with a number --------------------------------------------------------- */

lm_counted lm_count_words(uint64_t count, const char *words) {
    lm_counted out;
    size_t at = (size_t)snprintf(out.text, sizeof out.text, "%llu ", (unsigned long long)count);
    bool choosing = false, second = false;
    for (; *words && at + 1 < sizeof out.text; words++) {
        if (*words == (choosing ? second ? '}' : '|' : '{')) {
            second = choosing && !second;
            choosing = *words != '}';
        } else if (!choosing || second == (count != 1)) {
            out.text[at++] = *words;
        }
    }
    out.text[at] = '\0';
    return out;
}

lm_counted lm_count_nouns(uint64_t count, const char *nouns) {
    static const char vertices[] = "vertices";
    lm_counted out = lm_count_words(count, nouns);
    const size_t length = strlen(out.text);
    if (count == 1 && lm_ends_in(nouns, vertices))
        memcpy(out.text + length - (sizeof vertices - 1), "vertex", sizeof "vertex");
    else if (count == 1 && out.text[length - 1] == 's')
        out.text[length - 1] = '\0';
    return out;
}

void lm_text_count(lm_buffer *out, uint64_t count, const char *noun) {
    const size_t length = strlen(noun);
    const bool vertex = length > 2 && strcmp(noun + length - 2, "ex") == 0;
    const bool mesh = length > 2 && strcmp(noun + length - 2, "sh") == 0;
    lm_buffer_printf(out, "%llu %.*s%s", (unsigned long long)count,
                     (int)(vertex && count != 1 ? length - 2 : length), noun,
                     count == 1 ? ""
                     : vertex   ? "ices"
                     : mesh     ? "es"
                                : "s");
}

/* ---- Sentences that must fit ---------------------------------------------------------------- */

#define MAX_FITTED 12288 /* bytes; a longer sentence is cut at its end */
#define ELLIPSIS "\xE2\x80\xA6"

/* Returns the start of the longest word and sets its length. */
static size_t longest_word(const char *text, size_t *length) {
    size_t best = 0;
    *length = 0;
    for (size_t at = 0; text[at];) {
        size_t size = strcspn(text + at, " ");
        if (size > *length) {
            *length = size;
            best = at;
        }
        at += size + (text[at + size] == ' ');
    }
    return best;
}

/* Returns true if a byte continues a UTF-8 sequence. */
static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static void shorten(char *text, size_t length, size_t size) {
    size_t word, at = longest_word(text, &word), much = length + sizeof ELLIPSIS - size;
    if (much > word) {
        at = 0;
        word = length;
    }
    size_t from = at + (word - much) / 2, end = from + much;
    while (from > 0 && is_continuation(text[from]))
        from--;
    while (is_continuation(text[end]))
        end++;
    memcpy(text + from, ELLIPSIS, sizeof ELLIPSIS - 1);
    memmove(text + from + sizeof ELLIPSIS - 1, text + end, length - end + 1);
}

void lm_text_fit(char *out, size_t size, const char *sentence, va_list arguments) {
    char text[MAX_FITTED];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(out, size, sentence, arguments);
    if (length >= 0 && (size_t)length >= size) {
        vsnprintf(text, sizeof text, sentence, again);
        shorten(text, strlen(text), size);
        memcpy(out, text, strlen(text) + 1);
    }
    va_end(again);
}
