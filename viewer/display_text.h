/* Text for display. Free all of it with g_free. */
#ifndef VIEWER_DISPLAY_TEXT_H
#define VIEWER_DISPLAY_TEXT_H

#include "lerpmesh/assets.h"

/* Returns text from a file as safe UTF-8 (lmi_text_harmless). */
char *display_text(const char *text);
/* Returns what a code means in the user's language; NULL: it has no translation, as in English, or
 * is LM_CODE_OK. */
const char *display_meaning(lm_code code);
/* Returns a message of an error or a diagnostic as safe text. The libraries' sentences are English,
 * so in another language the meaning of the code precedes them. The viewer's own messages are in
 * the user's language and have LM_CODE_OK. May be called from any thread. */
char *display_message(lm_code code, const char *sentence);
/* Returns the last part of a path, or of the member's path in an archive, as safe text. */
char *display_name(lm_vfs *vfs, const char *path);
/* Returns a model's title: the same, but "cobra – tris.md2" if every model of a game has that file
 * name and only the folder tells them apart. */
char *display_title(lm_vfs *vfs, const char *path);
/* Returns a title as a file name without extension: "cobra-tris" for "cobra – tris.md2". */
char *display_file_name(const char *title);
/* Returns the name of a path's folder, or of the archive if that is its root; "": none. */
char *display_folder(lm_vfs *vfs, const char *path);
/* Returns the formats: "MD2, MDC, MD3", with `last` before the last one. */
char *display_formats(const char *last);

#endif
