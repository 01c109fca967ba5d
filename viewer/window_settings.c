/* Settings that stay between runs. */
#include "settings.h"
#include "window_private.h"

#include <string.h>

#define MIN_SIZE 300   /* pixels of a window */
#define MAX_SIZE 16384 /* pixels */
#define MAX_GAMES 32   /* remembered folders */

/* Actions whose states stay. Options that change what a model is, such as its skin, do not. */
static const char *const remembered[] = {
    "sidebar", "page",   "uv",   "shade", "edges",     "box",         "grid",       "axes",
    "tags",    "shadow", "mode", "speed", "two-sided", "interpolate", "thumbnails", "sort"};

/* ---- The window ---------------------------------------------------------------------------- */

static int stored_size(const settings *s, const char *key, int otherwise) {
    g_autoptr(GVariant) value = settings_get(s, key, G_VARIANT_TYPE_INT32);
    int size = value ? g_variant_get_int32(value) : otherwise;
    return CLAMP(size, MIN_SIZE, MAX_SIZE);
}

static void restore_size(ViewerWindow *w, const settings *s) {
    int width, height;
    gtk_window_get_default_size(GTK_WINDOW(w), &width, &height);
    gtk_window_set_default_size(GTK_WINDOW(w), stored_size(s, "width", width),
                                stored_size(s, "height", height));
    g_autoptr(GVariant) maximized = settings_get(s, "maximized", G_VARIANT_TYPE_BOOLEAN);
    if (maximized && g_variant_get_boolean(maximized))
        gtk_window_maximize(GTK_WINDOW(w));
}

/* The actions check the values. */
void window_restore(ViewerWindow *w) {
    g_autoptr(settings) s = settings_open();
    int width, height;
    restore_size(w, s);
    gtk_window_get_default_size(GTK_WINDOW(w), &width, &height);
    window_set_panel_width(w, stored_size(s, "panel-width", 0), width);
    for (size_t i = 0; i < G_N_ELEMENTS(remembered); i++) {
        const GVariantType *type =
            g_action_group_get_action_state_type(G_ACTION_GROUP(w), remembered[i]);
        g_autoptr(GVariant) state = settings_get(s, remembered[i], type);
        if (state)
            window_change_state(w, remembered[i], state);
    }
    window_fit_panel(w, width);
}

void window_remember(ViewerWindow *w) {
    g_autoptr(settings) s = settings_open();
    int width, height;
    window_set_full(w, false); /* which hides the side panel, as does a narrow window */
    settings_set(s, "panel-width", g_variant_new_int32(window_panel_width(w)));
    window_fit_panel(w, MAX_SIZE);
    window_set_state(w, "thumbnails", g_variant_new_boolean(w->prefers_grid));
    gtk_window_get_default_size(GTK_WINDOW(w), &width, &height);
    settings_set(s, "width", g_variant_new_int32(width));
    settings_set(s, "height", g_variant_new_int32(height));
    settings_set(s, "maximized", g_variant_new_boolean(gtk_window_is_maximized(GTK_WINDOW(w))));
    for (size_t i = 0; i < G_N_ELEMENTS(remembered); i++) {
        g_autoptr(GVariant) state =
            g_action_group_get_action_state(G_ACTION_GROUP(w), remembered[i]);
        settings_set(s, remembered[i], state);
    }
}

/* ---- Folders ------------------------------------------------------------------------------- */

char *window_last_folder(void) {
    g_autoptr(settings) s = settings_open();
    g_autoptr(GVariant) value = settings_get(s, "folder", G_VARIANT_TYPE_BYTESTRING);
    return value ? g_variant_dup_bytestring(value, NULL) : NULL;
}

void window_remember_folder(const char *folder) {
    g_autoptr(settings) s = settings_open();
    settings_set(s, "folder", g_variant_new_bytestring(folder));
}

#define GAMES_TYPE "a(ayay)" /* folders of models, and their games; the latest first */

/* Returns whether a path is a folder or below it. */
static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

char *window_game_of(const char *path) {
    g_autoptr(settings) s = settings_open();
    g_autoptr(GVariant) games = settings_get(s, "games", G_VARIANT_TYPE(GAMES_TYPE));
    const char *folder, *game, *found = NULL;
    size_t longest = 0;
    GVariantIter iter;
    if (games)
        g_variant_iter_init(&iter, games);
    while (games && g_variant_iter_next(&iter, "(^&ay^&ay)", &folder, &game))
        if (is_below(path, folder) && strlen(folder) > longest) {
            longest = strlen(folder);
            found = game;
        }
    return found && g_file_test(found, G_FILE_TEST_EXISTS) ? g_strdup(found) : NULL;
}

void window_remember_game(const char *models, const char *chosen) {
    g_autoptr(settings) s = settings_open();
    g_autoptr(GVariant) games = settings_get(s, "games", G_VARIANT_TYPE(GAMES_TYPE));
    GVariantBuilder builder;
    const char *folder, *game;
    GVariantIter iter;
    g_variant_builder_init(&builder, G_VARIANT_TYPE(GAMES_TYPE));
    g_variant_builder_add(&builder, "(^ay^ay)", models, chosen);
    if (games)
        g_variant_iter_init(&iter, games);
    for (int i = 1; games && g_variant_iter_next(&iter, "(^&ay^&ay)", &folder, &game);)
        if (strcmp(folder, models) != 0 && i++ < MAX_GAMES)
            g_variant_builder_add(&builder, "(^ay^ay)", folder, game);
    settings_set(s, "games", g_variant_builder_end(&builder));
}
