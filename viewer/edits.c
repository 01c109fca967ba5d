#include "edits.h"

struct edits {
    GBytes *original, *current; /* `current` NULL: no step is applied */
    GPtrArray *steps;           /* edit_step */
    guint applied;              /* steps; the others were undone */
    int saved;                  /* steps of the last saved file; -1: dropped since */
};

static void free_step(gpointer user) {
    edit_step *step = user;
    g_free(step->name);
    g_free(step);
}

edits *edits_new(const void *data, size_t size) {
    edits *e = g_new0(edits, 1);
    e->original = g_bytes_new(data, size);
    e->steps = g_ptr_array_new_with_free_func(free_step);
    return e;
}

void edits_free(edits *e) {
    if (!e)
        return;
    g_bytes_unref(e->original);
    g_clear_pointer(&e->current, g_bytes_unref);
    g_ptr_array_unref(e->steps);
    g_free(e);
}

static bool apply_step(lm_edit *edit, const edit_step *step, lm_error *error) {
    return step->is_fix
               ? lm_edit_fix(edit, &step->problem, error)
               : lm_edit_rename(edit, step->list, step->surface, step->index, step->name, error);
}

/* Applies the first `count` steps to the original bytes. */
static bool apply(edits *e, guint count, lm_error *error) {
    gsize size;
    const void *data = g_bytes_get_data(e->original, &size);
    lm_buffer made = {0};
    lm_edit *edit = lm_edit_open(data, size, NULL, error);
    bool done = edit != NULL;
    for (guint i = 0; done && i < count; i++)
        done = apply_step(edit, g_ptr_array_index(e->steps, i), error);
    done = done && lm_edit_write(edit, &made, error);
    if (done) {
        g_clear_pointer(&e->current, g_bytes_unref);
        e->current = count > 0 ? g_bytes_new(made.data, made.size) : NULL;
        e->applied = count;
    }
    lm_buffer_free(&made);
    lm_edit_free(edit);
    return done;
}

bool edits_add(edits *e, const edit_step *step, lm_error *error) {
    edit_step *copy = g_memdup2(step, sizeof *step);
    copy->name = g_strdup(step->name);
    g_ptr_array_insert(e->steps, (int)e->applied, copy);
    if (!apply(e, e->applied + 1, error)) {
        g_ptr_array_remove_index(e->steps, e->applied);
        return false;
    }
    if (e->saved >= (int)e->applied)
        e->saved = -1;
    g_ptr_array_set_size(e->steps, (int)e->applied);
    return true;
}

bool edits_can_undo(const edits *e) {
    return e && e->applied > 0;
}

bool edits_can_redo(const edits *e) {
    return e && e->applied < e->steps->len;
}

bool edits_undo(edits *e, lm_error *error) {
    return edits_can_undo(e) && apply(e, e->applied - 1, error);
}

bool edits_redo(edits *e, lm_error *error) {
    return edits_can_redo(e) && apply(e, e->applied + 1, error);
}

bool edits_begin_at(const edits *e, const char *path) {
    char *data;
    gsize size;
    if (!g_file_get_contents(path, &data, &size, NULL))
        return false;
    GBytes *found = g_bytes_new_take(data, size);
    const bool same = g_bytes_equal(found, e->original);
    g_bytes_unref(found);
    return same;
}

GBytes *edits_bytes(const edits *e) {
    return e ? e->current : NULL;
}

bool edits_unsaved(const edits *e) {
    return e && e->saved != (int)e->applied;
}

void edits_mark_saved(edits *e) {
    e->saved = (int)e->applied;
}
