/* Tests the core's base: buffers, numbers as text, codes, errors, text, memory. */
#include "core/arena.h"
#include "core/crc.h"
#include "core/exact.h"
#include "core/heap.h"
#include "core/index.h"
#include "core/json.h"
#include "core/names.h"
#include "core/report.h"
#include "core/text.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "json_reader.h"
#include "skipping.h"
#include "value_checks.h"

#include <locale.h>

/* ---- Buffers ------------------------------------------------------------------------------- */

TEST(test_buffer_grows_and_keeps_its_contents) {
    AT_END(assert_all_released) counted counts = {0};
    lm_buffer out = {.allocator = counting_allocator(&counts)};
    chance c = chance_from(5);
    size_t total = 0;
    while (total < 100000) {
        uint8_t bytes[700];
        size_t size = chance_below(&c, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)((total + i) * 31 >> 3);
        lm_buffer_append(&out, bytes, size);
        total += size;
    }
    assert_int_equal(out.size, total);
    for (size_t i = 0; i < total; i++)
        assert_int_equal(out.data[i], (uint8_t)(i * 31 >> 3));
    assert_true(out.capacity >= out.size && out.capacity < 3 * out.size);
    lm_buffer_free(&out);
    assert_null(out.data);
}

TEST(test_buffer_reserve_is_zeroed) {
    AT_END(assert_all_released) counted counts = {0};
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = counting_allocator(&counts)};
    static const uint8_t zeros[5000];
    lm_buffer_text(&out, "ab");
    uint8_t *room = lm_buffer_reserve(&out, sizeof zeros);
    assert_ptr_equal(room, out.data + 2);
    assert_memory_equal(room, zeros, sizeof zeros);
    assert_non_null(lm_buffer_reserve(&out, 0));
}

/* max_size holds to the byte for any capacity and every way of appending. */
TEST(test_buffer_limit_is_exact) {
    static const size_t limits[] = {1, 10, 4095, 4096, 4097, 20000};
    for (size_t i = 0; i < COUNT_OF(limits); i++)
        for (int way = 0; way < 3; way++) {
            AT_END(lm_buffer_free) lm_buffer out = {.max_size = limits[i]};
            for (size_t n = 0; n < limits[i] + 2; n++) {
                if (way == 0)
                    lm_buffer_append(&out, "x", 1);
                else if (way == 1)
                    lm_buffer_reserve(&out, 1);
                else
                    lm_buffer_printf(&out, "%d", 7);
                assert_int_equal(out.failed, n >= limits[i]);
            }
            assert_int_equal(out.size, limits[i]);
        }
}

TEST(test_buffer_failure_is_sticky_and_preserves_contents) {
    AT_END(assert_all_released) counted counts = {.fail_at = 2};
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = counting_allocator(&counts)};
    lm_buffer_text(&out, "kept");
    assert_null(lm_buffer_reserve(&out, 100000));
    assert_true(out.failed);
    lm_buffer_text(&out, "more");
    lm_buffer_printf(&out, "%s", "more");
    lmi_buffer_float(&out, 1);
    assert_int_equal(out.size, 4);
    assert_memory_equal(out.data, "kept", 4);
    assert_int_equal(counts.calls, 2);
}

TEST(test_buffer_rejects_overflowing_sizes) {
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 4};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        counted counts = {0};
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = counting_allocator(&counts)};
        lm_buffer_text(&out, "x");
        assert_null(lm_buffer_reserve(&out, sizes[i]));
        assert_true(out.failed);
        assert_int_equal(counts.calls, 1);
    }
}

TEST(test_printf_of_any_length) {
    static const size_t lengths[] = {0, 1, 4094, 4095, 4096, 4097, 9000};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_buffer_printf(&out, "%*s", (int)lengths[i], "");
        lm_buffer_printf(&out, "%d-%s", 42, "end");
        assert_int_equal(out.size, lengths[i] + 6);
        assert_memory_equal(out.data + lengths[i], "42-end", 6);
    }
}

/* ---- Numbers as text ----------------------------------------------------------------------- */

static void float_text(float value, char text[64]) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lmi_buffer_float(&out, value);
    assert_true(out.size < 64);
    memcpy(text, out.data, out.size);
    text[out.size] = '\0';
}

static size_t count_digits(const char *text) {
    size_t digits = 0;
    bool leading = true;
    for (; *text && *text != 'e'; text++) {
        leading = leading && (*text == '0' || *text == '.' || *text == '-');
        digits += !leading && *text >= '0' && *text <= '9';
    }
    return digits;
}

/* Expects that the text reads back as the same number, and that no printf format gives a shorter
 * text that does. */
static void expect_shortest(float value) {
    char text[64], shorter[400];
    float_text(value, text);
    if (strtof(text, NULL) != value)
        fail_msg("%a came out as %s", (double)value, text);
    assert_int_equal(strspn(text, "+-0123456789.e"), strlen(text));
    size_t digits = count_digits(text);
    if (digits > 6) {
        snprintf(shorter, sizeof shorter, "%.*g", (int)digits - 1, (double)value);
        if (strtof(shorter, NULL) == value)
            fail_msg("%a came out as %s, but %s does", (double)value, text, shorter);
    }
}

TEST(test_shortest_floats_round_trip) {
    chance c = chance_from(9);
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = chance_next(&c);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            expect_shortest(value);
    }
    static const float special[] = {0.0f, 1.0f, -1.0f, 0.1f, 1e-45f, 3.4028235e38f, 16777216.0f};
    for (size_t i = 0; i < COUNT_OF(special); i++)
        expect_shortest(special[i]);
}

TEST(test_doubles_round_trip) {
    chance c = chance_from(10);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = (uint64_t)chance_next(&c) << 32 | chance_next(&c);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lmi_buffer_double(&out, value);
        lm_buffer_append(&out, "", 1);
        if (strtod((char *)out.data, NULL) != value)
            fail_msg("%a came out as %s", value, (char *)out.data);
    }
}

typedef struct written {
    float value;
    const char *text;
} written;

static const written known[] = {
    {0.0f, "0"},      {0.1f, "0.1"},   {-1.5f, "-1.5"},           {1.0f / 64, "0.015625"},
    {1e-7f, "1e-07"}, {100.0f, "100"}, {16777216.0f, "16777216"}, {NAN, "0"},
    {INFINITY, "0"},  {-INFINITY, "0"}};

