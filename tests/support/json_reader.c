#include "json_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_value(const char *p);

/* Skips by hand: under a sanitizer each strspn measures the whole rest of the text. */
static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
        p++;
    return p;
}

static size_t count_digits(const char *p) {
    size_t count = 0;
    while (p[count] >= '0' && p[count] <= '9')
        count++;
    return count;
}

static const char *skip_escape(const char *p) {
    if (*p && strchr("\"\\/bfnrt", *p))
        return p + 1;
    return *p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") >= 4 ? p + 5 : NULL;
}

static const char *skip_string(const char *p) {
    if (*p++ != '"')
        return NULL;
    while (p && *p != '"') {
        if ((unsigned char)*p < ' ')
            return NULL;
        p = *p == '\\' ? skip_escape(p + 1) : p + 1;
    }
    return p ? p + 1 : NULL;
}

static const char *skip_digits(const char *p) {
    size_t count = count_digits(p);
    return count ? p + count : NULL;
}

static const char *skip_number(const char *p) {
    p += *p == '-';
    if (p[0] == '0' && p[1] >= '0' && p[1] <= '9')
        return NULL;
    p = skip_digits(p);
    if (p && *p == '.')
        p = skip_digits(p + 1);
    if (p && (*p == 'e' || *p == 'E'))
        p = skip_digits(p + 1 + (p[1] == '-' || p[1] == '+'));
    return p;
}

static const char *skip_member(const char *p, bool object) {
    p = skip_space(p);
    if (!object)
        return skip_value(p);
    p = skip_string(p);
    p = p ? skip_space(p) : NULL;
    return p && *p == ':' ? skip_value(p + 1) : NULL;
}

static const char *skip_container(const char *p) {
    bool object = *p == '{';
    char end = object ? '}' : ']';
    p = skip_space(p + 1);
    if (*p == end)
        return p + 1;
    for (;;) {
        p = skip_member(p, object);
        p = p ? skip_space(p) : NULL;
        if (p && *p == end)
            return p + 1;
        if (!p || *p++ != ',')
            return NULL;
    }
}

static const char *skip_value(const char *p) {
    static const char *const words[] = {"true", "false", "null"};
    p = skip_space(p);
    if (*p == '{' || *p == '[')
        return skip_container(p);
    if (*p == '"')
        return skip_string(p);
    for (unsigned i = 0; i < 3; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    return skip_number(p);
}

bool json_is_valid(const char *text) {
    const char *end = skip_value(text);
    return end && *skip_space(end) == '\0';
}

/* Returns the value of one step of a path inside the container at `p`. */
static const char *step_into(const char *p, const char *key, size_t size) {
    bool object = *p == '{';
    size_t wanted = object ? 0 : strtoul(key, NULL, 10);
    if (*p != '{' && *p != '[')
        return NULL;
    p = skip_space(p + 1);
    for (size_t i = 0; *p != '}' && *p != ']'; i++) {
        bool found = object ? strncmp(p + 1, key, size) == 0 && p[1 + size] == '"' : i == wanted;
        const char *value = object ? skip_space(skip_space(skip_string(p)) + 1) : p;
        if (found)
            return value;
        p = skip_space(skip_value(value));
        p = *p == ',' ? skip_space(p + 1) : p;
    }
    return NULL;
}

const char *json_at(const char *text, const char *path, ...) {
    char full[256];
    va_list arguments;
    va_start(arguments, path);
    vsnprintf(full, sizeof full, path, arguments);
    va_end(arguments);
    const char *p = skip_space(text);
    for (const char *key = full; p && *key;) {
        size_t size = strcspn(key, "/");
        p = step_into(p, key, size);
        key += size + (key[size] == '/');
    }
    return p;
}

size_t json_count(const char *text, const char *path) {
    const char *p = json_at(text, "%s", path);
    size_t count = 0;
    if (!p || (*p != '[' && *p != '{'))
        return 0;
    for (bool object = *p == '{'; (p = skip_space(p + 1)), *p != ']' && *p != '}'; count++) {
        p = skip_space(skip_member(p, object));
        if (*p != ',')
            return count + 1;
    }
    return count;
}

double json_number(const char *value, double otherwise) {
    return value ? strtod(value, NULL) : otherwise;
}

bool json_is(const char *value, const char *wanted) {
    size_t size = strlen(wanted);
    return value && *value == '"' && strncmp(value + 1, wanted, size) == 0 &&
           value[1 + size] == '"';
}
