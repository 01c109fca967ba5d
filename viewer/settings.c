#include "settings.h"

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
