/* JSON, and the members of its objects. */
#include "gltf.h"

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "core/exact.h"
#include "core/index.h"
#include "core/text.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool fail_json(importing *im, size_t at, const char *why) {
    lmi_im_fail(im, LM_CODE_BAD_GLTF, NULL, "its JSON %s (at byte %zu)", why, at);
    if (im->error)
        im->error->offset = at;
    return false;
}

static bool check_depth(importing *im, const char *text, size_t size) {
    unsigned depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '{' || text[i] == '['))
            depth++;
        else if (!quoted && (text[i] == '}' || text[i] == ']') && depth > 0)
            depth--;
        if (depth > LM_MAX_IMPORT_DEPTH) /* jsmn's time and our stack grow with the depth */
            return fail_json(im, i, "is nested more than 64 levels deep");
    }
    return true;
}

/* ---- From jsmn's tokens ---------------------------------------------------------------------- */

/* The values of a file, the first of which is the whole. */
typedef struct lm_im_json {
    uint32_t num_values;
    lm_im_value *values;
    lm_index names; /* the members' names of large objects */
} lm_im_json;

typedef struct checking {
    const jsmntok_t *tokens;
    lm_im_json *json;
    const char *text;
    size_t size, at; /* bytes before `at` are valid JSON */
} checking;

static bool is_word(lm_im_ref value) {
    return (value->length == 4 &&
            (memcmp(value->text, "true", 4) == 0 || memcmp(value->text, "null", 4) == 0)) ||
           (value->length == 5 && memcmp(value->text, "false", 5) == 0);
}

static void skip_space(checking *c) {
    while (c->at < c->size && strchr(" \t\r\n", c->text[c->at]) && c->text[c->at])
        c->at++;
}

/* Skips a punctuation mark. jsmn itself accepts missing, stray and doubled commas and colons. */
static bool skip_mark(checking *c, char mark) {
    skip_space(c);
    if (c->at == c->size || c->text[c->at] != mark)
        return false;
    c->at++;
    return true;
}

/* Checks the string, number or word of the token at `i`. */
static bool check_text(checking *c, uint32_t i, lm_im_kind kind) {
    const jsmntok_t *token = &c->tokens[i];
    lm_im_value *value = &c->json->values[i];
    *value = (lm_im_value){.kind = kind,
                           .length = (uint32_t)(token->end - token->start),
                           .values = 1,
                           .text = c->text + token->start};
    double number;
    skip_space(c);
    if ((kind == IM_STRING && !skip_mark(c, '"')) || c->at != (size_t)token->start ||
        (kind == IM_OTHER && !is_word(value) && !lmi_im_number(value, &number)))
        return false;
    for (; c->at < (size_t)token->end; c->at++)
        if ((unsigned char)c->text[c->at] < 0x20)
            return false;
    return kind == IM_OTHER || skip_mark(c, '"');
}

/* Checks the value at `i` and its contents. Returns the index after them; 0 if they are not JSON.
 * The depth is bounded. */
static uint32_t check_value(checking *c, uint32_t i) { // NOLINT(misc-no-recursion)
    lm_im_json *json = c->json;
    if (i >= json->num_values)
        return 0;
    const jsmntok_t *token = &c->tokens[i];
    const bool object = token->type == JSMN_OBJECT;
    uint32_t next = i + 1;
    if (token->type == JSMN_STRING || token->type == JSMN_PRIMITIVE) {
        const lm_im_kind kind = token->type == JSMN_STRING ? IM_STRING : IM_OTHER;
        return token->size == 0 && check_text(c, i, kind) ? next : 0;
    }
    if (!skip_mark(c, object ? '{' : '[') || c->at != (size_t)token->start + 1)
        return 0;
    for (int n = 0; n < token->size; n++) {
        if (n > 0 && !skip_mark(c, ','))
            return 0;
        if (object) {
            if (next >= json->num_values || c->tokens[next].type != JSMN_STRING ||
                c->tokens[next].size != 1 || !check_text(c, next, IM_STRING) || !skip_mark(c, ':'))
                return 0;
            json->values[next].size = i;
        }
        next = check_value(c, next + object);
        if (next == 0)
            return 0;
    }
    json->values[i] = (lm_im_value){.kind = object ? IM_OBJECT : IM_ARRAY,
                                    .size = (uint32_t)token->size,
                                    .values = next - i,
                                    .json = json};
    return skip_mark(c, object ? '}' : ']') ? next : 0;
}

