/* A grid of models with thumbnails. Only cells in view get thumbnails. Like a list (list.h), it is
 * one stop of the Tab key. */
#ifndef VIEWER_GRID_H
#define VIEWER_GRID_H

#include "folder.h"
#include "thumbnails.h"

#include <gtk/gtk.h>

/* A row of the grid's models. All strings are copied. */
typedef struct grid_model {
    const char *path, *title;
    const char *detail;  /* its folder, for example; may be empty */
    const char *problem; /* why it cannot be opened; NULL: unknown, or it can */
} grid_model;

typedef enum grid_order {
    GRID_BY_NAME,
    GRID_BY_FOLDER,
    GRID_BY_SIZE, /* this and the others: the largest first */
    GRID_BY_FRAMES,
    GRID_BY_TRIANGLES,
    GRID_BY_PROBLEMS /* models that cannot be opened first */
} grid_order;

/* Creates a grid, which the other functions take. Clicking a cell, or pressing Enter or Space,
 * activates `action` with the model's row (uint32). `label` is the accessible name. */
GtkWidget *viewer_grid_new(const char *action, const char *label);

/* Replaces the models. Those that were there before keep their facts and thumbnails until new ones
 * are known, and the selection. `vfs` and `games` as in thumbnails_reset. */
void viewer_grid_set_models(GtkWidget *widget, const grid_model *models, guint count,
                            shared_vfs *vfs, const char *const *games);
/* Lists rows whose facts have not been set since viewer_grid_set_models, those in view first.
 * Returns their number, at most `capacity`. */
guint viewer_grid_unknown(GtkWidget *widget, guint *rows, guint capacity);
/* Sets the facts of rows; copies them. */
void viewer_grid_set_facts(GtkWidget *widget, const guint *rows, const model_facts *facts,
                           guint count);
void viewer_grid_sort(GtkWidget *widget, grid_order order);
/* Shows only models whose title or detail contains the text. */
void viewer_grid_search(GtkWidget *widget, const char *text);
guint viewer_grid_count_shown(GtkWidget *widget);
/* Returns the row of the cell after a row's, with wrap-around; step -1: before it. A `row` that the
 * search hides begins at an end. GTK_INVALID_LIST_POSITION: no other cell is shown. */
guint viewer_grid_step(GtkWidget *widget, guint row, int step);

/* Selects and shows the cell of a row after the next frame, if the search shows it; -1: none. Views
 * without a size cannot scroll. */
void viewer_grid_select(GtkWidget *widget, int row);
/* Activates the selected cell. */
void viewer_grid_activate(GtkWidget *widget);
/* Gives the selected cell the keyboard focus. */
void viewer_grid_focus(GtkWidget *widget);
thumbnails *viewer_grid_thumbnails(GtkWidget *widget);
/* Returns whether thumbnails of cells in view are not complete. */
bool viewer_grid_is_busy(GtkWidget *widget);

#endif
