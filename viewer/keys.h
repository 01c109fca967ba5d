/* Which key does what. Keys with Control work everywhere; plain ones only where the widget that has
 * the focus has no use for them, so that Space still presses a button and Enter picks a row. */
#ifndef VIEWER_KEYS_H
#define VIEWER_KEYS_H

#include <gtk/gtk.h>

void keys_add_to_window(GtkWidget *window);
/* Space and the arrows to the sides stay what they are while a list has the focus; it keeps those
 * up and down, and Enter. */
void keys_add_to_list(GtkWidget *list);
void keys_add_to_application(GtkApplication *application);

#endif