static void expect_known_texts(void) {
    char text[64];
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        float_text(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lmi_buffer_double(&out, 0.1);
    lm_buffer_text(&out, " ");
    lmi_buffer_double(&out, INFINITY);
    lm_buffer_append(&out, "", 1);
    assert_string_equal((char *)out.data, "0.1 0");
}

TEST(test_known_texts) {
    expect_known_texts();
}

TEST(test_numbers_ignore_the_locale) {
    char text[16];
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "German"))
        SKIP("there is no German locale");
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
    expect_known_texts();
    setlocale(LC_NUMERIC, "C");
}

/* ---- Codes and errors ---------------------------------------------------------------------- */

/* Names are part of the interface: this list never shrinks. */
static const char released_names[] =
    "ok bad-argument out-of-memory limit io unknown-format bad-version truncated bad-count "
    "bad-offset bad-framesize bad-skin-size vertex-index st-index normal-index frame-index "
    "gl-commands not-finite engine-limit denormal bad-bounds trailing-bytes wrong-end "
    "overlap no-skins skin-path name-junk name-unterminated seams st-outside "
    "degenerate-triangles unused-vertices frame-name-digits frame-name-no-number "
    "frame-name-twice gl-commands-differ no-gl-commands identical-normals outside-bounds "
    "empty-surface header-name surface-ident";

TEST(test_code_names_are_stable) {
    char name[32];
    int length;
    for (const char *left = released_names; sscanf(left, "%31s%n", name, &length) == 1;
         left += length) {
        unsigned code = 0;
        while (code < LM_NUM_CODES && strcmp(lm_code_name((lm_code)code), name) != 0)
            code++;
        if (code == LM_NUM_CODES)
            fail_msg("%s is gone", name);
    }
}

TEST(test_code_names_are_unique_words) {
    for (unsigned a = 0; a < LM_NUM_CODES; a++) {
        const char *name = lm_code_name((lm_code)a);
        assert_true(strlen(name) > 1);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name));
        assert_true(strlen(lm_code_meaning((lm_code)a)) > 10);
        assert_true(lm_code_severity((lm_code)a) <= LM_SEVERITY_ERROR);
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(name, lm_code_name((lm_code)b));
    }
}

TEST(test_invalid_code_numbers) {
    static const int numbers[] = {LM_NUM_CODES, LM_NUM_CODES + 1, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        assert_string_equal(lm_code_name((lm_code)numbers[i]), "unknown");
        assert_int_equal(lm_code_severity((lm_code)numbers[i]), LM_SEVERITY_ERROR);
        assert_non_null(lm_code_meaning((lm_code)numbers[i]));
        assert_string_equal(lm_severity_name((lm_severity)(numbers[i] | 8)), "unknown");
    }
    assert_string_equal(lm_severity_name(LM_SEVERITY_NOTE), "note");
    assert_string_equal(lm_severity_name(LM_SEVERITY_WARNING), "warning");
    assert_string_equal(lm_severity_name(LM_SEVERITY_ERROR), "error");
}

