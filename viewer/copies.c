#include "copies.h"

#include "internals.h"

#include <string.h>

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
    char *folder = g_path_get_dirname(copy), *path;
    if (g_ascii_strcasecmp(extension, ".cfg") == 0) {
        path = g_build_filename(folder, name, NULL);
    } else {
        size_t length;
        const char *stem = lm_vfs_stem(vfs, copy, &length);
        path = g_strdup_printf("%s/%.*s%s", folder, (int)length, stem, extension);
    }
    g_free(folder);
    return path;
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
        char *shown = g_filename_display_name(file->path);
        g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", shown);
        g_free(shown);
    }
    return g_string_free(text, FALSE);
}
