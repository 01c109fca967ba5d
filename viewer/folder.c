#include "folder.h"

#include <string.h>

/* ---- Order --------------------------------------------------------------------------------- */

static size_t digits(const char *text) {
    return strspn(text, "0123456789");
}

/* "a2" before "a10", letters in either case; names are bytes, not always UTF-8. */
static int compare_names(const char *x, const char *y) {
    while (*x && *y) {
        size_t m = digits(x), n = digits(y);
        bool numbers = m > 0 && n > 0;
        size_t zeros_x = numbers ? strspn(x, "0") : 0, zeros_y = numbers ? strspn(y, "0") : 0;
        int order = numbers && m - zeros_x != n - zeros_y
                        ? (m - zeros_x > n - zeros_y ? 1 : -1)
                        : g_ascii_tolower(x[zeros_x]) - g_ascii_tolower(y[zeros_y]);
        if (numbers && order == 0)
            order = strncmp(x + zeros_x, y + zeros_y, m - zeros_x);
        if (order)
            return order;
        x += numbers ? m : 1;
        y += numbers ? n : 1;
    }
    return (int)(*x != 0) - (int)(*y != 0);
}

static int compare_paths(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = compare_names(x, y);
    return order ? order : strcmp(x, y);
}

static char **sorted(GPtrArray *list) {
    g_ptr_array_sort(list, compare_paths);
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

/* The models in the folder that `path` is in, which stays spelled as it is. */
static char **siblings(const char *path) {
    GPtrArray *list = g_ptr_array_new();
    char *folder = g_path_get_dirname(path);
    size_t before = strrchr(path, '/') ? (size_t)(strrchr(path, '/') + 1 - path) : 0;
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        char *sibling = g_strdup_printf("%.*s%s", (int)before, path, name);
        bool wanted = strcmp(sibling, path) == 0 || (lm_path_is_model(name) && name[0] != '.' &&
                                                     g_file_test(sibling, G_FILE_TEST_IS_REGULAR));
        if (wanted)
            g_ptr_array_add(list, sibling);
        else
            g_free(sibling);
    }
    if (dir)
        g_dir_close(dir);
    g_free(folder);
    return sorted(list);
}

/* ---- Players ------------------------------------------------------------------------------- */

/* A path without its last extension, in small letters; `base` is set to where its last part is. */
static char *key_of(const char *path, size_t *base) {
    char *key = g_ascii_strdown(path, -1), *dot = strrchr(key, '.');
    const char *slash = strrchr(key, '/'), *colon = strrchr(key, ':');
    const char *before = slash ? slash : colon;
    *base = before ? (size_t)(before + 1 - key) : 0;
    if (dot && dot > key + *base)
        *dot = 0;
    return key;
}

static bool has_beside(GHashTable *keys, const char *key, size_t base, const char *name) {
    char *other = g_strdup_printf("%.*s%s", (int)base, key, name);
    bool has = g_hash_table_contains(keys, other);
    g_free(other);
    return has;
}

bool *folder_players(char *const *list) {
    guint count = list ? g_strv_length((char **)(void *)list) : 0;
    GHashTable *keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool *players = g_new0(bool, count + 1);
    size_t base;
    for (guint i = 0; i < count; i++)
        g_hash_table_add(keys, key_of(list[i], &base));
    for (guint i = 0; i < count; i++) {
        char *key = key_of(list[i], &base);
        if (strcmp(key + base, "lower") == 0)
            players[i] =
                has_beside(keys, key, base, "upper") && has_beside(keys, key, base, "head");
        else if (strcmp(key + base, "tris") == 0)
            players[i] = has_beside(keys, key, base, "weapon");
        g_free(key);
    }
    g_hash_table_unref(keys);
    return players;
}

/* Appends a list that is given away, players first. */
static void take_players_first(GPtrArray *out, char **list) {
    bool *players = folder_players(list);
    for (int rest = 0; rest < 2; rest++)
        for (guint i = 0; list[i]; i++)
            if (players[i] == (rest == 0))
                g_ptr_array_add(out, list[i]);
    g_free(players);
    g_free(list);
}

/* ---- What was named ------------------------------------------------------------------------ */

/* Folders and archives become what is in them. What stands for nothing stays, for the sentence to
 * come when it is opened. */
static char **expanded(lm_disk *disk, const char *const *paths, char **sentence) {
    GPtrArray *list = g_ptr_array_new();
    for (; *paths; paths++) {
        lm_path_list *models = lm_disk_models(disk, *paths);
        GPtrArray *here = g_ptr_array_new();
        for (uint32_t i = 0; models && i < models->num_paths; i++)
            g_ptr_array_add(here, g_strdup(models->paths[i].path));
        if (models && list->len == 0 && here->len == 1 && models->paths[0].problem)
            *sentence = g_strdup(models->paths[0].problem->message);
        lm_path_list_free(models);
        g_ptr_array_add(here, NULL);
        take_players_first(list, (char **)g_ptr_array_free(here, FALSE));
    }
    if (list->len != 1)
        g_clear_pointer(sentence, g_free);
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

/* The file in an archive that a path names, in the archive's own spelling; NULL: there is none. */
static char *member_of(lm_disk *disk, const char *path, size_t archive) {
    lm_archive *opened = lm_disk_archive(disk, path, archive, NULL);
    const lm_member *member = opened ? lm_archive_find(opened, path + archive + 1) : NULL;
    return member ? g_strdup_printf("%.*s:%s", (int)archive, path, member->path) : NULL;
}

/* A player's folder begins with his body. */
static char *first_of(lm_disk *disk, char *const *list, const char *path) {
    char body[4096];
    bool player = !lm_archive_is(path) && lm_disk_player(disk, path, body, sizeof body, NULL) &&
                  folder_index(list, body) >= 0;
    return g_strdup(player ? body : list[0] ? list[0] : path);
}

folder_listing folder_list(lm_disk *disk, const char *const *paths) {
    const char *path = paths[0];
    folder_listing listing = {0};
    size_t archive = paths[1] ? 0 : lm_disk_archive_length(disk, path);
    if (archive > 0)
        listing.first = member_of(disk, path, archive);
    if (listing.first) {
        char *whole = g_strndup(path, archive);
        listing.paths = expanded(disk, (const char *const[]){whole, NULL}, &listing.sentence);
        g_free(whole);
    } else if (paths[1] || archive > 0 || lm_disk_is_folder(path) || lm_archive_is(path)) {
        listing.several = true;
        listing.paths = expanded(disk, paths, &listing.sentence);
        listing.first = first_of(disk, listing.paths, path);
    } else {
        listing.paths = siblings(path);
        listing.first = g_strdup(path);
    }
    return listing;
}

void folder_listing_clear(folder_listing *listing) {
    g_strfreev(listing->paths);
    g_free(listing->first);
    g_free(listing->sentence);
    *listing = (folder_listing){0};
}

/* ---- Neighbours ---------------------------------------------------------------------------- */

int folder_index(char *const *list, const char *path) {
    for (int i = 0; list && list[i]; i++)
        if (strcmp(list[i], path) == 0)
            return i;
    return -1;
}

const char *folder_neighbour(char *const *list, const char *path, int step) {
    int count = list ? (int)g_strv_length((char **)(void *)list) : 0;
    int index = folder_index(list, path);
    if (count == 0 || (count == 1 && index == 0))
        return NULL;
    if (index < 0) /* it is gone: begin at an end */
        return list[step > 0 ? 0 : count - 1];
    return list[((index + step) % count + count) % count];
}
