/* Edits of a file, with undo and redo: a list of steps over the original bytes. Independent of
 * GTK's widgets. */
#ifndef VIEWER_EDITS_H
#define VIEWER_EDITS_H

#include "lerpmesh/edit.h"

#include <glib.h>

/* A step: a fix of a problem, or a new name. */
typedef struct edit_step {
    bool is_fix;
    lm_diagnostic problem; /* of a fix: its code, and the surface and index of its location */
    lm_edit_list list;     /* of a name */
    uint32_t surface, index;
    char *name;
} edit_step;

typedef struct edits edits;

/* Copies the bytes. */
edits *edits_new(const void *data, size_t size);
void edits_free(edits *e); /* NULL is allowed */

/* Applies a step after the current ones, and drops those that were undone. Copies the name. Returns
 * false and changes nothing if the step fails. */
bool edits_add(edits *e, const edit_step *step, lm_error *error);
/* Return false if there is no such step. */
bool edits_undo(edits *e, lm_error *error);
bool edits_redo(edits *e, lm_error *error);
bool edits_can_undo(const edits *e);
bool edits_can_redo(const edits *e);

/* Returns whether a file has the original bytes. */
bool edits_begin_at(const edits *e, const char *path);
/* Returns the current bytes, which the edits own; NULL: no step is applied. */
GBytes *edits_bytes(const edits *e);
/* Returns whether the current bytes differ from those last saved. */
bool edits_unsaved(const edits *e);
void edits_mark_saved(edits *e);

#endif
