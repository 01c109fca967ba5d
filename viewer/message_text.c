#include "message_text.h"

#include "display_text.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define SENTENCE(text) {text, NULL, 0},
#define COUNTED(number, one, many) {one, many, number},
static const message_format formats[] = {
#include "sentences.h"
};

guint message_format_count(void) {
    return G_N_ELEMENTS(formats);
}

const message_format *message_format_at(guint index) {
    return &formats[index];
}

/* ---- From a message to its values ------------------------------------------------------------ */

/* A comparison of a message with a form. A text (%s) is as short as possible. */
typedef struct comparison {
    const char *form, *text; /* the rest */
    const char *begins[MESSAGE_MAX_VALUES], *ends[MESSAGE_MAX_VALUES];
    gboolean is_name[MESSAGE_MAX_VALUES];
    guint count;
    const char *after_text; /* the form after the last %s; NULL: there was none */
    guint texts;            /* the number of values up to it */
} comparison;

static gboolean add_value(comparison *c, size_t length, gboolean is_name) {
    if (c->count == MESSAGE_MAX_VALUES)
        return FALSE;
    c->begins[c->count] = c->text;
    c->ends[c->count] = c->text + length;
    c->is_name[c->count++] = is_name;
    c->text += length;
    c->form += 2;
    return TRUE;
}

/* Compares one conversion or one character, and moves past it. */
static gboolean compare_next(comparison *c, const char *form) {
    const char kind = *c->form == '%' ? c->form[1] : '\0';
    if (kind == 's') {
        if (!add_value(c, 0, c->form > form && c->form[-1] == '"'))
            return FALSE;
        c->after_text = c->form;
        c->texts = c->count;
        return TRUE;
    }
    if (kind && kind != '%') {
        const size_t length = kind == 'c'   ? *c->text != '\0'
                              : kind == 'x' ? strspn(c->text, "0123456789abcdef")
                              : kind == 'u' ? strspn(c->text, "-0123456789")
                                            : strspn(c->text, "+-.0123456789einfa");
        return length > 0 && add_value(c, length, FALSE);
    }
    if (*c->form != *c->text || !*c->form)
        return FALSE;
    c->form += kind ? 2 : 1;
    c->text++;
    return TRUE;
}

/* Makes the last text longer by a byte, and compares again from there. */
static gboolean extend_text(comparison *c) {
    if (!c->after_text || !*c->ends[c->texts - 1])
        return FALSE;
    c->text = ++c->ends[c->texts - 1];
    c->form = c->after_text;
    c->count = c->texts;
    return TRUE;
}

int message_match(const char *form, const char *message, message_piece values[MESSAGE_MAX_VALUES]) {
    comparison c = {.form = form, .text = message};
    while (*c.form || *c.text)
        if (!compare_next(&c, form) && !extend_text(&c))
            return -1;
    for (guint i = 0; i < c.count; i++)
        values[i] =
            (message_piece){g_strndup(c.begins[i], (gsize)(c.ends[i] - c.begins[i])), c.is_name[i]};
    return (int)c.count;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static void clear_piece(gpointer piece) {
    g_free(((message_piece *)piece)->text);
}

GArray *message_pieces_new(void) {
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(message_piece));
    g_array_set_clear_func(pieces, clear_piece);
    return pieces;
}

char *message_join(GArray *pieces) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < pieces->len; i++)
        g_string_append(text, g_array_index(pieces, message_piece, i).text);
    g_array_unref(pieces);
    return g_string_free(text, FALSE);
}

static void append(GArray *pieces, const char *text, size_t length, gboolean is_final) {
    const message_piece piece = {g_strndup(text, length), is_final};
    g_array_append_val(pieces, piece);
}

/* Returns the index of the value of a conversion, and moves past it; MESSAGE_MAX_VALUES: it is
 * malformed. */
static guint read_conversion(const char **at, guint *next) {
    char *end;
    const guint64 number = g_ascii_strtoull(*at, &end, 10);
    const gboolean is_numbered = end > *at;
    if (is_numbered && (*end++ != '$' || number == 0 || number > MESSAGE_MAX_VALUES))
        return MESSAGE_MAX_VALUES;
    if (!*end || !strchr("sugxc", *end))
        return MESSAGE_MAX_VALUES;
    *at = end + 1;
    return is_numbered ? (guint)number - 1 : (*next)++;
}

