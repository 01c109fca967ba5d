/* Sets options by their rows of options.inc. */
#include "convert_internal.h"

#include "core/json.h"
#include "core/options.h"
#include "core/report.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- Settings -------------------------------------------------------------------------------- */

lm_convert_settings *lm_convert_settings_new(lm_vfs *vfs, const char *option_prefix,
                                             lm_error *error) {
    lm_convert_given *given = lmi_object_new(NULL, sizeof *given);
    if (!given) {
        lmi_fail_memory(error);
        return NULL;
    }
    given->vfs = vfs;
    given->settings.options.open.load.normals = LM_NORMALS_AUTO;
    given->settings.options.option_prefix = option_prefix;
    return &given->settings;
}

void lm_convert_settings_free(lm_convert_settings *settings) {
    lmi_object_free(settings);
}

bool lmi_convert_has(const lm_convert_settings *settings, lm_option_id option) {
    return ((const lm_convert_given *)settings)->given[option];
}

bool lmi_cv_option_fail(const char *prefix, lm_error *error, const char *sentence, ...) {
    char text[CONVERT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, sentence);
    lmi_cv_format(prefix, text, sentence, arguments);
    va_end(arguments);
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s", text);
}
#define fail(...) lmi_cv_option_fail(s->options.option_prefix, error, __VA_ARGS__)

/* Appends an element to a list whose address is `list`. The list doubles whenever its length is a
 * power of two. */
static void *append(lm_convert_settings *s, void *list, uint32_t *count, size_t element,
                    lm_error *error) {
    char *old;
    memcpy(&old, list, sizeof old);
    if ((*count & (*count - 1)) != 0)
        return old + (size_t)(*count)++ * element;
    char *grown = lmi_arena_zeros(lmi_arena_of(s), *count > 0 ? 2 * (uint64_t)*count : 1, element);
    if (!grown) {
        lmi_fail_memory(error);
        return NULL;
    }
    if (*count > 0)
        memcpy(grown, old, *count * element);
    memcpy(list, &grown, sizeof grown);
    return grown + (size_t)(*count)++ * element;
}

static char *copy(lm_convert_settings *s, const char *text, size_t length, lm_error *error) {
    char *copied = lmi_arena_text(lmi_arena_of(s), text, length);
    if (!copied)
        lmi_fail_memory(error);
    return copied;
}

/* ---- Values with a syntax of their own ------------------------------------------------------- */

static bool read_frames(lm_convert_settings *s, const char *value, lm_error *error) {
    lm_convert_options *o = &s->options;
    uint32_t first = 0, last = 0;
    o->still = !strchr(value, '-');
    o->first_frame = o->num_frames = 0;
    if (o->still)
        return lmi_option_number(LM_OPTION_FRAMES, o->option_prefix, value, &o->frame, error);
    if (!lmi_parse_pair(value, '-', INT32_MAX, &first, &last))
        return fail(OPTION "frames takes A-B, such as 0-39, or one pose, such as 3.5, not \"%s\"",
                    value);
    if (first > last)
        return fail(OPTION "frames %s ends before it begins", value);
    o->first_frame = first;
    o->num_frames = last - first + 1;
    return true;
}

/* The syntax of "attach" is TAG=MODEL[@CLIP]; commas separate several. A comma without a TAG= after
 * it is part of the file name. Returns the length of the first item. */
static size_t item_length(const char *text) {
    size_t length = strcspn(text, ",");
    while (text[length] == ',') {
        const char *next = text + length + 1;
        const size_t next_length = strcspn(next, ",");
        const char *equals = memchr(next, '=', next_length);
        if (equals && equals > next && !memchr(next, '/', (size_t)(equals - next)))
            return length;
        length += 1 + next_length;
    }
    return length;
}

/* Splits an item of "attach" in place. An existing file may have an @ in its name. */
static bool split_item(lm_vfs *vfs, char *text, lm_attachment *out) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return false;
    *equals = '\0';
    *out = (lm_attachment){.tag = text, .path = equals + 1};
    const bool exists = lmi_vfs_is_folder(vfs, out->path) || lmi_vfs_is_file(vfs, out->path);
    char *at = exists ? NULL : strrchr(equals + 1, '@');
    if (at) {
        *at = '\0';
        out->clip = at + 1;
    }
    return *out->path && (!at || *out->clip);
}