/* The sentence ends with the byte, even if it is shortened. */
TEST(test_errors_fit_and_end_with_the_offset) {
    char longest[2000];
    memset(longest, 'w', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    for (size_t cut = 0; cut < sizeof longest; cut += 7) {
        lm_error error;
        assert_false(
            lmi_fail(&error, LM_CODE_BAD_COUNT, "md2", longest + cut, 0x1a2c, "%s", longest + cut));
        assert_int_equal(error.offset, 0x1a2c);
        assert_non_null(strstr(error.message, " (byte 6700)"));
        assert_memory_equal(error.message, "md2: ", 5);
        assert_true(strlen(error.section) < sizeof error.section);
    }
    assert_false(lmi_fail(NULL, LM_CODE_BAD_COUNT, "md2", "header", 0, "nobody listens"));
    assert_false(lm_fail_plain(NULL, LM_CODE_IO, "nobody listens"));
    lm_error plain = {.offset = 7, .section = "header"};
    assert_false(lm_fail_plain(&plain, LM_CODE_IO, "%s", longest));
    assert_int_equal(plain.code, LM_CODE_IO);
    assert_int_equal(plain.offset, 0);
    assert_string_equal(plain.section, "");
    assert_int_equal(strlen(plain.message), sizeof plain.message - 1);
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* Decodes by RFC 3629's table of byte ranges, unlike the library. */
static size_t sequence(const uint8_t *p, size_t left) {
    static const uint8_t rows[][9] = {{1, 0x00, 0x7F},
                                      {2, 0xC2, 0xDF, 0x80, 0xBF},
                                      {3, 0xE0, 0xE0, 0xA0, 0xBF, 0x80, 0xBF},
                                      {3, 0xE1, 0xEC, 0x80, 0xBF, 0x80, 0xBF},
                                      {3, 0xED, 0xED, 0x80, 0x9F, 0x80, 0xBF},
                                      {3, 0xEE, 0xEF, 0x80, 0xBF, 0x80, 0xBF},
                                      {4, 0xF0, 0xF0, 0x90, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
                                      {4, 0xF1, 0xF3, 0x80, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
                                      {4, 0xF4, 0xF4, 0x80, 0x8F, 0x80, 0xBF, 0x80, 0xBF}};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        size_t length = rows[r][0], i = 0;
        while (i < length && i < left && p[i] >= rows[r][1 + 2 * i] && p[i] <= rows[r][2 + 2 * i])
            i++;
        if (i == length)
            return length;
    }
    return 0;
}

static bool valid_by_table(const uint8_t *p, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t length = sequence(p + i, size - i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

static void expect_same_verdict(const uint8_t *bytes, size_t size) {
    AT_END(blob_free) blob b = blob_copy(bytes, size);
    if (lmi_utf8_valid((const char *)b.data, size) != valid_by_table(bytes, size))
        fail_msg("bytes %02x %02x %02x %02x (%zu)", bytes[0], bytes[1], bytes[2], bytes[3], size);
}

TEST(test_utf8_is_rfc_3629) {
    static const uint8_t ends[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90,
                                   0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    for (unsigned first = 0; first < 256; first++)
        for (size_t a = 0; a < COUNT_OF(ends); a++)
            for (size_t b = 0; b < COUNT_OF(ends); b++)
                for (size_t size = 1; size <= 4; size++)
                    expect_same_verdict(
                        (uint8_t[]){(uint8_t)first, ends[a], ends[b], ends[(a + b) % 11]}, size);
    assert_true(lmi_utf8_valid("", 0));
    assert_true(lmi_utf8_valid("gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\x90\xb8", 13));
}

TEST(test_a_byte_of_latin1_is_two_of_utf8) {
    char out[2];
    assert_int_equal(lmi_utf8_of_latin1('~', out), 1);
    assert_memory_equal(out, "~", 1);
    for (unsigned byte = 0x80; byte <= 0xFF; byte++) {
        assert_int_equal(lmi_utf8_of_latin1((uint8_t)byte, out), 2);
        assert_true(lmi_utf8_valid(out, 2));
        assert_int_equal((out[0] & 0x1F) << 6 | (out[1] & 0x3F), byte);
    }
}

/* ---- Lines --------------------------------------------------------------------------------- */

static void expect_line(lm_lines *lines, const char *wanted, size_t number) {
    lm_text_span line;
    assert_true(lmi_next_line(lines, &line));
    assert_int_equal(line.end - line.at, strlen(wanted));
    assert_memory_equal(line.at, wanted, strlen(wanted));
    assert_int_equal(lines->number, number);
}

TEST(test_line_endings_of_any_system) {
    static const char text[] = "one\ntwo\r\nthree\r\rfive\n\r\nlast";
    static const char *const wanted[] = {"one", "two", "three", "", "five", "", "last"};
    AT_END(blob_free) blob b = blob_copy((const uint8_t *)text, sizeof text - 1);
    lm_lines lines = lmi_lines_of(b.data, b.size), nothing = lmi_lines_of(NULL, 0);
    lm_text_span line;
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        expect_line(&lines, wanted[i], i + 1);
    assert_false(lmi_next_line(&lines, &line));
    assert_false(lmi_next_line(&nothing, &line));
}

/* Expects the rest of each line after a comment that continues or begins there. */
TEST(test_comments_span_lines) {
    static const char text[] = "/* a\n* /\nb */c /*\n/**/d\n/*/e\n*/";
    static const char *const wanted[] = {"", "", "c /*", "d", "", ""};
    AT_END(blob_free) blob b = blob_copy((const uint8_t *)text, sizeof text - 1);
    lm_lines lines = lmi_lines_of(b.data, b.size);
    lm_text_span line;
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        assert_true(lmi_next_line(&lines, &line));
        lmi_pass_comment(&lines, &line);
        assert_int_equal(line.end - line.at, strlen(wanted[i]));
        assert_memory_equal(line.at, wanted[i], strlen(wanted[i]));
        assert_int_equal(lines.in_comment, i < 2 || i == 4);
    }
}

/* ---- Sentences that must fit ---------------------------------------------------------------- */

LM_PRINTF(2, 3) static const char *fit(size_t size, const char *sentence, ...) {
    static char out[128];
    va_list arguments;
    memset(out, 1, sizeof out);
    va_start(arguments, sentence);
    lmi_text_fit(out, size, sentence, arguments);
    va_end(arguments);
    assert_true(strlen(out) < size);
    assert_int_equal(out[size], 1);
    return out;
}

TEST(test_long_paths_are_shortened_in_the_middle) {
    assert_string_equal(fit(24, "there is no %s here", "path"), "there is no path here");
    assert_string_equal(fit(22, "there is no %s here", "path"), "there is no path here");
    assert_string_equal(fit(24, "no %s here", "folder/folder/file.md2"),
                        "no folder\u2026le.md2 here");
    assert_string_equal(fit(25, "no %s here", "folder/folder/file.md2"),
                        "no folder\u2026ile.md2 here");
    /* No character is cut: each of these takes two bytes. */
    assert_string_equal(fit(20, "no %s", "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"),
                        "no \u00e4\u00e4\u00e4\u2026\u00e4\u00e4\u00e4");
    /* Only short words. */
    assert_string_equal(fit(16, "%s", "a b c d e f g h i j k"), "a b c \u2026 i j k");
}

TEST(test_errors_keep_the_ends_of_paths) {
    char path[3000];
    lm_error error;
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 8, "end.md2", 8);
    lm_fail_plain(&error, LM_CODE_IO, "cannot open %s: %s", path, "No such file");
    assert_int_equal(strlen(error.message), LM_MESSAGE_SIZE - 1);
    assert_non_null(strstr(error.message, "xend.md2: No such file"));
    assert_memory_equal(error.message, "cannot open xxx", 15);
}

/* ---- Tallies ------------------------------------------------------------------------------- */

typedef struct heard {
    lm_reporter base;
    unsigned times;
    uint32_t count;
    char message[208];
} heard;

static lm_status hear(lm_reporter *reporter, const lm_diagnostic *item) {
    heard *h = (heard *)reporter;
    h->times++;
    h->count = item->count;
    snprintf(h->message, sizeof h->message, "%s", item->text);
    return LM_DONE;
}

TEST(test_tallies_report_the_count_and_first_case) {
    lm_call call = {.name = "md9"};
    heard h = {.base = {.call = &call, .listen = hear}};
    lm_location location = {.section = "frames", .surface = 4 | LM_OF_FILE, .offset = 16};
    lm_tally tally = {0};
    assert_true(lmi_report_cases(&h.base, LM_CODE_SEAMS, location, tally, "are odd", ""));
    assert_int_equal(h.times, 0);
    for (uint32_t i = 0; i < 10; i++)
        lmi_tally_add(&tally, i == 3 || i > 7, i);
    assert_true(lmi_report_cases(&h.base, LM_CODE_SEAMS, location, tally, "are odd", "frame "));
    assert_int_equal(h.count, 3);
    assert_string_equal(h.message, "md9: 3 are odd; the first is frame 3 (byte 16)");
    location.surface = 4;
    assert_true(lmi_report_cases(&h.base, LM_CODE_SEAMS, location, tally, "are odd", ""));
    assert_string_equal(h.message, "md9: surface 4: 3 are odd; the first is 3 (byte 16)");
}

/* ---- Letters ------------------------------------------------------------------------------- */

TEST(test_words_agree_with_numbers) {
    static const struct {
        uint64_t count;
        const char *words, *text;
    } cases[] = {{1, "{tag has|tags have} axes", "1 tag has axes"},
                 {2, "{tag has|tags have} axes", "2 tags have axes"},
                 {0, "of {it|them}", "0 of them"},
                 {1, "of {it|them}", "1 of it"},
                 {1, "{a|b} and {c|d}", "1 a and c"},
                 {7, "{a|b} and {c|d}", "7 b and d"},
                 {UINT64_MAX, "", "18446744073709551615 "},
                 {1, "{open", "1 open"},
                 {1, "}|", "1 }|"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(lmi_count_words(cases[i].count, cases[i].words).text, cases[i].text);
    char words[300];
    memset(words, 'w', sizeof words);
    words[sizeof words - 1] = '\0';
    assert_int_equal(strlen(lmi_count_words(3, words).text), sizeof(lm_counted) - 1);
    assert_string_equal(lmi_count_nouns(1, "base vertices").text, "1 base vertex");
    assert_string_equal(lmi_count_nouns(2, "base vertices").text, "2 base vertices");
    assert_string_equal(lmi_count_nouns(1, "tags").text, "1 tag");
    assert_string_equal(lmi_count_nouns(1, "st").text, "1 st");
}

TEST(test_ascii_case_is_ignored) {
    assert_int_equal(lmi_lower('A'), 'a');
    assert_int_equal(lmi_lower('Z'), 'z');
    assert_int_equal(lmi_lower('@'), '@');
    assert_int_equal(lmi_lower('['), '[');
    assert_true(lmi_same_letters("TAG_Head", "tag_hEAD", 8));
    assert_false(lmi_same_letters("tag_head", "tag_heaD!", 9));
    assert_false(lmi_same_letters("\xC4", "\xE4", 1)); /* case-insensitivity is limited to ASCII */
    assert_int_equal(lmi_compare_letters("", ""), 0);
    assert_int_equal(lmi_compare_letters("Upper", "uPPER"), 0);
    assert_true(lmi_compare_letters("upper", "UPPERS") < 0);
    assert_true(lmi_compare_letters("b", "A") > 0);
    assert_true(lmi_compare_letters("\xFF", "z") > 0);
    assert_true(lmi_ends_in("models/Head.MD3", ".md3"));
    assert_false(lmi_ends_in("md3", ".md3"));
}

/* The CRCs of "123456789", of no bytes and of one byte are published with the algorithm. */
TEST(test_crc_is_that_of_png_and_zip) {
    assert_int_equal(lmi_crc32(0, "", 0), 0);
    assert_int_equal(lmi_crc32(0, "123456789", 9), 0xCBF43926u);
    assert_int_equal(lmi_crc32(lmi_crc32(0, "1234", 4), "56789", 5), 0xCBF43926u);
    assert_int_equal(lmi_crc32(0, "a", 1), 0xE8B7BE43u);
    assert_int_equal(lmi_crc32(0, "IEND", 4), 0xAE426082u);
}

/* Long input is processed eight bytes at a time, short input bytewise: both ways agree. */
TEST(test_crc_of_many_bytes_is_that_of_each) {
    uint8_t bytes[5000];
    uint32_t one_by_one = 0, random = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(random >> 24);
        one_by_one = lmi_crc32(one_by_one, &bytes[i], 1);
        assert_int_equal(lmi_crc32(0, bytes, i + 1), one_by_one);
    }
    assert_int_equal(lmi_crc32(lmi_crc32(0, bytes, 13), bytes + 13, sizeof bytes - 13), one_by_one);
}

/* ---- Memory -------------------------------------------------------------------------------- */

TEST(test_heap_enforces_its_limits) {
    AT_END(assert_all_released) counted counts = {0};
    lm_heap heap;
    lm_memory memory = {counting_allocator(&counts), 1000, 4};
    lmi_heap_init(&heap, &memory, 0);
    void *a = lmi_heap_alloc(&heap, 10, 60);
    assert_non_null(a);
    assert_null(lmi_heap_alloc(&heap, 401, 1));
    assert_null(lmi_heap_alloc(&heap, UINT64_MAX, 16));
    assert_null(lmi_heap_alloc(&heap, (uint64_t)1 << 60, 16));
    void *b = lmi_heap_alloc(&heap, 400, 1);
    assert_non_null(b);
    lmi_heap_free(&heap, a, 600);
    void *c = lmi_heap_alloc(&heap, 600, 1), *d = lmi_heap_alloc(&heap, 0, 8);
    assert_non_null(c);
    assert_null(lmi_heap_alloc(&heap, 1, 1)); /* more than 4 allocations */
    lmi_heap_free(&heap, d, 0);
    lmi_heap_free(&heap, c, 600);
    lmi_heap_free(&heap, b, 400);
    lmi_heap_free(&heap, NULL, 5);
}

TEST(test_heap_diagnoses_failures) {
    lm_error error;
    lm_heap heap;
    lmi_heap_begin(&heap, &(lm_memory){.max_bytes = 100}, 0, "md2", &error);
    assert_null(lmi_heap_alloc(&heap, 101, 1));
    assert_null(lmi_heap_diagnose(&heap));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.message,
                        "md2: loading needs more memory than the limit of 100 bytes");
    counted counts = {.fail_at = 1};
    lmi_heap_begin(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0, "mdc", &error);
    assert_null(lmi_heap_alloc(&heap, 77, 1));
    lmi_heap_diagnose(&heap);
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    assert_non_null(strstr(error.message, "77 bytes"));
}

/* ---- Arenas and objects -------------------------------------------------------------------- */

TEST(test_arena_frees_everything) {
    AT_END(assert_all_released) counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0);
    lm_arena arena = {.heap = &heap};
    chance c = chance_from(9);
    uint8_t *pieces[300];
    size_t sizes[300];
    for (unsigned i = 0; i < 300; i++) {
        sizes[i] = i == 0 ? 0 : chance_below(&c, i % 7 ? 90 : 9000);
        pieces[i] = lmi_arena_alloc(&arena, sizes[i], 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        memset(pieces[i], (int)(i & 0xFF), sizes[i]);
    }
    for (unsigned i = 0; i < 300; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], i & 0xFF);
#ifndef LM_ARENA_APART
    assert_true(counts.calls < 100); /* small blocks share an allocation */
#endif
    uint8_t *zeros = lmi_arena_zeros(&arena, 100, 5);
    for (unsigned i = 0; i < 500; i++)
        assert_int_equal(zeros[i], 0);
    lmi_arena_free(&arena);
    assert_all_released(&counts);
    assert_int_equal(heap.used, 0);
    assert_non_null(lmi_arena_alloc(&arena, 1, 1)); /* it can be used again */
    lmi_arena_free(&arena);
}

TEST(test_arena_grows_arrays_and_diagnoses_failures) {
    AT_END(assert_all_released) counted counts = {0};
    lm_heap heap;
    lm_error error;
    lmi_heap_begin(&heap,
                   &(lm_memory){.allocator = counting_allocator(&counts), .max_bytes = 50000}, 0,
                   "md2", &error);
    AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
    uint32_t *array = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(lmi_arena_grow(&arena, &array, &capacity, i + 1, sizeof *array));
        array[i] = i * i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(array[i], i * i);
    assert_false(lmi_arena_grow(&arena, &array, &capacity, 100000, sizeof *array));
    assert_int_equal(array[999], 999 * 999); /* still there */
    assert_null(lmi_arena_alloc(&arena, UINT64_MAX / 2, 16));
    assert_null(lmi_arena_alloc(&arena, 60001, 1));
    assert_null(lmi_heap_diagnose(&heap));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_int_equal(heap.failed_size, 60001);
    assert_string_equal(error.message,
                        "md2: loading needs more memory than the limit of 50000 bytes");
}

typedef struct pair {
    const char *name;
    uint32_t *numbers;
} pair;

TEST(test_objects_own_their_arena) {
    counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0);
    pair *made = lmi_object(&heap, sizeof *made);
    assert_non_null(made);
    assert_null(made->name); /* zeros */
    lm_arena *arena = lmi_arena_of(made);
    made->name = lmi_arena_field(arena, (const uint8_t *)"body\0junk", 9);
    made->numbers = lmi_arena_alloc(arena, 3, sizeof *made->numbers);
    assert_string_equal(made->name, "body");
    assert_int_equal((uintptr_t)made->numbers % _Alignof(max_align_t), 0);
    lmi_object_keep(made, lmi_heap_alloc(&heap, 77, 1), 77);
    assert_ptr_equal(lmi_object_end(made, true), made);
    assert_true(counts.live_blocks > 0);
    heap = (lm_heap){0}; /* the call has returned */
    lmi_object_free(made);
    assert_all_released(&counts);
    lmi_object_free(NULL);
}

TEST(test_unfinished_objects_are_freed) {
    for (size_t fail_at = 0; fail_at <= 2; fail_at++) {
        AT_END(assert_all_released) counted counts = {.fail_at = fail_at};
        lm_heap heap;
        lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0);
        pair *made = lmi_object(&heap, sizeof *made);
        assert_true(made || fail_at == 1);
        if (made)
            made->numbers = lmi_arena_alloc(lmi_arena_of(made), 1000, sizeof *made->numbers);
        assert_null(lmi_object_end(made, fail_at == 2));
    }
}

/* The arena finds separate pieces by their start and size, and no others. */
TEST(test_arena_finds_separate_pieces) {
    AT_END(assert_all_released) counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0);
    lm_arena arena = {.heap = &heap, .apart = true}, other = {.heap = &heap};
    uint8_t *pieces[5];
    for (size_t i = 0; i < COUNT_OF(pieces); i++)
        pieces[i] = lmi_arena_alloc(&arena, i + 10, 1);
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        assert_ptr_equal(lmi_arena_piece(&arena, pieces[i], i + 10), pieces[i]);
        assert_null(lmi_arena_piece(&arena, pieces[i], i + 11));
        assert_null(lmi_arena_piece(&arena, pieces[i] + 1, 1));
    }
    assert_null(lmi_arena_piece(&arena, NULL, 0));
    assert_non_null(lmi_arena_alloc(&other, 5000, 1));
    lmi_arena_join(&other, &arena);
    assert_ptr_equal(lmi_arena_piece(&other, pieces[2], 12), pieces[2]);
    assert_null(lmi_arena_piece(&arena, pieces[2], 12));
    lmi_arena_free(&arena);
    pieces[0][0] = 1; /* still there */
    lmi_arena_free(&other);
}

