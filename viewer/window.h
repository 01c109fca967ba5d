/* The viewer's window. All that it can do is an action ("win.…"): buttons, keys, the menu and tests
 * go one way. window_actions.c lists them. */
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include <gtk/gtk.h>

#define VIEWER_TYPE_WINDOW (viewer_window_get_type())
G_DECLARE_FINAL_TYPE(ViewerWindow, viewer_window, VIEWER, WINDOW, GtkApplicationWindow)

/* `games`: folders and archives in which textures are looked for too, NULL at the end;
 * copied. NULL or none: see lm_assets_options.games. */
GtkWidget *viewer_window_new(GtkApplication *application, const char *const *games);

/* Opens the first of the models that the paths stand for; the others are next. */
void viewer_window_open(ViewerWindow *window, const char *const *paths);

/* Whether something is being read. */
gboolean viewer_window_is_busy(ViewerWindow *window);

#endif
