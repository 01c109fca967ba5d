/* A selectable list: each row has a title and a smaller detail line. */
#ifndef VIEWER_LIST_H
#define VIEWER_LIST_H

#include <gtk/gtk.h>

/* Creates a scrolled list. Clicking a row or pressing Enter activates `action` with the row's
 * number (uint32). `label` is the accessible name. */
GtkWidget *viewer_list_new(const char *action, const char *label);

/* Sets the rows, "TITLE" or "TITLE\tDETAIL", terminated by NULL. */
void viewer_list_set_rows(GtkWidget *list, const char *const *rows);
/* Marks the current row; beyond the last: none. */
void viewer_list_select(GtkWidget *list, guint row);

/* Creates a search entry that filters the list. Rows keep their numbers. */
GtkWidget *viewer_list_search(GtkWidget *list, const char *label);

#endif
