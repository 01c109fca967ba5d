/* A selectable list: each row has a title, a smaller detail line, and a mark if it has a problem.
 * The list is one stop of the Tab key. */
#ifndef VIEWER_LIST_H
#define VIEWER_LIST_H

#include <gtk/gtk.h>
#include <stdbool.h>

/* Creates a scrolled list. Clicking a row, or pressing Enter or Space, activates `action` with the
 * row's number (uint32). `label` is the accessible name. */
GtkWidget *viewer_list_new(const char *action, const char *label);

/* Makes the list as high as its rows, instead of scrolling. */
void viewer_list_show_all(GtkWidget *list);

/* Sets the rows, "TITLE", "TITLE\tDETAIL", "TITLE\tDETAIL\tPROBLEM" or
 * "TITLE\tDETAIL\tPROBLEM\tFIX", terminated by NULL. The problem marks the row, and is its tooltip
 * and its accessible description; an empty one does not. A fix shows a button with that tooltip,
 * which activates "win.fix" with the row's number. */
void viewer_list_set_rows(GtkWidget *list, const char *const *rows);
/* Replaces a row, unless it has that text already. */
void viewer_list_set_row(GtkWidget *list, guint row, const char *text);
/* Marks the current row; beyond the last: none. */
void viewer_list_select(GtkWidget *list, guint row);

/* Creates a search entry that filters the list by titles and details. Rows keep their numbers. */
GtkWidget *viewer_list_search(GtkWidget *list, const char *label);
/* Returns the next row that the search shows, with wrap-around; step -1: the previous one. A `row`
 * beyond the last begins at an end. GTK_INVALID_LIST_POSITION: no other row is shown. */
guint viewer_list_step(GtkWidget *list, guint row, int step);

/* ---- Other views of lists -------------------------------------------------------------------- */

/* Creates an empty vertical box that is one stop of the Tab key. */
GtkWidget *viewer_list_stop(void);
/* Wraps a view that is a GtkListBase, scrolled, as one stop of the Tab key. Space and Enter
 * activate an item. */
GtkWidget *viewer_list_wrap(GtkWidget *view, const char *label);
/* Notes whether the view is searched. A search that finds nothing shows a page that says so. */
void viewer_list_set_searched(GtkWidget *list, bool is_searched);
/* Names an item, the parent of the factory's widget, for screen readers. */
void viewer_list_describe(GtkWidget *item, const char *title, const char *description);

#endif
