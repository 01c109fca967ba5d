#include "edits.h"

#include "internals.h"
#include "text.h"

#include <string.h>

struct edits {
    GPtrArray *files; /* edited_file */
    GPtrArray *steps; /* change */
    guint applied;    /* steps; the others were undone */
    int saved;        /* steps of the last saved files; -1: dropped since */
};

/* The bytes of a file before and after a step; NULL: no earlier step concerns it. */
typedef struct change {
    edited_file *file;
    GBytes *before, *after;
} change;

static void free_file(gpointer user) {
    edited_file *file = user;
    g_free(file->path);
    g_clear_pointer(&file->original, g_bytes_unref);
    g_clear_pointer(&file->current, g_bytes_unref);
    g_free(file);
}

static void free_change(gpointer user) {
    change *c = user;
    g_clear_pointer(&c->before, g_bytes_unref);
    g_bytes_unref(c->after);
    g_free(c);
}

edits *edits_new(void) {
    edits *e = g_new0(edits, 1);
    e->files = g_ptr_array_new_with_free_func(free_file);
    e->steps = g_ptr_array_new_with_free_func(free_change);
    return e;
}

void edits_free(edits *e) {
    if (!e)
        return;
    g_ptr_array_unref(e->files);
    g_ptr_array_unref(e->steps);
    g_free(e);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static GBytes *bytes_of(const edited_file *file) {
    return file->current ? file->current : file->original;
}

static bool edit_model(const edits *e, const edit_step *step, lm_buffer *out, lm_error *error) {
    gsize size;
    const void *data = g_bytes_get_data(bytes_of(edits_file(e, step->model)), &size);
    lm_edit *edit = lm_edit_open(data, size, NULL, error);
    bool done = edit != NULL;
    if (done && step->kind == EDIT_FIX)
        done = lm_edit_fix(edit, &step->problem, error);
    else if (done)
        done = lm_edit_rename(edit, step->list, step->surface, step->index, step->name, error);
    done = done && lm_edit_write(edit, out, error);
    lm_edit_free(edit);
    return done;
}

/* Makes a clips file of the model's own clips. It stores no times of single frames. */
static bool make_clips(const edited_file *from, lm_buffer *text, lm_error *error) {
    gsize size;
    const void *data = g_bytes_get_data(bytes_of(from), &size);
    lm_model *model = lm_load_memory(data, size, NULL, error);
    bool done = model != NULL;
    for (uint32_t i = 0; done && i < model->num_clips; i++)
        if (model->clips[i].times)
            done = lm_fail_plain(error, LM_CODE_OK, TEXT_CLIP_HAS_TIMES, model->clips[i].name);
    done = done && lm_clips_write(model->clips, model->num_clips, model->num_frames,
                                  LM_CLIPS_FRAMEGROUPS, text, error);
    lm_model_free(model);
    return done;
}

static bool change_clip(const void *text, size_t size, const char *path, const edit_step *step,
                        lm_buffer *out, lm_error *error) {
    const lm_clips_options options = {.file_name = path};
    lm_clips *clips = lm_clips_read(text, size, step->num_frames, &options, error);
    bool done = clips != NULL;
    uint32_t i = 0;
    while (done && i < clips->num_clips && strcmp(clips->clips[i].name, step->name) != 0)
        i++;
    done =
        done && lm_clips_change(text, size, step->num_frames, i, &step->clip, &options, out, error);
    lm_clips_free(clips);
    return done;
}

static bool edit_clips(const edits *e, const edit_step *step, lm_buffer *out, lm_error *error) {
    const edited_file *file = edits_file(e, step->clips);
    GBytes *bytes = bytes_of(file);
    gsize size;
    const void *data = bytes ? g_bytes_get_data(bytes, &size) : NULL;
    if (bytes)
        return change_clip(data, size, file->path, step, out, error);
    lm_buffer made = {0};
    const bool done = make_clips(edits_file(e, step->model), &made, error) &&
                      change_clip(made.data, made.size, file->path, step, out, error);
    lm_buffer_free(&made);
    return done;
}

static void set_current(edited_file *file, GBytes *bytes) {
    g_clear_pointer(&file->current, g_bytes_unref);
    file->current = bytes ? g_bytes_ref(bytes) : NULL;
}

bool edits_add(edits *e, const edit_step *step, lm_error *error) {
    const bool of_clips = step->kind == EDIT_CLIP;
    lm_buffer out = {0};
    const bool done = (of_clips ? edit_clips : edit_model)(e, step, &out, error);
    if (done) {
        change *c = g_new0(change, 1);
        c->file = g_ptr_array_index(e->files, of_clips ? step->clips : step->model);
        c->before = c->file->current ? g_bytes_ref(c->file->current) : NULL;
        c->after = g_bytes_new(out.data, out.size);
        if (e->saved > (int)e->applied)
            e->saved = -1;
        g_ptr_array_set_size(e->steps, (int)e->applied++);
        g_ptr_array_add(e->steps, c);
        set_current(c->file, c->after);
    }
    lm_buffer_free(&out);
    return done;
}

bool edits_can_undo(const edits *e) {
    return e && e->applied > 0;
}

bool edits_can_redo(const edits *e) {
    return e && e->applied < e->steps->len;
}

bool edits_undo(edits *e) {
    if (!edits_can_undo(e))
        return false;
    const change *c = g_ptr_array_index(e->steps, --e->applied);
    set_current(c->file, c->before);
    return true;
}

bool edits_redo(edits *e) {
    if (!edits_can_redo(e))
        return false;
    const change *c = g_ptr_array_index(e->steps, e->applied++);
    set_current(c->file, c->after);
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool has_bytes(const char *path, GBytes *bytes) {
    char *data;
    gsize size;
    if (!g_file_get_contents(path, &data, &size, NULL))
        return false;
    g_autoptr(GBytes) found = g_bytes_new_take(data, size);
    return g_bytes_equal(found, bytes);
}

/* Returns the index of a file; edits_num_files: there is none. */
static guint find_file(const edits *e, const char *path) {
    guint i = 0;
    while (i < edits_num_files(e) && strcmp(edits_file(e, i)->path, path) != 0)
        i++;
    return i;
}

guint edits_add_file(edits *e, const char *path, GBytes *original, bool is_clips) {
    const guint index = find_file(e, path);
    if (index < e->files->len)
        return index;
    edited_file *file = g_new0(edited_file, 1);
    *file = (edited_file){.path = g_strdup(path),
                          .original = original ? g_bytes_ref(original) : NULL,
                          .is_clips = is_clips};
    g_ptr_array_add(e->files, file);
    return index;
}

bool edits_has_file(const edits *e, const char *path) {
    return find_file(e, path) < edits_num_files(e);
}

guint edits_num_files(const edits *e) {
    return e ? e->files->len : 0;
}

const edited_file *edits_file(const edits *e, guint index) {
    return g_ptr_array_index(e->files, index);
}

bool edits_is_changed(const edited_file *file) {
    return file->current && (!file->original || !g_bytes_equal(file->current, file->original));
}

bool edits_is_untouched(const edited_file *file) {
    return file->original ? has_bytes(file->path, file->original)
                          : !g_file_test(file->path, G_FILE_TEST_EXISTS);
}

GHashTable *edits_table(const edits *e) {
    if (!edits_can_undo(e))
        return NULL;
    GHashTable *table =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    for (guint i = 0; i < edits_num_files(e); i++) {
        GBytes *bytes = bytes_of(edits_file(e, i));
        if (bytes)
            g_hash_table_insert(table, g_strdup(edits_file(e, i)->path), g_bytes_ref(bytes));
    }
    return table;
}

bool edits_unsaved(const edits *e) {
    return e && e->saved != (int)e->applied;
}

void edits_mark_saved(edits *e) {
    e->saved = (int)e->applied;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static void free_copy(gpointer user) {
    saved_file *file = user;
    g_free(file->path);
    g_bytes_unref(file->bytes);
    g_free(file);
}

/* Takes the path. */
static void add(GPtrArray *files, char *path, const edited_file *from, bool is_asked) {
    saved_file *file = g_new0(saved_file, 1);
    file->path = path;
    file->bytes = g_bytes_ref(bytes_of(from));
    file->is_asked = is_asked;
    g_ptr_array_insert(files, from->is_clips ? 0 : -1, file);
}

bool copies_are_one(const edits *e, const char *request) {
    guint clips = 0;
    bool found = false, others = false;
    for (guint i = 0; i < edits_num_files(e); i++) {
        const edited_file *file = edits_file(e, i);
        const bool own = strcmp(file->path, request) == 0;
        found = found || own;
        clips += edits_is_changed(file) && file->is_clips;
        others = others || (edits_is_changed(file) && !file->is_clips && !own);
    }
    return found && !others && clips <= 1;
}

char *copy_clips_path(lm_vfs *vfs, const char *clips, const char *copy) {
    const char *name = lmi_vfs_base_name(vfs, clips), *extension = lmi_vfs_extension(vfs, clips);
    if (g_ascii_strcasecmp(extension, ".framegroups") == 0)
        return g_strconcat(copy, extension, NULL);
    g_autofree char *folder = g_path_get_dirname(copy);
    if (g_ascii_strcasecmp(extension, ".cfg") == 0)
        return g_build_filename(folder, name, NULL);
    size_t length;
    const char *stem = lmi_vfs_stem(vfs, copy, &length);
    return g_strdup_printf("%s/%.*s%s", folder, (int)length, stem, extension);
}

GPtrArray *copies_at(lm_vfs *vfs, const edits *e, const char *request, const char *target) {
    GPtrArray *files = g_ptr_array_new_with_free_func(free_copy);
    const bool one = copies_are_one(e, request);
    for (guint i = 0; i < edits_num_files(e); i++) {
        const edited_file *file = edits_file(e, i);
        if (one && strcmp(file->path, request) == 0)
            add(files, g_strdup(target), file, true);
        else if (one && edits_is_changed(file))
            add(files, copy_clips_path(vfs, file->path, target), file, false);
        else if (edits_is_changed(file))
            add(files, g_build_filename(target, lmi_vfs_base_name(vfs, file->path), NULL), file,
                false);
    }
    return files;
}

GPtrArray *copies_over_originals(const edits *e) {
    GPtrArray *files = g_ptr_array_new_with_free_func(free_copy);
    for (guint i = 0; i < edits_num_files(e); i++)
        if (edits_is_changed(edits_file(e, i)))
            add(files, g_strdup(edits_file(e, i)->path), edits_file(e, i), false);
    return files;
}

char *copies_text(const GPtrArray *files, bool existing) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < files->len; i++) {
        const saved_file *file = g_ptr_array_index(files, i);
        if (existing && (file->is_asked || !g_file_test(file->path, G_FILE_TEST_EXISTS)))
            continue;
        g_autofree char *shown = g_filename_display_name(file->path);
        g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", shown);
    }
    return g_string_free(text, FALSE);
}