/* A joined arena continues with the chunk for small pieces. */
TEST(test_arenas_join) {
    counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0);
    for (int small = 0; small < 4; small++) {
        lm_arena a = {.heap = &heap}, b = {.heap = &heap};
        char *text = small & 1 ? lmi_arena_text(&a, "one", 3) : NULL;
        char *more = small & 2 ? lmi_arena_text(&b, "two", 3) : NULL;
        lmi_arena_join(&a, &b);
        char *last = lmi_arena_text(&a, "three", 5);
        assert_string_equal(last, "three");
        assert_string_equal(text ? text : "one", "one");
        assert_string_equal(more ? more : "two", "two");
        lmi_arena_free(&b);
        lmi_arena_free(&a);
        assert_all_released(&counts);
    }
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Compares with a linear search: names of few letters, so that most repeat. */
static void expect_same_names(bool any_case, const char *letters) {
    AT_END(assert_all_released) counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 0);
    AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
    lm_names names = {.arena = &arena, .any_case = any_case};
    static char texts[3000][24];
    chance c = chance_from(3);
    for (unsigned i = 0; i < 3000; i++) {
        size_t length = chance_below(&c, 5), num_letters = strlen(letters);
        for (size_t k = 0; k < length; k++)
            texts[i][k] = letters[chance_below(&c, (uint32_t)num_letters)];
        texts[i][length] = '\0';
        unsigned before = 0;
        while (before < i && (any_case ? lmi_compare_letters(texts[before], texts[i])
                                       : strcmp(texts[before], texts[i]) != 0))
            before++;
        lm_name *name = lmi_names_put(&names, texts[i]);
        assert_non_null(name);
        assert_int_equal(name->number, before < i ? before + 1 : 0);
        name->number = before + 1;
    }
}

