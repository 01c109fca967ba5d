/* The keyboard shortcuts. Keys with Control work everywhere. Plain keys only work if the focused
 * widget does not use them: Space still presses a button, and arrows still move in a list. */
#ifndef VIEWER_KEYS_H
#define VIEWER_KEYS_H

#include <gtk/gtk.h>

void keys_add_to_window(GtkWidget *window);
void keys_add_to_application(GtkApplication *application);

#endif
