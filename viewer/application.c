/* The viewer as an application: its style, its keys and its arguments. */
#include "window.h"

#include "display_text.h"
#include "lerpmesh/base.h"
#include "text.h"

#include <string.h>
#ifdef LERPMESH_ADWAITA
#include <adwaita.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Bytes. glibc's own limit grows with the blocks that are freed. */
#define LARGE_BLOCK (128 << 10)

/* ---- Actions ------------------------------------------------------------------------------- */

static void about(GSimpleAction *action, GVariant *parameter, gpointer user) {
    GtkApplication *application = user;
    gtk_show_about_dialog(gtk_application_get_active_window(application), "program-name",
                          TEXT_PROGRAM, "version", lm_version(), "logo-icon-name",
                          "org.lerpmesh.Viewer", "license-type", GTK_LICENSE_MIT_X11, "comments",
                          _("Shows the keyframe meshes of id Software's games"), NULL);
}

static void quit(GSimpleAction *action, GVariant *parameter, gpointer user) {
    GList *windows = g_list_copy(gtk_application_get_windows(user));
    for (GList *i = windows; i; i = i->next)
        gtk_window_close(i->data); /* which remembers its settings */
    g_list_free(windows);
    g_application_quit(user);
}

/* ---- The style ----------------------------------------------------------------------------- */

/* Starts libadwaita's style, or keeps GTK's. Either follows the desktop's preference for dark
 * windows from now on, and sets GtkSettings to it. Without a portal, GTK's own settings stay. */
#ifdef LERPMESH_ADWAITA
static void start_style(void) {
    adw_init();
}
#else
/* org.freedesktop.portal.Settings has color-scheme in org.freedesktop.appearance: 0 no preference,
 * 1 dark, 2 light. */
#define APPEARANCE "org.freedesktop.appearance"
#define SCHEME "color-scheme"

static void apply_scheme(GVariant *value) {
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

static void scheme_changed(GDBusProxy *proxy, const char *sender, const char *signal,
                           GVariant *arguments, gpointer user) {
    const char *group, *key;
    g_autoptr(GVariant) value = NULL;
    if (strcmp(signal, "SettingChanged") != 0 ||
        !g_variant_is_of_type(arguments, G_VARIANT_TYPE("(ssv)")))
        return;
    g_variant_get(arguments, "(&s&sv)", &group, &key, &value);
    if (strcmp(group, APPEARANCE) == 0 && strcmp(key, SCHEME) == 0)
        apply_scheme(value);
}

static void answered(GObject *source, GAsyncResult *result, gpointer user) {
    g_autoptr(GVariant) answer = g_dbus_proxy_call_finish(G_DBUS_PROXY(source), result, NULL);
    if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(v)"))) {
        g_autoptr(GVariant) value = g_variant_get_child_value(answer, 0);
        apply_scheme(value);
    }
}

/* The proxy lives as long as the program, to receive changes. */
static void connected(GObject *source, GAsyncResult *result, gpointer user) {
    GDBusProxy *proxy = g_dbus_proxy_new_for_bus_finish(result, NULL);
    if (!proxy)
        return;
    g_signal_connect(proxy, "g-signal", G_CALLBACK(scheme_changed), NULL);
    g_dbus_proxy_call(proxy, "Read", g_variant_new("(ss)", APPEARANCE, SCHEME),
                      G_DBUS_CALL_FLAGS_NONE, -1, NULL, answered, NULL);
}

