#include "folder.h"

#include <string.h>

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

/* Folders and archives become what is in them. What stands for nothing stays, for the sentence to
 * come when it is opened. */
static char **expanded(lm_disk *disk, const char *const *paths, char **sentence) {
    GPtrArray *list = g_ptr_array_new();
    for (; *paths; paths++) {
        lm_path_list *models = lm_disk_models(disk, *paths);
        for (uint32_t i = 0; models && i < models->num_paths; i++)
            g_ptr_array_add(list, g_strdup(models->paths[i].path));
        if (models && list->len == 1 && models->paths[0].problem)
            *sentence = g_strdup(models->paths[0].problem->message);
        lm_path_list_free(models);
    }
    if (list->len != 1)
        g_clear_pointer(sentence, g_free);
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

/* A folder that is a player's begins with his body. */
static guint start_of(lm_disk *disk, char *const *list, const char *argument) {
    char body[4096];
    if (!lm_disk_is_folder(argument) || !lm_disk_player(disk, argument, body, sizeof body))
        return 0;
    int index = folder_index(list, body);
    return index > 0 ? (guint)index : 0;
}

char **folder_list(lm_disk *disk, const char *const *paths, guint *start, char **sentence) {
    const char *path = paths[0];
    char **list;
    *start = 0;
    *sentence = NULL;
    size_t archive = lm_disk_archive_length(disk, path);
    if (paths[1] || lm_disk_is_folder(path) || lm_archive_is(path)) {
        list = expanded(disk, paths, sentence);
        *start = start_of(disk, list, path);
    } else if (archive > 0) {
        char *whole = g_strndup(path, archive);
        list = expanded(disk, (const char *const[]){whole, NULL}, sentence);
        g_free(whole);
    } else {
        list = siblings(path);
    }
    if (!paths[1] && *start == 0 && folder_index(list, path) > 0)
        *start = (guint)folder_index(list, path);
    return list;
}

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
