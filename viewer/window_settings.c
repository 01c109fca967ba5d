/* What the viewer remembers between its runs: by GSettings if its schema is installed, otherwise in
 * the key file lerpmesh-viewer/settings.ini in the user's folder for settings. */
#include "window_private.h"

#include <string.h>

/* ---- Storage ------------------------------------------------------------------------------- */

#define SCHEMA "org.lerpmesh.Viewer"
#define FOLDER "lerpmesh-viewer"
#define FILE_NAME "settings.ini"
#define GROUP "settings"

struct settings {
    GSettings *installed; /* NULL: the schema is not installed */
    GKeyFile *file;       /* of values as GVariant's text */
    char *path;
};

/* GSettings ends the program if a schema or a key is missing. */
static GSettings *find_installed(void) {
    GSettingsSchemaSource *source = g_settings_schema_source_get_default();
    g_autoptr(GSettingsSchema) schema =
        source ? g_settings_schema_source_lookup(source, SCHEMA, TRUE) : NULL;
    return schema ? g_settings_new_full(schema, NULL, NULL) : NULL;
}

static bool has_key(const settings *s, const char *key) {
    g_autoptr(GSettingsSchema) schema = NULL;
    g_object_get(s->installed, "settings-schema", &schema, NULL);
    return g_settings_schema_has_key(schema, key);
}

settings *settings_open(void) {
    settings *s = g_new0(settings, 1);
    s->installed = find_installed();
    s->file = g_key_file_new();
    s->path = g_build_filename(g_get_user_config_dir(), FOLDER, FILE_NAME, NULL);
    if (!s->installed)
        g_key_file_load_from_file(s->file, s->path, G_KEY_FILE_NONE, NULL);
    return s;
}

static void write_file(const settings *s) {
    g_autofree char *folder = g_path_get_dirname(s->path);
    g_autoptr(GError) error = NULL;
    g_mkdir_with_parents(folder, 0700);
    if (!g_key_file_save_to_file(s->file, s->path, &error))
        g_warning("%s", error->message);
}

void settings_close(settings *s) {
    if (s->installed)
        g_settings_sync();
    else if (g_key_file_has_group(s->file, GROUP))
        write_file(s);
    g_clear_object(&s->installed);
    g_key_file_unref(s->file);
    g_free(s->path);
    g_free(s);
}

GVariant *settings_get(const settings *s, const char *key, const GVariantType *type) {
    if (s->installed) {
        g_autoptr(GVariant) value =
            has_key(s, key) ? g_settings_get_value(s->installed, key) : NULL;
        return value && g_variant_is_of_type(value, type) ? g_steal_pointer(&value) : NULL;
    }
    g_autofree char *text = g_key_file_get_value(s->file, GROUP, key, NULL);
    return text ? g_variant_parse(type, text, NULL, NULL, NULL) : NULL;
}

void settings_set(settings *s, const char *key, GVariant *value) {
    g_autoptr(GVariant) taken = g_variant_ref_sink(value);
    if (s->installed && has_key(s, key)) {
        g_settings_set_value(s->installed, key, taken);
    } else if (!s->installed) {
        g_autofree char *text = g_variant_print(taken, FALSE);
        g_key_file_set_value(s->file, GROUP, key, text);
    }
}

/* ---- The window ---------------------------------------------------------------------------- */

#define MIN_SIZE 300   /* pixels of a window */
#define MAX_SIZE 16384 /* pixels */
#define MAX_GAMES 32   /* remembered folders */

/* Actions whose states stay. Options that change what a model is, such as its skin, do not. */
static const char *const remembered[] = {
    "sidebar", "page",   "uv",   "shade", "edges",     "box",         "grid",       "axes",
    "tags",    "shadow", "mode", "speed", "two-sided", "interpolate", "thumbnails", "sort"};

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
    if (w->left_clips)
        window_set_state(w, "page", g_variant_new_string("clips"));
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