static lm_attachment *add_attachment(lm_convert_settings *s, lm_error *error) {
    return append(s, &s->options.open.attachments, &s->options.open.num_attachments,
                  sizeof(lm_attachment), error);
}

static bool read_attach(lm_convert_settings *s, const char *value, lm_error *error) {
    for (;;) {
        const size_t length = item_length(value);
        char *text = copy(s, value, length, error);
        lm_attachment *added = text ? add_attachment(s, error) : NULL;
        if (!added)
            return false;
        if (!split_item(lmi_cv_vfs(s), text, added))
            return fail(OPTION "attach takes TAG=MODEL, such as tag_head=head.md3, not \"%.*s\"",
                        (int)length, value);
        if (value[length] == '\0')
            return true;
        value += length + 1;
    }
}

static bool read_with(lm_convert_settings *s, const char *value, lm_error *error) {
    if (!*value)
        return fail(OPTION "with needs a model");
    lm_attachment *added = add_attachment(s, error);
    return added && (added->path = copy(s, value, strlen(value), error)) != NULL;
}

static bool read_skeleton(lm_convert_settings *s, const char *value, lm_error *error) {
    double most = 0;
    s->options.skeleton = true;
    if (value &&
        !lmi_option_number(LM_OPTION_SKELETON, s->options.option_prefix, value, &most, error))
        return false;
    s->options.max_bones = (uint32_t)most;
    return true;
}

static bool read_weapon(lm_convert_settings *s, const char *value, lm_error *error) {
    (void)value, (void)error;
    s->options.player = LM_PLAYER_WEAPON;
    return true;
}

static bool read_decimate(lm_convert_settings *s, const char *value, lm_error *error) {
    const size_t length = strlen(value);
    const bool share = length > 0 && value[length - 1] == '%';
    const char *digits = copy(s, value, length - share, error);
    uint64_t number = 0;
    if (!digits)
        return false;
    if (!lmi_parse_uint(digits, share ? 100 : INT32_MAX, &number) || number == 0)
        return fail(OPTION "decimate takes a number or percentage of triangles, such as 500 or "
                           "50%%, not \"%s\"",
                    value);
    s->options.decimate = (uint32_t)number;
    s->options.decimate_percent = share;
    return true;
}

static bool read_tag(lm_convert_settings *s, const char *value, lm_error *error) {
    char *name = copy(s, value, strlen(value), error), *equals = name ? strchr(name, '=') : NULL;
    if (!name)
        return false;
    if (!equals || equals == name || !equals[1])
        return fail(OPTION "tag takes NAME=NODE, such as tag_weapon=Hand.R, not \"%s\"", value);
    lm_import_tag *added = append(s, &s->options.tags, &s->options.num_tags, sizeof *added, error);
    *equals = '\0';
    return added && (*added = (lm_import_tag){.name = name, .node = equals + 1}, true);
}

#define ENGINE_WORD(name, text) " " text

static bool read_engine(lm_convert_settings *s, const char *value, lm_error *error) {
    lm_guess guess = {.word = value};
    s->options.encode.engine = lm_engine_by_name(value);
    if (s->options.encode.engine != LM_NUM_ENGINES)
        return true;
    for (int i = 0; i < LM_NUM_ENGINES; i++)
        lmi_guess_try(&guess, lm_engine_name((lm_engine)i));
    return guess.best
               ? fail("there is no engine \"%s\"; did you mean %s?", value, guess.best)
               : fail("there is no engine \"%s\"; choose one of:" LM_ENGINE_LIST(ENGINE_WORD),
                      value);
}

