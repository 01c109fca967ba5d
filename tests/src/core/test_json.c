#include "core/json.h"
#include "json_reader.h"
#include "testing.h"

#include <math.h>
#include <string.h>

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
    lm_json_open(&json, NULL, '{');
    lm_json_string(&json, "name", "stand01");
    lm_json_string(&json, "none", NULL);
    lm_json_integer(&json, "least", INT64_MIN);
    lm_json_float(&json, "tenth", 0.1f);
    lm_json_double(&json, "third", 1.0 / 3);
    lm_json_bool(&json, "yes", true);
    lm_json_open(&json, "list", '[');
    lm_json_bool(&json, NULL, false);
    lm_json_open(&json, NULL, '{');
    lm_json_close(&json);
    lm_json_raw(&json, NULL, "[1,2]xx", 5);
    lm_json_close(&json);
    lm_json_integer(&json, "last", 0);
    lm_json_close(&json);
    finish(&out, "{\"name\":\"stand01\",\"none\":null,\"least\":-9223372036854775808,\"tenth\":0.1,"
                 "\"third\":0.3333333333333333,\"yes\":true,\"list\":[false,{},[1,2]],\"last\":0}");
}

static void write_text(const char *text, const char *wanted) {
    lm_buffer out = {0};
    lm_json json = {.out = &out};
    lm_json_string(&json, NULL, text);
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
        lm_json_string(&json, NULL, text);
        lm_buffer_append(&out, "", 1);
        assert_true(json_is_valid((const char *)out.data));
    }
}

TEST(infinite_numbers_are_written_as_0) {
    lm_buffer out = {0};
    lm_json json = {.out = &out};
    lm_json_open(&json, NULL, '[');
    lm_json_float(&json, NULL, INFINITY);
    lm_json_double(&json, NULL, NAN);
    lm_json_close(&json);
    finish(&out, "[0,0]");
}

TEST(too_deep_fails_the_buffer) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_json json = {.out = &out};
    for (unsigned i = 0; i < LM_JSON_DEPTH; i++)
        lm_json_open(&json, NULL, '[');
    assert_false(out.failed);
    lm_json_open(&json, NULL, '[');
    assert_true(out.failed);
}