TEST(test_known_names_are_found) {
    expect_same_names(false, "abAB_\x80\xFF");
    expect_same_names(true, "abAB_\x80\xFF");
}

TEST(test_duplicate_names_become_unique) {
    static const char *const wanted[] = {"run", "run_2", "Run", "run", "run_2", "", ""};
    static const char *const plain[] = {"run", "run_2", "Run", "run_3", "run_2_2", "", "_2"};
    static const char *const any_case[] = {"run", "run_2", "Run_3", "run_4", "run_2_2", "", "_2"};
    lm_name entries[COUNT_OF(wanted)];
    char texts[COUNT_OF(wanted)][32];
    for (int i = 0; i < 2; i++) {
        lm_names names = {.names = entries, .any_case = i};
        for (size_t k = 0; k < COUNT_OF(wanted); k++) {
            snprintf(texts[k], sizeof texts[k], "%s", wanted[k]);
            assert_string_equal(lmi_names_unique(&names, texts[k]), i ? any_case[k] : plain[k]);
        }
    }
}

/* Tests how calls end: a reader's status and error name exactly the cause that stopped it. */

#define MOST_CALLS 60

/* ---- The rules ----------------------------------------------------------------------------- */

TEST(test_the_first_status_stays) {
    lm_call call = {.name = "md9"};
    assert_false(lmi_call_end(&call, LM_DONE));
    assert_int_equal(call.status, LM_DONE);
    assert_false(lmi_call_end(&call, LM_STOPPED));
    assert_false(lmi_call_end(&call, LM_NO_MEMORY));
    assert_int_equal(call.status, LM_STOPPED);
}

