/* Text for display. Free all of it with g_free. */
#ifndef VIEWER_DISPLAY_TEXT_H
#define VIEWER_DISPLAY_TEXT_H

#include "lerpmesh/assets.h"

/* Returns text from a file as safe UTF-8 (lm_text_harmless). */
char *display_text(const char *text);
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
