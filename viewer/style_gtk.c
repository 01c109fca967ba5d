#include "style.h"

#include <gtk/gtk.h>

#include <string.h>

/* org.freedesktop.portal.Settings has color-scheme in org.freedesktop.appearance: 0 no preference,
 * 1 dark, 2 light. */
#define APPEARANCE "org.freedesktop.appearance"
#define SCHEME "color-scheme"

static void apply(GVariant *value) {
    GVariant *inner = g_variant_ref(value);
    while (g_variant_is_of_type(inner, G_VARIANT_TYPE_VARIANT)) {
        GVariant *next = g_variant_get_variant(inner);
        g_variant_unref(inner);
        inner = next;
    }
    if (g_variant_is_of_type(inner, G_VARIANT_TYPE_UINT32) && g_variant_get_uint32(inner) != 0)
        g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme",
                     g_variant_get_uint32(inner) == 1, NULL);
    g_variant_unref(inner);
}

static void changed(GDBusProxy *proxy, const char *sender, const char *signal, GVariant *arguments,
                    gpointer user) {
    const char *group, *key;
    g_autoptr(GVariant) value = NULL;
    if (strcmp(signal, "SettingChanged") != 0 ||
        !g_variant_is_of_type(arguments, G_VARIANT_TYPE("(ssv)")))
        return;
    g_variant_get(arguments, "(&s&sv)", &group, &key, &value);
    if (strcmp(group, APPEARANCE) == 0 && strcmp(key, SCHEME) == 0)
        apply(value);
}

static void answered(GObject *source, GAsyncResult *result, gpointer user) {
    g_autoptr(GVariant) answer = g_dbus_proxy_call_finish(G_DBUS_PROXY(source), result, NULL);
    if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(v)"))) {
        g_autoptr(GVariant) value = g_variant_get_child_value(answer, 0);
        apply(value);
    }
}

/* The proxy lives as long as the program, to receive changes. */
static void connected(GObject *source, GAsyncResult *result, gpointer user) {
    GDBusProxy *proxy = g_dbus_proxy_new_for_bus_finish(result, NULL);
    if (!proxy)
        return;
    g_signal_connect(proxy, "g-signal", G_CALLBACK(changed), NULL);
    g_dbus_proxy_call(proxy, "Read", g_variant_new("(ss)", APPEARANCE, SCHEME),
                      G_DBUS_CALL_FLAGS_NONE, -1, NULL, answered, NULL);
}

void style_start(void) {
    g_dbus_proxy_new_for_bus(G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL,
                             "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                             "org.freedesktop.portal.Settings", NULL, connected, NULL);
}
