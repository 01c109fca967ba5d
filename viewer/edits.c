#include "edits.h"

#include "internals.h"
#include "text.h"

#include <string.h>

struct edits {
    GPtrArray *files; /* edited_file */
    GPtrArray *steps; /* edit_step */
    guint applied;    /* steps; the others were undone */
    int saved;        /* steps of the last saved files; -1: dropped since */
};

static void free_file(gpointer user) {
    edited_file *file = user;
    g_free(file->path);
    g_clear_pointer(&file->original, g_bytes_unref);
    g_clear_pointer(&file->current, g_bytes_unref);
    g_free(file);
}

static void free_step(gpointer user) {
    edit_step *step = user;
    g_free(step->name);
    g_free((char *)step->clip.name);
    g_free(step);
}

edits *edits_new(void) {
    edits *e = g_new0(edits, 1);
    e->files = g_ptr_array_new_with_free_func(free_file);
    e->steps = g_ptr_array_new_with_free_func(free_step);
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

/* Makes a clips file of the model's own clips. It stores no times of single frames. */
static bool write_clips(const lm_model *model, lm_buffer *text, lm_error *error) {
    for (uint32_t i = 0; i < model->num_clips; i++)
        if (model->clips[i].times)
            return lm_fail_plain(error, LM_CODE_OK, TEXT_CLIP_HAS_TIMES, model->clips[i].name);
    return lm_clips_write(model->clips, model->num_clips, model->num_frames, LM_CLIPS_FRAMEGROUPS,
                          text, error);
}

static bool make_clips(const lm_edit *edit, lm_buffer *text, lm_error *error) {
    lm_buffer file = {0};
    bool done = lm_edit_write(edit, &file, error);
    lm_model *model = done ? lm_load_memory(file.data, file.size, NULL, error) : NULL;
    done = model && write_clips(model, text, error);
    lm_model_free(model);
    lm_buffer_free(&file);
    return done;
}

static bool change_clip(const lm_buffer *text, const lm_clips_options *options,
                        const edit_step *step, lm_buffer *out, lm_error *error) {
    lm_clips *clips = lm_clips_read(text->data, text->size, step->num_frames, options, error);
    bool done = clips != NULL;
    uint32_t i = 0;
    while (done && i < clips->num_clips && strcmp(clips->clips[i].name, step->name) != 0)
        i++;
    done = done && lm_clips_change(text->data, text->size, step->num_frames, options, i,
                                   &step->clip, out, error);
    lm_clips_free(clips);
    return done;
}

/* The files while steps are applied: edits of models, and texts of clips files. */
typedef struct run {
    const edits *e;
    lm_edit **models; /* NULL: no step concerned it */
    lm_buffer *texts;
    bool *touched; /* the texts that steps concerned */
} run;

/* Fills the text of a clips file before its first step. */
static bool open_text(run *r, const edit_step *step, lm_error *error) {
    GBytes *original = edits_file(r->e, step->clips)->original;
    lm_buffer *text = &r->texts[step->clips];
    if (r->touched[step->clips])
        return true;
    r->touched[step->clips] = true;
    if (!original)
        return make_clips(r->models[step->model], text, error);
    gsize size;
    const void *data = g_bytes_get_data(original, &size);
    lm_buffer_append(text, data, size);
    return !text->failed || lm_fail_plain(error, LM_CODE_OK, "%s", TEXT_OUT_OF_MEMORY);
}

static bool apply_clip(run *r, const edit_step *step, lm_error *error) {
    const lm_clips_options options = {.file_name = edits_file(r->e, step->clips)->path};
    lm_buffer *text = &r->texts[step->clips], changed = {0};
    const bool done =
        open_text(r, step, error) && change_clip(text, &options, step, &changed, error);
    lm_buffer_free(done ? text : &changed);
    if (done)
        *text = changed;
    return done;
}

static bool apply_step(run *r, const edit_step *step, lm_error *error) {
    gsize size;
    const void *data = g_bytes_get_data(edits_file(r->e, step->model)->original, &size);
    lm_edit *edit = r->models[step->model];
    if (!edit)
        edit = r->models[step->model] = lm_edit_open(data, size, NULL, error);
    if (!edit)
        return false;
    switch (step->kind) {
    case EDIT_FIX:
        return lm_edit_fix(edit, &step->problem, error);
    case EDIT_NAME:
        return lm_edit_rename(edit, step->list, step->surface, step->index, step->name, error);
    default:
        return apply_clip(r, step, error);
    }
}

/* Writes the models behind the texts. */
static bool write_models(run *r, lm_error *error) {
    bool done = true;
    for (guint i = 0; done && i < r->e->files->len; i++)
        if (r->models[i]) {
            done = lm_edit_write(r->models[i], &r->texts[i], error);
            r->touched[i] = true;
        }
    return done;
}

/* Applies the first `count` steps to the original bytes. */
static bool apply(edits *e, guint count, lm_error *error) {
    const guint num_files = e->files->len;
    run r = {e, g_new0(lm_edit *, num_files), g_new0(lm_buffer, num_files),
             g_new0(bool, num_files)};
    bool done = true;
    for (guint i = 0; done && i < count; i++)
        done = apply_step(&r, g_ptr_array_index(e->steps, i), error);
    done = done && write_models(&r, error);
    if (done)
        e->applied = count;
    for (guint i = 0; i < num_files; i++) {
        edited_file *file = g_ptr_array_index(e->files, i);
        if (done)
            g_clear_pointer(&file->current, g_bytes_unref);
        if (done && r.touched[i])
            file->current = g_bytes_new(r.texts[i].data, r.texts[i].size);
        lm_edit_free(r.models[i]);
        lm_buffer_free(&r.texts[i]);
    }
    g_free(r.models);
    g_free(r.texts);
    g_free(r.touched);
    return done;
}

bool edits_add(edits *e, const edit_step *step, lm_error *error) {
    edit_step *copy = g_memdup2(step, sizeof *step);
    copy->name = g_strdup(step->name);
    copy->clip.name = g_strdup(step->clip.name);
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
    GHashTable *table = NULL;
    for (guint i = 0; i < edits_num_files(e); i++) {
        const edited_file *file = edits_file(e, i);
        if (!file->current)
            continue;
        table = table ? table
                      : g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify)g_bytes_unref);
        g_hash_table_insert(table, g_strdup(file->path), g_bytes_ref(file->current));
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
    file->bytes = g_bytes_ref(from->current ? from->current : from->original);
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
    const char *name = lm_vfs_base_name(vfs, clips), *extension = lm_vfs_extension(vfs, clips);
    if (g_ascii_strcasecmp(extension, ".framegroups") == 0)
        return g_strconcat(copy, extension, NULL);
    g_autofree char *folder = g_path_get_dirname(copy);
    if (g_ascii_strcasecmp(extension, ".cfg") == 0)
        return g_build_filename(folder, name, NULL);
    size_t length;
    const char *stem = lm_vfs_stem(vfs, copy, &length);
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
            add(files, g_build_filename(target, lm_vfs_base_name(vfs, file->path), NULL), file,
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
