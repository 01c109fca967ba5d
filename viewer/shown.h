/* Text as it is shown. */
#ifndef VIEWER_SHOWN_H
#define VIEWER_SHOWN_H

/* Text from a file as UTF-8 without surprises (tool_text); g_free. */
char *shown_text(const char *text);
/* The last part of a path, of a member for one into an archive, the same. */
char *shown_name(const char *path);

/* "MD2, MDC, MD3": the formats, the last behind `last`; g_free. */
char *shown_formats(const char *last);

#endif