static void start_style(void) {
    g_dbus_proxy_new_for_bus(G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL,
                             "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                             "org.freedesktop.portal.Settings", NULL, connected, NULL);
}
#endif

/* ---- The keyboard shortcuts ---------------------------------------------------------------- */

/* Keys with Control work everywhere. Plain keys only work if the focused widget does not use them:
 * Space still presses a button, and arrows still move in a list. */

/* The keys of f3d, and a few more. */
static const struct {
    const char *key, *action, *target; /* a GVariant as text, or NULL */
} keys[] = {
    {"space", "win.play", NULL},
    {"Left", "win.previous", NULL},
    {"Right", "win.next", NULL},
    {"w", "win.next-clip", NULL},
    {"<Shift>w", "win.previous-clip", NULL},
    {"comma", "win.step", "-1"},
    {"period", "win.step", "1"},
    {"b", "win.backwards", NULL},
    {"i", "win.interpolate", NULL},
    {"bracketleft", "win.scale-speed", "0.8"},
    {"bracketright", "win.scale-speed", "1.25"},
    {"e", "win.edges", NULL},
    {"g", "win.grid", NULL},
    {"x", "win.axes", NULL},
    {"t", "win.tags", NULL},
    {"o", "win.box", NULL},
    {"s", "win.next-shade", NULL},
    {"u", "win.uv", NULL},
    {"KP_1", "win.view", "'front'"}, /* if an action has two keys, menus show the last */
    {"KP_3", "win.view", "'side'"},
    {"KP_7", "win.view", "'top'"},
    {"KP_9", "win.view", "'iso'"},
    {"KP_0", "win.view", "'eye'"},
    {"1", "win.view", "'front'"},
    {"3", "win.view", "'side'"},
    {"7", "win.view", "'top'"},
    {"9", "win.view", "'iso'"},
    {"0", "win.view", "'eye'"},
    {"KP_Enter", "win.reset-camera", NULL},
    {"Return", "win.reset-camera", NULL},
    {"<Shift>Left", "win.rotate", "(-15.0, 0.0)"},
    {"<Shift>Right", "win.rotate", "(15.0, 0.0)"},
    {"<Shift>Up", "win.rotate", "(0.0, 15.0)"},
    {"<Shift>Down", "win.rotate", "(0.0, -15.0)"},
    {"plus", "win.zoom", "1.25"},
    {"equal", "win.zoom", "1.25"},
    {"minus", "win.zoom", "0.8"},
    {"Escape", "win.back", NULL},
    {"h", "win.fit", NULL},
};

static const struct {
    const char *action, *keys[3];
} accelerators[] = {
    {"win.open", {"<Control>o"}},         {"win.open-folder", {"<Control><Shift>o"}},
    {"win.reload", {"F5", "<Control>r"}}, {"win.export", {"<Control>e"}},
    {"win.undo", {"<Control>z"}},         {"win.redo", {"<Control><Shift>z"}},
    {"win.save-copy", {"<Control>s"}},    {"win.edit-focused", {"F2"}},
    {"win.copy-picture", {"<Control>c"}}, {"win.screenshot", {"F12"}},
    {"win.thumbnails", {"<Control>g"}},   {"win.sidebar", {"F9"}},
    {"win.fullscreen", {"F11"}},          {"window.close", {"<Control>w"}},
    {"app.quit", {"<Control>q"}},         {"win.show-help-overlay", {"F1", "<Control>question"}},
};

static void add_keys_to_window(GtkWidget *window) {
    GtkEventController *controller = gtk_shortcut_controller_new();
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        GtkShortcut *shortcut = gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys[i].key),
                                                 gtk_named_action_new(keys[i].action));
        if (keys[i].target)
            gtk_shortcut_set_arguments(shortcut, g_variant_new_parsed(keys[i].target));
        gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(controller), shortcut);
    }
    gtk_widget_add_controller(window, controller);
}

static void add_accelerators(GtkApplication *application) {
    for (size_t i = 0; i < G_N_ELEMENTS(accelerators); i++)
        gtk_application_set_accels_for_action(application, accelerators[i].action,
                                              accelerators[i].keys);
}

/* ---- Starting ------------------------------------------------------------------------------ */

static void start_up(GApplication *application, gpointer user) {
    static const GActionEntry actions[] = {{.name = "about", .activate = about},
                                           {.name = "quit", .activate = quit}};
    g_autoptr(GtkCssProvider) style = gtk_css_provider_new();
    start_style();
    gtk_css_provider_load_from_resource(style, "/org/lerpmesh/Viewer/style.css");
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    gtk_window_set_default_icon_name("lerpmesh-window"); /* a PNG: librsvg takes 8 MB */
    g_action_map_add_action_entries(G_ACTION_MAP(application), actions, G_N_ELEMENTS(actions),
                                    application);
    add_accelerators(GTK_APPLICATION(application));
}

/* Creates the shortcuts window on the first use. After that, GTK provides an action of the same
 * name. */
static void show_help(GSimpleAction *action, GVariant *parameter, gpointer user) {
    g_autoptr(GtkBuilder) builder =
        gtk_builder_new_from_resource("/org/lerpmesh/Viewer/shortcuts.ui");
    GtkShortcutsWindow *help =
        GTK_SHORTCUTS_WINDOW(gtk_builder_get_object(builder, "help_overlay"));
    gtk_application_window_set_help_overlay(GTK_APPLICATION_WINDOW(user), help);
    gtk_window_present(GTK_WINDOW(help));
}