static bool read_quirk(lm_convert_settings *s, const char *value, lm_error *error) {
    s->options.open.load.quirks |= LM_QUIRK_MDC_PRINZ;
    return strcmp(value, "mdc-prinz") == 0 ||
           fail("there is no quirk \"%s\"; the only one is mdc-prinz", value);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* A row with what it sets in lm_convert_options. */
typedef struct row {
    lm_option about;
    size_t member, size; /* 0: the client reads it */
    size_t count;        /* the member with the number of its texts */
    unsigned first;      /* the enumerator of the first word */
    bool (*read)(lm_convert_settings *s, const char *value, lm_error *error); /* NULL: by type */
} row;

#define ALL                                                                                        \
    "check compare completions convert edit examine extract formats info ls optimize pack render " \
    "uv"
/* NOLINTBEGIN(bugprone-macro-parentheses): these are designators and their lists */
#define MEMBER(m) \
    .member = offsetof(lm_convert_options, m), .size = sizeof(((lm_convert_options *)0)->m)
#define BOUNDS(least, most, of, usual)                                           \
    .about.min = (double)(least), .about.max = (double)(most), .about.unit = of, \
    .about.standard = usual

#define OWN .about.type = LM_TYPE_OWN
#define OWN_WORDS(list) .about.type = LM_TYPE_WORD, .about.words = list
#define OWN_NUMBER(...) .about.type = LM_TYPE_NUMBER, BOUNDS(__VA_ARGS__)
#define OWN_WHOLE(...) .about.type = LM_TYPE_WHOLE, BOUNDS(__VA_ARGS__)

#define FLAG(m) .about.type = LM_TYPE_FLAG, MEMBER(m)
#define NUMBER(m, ...) OWN_NUMBER(__VA_ARGS__), MEMBER(m)
#define WHOLE(m, ...) OWN_WHOLE(__VA_ARGS__), MEMBER(m)
#define SIZE(m, most, usual) \
    .about.type = LM_TYPE_SIZE, .about.max = (double)(most), .about.standard = usual, MEMBER(m)
#define WORDS(m, list) OWN_WORDS(list), MEMBER(m)
#define WORDS_FROM_1(m, list) WORDS(m, list), .first = 1
#define TEXT(m) .about.type = LM_TYPE_TEXT, MEMBER(m)
#define TEXTS(of, m) \
    .about.type = LM_TYPE_TEXTS, .count = offsetof(lm_convert_options, of num_##m), MEMBER(of m)
#define READ(kind, m, function, least, most)                                                     \
    .about.type = LM_TYPE_##kind, .about.min = (least), .about.max = (most), .read = (function), \
    MEMBER(m)
/* NOLINTEND(bugprone-macro-parentheses) */

static const row rows[LM_NUM_OPTIONS] = {
#define ROW(id, short_name, text, of_value, taken_by, applies_to, reading, sentence) \
    [LM_OPTION_##id] = {.about.letter = (short_name),                                \
                        .about.name = (text),                                        \
                        .about.value = (of_value),                                   \
                        .about.commands = (taken_by),                                \
                        .about.formats = (applies_to),                               \
                        .about.help = (sentence),                                    \
                        reading},
#define GROUP(id, title) [LM_OPTION_##id] = {.about.help = (title)},
#include "options.inc"
#undef ROW
#undef GROUP
};

const lm_option *lmi_option_about(lm_option_id option) {
    return &rows[option].about;
}

bool lmi_option_is_of(lm_option_id option, const char *command) {
    unsigned number;
    const char *commands = rows[option].about.commands;
    return commands && lmi_word_in(commands, command, strlen(command), &number);
}

lm_option_id lmi_option_find(const char *command, const char *name, size_t length) {
    int option = LM_NUM_OPTIONS;
    while (--option != LM_NO_OPTION)
        if (rows[option].about.name && lmi_is_word(name, length, rows[option].about.name) &&
            lmi_option_is_of((lm_option_id)option, command))
            break;
    return (lm_option_id)option;
}

bool lmi_option_is_set(lm_option_id option) {
    return rows[option].size > 0;
}

static const char *const type_names[] = {"own",  "flag", "number", "whole", "size",
                                         "word", "text", "texts",  "range"};

/* Writes words between spaces as an array; null if there are none. */
static void write_words(lm_json *json, const char *key, const char *words) {
    if (!words) {
        lmi_json_string(json, key, NULL);
        return;
    }
    lmi_json_open(json, key, '[');
    while (*words) {
        char word[64];
        size_t length;
        const char *from = lmi_next_word(&words, &length);
        snprintf(word, sizeof word, "%.*s", (int)length, from);
        lmi_json_string(json, NULL, word);
    }
    lmi_json_close(json);
}

void lm_options_json(const char *command, bool only_set, lm_buffer *out) {
    const char *group = NULL;
    lm_json json = {.out = out};
    command = command ? command : "";
    lmi_json_open(&json, NULL, '[');
    for (int i = LM_NO_OPTION + 1; i < LM_NUM_OPTIONS; i++) {
        const lm_option *o = &rows[i].about;
        const bool has_range = o->max > o->min;
        const char letter[] = {o->letter, 0};
        group = o->name ? group : o->help;
        if (!lmi_option_is_of((lm_option_id)i, command) || (only_set && rows[i].size == 0))
            continue;
        lmi_json_open(&json, NULL, '{');
        lmi_json_string(&json, "name", o->name);
        lmi_json_string(&json, "letter", o->letter ? letter : NULL);
        lmi_json_string(&json, "group", group);
        lmi_json_string(&json, "type", type_names[o->type]);
        lmi_json_string(&json, "value", o->value);
        write_words(&json, "words", o->words);
        if (has_range) {
            lmi_json_double(&json, "min", o->min);
            lmi_json_double(&json, "max", o->max);
        }
        lmi_json_string(&json, "unit", o->unit);
        lmi_json_string(&json, "default", o->standard);
        write_words(&json, "commands", o->commands);
        write_words(&json, "formats", o->formats);
        lmi_json_string(&json, "help", o->help);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
}

/* ---- Values by type -------------------------------------------------------------------------- */

bool lmi_option_number(lm_option_id option, const char *prefix, const char *value, double *number,
                       lm_error *error) {
    const lm_option *o = lmi_option_about(option);
    uint64_t whole = 0;
    if (o->type == LM_TYPE_WHOLE) {
        if (!lmi_parse_uint(value, (uint64_t)o->max, &whole) || (double)whole < o->min)
            return lmi_cv_option_fail(
                prefix, error, OPTION "%s needs a whole number from %.0f to %.0f, not \"%s\"",
                o->name, o->min, o->max, value);
        *number = (double)whole;
        return true;
    }
    if (!lmi_read_decimals(value, strlen(value), 1, number))
        return lmi_cv_option_fail(prefix, error, OPTION "%s needs a number, not \"%s\"", o->name,
                                  value);
    if (*number <= 0 && o->min > 0)
        return lmi_cv_option_fail(prefix, error, OPTION "%s must be greater than 0", o->name);
    if (*number < o->min)
        return lmi_cv_option_fail(prefix, error, OPTION "%s must be at least %g", o->name, o->min);
    return *number <= o->max ||
           lmi_cv_option_fail(prefix, error, OPTION "%s must be at most %g", o->name, o->max);
}

bool lmi_option_word(lm_option_id option, const char *prefix, const char *value, unsigned *number,
                     lm_error *error) {
    const lm_option *o = lmi_option_about(option);
    char list[256];
    size_t at = 0;
    if (lmi_word_in(o->words, value, strlen(value), number))
        return true;
    for (const char *words = o->words; *words && at < sizeof list;) {
        size_t length;
        const char *word = lmi_next_word(&words, &length);
        const char *between = word == o->words ? "" : *words ? ", " : " or ";
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%.*s", between, (int)length, word);
    }
    return lmi_cv_option_fail(prefix, error, OPTION "%s must be %s, not \"%s\"", o->name, list,
                              value);
}

/* Stores a whole number in a member of any size. */
static void store(void *member, size_t size, uint64_t number) {
    const uint32_t word = (uint32_t)number;
    const bool flag = number != 0;
    if (size == sizeof number)
        memcpy(member, &number, sizeof number);
    else if (size == sizeof word)
        memcpy(member, &word, sizeof word);
    else
        memcpy(member, &flag, sizeof flag);
}

static bool read_value(lm_convert_settings *s, lm_option_id option, const char *value,
                       lm_error *error) {
    const row *r = &rows[option];
    const lm_option *o = &r->about;
    const char *prefix = s->options.option_prefix;
    char *member = (char *)&s->options + r->member, *text, **added;
    double number = 0;
    unsigned word = 0;
    uint64_t size = 0;
    switch (o->type) {
    case LM_TYPE_FLAG:
        store(member, r->size, 1);
        return true;
    case LM_TYPE_NUMBER:
        if (!lmi_option_number(option, prefix, value, &number, error))
            return false;
        if (r->size == sizeof number)
            memcpy(member, &number, sizeof number);
        else
            memcpy(member, &(float){(float)number}, sizeof(float));
        return true;
    case LM_TYPE_WHOLE:
        if (!lmi_option_number(option, prefix, value, &number, error))
            return false;
        store(member, r->size, (uint64_t)number);
        return true;
    case LM_TYPE_SIZE:
        if (!lmi_parse_size(value, o->max < 4e9 ? (uint64_t)o->max : SIZE_MAX / 2, &size) ||
            size == 0)
            return fail(OPTION "%s needs a size%s, such as 64M, not \"%s\"", o->name,
                        o->max < 4e9 ? " below 2G" : "", value);
        store(member, r->size, size);
        return true;
    case LM_TYPE_WORD:
        if (!lmi_option_word(option, prefix, value, &word, error))
            return false;
        store(member, r->size, word + r->first);
        return true;
    case LM_TYPE_TEXT:
        text = copy(s, value, strlen(value), error);
        memcpy(member, &text, sizeof text);
        return text != NULL;
    case LM_TYPE_TEXTS:
        added = append(s, member, (uint32_t *)(void *)((char *)&s->options + r->count), sizeof text,
                       error);
        text = added ? copy(s, value, strlen(value), error) : NULL;
        return text && (*added = text, true);
    default: /* has a function */
        return false;
    }
}

bool lmi_convert_set_option(lm_convert_settings *s, lm_option_id option, const char *value,
                            lm_error *error) {
    const row *r = &rows[option];
    const char *name = r->about.name;
    lm_error unused;
    error = error ? error : &unused;
    if (!r->about.value && value && *value)
        return fail(OPTION "%s takes no value", name);
    if (r->about.value && r->about.value[0] != '[' && !value)
        return fail(OPTION "%s needs a value: " OPTION "%s %s", name, name, r->about.value);
    ((lm_convert_given *)s)->given[option] = true;
    return r->read ? r->read(s, value, error) : read_value(s, option, value ? value : "", error);
}

bool lm_convert_set(lm_convert_settings *s, const char *name, const char *value, lm_error *error) {
    if (!lmi_given(&(lm_pointers){{s}}, "settings", __func__, error))
        return false;
    name = name ? name : "";
    const lm_option_id option = lmi_option_find("convert", name, strlen(name));
    lm_guess guess = {.word = name};
    if (lmi_option_is_set(option))
        return lmi_convert_set_option(s, option, value, error);
    if (option != LM_NO_OPTION)
        return fail(OPTION "%s is an option of the command only", name);
    for (int i = LM_NO_OPTION + 1; i < LM_NUM_OPTIONS; i++)
        if (rows[i].size > 0 && lmi_option_is_of((lm_option_id)i, "convert"))
            lmi_guess_try(&guess, rows[i].about.name);
    return guess.best ? fail("there is no option " OPTION "%s; did you mean " OPTION "%s?", name,
                             guess.best)
                      : fail("there is no option " OPTION "%s", name);
}

#define SPACES " \t\r\n"

/* Reads a word and the spaces after it, as a shell does: quotes keep spaces. */
static bool read_word(const char **at, char *word, lm_error *error) {
    char quote = 0;
    for (; **at && (quote || !strchr(SPACES, **at)); ++*at) {
        if (quote ? **at == quote : **at == '"' || **at == '\'')
            quote = quote ? 0 : **at;
        else
            *word++ = **at;
    }
    *word = 0;
    *at += strspn(*at, SPACES);
    return !quote ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the quotation mark %c is not closed", quote);
}

/* Returns whether the value of an option may be missing, and therefore follows an equals sign. */
static bool may_lack_value(const char *name) {
    const lm_option *o = lmi_option_about(lmi_option_find("convert", name, strlen(name)));
    return o->value && o->value[0] == '[';
}

bool lm_convert_set_words(lm_convert_settings *s, const char *words, lm_error *error) {
    if (!lmi_given(&(lm_pointers){{s}}, "settings", __func__, error))
        return false;
    words = words ? words + strspn(words, SPACES) : "";
    char *name = lmi_arena_zeros(lmi_arena_of(s), 2, strlen(words) + 1); /* and its value */
    if (!name)
        return lmi_fail_memory(error);
    while (*words) {
        if (!read_word(&words, name, error))
            return false;
        if (strncmp(name, "--", 2) != 0)
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "options begin with --, not as \"%s\"", name);
        char *value = strchr(name, '=');
        if (value) {
            *value++ = 0;
            if (!*value)
                return fail(OPTION "%s= has no value", name + 2);
        } else if (*words && strncmp(words, "--", 2) != 0 && !may_lack_value(name + 2)) {
            value = name + strlen(name) + 1;
            if (!read_word(&words, value, error))
                return false;
        }
        if (!lm_convert_set(s, name + 2, value, error))
            return false;
    }
    return true;
}
