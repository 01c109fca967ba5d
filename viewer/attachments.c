#include "attachments.h"
#include "internals.h"

#include <string.h>

#define BARREL_TAG "tag_barrel"

/* ---- Lists ----------------------------------------------------------------------------------- */

static void add_pair(GPtrArray *list, const char *tag, const char *path) {
    g_ptr_array_add(list, g_strdup(tag));
    g_ptr_array_add(list, g_strdup(path));
}

static char **end_list(GPtrArray *list) {
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

/* Returns "shotgun_barrel.md3" for "shotgun.md3". Free it with g_free. */
static char *barrel_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? g_strdup_printf("%.*s_barrel%s", (int)(dot - path), path, dot) : g_strdup("");
}

char **attachments_without(char **list, const char *path) {
    GPtrArray *kept = g_ptr_array_new();
    g_autofree char *barrel = barrel_of(path);
    for (size_t i = 0; list && list[i]; i += 2)
        if (strcmp(list[i + 1], path) != 0 && strcmp(list[i + 1], barrel) != 0)
            add_pair(kept, list[i], list[i + 1]);
    return end_list(kept);
}

/* Returns the list without the model at a tag. */
static char **without_tag(char **list, const char *tag) {
    for (size_t i = 0; list && list[i]; i += 2)
        if (g_ascii_strcasecmp(list[i], tag) == 0)
            return attachments_without(list, list[i + 1]);
    return g_strdupv(list);
}

char **attachments_with(char **list, const char *tag, const char *path, char **paths) {
    g_auto(GStrv) others = without_tag(list, tag);
    g_autofree char *barrel = barrel_of(path);
    GPtrArray *with = g_ptr_array_new();
    for (size_t i = 0; others && others[i]; i += 2)
        add_pair(with, others[i], others[i + 1]);
    add_pair(with, tag, path);
    if (paths && g_strv_contains((const char *const *)paths, barrel))
        add_pair(with, BARREL_TAG, barrel);
    return end_list(with);
}

/* ---- Models at hand -------------------------------------------------------------------------- */

/* Parts of weapons that the games attach to them, or show in the player's view. */
static bool is_part_of_weapon(const char *name) {
    static const char *const ends[] = {"_hand.", "_flash.", "_barrel.", "_view.", "_1.", "_2."};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (strstr(name, ends[i]))
            return true;
    return false;
}

static bool is_weapon(const char *path, const char *body) {
    g_autofree char *folder = g_path_get_dirname(path), *other = g_path_get_dirname(body);
    g_autofree char *lower = g_ascii_strdown(path, -1), *name = g_path_get_basename(lower);
    const bool own = strcmp(folder, other) == 0 &&
                     (g_str_has_prefix(name, "weapon") || g_str_has_prefix(name, "w_"));
    return own ||
           ((strstr(lower, "weapons/") || strstr(lower, "weapons2/")) && !is_part_of_weapon(name));
}

char **attachments_at_hand(char **paths, const char *body) {
    GPtrArray *sorted = g_ptr_array_new();
    for (unsigned rest = 0; rest < 2; rest++)
        for (size_t i = 0; paths && paths[i]; i++)
            if (strcmp(paths[i], body) != 0 && is_weapon(paths[i], body) == (rest == 0))
                g_ptr_array_add(sorted, g_strdup(paths[i]));
    return end_list(sorted);
}

/* Adds the weapons of an archive or a folder. */
static void add_weapons(lm_vfs *vfs, const char *path, const char *body, GPtrArray *out) {
    lm_path_list *models = lm_vfs_models(vfs, path);
    for (uint32_t i = 0; models && i < models->num_paths; i++) {
        const char *model = models->paths[i].path;
        if (!models->paths[i].problem && is_weapon(model, body) &&
            !g_ptr_array_find_with_equal_func(out, model, g_str_equal, NULL))
            g_ptr_array_add(out, g_strdup(model));
    }
    lm_path_list_free(models);
}

static void add_weapons_of_archives(lm_vfs *vfs, const char *folder, const char *body,
                                    GPtrArray *out) {
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (lm_archive_is(path))
            add_weapons(vfs, path, body, out);
    }
}

char **attachments_weapons(lm_vfs *vfs, const char *body) {
    static const char *const folders[] = {"weapons", "weapons2"};
    GPtrArray *out = g_ptr_array_new();
    const size_t archive = lm_vfs_archive_length(vfs, body);
    const char *models = archive > 0 ? NULL : g_strrstr(body, "/models/");
    if (archive > 0) {
        g_autofree char *path = g_strndup(body, archive), *folder = g_path_get_dirname(path);
        add_weapons_of_archives(vfs, folder, body, out);
    }
    for (size_t i = 0; models && i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path =
            g_strdup_printf("%.*s/models/%s", (int)(models - body), body, folders[i]);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            add_weapons(vfs, path, body, out);
    }
    return end_list(out);
}

char **attachments_tags(const lm_scene *scene) {
    GPtrArray *tags = g_ptr_array_new();
    for (unsigned rest = 0; rest < 2; rest++)
        for (uint32_t i = 0; i < scene->num_parts; i++)
            for (uint32_t k = 0; k < scene->parts[i].model->num_tags; k++) {
                const char *name = scene->parts[i].model->tags[k].name;
                const bool weapon = strstr(name, "weapon") != NULL;
                if (weapon == (rest == 0) &&
                    !g_ptr_array_find_with_equal_func(tags, name, g_str_equal, NULL))
                    g_ptr_array_add(tags, g_strdup(name));
            }
    return end_list(tags);
}
