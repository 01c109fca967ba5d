/* Text as it is shown. All of it is to be freed by g_free. */
#ifndef VIEWER_SHOWN_H
#define VIEWER_SHOWN_H

#include "lerpmesh/assets.h"

/* Text from a file as UTF-8 without surprises (lm_text_harmless). */
char *shown_text(const char *text);
/* The last part of a path, of a member for one into an archive, the same. */
char *shown_name(lm_disk *disk, const char *path);
/* What a model is called: the same, but "cobra – tris.md2" where every model of a game is called
 * so, and its folder tells which it is. */
char *shown_title(lm_disk *disk, const char *path);
/* A title as a file's name without an extension: "cobra-tris" for "cobra – tris.md2". */
char *shown_file_name(const char *title);
/* The name of the folder that a path is in; of the archive where that is its root; "": none. */
char *shown_folder(lm_disk *disk, const char *path);
/* "1 frame", "2 frames". */
char *shown_count(uint32_t count, const char *noun);

/* "MD2, MDC, MD3": the formats, the last behind `last`. */
char *shown_formats(const char *last);

#endif
