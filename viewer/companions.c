#include "companions.h"

#include "player.h"
#include "shown.h"
#include "text.h"

#include <string.h>

/* ---- Files beside -------------------------------------------------------------------------- */

/* The path in `place` of the file NAME beside the one at `path`, as the outside spells it: what is
 * in an archive with the archive's path in front. NULL if there is none. */
static char *beside(const char *path, const tool_place *place, const char *name) {
    char actual[LM_PATH_SIZE];
    char *inside = *place->folder ? g_strdup_printf("%s/%s", place->folder, name) : g_strdup(name);
    bool found = place->files->find(place->files->user, inside, actual) == LM_FIND_FILE;
    g_free(inside);
    if (!found)
        return NULL;
    size_t archive = tool_archive_length(path);
    if (archive > 0)
        return g_strdup_printf("%.*s:%s", (int)archive, path, actual);
    int folder = (int)(tool_base_name(path) - path);
    return g_strdup_printf("%.*s%s", folder, path, actual);
}

static bool is_called(const char *path, const char *stem) {
    size_t length;
    const char *name = tool_stem(path, &length);
    return length == strlen(stem) && g_ascii_strncasecmp(name, stem, length) == 0;
}

/* ---- Heads and weapons --------------------------------------------------------------------- */

static void attach(const char *path, const tool_place *place, const char *tag, const char *stem,
                   tool_given *given, size_t *count, GPtrArray *kept) {
    static const char *const ends[] = {"mdc", "md3"};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        char *name = g_strdup_printf("%s.%s", stem, ends[i]);
        char *found = is_called(path, stem) ? NULL : beside(path, place, name);
        g_free(name);
        if (!found)
            continue;
        char *value = g_strdup_printf("%s=%s", tag, found);
        g_ptr_array_add(kept, value);
        g_free(found);
        given[(*count)++] = (tool_given){TOOL_ATTACH, value};
        return;
    }
}

size_t companions_find(const char *path, tool_given *given, GPtrArray *kept) {
    size_t count = 0;
    tool_place place;
    lm_error error;
    if (tool_is_player(path) || !tool_files_for_input(path, &place, &error))
        return 0;
    if (tool_same_text(tool_extension(path), ".md2")) {
        char *weapon = is_called(path, "tris") ? beside(path, &place, "weapon.md2") : NULL;
        if (weapon) {
            g_ptr_array_add(kept, weapon);
            given[count++] = (tool_given){TOOL_WITH, weapon};
        }
    } else if (!is_called(path, "head")) {
        attach(path, &place, "tag_head", "head", given, &count, kept);
        attach(path, &place, "tag_weapon", "weapon", given, &count, kept);
    }
    tool_place_close(&place);
    return count;
}

char *companions_whole(const char *path) {
    tool_player player;
    char *folder = g_path_get_dirname(path);
    bool in_root = tool_archive_length(path) > strlen(folder); /* of an archive, which is no path */
    bool legs = is_called(path, "lower") && !in_root;
    if (legs)
        tool_player_find(folder, &player);
    bool whole = legs && player.kind == TOOL_PLAYER_QUAKE3;
    if (legs)
        tool_player_free(&player);
    char *out = g_strdup(whole ? folder : path);
    g_free(folder);
    return out;
}

/* ---- Skins --------------------------------------------------------------------------------- */

/* The skin's strings are taken. */
static void add_skin(document *d, GArray *skins, document_skin one) {
    bool worn = one.skin ? g_strcmp0(d->wish.skin, one.skin) == 0
                         : !d->wish.skin && one.listed == d->scene.parts[0].skin;
    if (worn)
        d->skin = skins->len;
    g_array_append_val(skins, one);
}

/* NAME of a file STEM_NAME.skin, NULL for others. */
static char *skin_name(const char *file, const char *stem, size_t length) {
    if (!g_str_has_suffix(file, ".skin") || g_ascii_strncasecmp(file, stem, length) != 0 ||
        file[length] != '_')
        return NULL;
    char *name = g_strndup(file + length + 1, strlen(file) - length - 1 - strlen(".skin"));
    if (!strpbrk(name, "./=") && *name)
        return name;
    g_free(name);
    return NULL;
}

static bool is_picture(const char *file) {
    static const char *const ends[] = {".pcx", ".tga", ".png", ".jpg", ".jpeg"};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (tool_same_text(tool_extension(file), ends[i]))
            return true;
    return false;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the files beside the first part, sorted; an archive's folder as well. */
static GPtrArray *files_beside(const char *path) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    size_t length = tool_archive_length(path);
    lm_error error;
    lm_archive *archive = length > 0 ? tool_archive(path, length, &error) : NULL;
    size_t folder = (size_t)(strrchr(path, '/') ? strrchr(path, '/') + 1 - path : 0);
    for (size_t i = 0; archive && i < lm_archive_num_members(archive); i++) {
        const char *member = lm_archive_member(archive, i)->path;
        size_t inside = folder > length ? folder - length - 1 : 0;
        if (strncmp(member, path + length + 1, inside) == 0 && !strchr(member + inside, '/'))
            g_ptr_array_add(names, g_strdup(member + inside));
    }
    char *where = g_path_get_dirname(path);
    GDir *dir = length > 0 ? NULL : g_dir_open(where, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));)
        g_ptr_array_add(names, g_strdup(name));
    if (dir)
        g_dir_close(dir);
    g_free(where);
    g_ptr_array_sort(names, compare_names);
    return names;
}

static void add_files(document *d, GArray *skins, bool pictures) {
    const char *path = d->scene.members[0].path;
    size_t length;
    const char *stem = tool_stem(path, &length);
    GPtrArray *names = files_beside(path);
    int folder = (int)(strlen(path) - strlen(tool_base_name(path)));
    for (guint i = 0; i < names->len; i++) {
        const char *file = names->pdata[i];
        char *skin = skin_name(file, stem, length);
        if (!skin && pictures && is_picture(file))
            skin = g_strdup_printf("%.*s%s", folder, path, file);
        if (skin)
            add_skin(d, skins, (document_skin){shown_text(file), skin, 0});
    }
    g_ptr_array_unref(names);
}

void companions_list_skins(document *d) {
    const lm_model *model = document_model(d);
    GArray *skins = g_array_new(FALSE, FALSE, sizeof(document_skin));
    uint32_t listed = model->num_skins;
    d->skin = UINT32_MAX;
    for (uint32_t i = 0; i < listed; i++)
        add_skin(d, skins, (document_skin){shown_text(model->skins[i]), NULL, i});
    if (listed == 0)
        add_skin(d, skins, (document_skin){g_strdup("Default"), NULL, 0});
    add_files(d, skins, (model->abilities & LM_ABILITY_SKINS) != 0);
    d->num_skins = skins->len;
    d->skins = (document_skin *)(void *)g_array_free(skins, FALSE);
    if (d->skin > d->num_skins)
        d->skin = d->num_skins;
}
