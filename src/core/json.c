#include "core/json.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void append_escape(lm_buffer *out, uint8_t byte) {
    static const char letters[] = "btnvfr"; /* 8 .. 13; JSON has no \v */
    if (byte == '"' || byte == '\\')
        lm_buffer_printf(out, "\\%c", byte);
    else if (byte >= 8 && byte <= 13 && byte != 11)
        lm_buffer_printf(out, "\\%c", letters[byte - 8]);
    else
        lm_buffer_printf(out, "\\u%04x", (unsigned)byte);
}

static void append_text(lm_buffer *out, const char *text) {
    size_t size = strlen(text), plain = 0;
    bool latin1 = !lmi_utf8_valid(text, size);
    char piece[2];
    lm_buffer_text(out, "\"");
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)text[i];
        bool wide = latin1 && byte >= 0x80;
        if (byte >= 0x20 && byte != '"' && byte != '\\' && !wide)
            continue;
        lm_buffer_append(out, text + plain, i - plain);
        plain = i + 1;
        if (wide)
            lm_buffer_append(out, piece, lmi_utf8_of_latin1(byte, piece));
        else
            append_escape(out, byte);
    }
    lm_buffer_append(out, text + plain, size - plain);
    lm_buffer_text(out, "\"");
}

/* Writes the comma and the key before a value. */
static void begin_value(lm_json *json, const char *key) {
    if (json->depth > 0) {
        if (json->comma[json->depth - 1])
            lm_buffer_text(json->out, ",");
        json->comma[json->depth - 1] = true;
    }
    if (key) {
        append_text(json->out, key);
        lm_buffer_text(json->out, ":");
    }
}

void lmi_json_open(lm_json *json, const char *key, char bracket) {
    if (json->depth == LM_JSON_DEPTH) {
        json->out->failed = true;
        return;
    }
    begin_value(json, key);
    lm_buffer_append(json->out, &bracket, 1);
    json->comma[json->depth] = false;
    json->closing[json->depth] = bracket == '{' ? '}' : ']';
    json->depth++;
}

void lmi_json_close(lm_json *json) {
    if (json->depth > 0)
        lm_buffer_append(json->out, &json->closing[--json->depth], 1);
}

void lmi_json_string(lm_json *json, const char *key, const char *value) {
    begin_value(json, key);
    if (value)
        append_text(json->out, value);
    else
        lm_buffer_text(json->out, "null");
}

/* Writes a path's bytes in printable ASCII. */
static void write_bytes(lm_json *json, const char *key, const char *path) {
    static const char digits[] = "0123456789abcdef";
    begin_value(json, key);
    lm_buffer_text(json->out, "\"");
    for (const uint8_t *c = (const uint8_t *)path; *c; c++) {
        const char code[3] = {'%', digits[*c >> 4], digits[*c & 15]};
        const bool plain = *c > ' ' && *c < 127 && !strchr("%\"\\", *c);
        lm_buffer_append(json->out, plain ? (const char *)c : code, plain ? 1 : 3);
    }
    lm_buffer_text(json->out, "\"");
}

void lmi_json_path(lm_json *json, const char *key, const char *path) {
    char name[64];
    lmi_json_string(json, key, path);
    snprintf(name, sizeof name, "%s_bytes", key);
    if (path && !lmi_utf8_valid(path, strlen(path)))
        write_bytes(json, name, path);
}

void lmi_json_two_paths(lm_json *json, const char *key, const char *const paths[2]) {
    char name[64];
    bool valid = true;
    snprintf(name, sizeof name, "%s_bytes", key);
    lmi_json_open(json, key, '[');
    for (int i = 0; i < 2; i++) {
        lmi_json_string(json, NULL, paths[i]);
        valid = valid && lmi_utf8_valid(paths[i], strlen(paths[i]));
    }
    lmi_json_close(json);
    if (valid)
        return;
    lmi_json_open(json, name, '[');
    write_bytes(json, NULL, paths[0]);
    write_bytes(json, NULL, paths[1]);
    lmi_json_close(json);
}

void lmi_json_integer(lm_json *json, const char *key, int64_t value) {
    begin_value(json, key);
    lm_buffer_printf(json->out, "%" PRId64, value);
}

void lmi_json_float(lm_json *json, const char *key, float value) {
    begin_value(json, key);
    lmi_buffer_float(json->out, value);
}

void lmi_json_double(lm_json *json, const char *key, double value) {
    begin_value(json, key);
    lmi_buffer_double(json->out, value);
}

void lmi_json_bool(lm_json *json, const char *key, bool value) {
    begin_value(json, key);
    lm_buffer_text(json->out, value ? "true" : "false");
}

void lmi_json_raw(lm_json *json, const char *key, const void *text, size_t size) {
    begin_value(json, key);
    lm_buffer_append(json->out, text, size);
}
