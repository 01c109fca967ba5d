/* A list to pick from: each row a title and, smaller, a detail. */
#ifndef VIEWER_LIST_H
#define VIEWER_LIST_H

#include <gtk/gtk.h>

/* A scrolled list. A row that is clicked, or chosen with Enter, activates `action` with its number
 * (uint32). `label` is what a screen reader calls it. */
GtkWidget *viewer_list_new(const char *action, const char *label);

/* Rows are "TITLE" or "TITLE\tDETAIL", NULL at the end. */
void viewer_list_set_rows(GtkWidget *list, const char *const *rows);
/* Shows which row counts; beyond the last: none. */
void viewer_list_select(GtkWidget *list, guint row);

/* An entry that leaves in the list what has its text in it. Rows keep their numbers. */
GtkWidget *viewer_list_search(GtkWidget *list, const char *label);

#endif