TEST(test_errors_override_missing_memory) {
    lm_error error;
    lm_call call = {.name = "md9", .error = &error};
    lmi_call_end(&call, LM_NO_MEMORY);
    assert_false(lmi_call_fail(&call, LM_CODE_LIMIT, "%d are too many", 9));
    assert_int_equal(call.status, LM_FAILED);
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.message, "md9: 9 are too many");
}

TEST(test_inner_calls_pass_their_failure_on) {
    lm_call call = {.name = "md9"};
    assert_true(lmi_call_join(&call, true));
    assert_int_equal(call.status, LM_DONE);
    assert_false(lmi_call_join(&call, false));
    assert_int_equal(call.status, LM_FAILED);
}

/* ---- Each report stops the reader ---------------------------------------------------------- */

typedef struct stopper {
    lm_reporter base;
    unsigned reports, stop_at;
    lm_status how;
} stopper;

static lm_status stop_reader(lm_reporter *reporter, const lm_diagnostic *found) {
    stopper *s = (stopper *)reporter;
    return ++s->reports == s->stop_at ? s->how : LM_DONE;
}

/* Returns true if the reader reached the report that stops it. */
static bool stop_at(const blob *file, unsigned report, lm_status how) {
    const lm_bytes bytes = {file->data, file->size};
    lm_heap heap;
    lmi_heap_begin(&heap, NULL, file->size, "file", NULL);
    stopper s = {
        .base = {.call = &heap.call, .listen = stop_reader}, .stop_at = report, .how = how};
    lm_arena arena = {.heap = &heap};
    const lm_format *format = lmi_find_format(bytes);
    lm_reading reading = {bytes, &arena, &s.base, 0};
    const void *document = lmi_parse(format, &reading);
    if (document)
        lmi_examiner_of(format)->check(&reading, document);
    lmi_arena_free(&arena);
    if (s.reports < report)
        return false;
    assert_int_equal(s.reports, report); /* no reports follow it */
    assert_int_equal(heap.call.status, how);
    return true;
}

/* ---- Each allocation fails ----------------------------------------------------------------- */

static lm_code load(const blob *file, int way, counted *counts) {
    const lm_memory memory = {.allocator = counting_allocator(counts)};
    lm_error error = {.code = LM_CODE_OK};
    if (way < 2)
        lm_model_free(lm_load_memory(file->data, file->size,
                                     &(lm_load_options){.memory = memory, .repair = way == 1},
                                     &error));
    else
        lm_report_free(
            lm_check_memory(file->data, file->size, &(lm_check_options){.memory = memory}, &error));
    assert_all_released(counts);
    return error.code;
}

static void fail_each(const blob *file) {
    for (int way = 0; way < 3; way++) {
        counted whole = {0};
        const lm_code code = load(file, way, &whole);
        assert_int_not_equal(code, LM_CODE_OUT_OF_MEMORY);
        assert_int_not_equal(code, LM_CODE_BAD_ARGUMENT);
        assert_true(whole.calls < MOST_CALLS);
        for (size_t n = 1; n <= whole.calls; n++) {
            counted counts = {.fail_at = n};
            assert_int_equal(load(file, way, &counts), LM_CODE_OUT_OF_MEMORY);
        }
    }
}

/* ---- Damaged files ------------------------------------------------------------------------- */

TEST(test_the_diagnosis_is_that_of_the_fault) {
    static const lm_status ways[] = {LM_STOPPED, LM_NO_MEMORY, LM_FAILED};
    blob files[] = {make_md2(&small_md2), make_mdc(&small_mdc), make_md3(&small_md3), make_mdl()};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        for (size_t at = 4; at + 4 <= files[i].size; at += 4) {
            const uint32_t sound = get32(&files[i], at);
            put32(&files[i], at, at % 8 ? 0x7FFFFFFFu : 0xFFFFFFFEu);
            fail_each(&files[i]);
            for (size_t w = 0; w < COUNT_OF(ways); w++)
                for (unsigned n = 1; stop_at(&files[i], n, ways[w]); n++)
                    assert_true(n < 1000);
            put32(&files[i], at, sound);
        }
        blob_free(&files[i]);
    }
}

/* Tests the reading library's options: each member with invalid values. */

static bool load_with(const void *options, lm_error *error) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    lm_model *model = lm_load_memory(file.data, file.size, options, error);
    lm_model_free(model);
    return model != NULL;
}

static bool check(const void *options, lm_error *error) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    lm_report *report = lm_check_memory(file.data, file.size, options, error);
    lm_report_free(report);
    return report != NULL;
}

static bool read_clips(const void *options, lm_error *error) {
    static const char text[] = "0 1 0 10 // stand";
    lm_clips *clips = lm_clips_read(text, sizeof text - 1, 1, options, error);
    lm_clips_free(clips);
    return clips != NULL;
}

