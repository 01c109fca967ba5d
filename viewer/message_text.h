/* The libraries' messages in the user's language.
 *
 * A diagnostic or an error has its sentence in English, made from a format of printf. sentences.h
 * has all formats, which are keys of the catalogue. message_text finds the format that a message
 * was made from, reads its values back, and inserts them into the translation. A value may be a
 * sentence itself, or a part of one. */
#ifndef VIEWER_MESSAGE_TEXT_H
#define VIEWER_MESSAGE_TEXT_H

#include <glib.h>

/* A format that messages are made from. Its conversions are %s, %c, %u (also negative), %x and %g.
 * A format with words that agree with a number has a plural form. */
typedef struct message_format {
    const char *one, *many; /* `many` is NULL if there is no plural form */
    guint number;           /* of a plural form: the index of the value that decides */
} message_format;

#define MESSAGE_MAX_VALUES 10

/* A piece of a message, such as a value. */
typedef struct message_piece {
    char *text;
    gboolean is_final; /* it is translated already, or a name in quotation marks */
} message_piece;

guint message_format_count(void);
const message_format *message_format_at(guint index);

/* Reads back the values of a message that was made from a form of a format. Returns their number,
 * or -1 if the message was not made from it; then `values` is unchanged. Free each text with
 * g_free. */
int message_match(const char *form, const char *message, message_piece values[MESSAGE_MAX_VALUES]);
/* Appends a translation with its values to an array of message_piece; %2$s is the second value.
 * Returns FALSE, and appends nothing, if the translation is malformed or uses a value that does not
 * exist. */
gboolean message_fill(GArray *pieces, const char *translation, const message_piece *values,
                      guint count);

/* Return an empty array of pieces, and its text; the array is freed. Free the text with g_free. */
GArray *message_pieces_new(void);
char *message_join(GArray *pieces);

/* Returns a message as safe UTF-8 (display_text), in the user's language as far as its sentences
 * have a translation. May be called from any thread. Free it with g_free. */
char *message_text(const char *message);

#endif
