/* The viewer as an application, and its window. Every command is an action ("win.…"), which
 * buttons, keys, the menu and tests share. window_actions.c lists them. */
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include <gtk/gtk.h>

#define VIEWER_TYPE_WINDOW (viewer_window_get_type())
G_DECLARE_FINAL_TYPE(ViewerWindow, viewer_window, VIEWER, WINDOW, GtkApplicationWindow)

/* `games`: further folders and archives to search for textures, terminated by NULL; copied. NULL or
 * none: see lm_assets_options.games. */
GtkWidget *viewer_window_new(GtkApplication *application, const char *const *games);

/* Opens the first of the models that the paths name; the others follow with next. */
void viewer_window_open(ViewerWindow *window, const char *const *paths);

/* Returns whether a job is running. */
gboolean viewer_window_is_busy(ViewerWindow *window);

GtkApplication *viewer_application_new(void);
/* Shows a new window with its keys, which opens paths (none: NULL). `games` as above. */
GtkWidget *viewer_application_add_window(GtkApplication *application, const char *const *games,
                                         const char *const *paths);

#endif