TEST(test_invalid_values) {
    static const option_of_call list[] = {
        {LM_MEMBER(lm_load_options, memory, MEMORY, 0), load_with},
        {LM_MEMBER(lm_load_options, quirks, FLAGS, LM_QUIRK_MDC_PRINZ), load_with},
        {LM_MEMBER(lm_load_options, topology, ENUM, LM_TOPOLOGY_GL_COMMANDS), load_with},
        {LM_MEMBER(lm_load_options, normals, ENUM, LM_NORMALS_AUTO), load_with},
        {LM_MEMBER(lm_load_options, bytes, ENUM, LM_BYTES_ADOPTED), load_with},
        {LM_MEMBER(lm_check_options, memory, MEMORY, 0), check},
        {LM_MEMBER(lm_check_options, engine, ENUM, LM_NUM_ENGINES - 1), check},
        {LM_MEMBER(lm_clips_options, memory, MEMORY, 0), read_clips},
        {LM_MEMBER(lm_clips_options, format, ENUM, LM_CLIPS_QUAKE2), read_clips},
        {LM_MEMBER(lm_clips_options, player_part, ENUM, LM_PART_TORSO), read_clips},
        {LM_MEMBER(lm_load_options, reserved, RESERVED, 0), load_with},
        {LM_MEMBER(lm_check_options, reserved, RESERVED, 0), check},
        {LM_MEMBER(lm_clips_options, reserved, RESERVED, 0), read_clips}};
    assert_true(load_with(NULL, NULL) && check(NULL, NULL) && read_clips(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

TEST(test_messages) {
    lm_error error;
    assert_false(load_with(&(lm_load_options){.quirks = 0xff01}, &error));
    assert_string_equal(error.message, "load: quirks is 65281, but its flags 65280 are undefined");
    assert_false(load_with(&(lm_load_options){.topology = (lm_topology)77}, &error));
    assert_string_equal(error.message, "load: topology is 77, but must be 0 to 1");
    assert_false(load_with(&(lm_load_options){.reserved = {0, 1}}, &error));
    assert_string_equal(error.message, "load: reserved must be 0");
    assert_false(check(&(lm_check_options){.engine = (lm_engine)-1}, &error));
    assert_string_equal(error.message, "check: engine is -1, but must be 0 to 9");
}

#define TURN 6.283185307179586

/* libm's results differ between machines, but are accurate to within a last digit. */
TEST(test_angles) {
    for (int i = -30000; i <= 30000; i++) {
        const double turns = i / 7001.0, angle = (turns - floor(turns)) * TURN;
        assert_true(fabs(lmi_sine(turns) - sin(angle)) < 2e-15);
        assert_true(fabs(lmi_cosine(turns) - cos(angle)) < 2e-15);
    }
    for (int x = -60; x <= 60; x++)
        for (int y = -60; y <= 60; y++) {
            const double across = x / 7.0, up = y * y * y / 11.0;
            assert_true(fabs(lmi_angle(up, across) - atan2(up, across) / TURN) < 1e-15);
        }
    assert_true(fabs(lmi_angle(1e-30, 1) * TURN / 1e-30 - 1) < 1e-15);
    assert_true(fabs(lmi_sine(1e-30) / (1e-30 * TURN) - 1) < 1e-15);
}

TEST(test_exact_angles) {
    static const int sines[] = {0, 1, 0, -1};
    for (int quarter = -9; quarter <= 9; quarter++) {
        assert_true(lmi_sine(quarter / 4.0) == sines[(quarter + 12) % 4]);
        assert_true(lmi_cosine(quarter / 4.0) == sines[(quarter + 13) % 4]);
    }
    assert_true(lmi_angle(0, 2) == 0 && !signbit(lmi_angle(0, 2)) && signbit(lmi_angle(-0.0, 2)));
    assert_true(lmi_angle(3, 0) == 0.25 && lmi_angle(-3, 0) == -0.25 && lmi_angle(0, -2) == 0.5);
    assert_true(lmi_angle(-0.0, -2) == -0.5 && lmi_angle(0, 0) == 0);
    assert_true(lmi_angle(1, 1) == 0.125 && lmi_angle(-1, -1) == -0.375);
    assert_true(lmi_sine(INFINITY) == 0 && lmi_cosine(NAN) == 1);
}

/* Checks exact bits: Taylor series give the same on every machine. */
TEST(test_the_same_bits_everywhere) {
    uint64_t sum = 14695981039346656037u; /* FNV-1a */
    for (int i = 0; i < 5000; i++) {
        const double values[] = {lmi_sine(i / 733.0), lmi_cosine(i / 733.0),
                                 lmi_angle(i - 2500, 333), lmi_shift_decimal(i, i % 80 - 40)};
        for (unsigned k = 0; k < COUNT_OF(values); k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            sum = (sum ^ bits) * 1099511628211u;
        }
    }
    assert_true(sum == UINT64_C(0x7b8a95d67aa4454c));
}

TEST(test_decimals) {
    assert_true(lmi_shift_decimal(1, -1) == 0.1 && lmi_shift_decimal(123, -2) == 1.23);
    assert_true(lmi_shift_decimal(7, 0) == 7 && lmi_shift_decimal(7, 22) == 7e22);
    assert_true(lmi_shift_decimal(5, 1000000000000000) == INFINITY);
    assert_true(lmi_shift_decimal(5, -1000000000000000) == 0);
    assert_true(lmi_shift_decimal(0, 1000) == 0 && lmi_shift_decimal(0, -1000) == 0);
}

static void finish(lm_buffer *out, const char *wanted) {
    lm_buffer_append(out, "", 1);
    assert_false(out->failed);
    assert_true(json_is_valid((const char *)out->data));
    assert_string_equal((const char *)out->data, wanted);
    lm_buffer_free(out);
}

TEST(writes_every_kind) {
    lm_buffer out = {0};
    lm_json json = {.out = &out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_string(&json, "name", "stand01");
    lmi_json_string(&json, "none", NULL);
    lmi_json_integer(&json, "least", INT64_MIN);
    lmi_json_float(&json, "tenth", 0.1f);
    lmi_json_double(&json, "third", 1.0 / 3);
    lmi_json_bool(&json, "yes", true);
    lmi_json_open(&json, "list", '[');
    lmi_json_bool(&json, NULL, false);
    lmi_json_open(&json, NULL, '{');
    lmi_json_close(&json);
    lmi_json_raw(&json, NULL, "[1,2]xx", 5);
    lmi_json_close(&json);
    lmi_json_integer(&json, "last", 0);
    lmi_json_close(&json);
    finish(&out, "{\"name\":\"stand01\",\"none\":null,\"least\":-9223372036854775808,\"tenth\":0.1,"
                 "\"third\":0.3333333333333333,\"yes\":true,\"list\":[false,{},[1,2]],\"last\":0}");
}

static void write_text(const char *text, const char *wanted) {
    lm_buffer out = {0};
    lm_json json = {.out = &out};
    lmi_json_string(&json, NULL, text);
    finish(&out, wanted);
}

TEST(escapes_required_characters) {
    write_text("", "\"\"");
    write_text("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    write_text("\b\t\n\v\f\r\x01\x1f", "\"\\b\\t\\n\\u000b\\f\\r\\u0001\\u001f\"");
    write_text("\xC3\xA9\xE2\x82\xAC", "\"\xC3\xA9\xE2\x82\xAC\""); /* UTF-8 is kept */
}

TEST(reads_other_bytes_as_latin1) {
    write_text("caf\xE9", "\"caf\xC3\xA9\"");
    write_text("\xFF\"\xC3\xA9", "\"\xC3\xBF\\\"\xC3\x83\xC2\xA9\"");
}

TEST(every_byte_makes_valid_json) {
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = {'a', (char)byte, '\0'};
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_json json = {.out = &out};
        lmi_json_string(&json, NULL, text);
        lm_buffer_append(&out, "", 1);
        assert_true(json_is_valid((const char *)out.data));
    }
}

TEST(infinite_numbers_are_written_as_0) {
    lm_buffer out = {0};
    lm_json json = {.out = &out};
    lmi_json_open(&json, NULL, '[');
    lmi_json_float(&json, NULL, INFINITY);
    lmi_json_double(&json, NULL, NAN);
    lmi_json_close(&json);
    finish(&out, "[0,0]");
}

TEST(too_deep_fails_the_buffer) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_json json = {.out = &out};
    for (unsigned i = 0; i < LM_JSON_DEPTH; i++)
        lmi_json_open(&json, NULL, '[');
    assert_false(out.failed);
    lmi_json_open(&json, NULL, '[');
    assert_true(out.failed);
}

/* Compares the index of equal elements with a comparison of every pair, and measures its cost when
 * hashes collide. */

#define MOST 500

typedef struct things {
    uint32_t values[4 * MOST];
    uint64_t *comparisons; /* counts them */
} things;

static bool equal(const void *context, uint32_t a, uint32_t b) {
    const things *t = context;
    ++*t->comparisons;
    return t->values[a] == t->values[b];
}

static uint32_t first_equal(const things *t, uint32_t number) {
    uint32_t first = 0;
    while (t->values[first] != t->values[number])
        first++;
    return first;
}

/* Finds the first of each kind. Returns the number of comparisons. */
static uint64_t find(things *t, uint32_t count, const uint64_t *hashes, uint32_t *firsts) {
    uint64_t comparisons = 0;
    counted counts = {0};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1 << 20);
    t->comparisons = &comparisons;
    assert_true(lmi_find_equal(count, hashes, equal, t, firsts, &heap));
    assert_all_released(&counts);
    return comparisons;
}

TEST(the_first_equal_thing_is_found) {
    chance c = {7};
    static things t;
    uint64_t hashes[MOST];
    uint32_t firsts[MOST];
    for (unsigned round = 0; round < 300; round++) {
        const uint32_t count = chance_below(&c, MOST + 1), kinds = 1 + chance_below(&c, 2 * MOST);
        for (uint32_t i = 0; i < count; i++) {
            t.values[i] = chance_below(&c, kinds);
            hashes[i] = lmi_hash_bytes(0, &t.values[i], sizeof t.values[i]);
        }
        find(&t, count, hashes, firsts);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(firsts[i], first_equal(&t, i));
    }
}

/* Different elements with one hash cost a bounded number of comparisons each. */
TEST(equal_hashes_cost_linear_time) {
    static things t;
    static uint64_t hashes[4 * MOST];
    static uint32_t firsts[4 * MOST];
    uint64_t before = 0;
    for (uint32_t i = 0; i < 4 * MOST; i++)
        t.values[i] = i;
    for (uint32_t count = MOST; count <= 4 * MOST; count *= 2) {
        const uint64_t comparisons = find(&t, count, hashes, firsts);
        assert_true(comparisons > 0);
        if (before > 0)
            assert_true(comparisons <= before * 9 / 4);
        before = comparisons;
    }
}

/* The hash spreads consecutive numbers, in whatever bits of a word they are: those of floats and
 * doubles are the high ones. */
TEST(different_hashes_cost_few_comparisons) {
    static things t;
    static uint64_t hashes[4 * MOST];
    static uint32_t firsts[4 * MOST];
    for (uint32_t i = 0; i < 4 * MOST; i++)
        t.values[i] = i;
    for (unsigned shift = 0; shift <= 52; shift++)
        for (uint32_t count = MOST; count <= 4 * MOST; count *= 2) {
            for (uint32_t i = 0; i < count; i++)
                hashes[i] = lmi_hash(0, (uint64_t)i << shift);
            assert_true(find(&t, count, hashes, firsts) <= count);
        }
}

typedef struct search {
    const uint32_t *values;
    uint32_t wanted;
} search;

static bool is_wanted(const void *context, uint32_t a, uint32_t b) {
    const search *s = context;
    assert_int_equal(b, LM_NOT_INDEXED);
    return s->values[a] == s->wanted;
}

/* Every thing in the index is found, and nothing else; a search adds nothing. */
TEST(things_are_found_without_adding_them) {
    static things t;
    static uint32_t slots[4 * MOST];
    uint64_t comparisons = 0;
    lm_index index = {.slots = slots};
    assert_true(lmi_index_slots(MOST) <= COUNT_OF(slots));
    t.comparisons = &comparisons;
    lmi_index_clear(&index, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        t.values[i] = i / 2;
        assert_int_equal(lmi_index_find(&index, lmi_hash(0, i / 2), i, equal, &t), i / 2 * 2);
    }
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t wanted = 0; wanted < MOST; wanted++) {
            const search s = {t.values, wanted};
            assert_int_equal(lmi_index_get(&index, lmi_hash(0, wanted), is_wanted, &s),
                             wanted < MOST / 2 ? 2 * wanted : LM_NOT_INDEXED);
        }
}

TEST(bytes_have_the_hash_of_their_words) {
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
    assert_true(lmi_hash_bytes(9, bytes, 6) == lmi_hash(lmi_hash(lmi_hash(9, 0x04030201), 5), 6));
}

TEST(search_fails_without_memory) {
    counted counts = {.fail_at = 1};
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.allocator = counting_allocator(&counts)}, 1000);
    const uint64_t hash = 0;
    uint32_t first;
    assert_false(lmi_find_equal(1, &hash, equal, NULL, &first, &heap));
}