/* ---- Names of members ------------------------------------------------------------------------ */

/* Objects with more members are indexed. */
#define MAX_SCANNED 16

/* A member's name, or the name that is looked up. */
typedef struct naming {
    const lm_im_json *json;
    uint32_t object; /* the index of the object */
    const char *name;
    size_t length;
} naming;

static naming naming_of(const lm_im_json *json, uint32_t name) {
    const lm_im_value *v = &json->values[name];
    return (naming){json, v->size, v->text, v->length};
}

static uint64_t hash_of(const naming *n) {
    return lmi_hash_bytes(lmi_hash(0, n->object), n->name, n->length);
}

static bool is_naming(const naming *n, uint32_t name) {
    const naming other = naming_of(n->json, name);
    return n->object == other.object && n->length == other.length &&
           memcmp(n->name, other.name, n->length) == 0;
}

static bool same_naming(const void *context, uint32_t a, uint32_t b) {
    const naming n = naming_of(context, b);
    return is_naming(&n, a);
}

static bool has_naming(const void *context, uint32_t a, uint32_t b) {
    (void)b;
    return is_naming(context, a);
}

/* Returns the name after the member of a name. */
static lm_im_ref next_name(lm_im_ref name) {
    return name + 1 + name[1].values;
}

/* Indexes the names of large objects. Of equal names in an object, the first counts. */
static bool index_names(importing *im, lm_im_json *json) {
    const lm_im_value *end = json->values + json->num_values;
    uint32_t count = 0;
    for (lm_im_ref o = json->values; o < end; o++)
        if (o->kind == IM_OBJECT && o->size > MAX_SCANNED)
            count += o->size;
    json->names.slots =
        lmi_arena_zeros(&im->scratch, lmi_index_slots(count), sizeof *json->names.slots);
    if (!json->names.slots)
        return false;
    lmi_index_clear(&json->names, count);
    for (lm_im_ref o = json->values; o < end; o++) {
        if (o->kind != IM_OBJECT || o->size <= MAX_SCANNED)
            continue;
        for (lm_im_ref name = o + 1; name < o + o->values; name = next_name(name)) {
            const uint32_t index = (uint32_t)(name - json->values);
            const naming n = naming_of(json, index);
            lmi_index_find(&json->names, hash_of(&n), index, same_naming, json);
        }
    }
    return true;
}

static bool check_tokens(importing *im, const char *text, size_t size, const jsmntok_t *tokens,
                         uint32_t count, lm_im_ref *root) {
    lm_im_json *json = lmi_arena_zeros(&im->scratch, 1, sizeof *json);
    lm_im_value *values = lmi_arena_zeros(&im->scratch, count, sizeof *values);
    if (!json || !values)
        return false;
    *json = (lm_im_json){.num_values = count, .values = values};
    checking c = {tokens, json, text, size, 0};
    if (count == 0 || tokens[0].type != JSMN_OBJECT)
        return fail_json(im, 0, "is not an object");
    const uint32_t end = check_value(&c, 0);
    skip_space(&c);
    if (end != count || c.at != size)
        return fail_json(im, c.at, "is invalid");
    *root = values;
    return index_names(im, json);
}

