/* The recent files: a menu, and a list where nothing is open. */
#include "window_private.h"

#include "rows.h"
#include "text.h"

#include <string.h>

#define MAX_LISTED 5 /* in the list where nothing is open */
#define MAX_RECENT 12

#define MAX_FOLDER 40 /* characters of a folder's path, of which the end stays */

/* Returns a file's folder: "~/baseq3", "…quake3/baseq3". */
static char *short_folder(const char *path) {
    const char *home = g_get_home_dir();
    char *folder = g_path_get_dirname(path);
    size_t length = strlen(home);
    bool inside = strncmp(folder, home, length) == 0 && (!folder[length] || folder[length] == '/');
    char *from_home = inside ? g_strconcat("~", folder + length, NULL) : g_strdup(folder);
    glong count = g_utf8_strlen(from_home, -1);
    char *out = count > MAX_FOLDER
                    ? g_strconcat(TEXT_ELLIPSIS,
                                  g_utf8_offset_to_pointer(from_home, count - MAX_FOLDER), NULL)
                    : g_strdup(from_home);
    g_free(from_home);
    g_free(folder);
    return out;
}

/* Returns a label that shows underscores; a single one would mark a mnemonic. */
static char *recent_label(const char *name, const char *folder) {
    char *text = g_strdup_printf(TEXT_RECENT_FILE, name, folder);
    char **parts = g_strsplit(text, "_", -1), *label = g_strjoinv("__", parts);
    g_strfreev(parts);
    g_free(text);
    return label;
}

/* Adds a file to the menu, and to the list unless that is NULL. Returns false for other files. */
static bool add_recent(GMenu *menu, GtkWidget *list, GtkRecentInfo *info) {
    const char *name = gtk_recent_info_get_display_name(info);
    char *path = g_filename_from_uri(gtk_recent_info_get_uri(info), NULL, NULL);
    bool shown = path && g_utf8_validate(path, -1, NULL);
    if (shown) {
        char *folder = short_folder(path), *label = recent_label(name, folder);
        GMenuItem *item = g_menu_item_new(label, NULL);
        g_menu_item_set_action_and_target(item, "win.open-path", "s", path);
        g_menu_append_item(menu, item);
        if (list)
            rows_add_action(list, name, folder, "win.open-path", path);
        g_object_unref(item);
        g_free(folder);
        g_free(label);
    }
    g_free(path);
    return shown;
}

static int compare_recent(gconstpointer a, gconstpointer b) {
    return g_date_time_compare(gtk_recent_info_get_modified((GtkRecentInfo *)b),
                               gtk_recent_info_get_modified((GtkRecentInfo *)a));
}

void window_fill_recent(ViewerWindow *w) {
    GMenu *menu = g_menu_new();
    GList *items =
        g_list_sort(gtk_recent_manager_get_items(gtk_recent_manager_get_default()), compare_recent);
    int count = 0;
    rows_clear(w->recent_box);
    GtkWidget *list = rows_add_group(w->recent_box, TEXT_RECENT_FILES);
    for (GList *i = items; i && count < MAX_RECENT; i = i->next)
        if (gtk_recent_info_has_application(i->data, "lerpmesh-viewer") &&
            gtk_recent_info_exists(i->data))
            count += add_recent(menu, count < MAX_LISTED ? list : NULL, i->data);
    g_list_free_full(items, (GDestroyNotify)gtk_recent_info_unref);
    gtk_widget_set_visible(w->recent_box, count > 0);
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(w->recent_button), G_MENU_MODEL(menu));
    gtk_widget_set_sensitive(w->recent_button, count > 0);
    g_object_unref(menu);
}