gboolean message_fill(GArray *pieces, const char *translation, const message_piece *values,
                      guint count) {
    const guint before = pieces->len;
    guint next = 0;
    for (const char *at = translation; *at;) {
        const gboolean is_percent = at[0] == '%' && at[1] == '%';
        const size_t length = is_percent ? 1 : strcspn(at, "%");
        append(pieces, at, length, TRUE);
        at += is_percent ? 2 : length;
        if (is_percent || at[0] != '%' || at[1] == '%')
            continue;
        at++;
        const guint index = read_conversion(&at, &next);
        if (index >= count) {
            g_array_set_size(pieces, before);
            return FALSE;
        }
        append(pieces, values[index].text, strlen(values[index].text), values[index].is_final);
    }
    return TRUE;
}

/* ---- Translation ----------------------------------------------------------------------------- */

#define MAX_DEPTH 6 /* sentences in sentences */
#define PLACED "%s (byte 0x%x)"
#define SEPARATOR ": " /* between a name and a message */

/* The format that a message was made from; NULL: unknown. */
typedef struct parsed_message {
    const message_format *format;
    message_piece values[MESSAGE_MAX_VALUES];
    guint count;
    size_t constant; /* bytes outside the values */
} parsed_message;

static void clear_message(parsed_message *parsed) {
    for (guint i = 0; i < parsed->count; i++)
        g_free(parsed->values[i].text);
}

/* Compares a message with a form, which may be NULL. */
static parsed_message parse_form(const char *message, const message_format *format,
                                 const char *form) {
    parsed_message parsed = {NULL};
    const int count = form ? message_match(form, message, parsed.values) : -1;
    if (count < 0)
        return parsed;
    parsed.format = format;
    parsed.count = (guint)count;
    parsed.constant = strlen(message);
    for (guint i = 0; i < parsed.count; i++)
        parsed.constant -= strlen(parsed.values[i].text);
    return parsed;
}

/* Finds the format that explains most of a message. */
static parsed_message parse(const char *message) {
    parsed_message best = {NULL};
    for (guint i = 0; i < 2 * G_N_ELEMENTS(formats); i++) {
        const message_format *format = &formats[i / 2];
        parsed_message found = parse_form(message, format, i % 2 ? format->many : format->one);
        parsed_message *worse = found.constant > best.constant ? &best : &found;
        clear_message(worse);
        if (worse == &best)
            best = found;
    }
    return best;
}

/* Appends the translation of a message. Returns FALSE if there is none. */
static gboolean append_translation(GArray *pieces, const parsed_message *parsed) {
    const message_format *format = parsed->format;
    const char *text = format->many
                           ? ngettext(format->one, format->many,
                                      strtoul(parsed->values[format->number].text, NULL, 10))
                           : gettext(format->one);
    return text != format->one && text != format->many &&
           message_fill(pieces, text, parsed->values, parsed->count);
}

/* Finds the format of the message of "NAME: MESSAGE", where the name is a word, such as "md2". */
static parsed_message parse_named(const char *message) {
    const char *end = message + strcspn(message, " ");
    const gboolean is_named = end > message && end[-1] == ':' && *end;
    return is_named ? parse(end + 1) : (parsed_message){NULL};
}

/* Appends "NAME: MESSAGE" with both sides open. Returns FALSE for any other text. */
static gboolean append_named(GArray *pieces, const char *message) {
    char **sides = g_strsplit(message, SEPARATOR, 2);
    const message_piece values[] = {{sides[0], FALSE}, {sides[0] ? sides[1] : NULL, FALSE}};
    const gboolean done =
        values[1].text != NULL && message_fill(pieces, TEXT_NAMED_MESSAGE, values, 2);
    g_strfreev(sides);
    return done;
}

/* Appends what explains most of a message. Returns FALSE if it has no translation. */
static gboolean append_parsed(GArray *pieces, const char *message) {
    static const message_format placed = {PLACED, NULL, 0};
    parsed_message whole = parse_form(message, &placed, PLACED), named = {NULL};
    if (!whole.format) {
        whole = parse(message);
        named = parse_named(message);
    }
    const gboolean done = whole.constant > named.constant ? append_translation(pieces, &whole)
                                                          : append_named(pieces, message);
    clear_message(&whole);
    clear_message(&named);
    return done;
}

static void append_translated(GArray *pieces, const message_piece *piece) {
    if (piece->is_final || !strpbrk(piece->text, "abcdefghijklmnopqrstuvwxyz") ||
        !append_parsed(pieces, piece->text))
        append(pieces, piece->text, strlen(piece->text), TRUE);
}

char *message_text(const char *message) {
    GArray *pieces = message_pieces_new();
    const message_piece whole = {display_text(message), FALSE};
    g_array_append_val(pieces, whole);
    for (guint depth = 0; depth < MAX_DEPTH; depth++) {
        GArray *translated = message_pieces_new();
        for (guint i = 0; i < pieces->len; i++)
            append_translated(translated, &g_array_index(pieces, message_piece, i));
        g_array_unref(pieces);
        pieces = translated;
    }
    return message_join(pieces);
}