bool lmi_im_json_read(importing *im, const char *text, size_t size, lm_im_ref *root) {
    jsmn_parser parser;
    if (size > INT_MAX / 2)
        return lmi_im_fail(im, LM_CODE_LIMIT, NULL, "its JSON has %zu bytes; the limit is %d", size,
                           INT_MAX / 2);
    while (size > 0 && text[size - 1] == '\0') /* some writers pad a chunk with NUL bytes */
        size--;
    if (!check_depth(im, text, size))
        return false;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, size, NULL, 0);
    if (count <= 0 || parser.pos < size)
        return fail_json(im, parser.pos, "is damaged or cut off");
    lm_arena once = {.heap = im->arena->heap};
    jsmntok_t *tokens = lmi_arena_alloc(&once, (uint64_t)count, sizeof *tokens);
    jsmn_init(&parser);
    const bool read =
        tokens && (jsmn_parse(&parser, text, size, tokens, (unsigned)count) == count ||
                   fail_json(im, parser.pos, "is damaged or cut off"));
    const bool done = read && check_tokens(im, text, size, tokens, (uint32_t)count, root);
    lmi_arena_free(&once);
    return done;
}

/* ---- Lookup ---------------------------------------------------------------------------------- */

bool lmi_im_is_true(lm_im_ref value) {
    return value && value->kind == IM_OTHER && value->text[0] == 't';
}

bool lmi_im_is_string(lm_im_ref value, const char *text) {
    const size_t length = strlen(text);
    return value && value->kind == IM_STRING && value->length == length &&
           memcmp(value->text, text, length) == 0;
}

lm_im_ref lmi_im_member(lm_im_ref object, const char *name) {
    if (!object || object->kind != IM_OBJECT)
        return NULL;
    if (object->size > MAX_SCANNED) {
        const lm_im_json *json = object->json;
        const naming n = {json, (uint32_t)(object - json->values), name, strlen(name)};
        const uint32_t found = lmi_index_get(&json->names, hash_of(&n), has_naming, &n);
        return found == LM_NOT_INDEXED ? NULL : &json->values[found + 1];
    }
    for (lm_im_ref at = object + 1; at < object + object->values; at = next_name(at))
        if (lmi_im_is_string(at, name))
            return at + 1;
    return NULL;
}

lm_im_ref lmi_im_first(lm_im_ref array) {
    return lmi_im_count(array) > 0 ? array + 1 : NULL;
}

lm_im_ref lmi_im_next(lm_im_ref array, lm_im_ref element) {
    const lm_im_ref next = element + element->values;
    return next < array + array->values ? next : NULL;
}

uint32_t lmi_im_count(lm_im_ref array) {
    return array && array->kind == IM_ARRAY ? array->size : 0;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* JSON requires a digit at the beginning, no other one after a 0 there, and one after a point. */
bool lmi_im_number(lm_im_ref value, double *out) {
    if (!value || value->kind != IM_OTHER)
        return false;
    const char *at = value->text, *end = at + value->length;
    const char *first = at + (*at == '-'), *point = memchr(at, '.', value->length);
    return first < end && is_digit(*first) &&
           !(*first == '0' && first + 1 < end && is_digit(first[1])) &&
           !(point && (point + 1 == end || !is_digit(point[1]))) &&
           lmi_read_decimal((const uint8_t *)at, value->length, out) == value->length &&
           isfinite(*out);
}

bool lmi_im_integer(lm_im_ref value, uint64_t *out) {
    double number;
    if (!lmi_im_number(value, &number) || !(number >= 0 && number < 0x1p53) ||
        floor(number) < number)
        return false;
    *out = (uint64_t)number;
    return true;
}

int lmi_im_hex_digit(char c) {
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static unsigned hex_of(const char *text) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++)
        code = code * 16 + (unsigned)lmi_im_hex_digit(text[i]);
    return code;
}

