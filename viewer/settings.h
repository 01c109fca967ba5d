/* What the viewer remembers between its runs: by GSettings if its schema is installed, otherwise in
 * the key file lerpmesh-viewer/settings.ini in the user's folder for settings. */
#ifndef VIEWER_SETTINGS_H
#define VIEWER_SETTINGS_H

#include <gio/gio.h>
#include <stdbool.h>

typedef struct settings settings;

/* Reads the settings. Without a file, or with one that cannot be read, there are none. */
settings *settings_open(void);
/* Writes the changes, warns on the terminal if that fails, and frees the settings. */
void settings_close(settings *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(settings, settings_close)

/* Returns a value, to be freed with g_variant_unref; NULL: there is none of that type. */
GVariant *settings_get(const settings *s, const char *key, const GVariantType *type);
/* Takes a floating value. */
void settings_set(settings *s, const char *key, GVariant *value);

#endif
