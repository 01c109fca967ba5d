/* The viewer as an application. */
#ifndef VIEWER_APPLICATION_H
#define VIEWER_APPLICATION_H

#include <gtk/gtk.h>

GtkApplication *viewer_application_new(void);
/* Shows a new window with its keys, which opens paths (none: NULL). `games` as in
 * viewer_window_new. */
GtkWidget *viewer_application_add_window(GtkApplication *application, const char *const *games,
                                         const char *const *paths);

#endif