GtkWidget *viewer_application_add_window(GtkApplication *application, const char *const *games,
                                         const char *const *paths) {
    static const GActionEntry actions[] = {{.name = "show-help-overlay", .activate = show_help}};
    GtkWidget *window = viewer_window_new(application, games);
    g_action_map_add_action_entries(G_ACTION_MAP(window), actions, G_N_ELEMENTS(actions), window);
    add_keys_to_window(window);
    if (paths)
        viewer_window_open(VIEWER_WINDOW(window), paths);
    gtk_window_present(GTK_WINDOW(window)); /* without the recent files if it opens a path */
    return window;
}

static void activate(GApplication *application, gpointer user) {
    viewer_application_add_window(GTK_APPLICATION(application), NULL, NULL);
}

/* Makes paths absolute, relative to the calling process. Absolute ones stay, including paths into
 * an archive. */
static char **absolute(GApplicationCommandLine *line, char **paths) {
    const char *cwd = g_application_command_line_get_cwd(line);
    guint count = paths ? g_strv_length(paths) : 0;
    char **out = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++)
        out[i] = g_path_is_absolute(paths[i]) || !cwd ? g_strdup(paths[i])
                                                      : g_build_filename(cwd, paths[i], NULL);
    return out;
}

static char **option(GVariantDict *options, const char *name) {
    char **values = NULL;
    g_variant_dict_lookup(options, name, "^aay", &values);
    return values;
}

static int command_line(GApplication *application, GApplicationCommandLine *line, gpointer user) {
    GVariantDict *options = g_application_command_line_get_options_dict(line);
    g_auto(GStrv) given = option(options, G_OPTION_REMAINING),
                  games_given = option(options, "game");
    g_auto(GStrv) paths = absolute(line, given), games = absolute(line, games_given);
    viewer_application_add_window(GTK_APPLICATION(application), (const char *const *)games,
                                  (const char *const *)paths);
    return 0;
}

#ifdef __linux__
static bool has_gpu(void) {
    static const char *const devices[] = {"/dev/nvidia0", "/dev/dxg"};
    const char *software = g_getenv("LIBGL_ALWAYS_SOFTWARE");
    bool found = false;
    if (software && (strcmp(software, "1") == 0 || strcmp(software, "true") == 0))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(devices); i++)
        found = found || g_file_test(devices[i], G_FILE_TEST_EXISTS);
    g_autoptr(GDir) dir = g_dir_open("/dev/dri", 0, NULL);
    for (const char *name; dir && !found && (name = g_dir_read_name(dir));)
        found = g_str_has_prefix(name, "renderD");
    return found;
}

/* Without a GPU, GTK draws its widgets without OpenGL: a frame takes a third of the time, and a
 * window half. */
static void choose_renderer(void) {
    if (!has_gpu())
        g_setenv("GSK_RENDERER", "cairo", FALSE);
}
#else
static void choose_renderer(void) {}
#endif

GtkApplication *viewer_application_new(void) {
    const GOptionEntry options[] = {
        {"game", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, TEXT_OPTION_GAME, TEXT_DIR},
        {"version", 0, 0, G_OPTION_ARG_NONE, NULL, TEXT_OPTION_VERSION, NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, TEXT_FILES},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    choose_renderer();
#ifdef M_MMAP_THRESHOLD
    /* Makes large blocks return to the system when they are freed: pixels, files of archives. */
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
#endif
    g_set_application_name(TEXT_PROGRAM);
    GtkApplication *application =
        gtk_application_new("org.lerpmesh.Viewer", G_APPLICATION_HANDLES_COMMAND_LINE);
    g_application_add_main_option_entries(G_APPLICATION(application), options);
    g_autofree char *formats = display_formats(TEXT_AND);
    g_autofree char *summary = g_strdup_printf(TEXT_SUMMARY, formats);
    g_application_set_option_context_summary(G_APPLICATION(application), summary);
    g_signal_connect(application, "startup", G_CALLBACK(start_up), NULL);
    g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
    g_signal_connect(application, "command-line", G_CALLBACK(command_line), NULL);
    return application;
}
