#include "display_text.h"

#include "describe.h"
#include "internals.h"
#include "lerpmesh/load.h"
#include "text.h"

#include <glib.h>
#include <string.h>

#define DASH " – " /* between the parts of a title */

char *display_text(const char *text) {
    lm_buffer out = {0};
    lmi_text_harmless(&out, text);
    char *shown = out.size > 0 ? g_strndup((const char *)out.data, out.size) : g_strdup("");
    lm_buffer_free(&out);
    return shown;
}

const char *display_meaning(lm_code code) {
    const char *english = lm_code_meaning(code), *meaning = gettext(english);
    return code == LM_CODE_OK || meaning == english ? NULL : meaning;
}

char *display_message(lm_code code, const char *sentence) {
    const char *meaning = display_meaning(code);
    g_autofree char *text = display_text(sentence);
    return meaning ? g_strdup_printf(TEXT_MESSAGE_OF, meaning, text) : g_steal_pointer(&text);
}

char *display_name(lm_vfs *vfs, const char *path) {
    const char *name = lmi_vfs_base_name(vfs, path);
    return display_text(*name ? name : path);
}

char *display_folder(lm_vfs *vfs, const char *path) {
    const char *base = lmi_vfs_base_name(vfs, path);
    size_t end = (size_t)(base - path);
    while (end > 0 && (path[end - 1] == '/' || path[end - 1] == ':'))
        end--;
    g_autofree char *folder = g_strndup(path, end);
    const char *slash = strrchr(folder, '/');
    size_t archive = lmi_vfs_archive_length(vfs, path);
    const char *name = slash ? slash + 1 : folder;
    if (archive > 0 && end > archive && folder + archive + 1 > name)
        name = folder + archive + 1;
    return display_text(name);
}

char *display_title(lm_vfs *vfs, const char *path) {
    static const char *const common[] = {"tris", "weapon", "lower", "upper", "head", NULL};
    size_t length;
    const char *stem = lmi_vfs_stem(vfs, path, &length);
    bool is_far = length > 2 && stem[length - 2] == '_' && g_ascii_isdigit(stem[length - 1]);
    g_autofree char *key =
        g_ascii_strdown(stem, (gssize)(is_far ? length - 2 : length)); /* head of head_1 */
    g_autofree char *name = display_name(vfs, path), *folder = display_folder(vfs, path);
    return g_strv_contains(common, key) && *folder ? g_strconcat(folder, DASH, name, NULL)
                                                   : g_steal_pointer(&name);
}

char *display_file_name(const char *title) {
    const char *dot = lm_format_by_extension(title) ? strrchr(title, '.') : NULL;
    GString *name = dot ? g_string_new_len(title, dot - title) : g_string_new(title);
    g_string_replace(name, DASH, "-", 0);
    /* characters that file names cannot have on some systems */
    g_strdelimit(name->str, "/\\:", '_');
    return g_string_free(name, FALSE);
}

char *display_formats(const char *last) {
    GString *list = g_string_new(NULL);
    for (uint32_t i = 0; lm_format_at(i); i++) {
        g_autofree char *name = g_ascii_strup(lm_format_at(i)->name, -1);
        g_string_append_printf(list, "%s%s", i == 0 ? "" : lm_format_at(i + 1) ? ", " : last, name);
    }
    return g_string_free(list, FALSE);
}
