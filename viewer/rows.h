/* Boxed lists and tables: rows with a name at the left, and a switch, a value or a detail. A group
 * is a title above a boxed list, and one stop of the Tab key; arrows move inside. All text is shown
 * as it is.
 */
#ifndef VIEWER_ROWS_H
#define VIEWER_ROWS_H

#include <gtk/gtk.h>

/* Creates a heading. `level` 1: of a part; 2: of a group. */
GtkWidget *rows_heading(const char *title, int level);
/* Creates a group with its heading, and appends it to a box. Returns its empty boxed list. */
GtkWidget *rows_add_group(GtkWidget *box, const char *title);
/* The same for rows with controls, each of which is a stop of its own. */
GtkWidget *rows_add_controls(GtkWidget *box, const char *title);
/* Creates a group around any other widget, and appends it to a box. */
void rows_add_framed(GtkWidget *box, const char *title, GtkWidget *child);

/* Appends a row with a control, and returns it. */
GtkWidget *rows_add_control(GtkWidget *list, const char *name, GtkWidget *control);
/* Append a row. A click on a row with a switch changes the action's state. `tooltip` may be NULL.
 */
void rows_add_switch(GtkWidget *list, const char *name, const char *action, const char *tooltip);
void rows_add_value(GtkWidget *list, const char *name, const char *value); /* can be selected */
/* A text, with a detail below it; "" or NULL: none. Returns the row. */
GtkWidget *rows_add_text(GtkWidget *list, const char *text, const char *detail);
/* The same; a click activates an action with a text as its target. */
void rows_add_action(GtkWidget *list, const char *text, const char *detail, const char *action,
                     const char *target);

/* Creates a table, which scrolls down if it is large. A row has its first text as the title, and
 * below it the other cells after their headings, so that it fits any width and language. All of it
 * can be selected. `headings`: one for each cell, terminated by NULL. `layout` has a letter for
 * each cell: l text, on a line of its own; r numbers. `rows`: strings of cells, separated by tabs,
 * terminated by NULL; copied. */
GtkWidget *rows_new_table(const char *const *headings, const char *layout, const char *const *rows);

/* Removes all children of a box. */
void rows_clear(GtkWidget *box);

#endif
