#include "application.h"

#include "display_text.h"
#include "keys.h"
#include "lerpmesh/base.h"
#include "style.h"
#include "text.h"
#include "window.h"

#include <string.h>
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
                          TEXT_ABOUT, NULL);
}

static void quit(GSimpleAction *action, GVariant *parameter, gpointer user) {
    GList *windows = g_list_copy(gtk_application_get_windows(user));
    for (GList *i = windows; i; i = i->next)
        gtk_window_close(i->data); /* which remembers its settings */
    g_list_free(windows);
    g_application_quit(user);
}

/* ---- Starting ------------------------------------------------------------------------------ */

static void start_up(GApplication *application, gpointer user) {
    static const GActionEntry actions[] = {{.name = "about", .activate = about},
                                           {.name = "quit", .activate = quit}};
    g_autoptr(GtkCssProvider) style = gtk_css_provider_new();
    style_start();
    gtk_css_provider_load_from_resource(style, "/org/lerpmesh/Viewer/style.css");
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    gtk_window_set_default_icon_name("lerpmesh-window"); /* a PNG: librsvg takes 8 MB */
    g_action_map_add_action_entries(G_ACTION_MAP(application), actions, G_N_ELEMENTS(actions),
                                    application);
    keys_add_to_application(GTK_APPLICATION(application));
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
    keys_add_to_window(window);
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
