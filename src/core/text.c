#include "core/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool lmi_same_letters(const void *a, const void *b, size_t length) {
    const uint8_t *left = a, *right = b;
    if (length == 0 || memcmp(a, b, length) == 0) /* usual, and fast */
        return true;
    for (size_t i = 0; i < length; i++)
        if (lmi_lower(left[i]) != lmi_lower(right[i]))
            return false;
    return true;
}

bool lmi_is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

const char *lmi_path_fault(const char *path, size_t length) {
    bool upper = false;
    for (size_t i = 0; i < length; i++)
        upper = upper || (path[i] >= 'A' && path[i] <= 'Z');
    if (memchr(path, '\\', length))
        return "has backslashes, which separate folders on Windows only";
    if (length > 0 && !memchr(path, '/', length))
        return "has no folder";
    return upper ? "has capital letters; on Linux, a game may not find the file" : NULL;
}

int lmi_compare_letters(const char *a, const char *b) {
    const uint8_t *left = (const uint8_t *)a, *right = (const uint8_t *)b;
    while (*left && lmi_lower(*left) == lmi_lower(*right))
        left++, right++;
    return lmi_lower(*left) - lmi_lower(*right);
}

int lmi_compare_part(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const int order = lmi_lower((uint8_t)a[i]) - lmi_lower((uint8_t)b[i]);
        if (order)
            return order;
    }
    return a[length] != '\0';
}

uint32_t lmi_find_name(const void *items, uint32_t count, size_t size, const char *name,
                       size_t length) {
    uint32_t other_case = LM_NO_NAME;
    for (uint32_t i = 0; i < count; i++) {
        const char *const *text = (const void *)((const char *)items + i * size);
        if (strncmp(*text, name, length) == 0 && (*text)[length] == '\0')
            return i;
        if (other_case == LM_NO_NAME && lmi_compare_part(*text, name, length) == 0)
            other_case = i;
    }
    return other_case;
}

bool lmi_ends_in(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && lmi_same_letters(text + length - wanted, end, wanted);
}

/* ---- Words that agree with a number --------------------------------------------------------- */

lm_counted lmi_count_words(uint64_t count, const char *words) {
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

lm_counted lmi_count_nouns(uint64_t count, const char *nouns) {
    static const char vertices[] = "vertices";
    lm_counted out = lmi_count_words(count, nouns);
    const size_t length = strlen(out.text);
    if (count == 1 && lmi_ends_in(nouns, vertices))
        memcpy(out.text + length - (sizeof vertices - 1), "vertex", sizeof "vertex");
    else if (count == 1 && out.text[length - 1] == 's')
        out.text[length - 1] = '\0';
    return out;
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

void lmi_text_fit(char *out, size_t size, const char *sentence, va_list arguments) {
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

/* ---- UTF-8 -------------------------------------------------------------------------------- */

size_t lmi_field_length(const void *field, size_t size) {
    const void *end = memchr(field, 0, size);
    return end ? (size_t)((const char *)end - (const char *)field) : size;
}

size_t lmi_utf8_decode(const void *sequence, size_t size, uint32_t *value) {
    const uint8_t *text = sequence;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80             ? 1
                    : (text[0] & 0xe0) == 0xc0 ? 2
                    : (text[0] & 0xf0) == 0xe0 ? 3
                    : (text[0] & 0xf8) == 0xf0 ? 4
                                               : 0;
    if (length == 0 || length > size)
        return 0;
    uint32_t bits = length == 1 ? text[0] : text[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        bits = bits << 6 | (text[i] & 0x3fu);
    }
    if (bits < least[length] || bits > 0x10ffff || (bits >= 0xd800 && bits < 0xe000))
        return 0;
    *value = bits;
    return length;
}

bool lmi_utf8_valid(const char *text, size_t size) {
    const uint8_t *p = (const uint8_t *)text;
    uint32_t value;
    for (size_t i = 0, length; i < size; i += length) {
        length = lmi_utf8_decode(p + i, size - i, &value);
        if (length == 0)
            return false;
    }
    return true;
}

size_t lmi_utf8_of_latin1(uint8_t byte, char out[2]) {
    const bool wide = byte >= 0x80;
    out[0] = (char)(wide ? 0xC0 | byte >> 6 : byte);
    out[1] = (char)(0x80 | (byte & 0x3F));
    return wide ? 2 : 1;
}

size_t lmi_utf8_from(const char *text, char *out) {
    size_t length = strlen(text), written = 0;
    bool latin1 = !lmi_utf8_valid(text, length);
    for (size_t i = 0; i < length; i++) {
        char piece[2] = {text[i]};
        size_t size = latin1 ? lmi_utf8_of_latin1((uint8_t)text[i], piece) : 1;
        if (out)
            memcpy(out + written, piece, size);
        written += size;
    }
    return written;
}

/* ---- Lines -------------------------------------------------------------------------------- */

lm_lines lmi_lines_of(const void *text, size_t size) {
    const uint8_t *start = text;
    return (lm_lines){.rest = {start, size ? start + size : start}};
}

bool lmi_next_line(lm_lines *lines, lm_text_span *line) {
    lm_text_span *rest = &lines->rest;
    if (rest->at == rest->end)
        return false;
    *line = (lm_text_span){rest->at, rest->at};
    while (line->end < rest->end && *line->end != '\n' && *line->end != '\r')
        line->end++;
    rest->at = line->end;
    if (rest->at < rest->end)
        rest->at += lmi_begins_with(rest, "\r\n") ? 2 : 1;
    lines->number++;
    return true;
}

bool lmi_begins_with(const lm_text_span *line, const char *two) {
    return line->end - line->at >= 2 && memcmp(line->at, two, 2) == 0;
}

void lmi_pass_comment(lm_lines *lines, lm_text_span *line) {
    if (!lines->in_comment && lmi_begins_with(line, "/*")) {
        line->at += 2;
        lines->in_comment = true;
    }
    while (lines->in_comment && line->at < line->end) {
        lines->in_comment = !lmi_begins_with(line, "*/");
        line->at += lines->in_comment ? 1 : 2;
    }
}

/* ---- Guesses ------------------------------------------------------------------------------ */

#define LONGEST_WORD 31

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Returns the number of letters to change, add or remove; SIZE_MAX for words longer than
 * LONGEST_WORD. */
static size_t edit_distance(const char *a, const char *b) {
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST_WORD || length_b > LONGEST_WORD)
        return SIZE_MAX;
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= length_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t above = row[j];
            row[j] = smallest(diagonal + (lmi_lower((unsigned char)a[i - 1]) !=
                                          lmi_lower((unsigned char)b[j - 1])),
                              above + 1, row[j - 1] + 1);
            diagonal = above;
        }
    }
    return row[length_b];
}

void lmi_guess_try(lm_guess *guess, const char *candidate) {
    size_t length = strlen(guess->word);
    size_t distance = edit_distance(guess->word, candidate);
    /* A prefix of the candidate is a good hint, whatever the length of the rest. */
    if (length >= 2 && strncmp(guess->word, candidate, length) == 0)
        distance = distance < 1 ? distance : 1;
    if (*candidate && distance <= (length + 2) / 3 &&
        (!guess->best || distance < guess->distance ||
         (distance == guess->distance && strlen(candidate) < strlen(guess->best)))) {
        guess->best = candidate;
        guess->distance = distance;
    }
}