/* Reads the \uXXXX escape at `at`; a surrogate pair is one character. */
static unsigned read_escape(const char **at, const char *end) {
    unsigned code = end - *at >= 6 ? hex_of(*at + 2) : 0xFFFD;
    *at += end - *at >= 6 ? 6 : end - *at;
    if (code >= 0xD800 && code < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        const unsigned low = hex_of(*at + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            *at += 6;
            return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return code >= 0xD800 && code < 0xE000 ? 0xFFFD : code;
}

static char *put_utf8(char *out, unsigned code) {
    if (code < 0x80) {
        *out++ = (char)(lmi_is_control((int)code) ? '_' : code);
        return out;
    }
    const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *out++ = (char)((0xF00u >> (more + 1) & 0xFFu) | code >> 6 * more);
    for (unsigned i = more; i > 0; i--)
        *out++ = (char)(0x80 | (code >> 6 * (i - 1) & 0x3F));
    return out;
}

char *lmi_im_string(importing *im, lm_im_ref value) {
    const bool is = value && value->kind == IM_STRING;
    char *text = lmi_arena_zeros(im->arena, is ? value->length + (uint64_t)1 : 1, 1), *out = text;
    if (!text || !is)
        return text;
    const char *at = value->text, *end = at + value->length;
    while (at < end) {
        if (*at == '\\' && end - at >= 2 && at[1] == 'u') {
            out = put_utf8(out, read_escape(&at, end));
        } else if (*at == '\\' && end - at >= 2) {
            *out++ = strchr("bfnrt", at[1]) ? '_' : at[1];
            at += 2;
        } else {
            *out++ = lmi_is_control(*at) ? '_' : *at;
            at++;
        }
    }
    *out = '\0';
    return text;
}

/* ---- Members --------------------------------------------------------------------------------- */

bool lmi_im_list_of(importing *im, lm_im_ref object, const char *name, lm_im_list *list) {
    const lm_im_ref array = lmi_im_member(object, name);
    if (array && array->kind != IM_ARRAY)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, name, "it is not an array");
    *list = (lm_im_list){.count = lmi_im_count(array)};
    lm_im_ref *refs = lmi_arena_zeros(&im->scratch, list->count, sizeof *refs);
    if (!refs)
        return false;
    uint32_t i = 0;
    for (lm_im_ref e = lmi_im_first(array); e; e = lmi_im_next(array, e))
        refs[i++] = e;
    list->refs = refs;
    return true;
}

void *lmi_im_read_array(importing *im, lm_im_gltf *gltf, const char *name, size_t size,
                        lm_im_element_reader *read, uint32_t *count) {
    lm_im_list list;
    if (!lmi_im_list_of(im, gltf->root, name, &list))
        return NULL;
    char *elements = lmi_arena_zeros(&im->scratch, list.count, size);
    for (uint32_t i = 0; elements && i < list.count; i++)
        if (!read(im, gltf, i, list.refs[i], elements + i * size))
            return NULL;
    *count = list.count;
    return elements;
}

bool lmi_im_index_of(importing *im, lm_im_ref object, const char *location, const char *name,
                     uint64_t limit, uint32_t otherwise, uint32_t *out) {
    char where[80];
    uint64_t number;
    const lm_im_ref member = lmi_im_member(object, name);
    *out = otherwise;
    if (!member)
        return true;
    snprintf(where, sizeof where, "%s.%s", location, name);
    if (!lmi_im_integer(member, &number))
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, where, "it is not an integer of 0 or more");
    if (number >= limit)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, where, "%llu is too large: it must be below %llu",
                           (unsigned long long)number, (unsigned long long)limit);
    *out = (uint32_t)number;
    return true;
}

bool lmi_im_floats_of(importing *im, lm_im_ref object, const char *location, const char *name,
                      uint32_t count, float *out) {
    char where[80];
    const lm_im_ref member = lmi_im_member(object, name);
    if (!member)
        return true;
    snprintf(where, sizeof where, "%s.%s", location, name);
    if (lmi_im_count(member) != count)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, where, "it is not an array of %u numbers",
                           (unsigned)count);
    for (lm_im_ref e = lmi_im_first(member); e; e = lmi_im_next(member, e)) {
        double number;
        if (!lmi_im_number(e, &number) || fabs(number) > (double)FLT_MAX)
            return lmi_im_fail(im, LM_CODE_NOT_FINITE, where,
                               "it has an element that is not a finite number");
        *out++ = (float)number;
    }
    return true;
}
