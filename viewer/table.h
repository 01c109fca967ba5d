/* A table with headings, which scrolls if it is large. Its cells can be selected. */
#ifndef VIEWER_TABLE_H
#define VIEWER_TABLE_H

#include <gtk/gtk.h>

/* Creates a table. `headings`: one for each column, terminated by NULL. `layout` has a letter for
 * each column: l text, at the left; r a number, at the right. `rows`: strings of cells, separated
 * by tabs, terminated by NULL; copied. */
GtkWidget *table_new(const char *const *headings, const char *layout, const char *const *rows);

#endif
