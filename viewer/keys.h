/* The keyboard shortcuts. Keys with Control work everywhere. Plain keys only work if the focused
 * widget does not use them: Space still presses a button, and Enter still activates a row. */
#ifndef VIEWER_KEYS_H
#define VIEWER_KEYS_H

#include <gtk/gtk.h>

void keys_add_to_window(GtkWidget *window);
/* Keeps Space and the left and right arrows as shortcuts while a list has the focus. The list uses
 * up, down and Enter. */
void keys_add_to_list(GtkWidget *list);
void keys_add_to_application(GtkApplication *application);

#endif
