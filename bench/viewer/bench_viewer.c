/* bench_viewer PATH [grid]: prints the viewer's time to the first picture, its frames per second
 * and its memory. */
#include "window_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1280 /* of the stage, in pixels */
#define HEIGHT 720
#define PLAY 8                                /* seconds */
#define REST (4 * G_USEC_PER_SEC)             /* without work, before the memory is read */
#define TIMEOUT ((gint64)60 * G_USEC_PER_SEC) /* for reading and drawing */

static guint num_frames; /* with a model */

static gboolean count_frame(GtkGLArea *area, GdkGLContext *context, gpointer user) {
    const ViewerWindow *w = user;
    (void)area, (void)context;
    num_frames += w->doc != NULL;
    return FALSE; /* go on drawing */
}

static gboolean wake_up(gpointer user) {
    (void)user;
    return G_SOURCE_CONTINUE;
}

static void iterate_until(gint64 time) {
    while (g_get_monotonic_time() < time)
        g_main_context_iteration(NULL, TRUE);
}

/* Waits until all reading ends and a frame, or a thumbnail of each cell in view, is drawn. */
static void wait_for_picture(ViewerWindow *w) {
    const gint64 end = g_get_monotonic_time() + TIMEOUT;
    const guint before = num_frames;
    while (viewer_window_is_busy(w) || (!w->grid_is_shown && num_frames == before)) {
        if (g_get_monotonic_time() > end) {
            fprintf(stderr, "bench_viewer: the window is still busy\n");
            exit(1);
        }
        g_main_context_iteration(NULL, TRUE);
    }
}

/* Makes the stage WIDTH x HEIGHT pixels large, without the side panel. */
static void resize_stage(ViewerWindow *w) {
    gtk_widget_activate_action(GTK_WIDGET(w), "win.sidebar", NULL);
    iterate_until(g_get_monotonic_time() + G_USEC_PER_SEC);
    int width = WIDTH, height = HEIGHT;
    for (int i = 0; i < 3; i++) { /* the size that is set includes shadows, which come later */
        width += WIDTH - gtk_widget_get_width(GTK_WIDGET(w->stage));
        height += HEIGHT - gtk_widget_get_height(GTK_WIDGET(w->stage));
        gtk_window_set_default_size(GTK_WINDOW(w), width, height);
        iterate_until(g_get_monotonic_time() + G_USEC_PER_SEC / 2);
    }
}

/* Returns a size from /proc/self/status in MB; 0: the system has none. */
static double memory(const char *field) {
    char line[128];
    unsigned long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (g_str_has_prefix(line, field))
            kb = strtoul(line + strlen(field), NULL, 10);
    if (file)
        fclose(file);
    return (double)kb / 1024;
}

static void print_rate(ViewerWindow *w) {
    uint32_t width, height;
    resize_stage(w);
    const guint before = num_frames;
    const gint64 start = g_get_monotonic_time();
    iterate_until(start + (gint64)PLAY * G_USEC_PER_SEC);
    const double seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
    viewer_stage_size(w->stage, &width, &height);
    printf(" %.1f frames/s at %u x %u,", (double)(num_frames - before) / seconds, (unsigned)width,
           (unsigned)height);
}

int main(int argc, char **argv) {
    const gint64 start = g_get_monotonic_time();
    const bool grid = argc > 2 && strcmp(argv[2], "grid") == 0;
    const char *const no_games[] = {NULL};
    if (argc < 2 || !gtk_init_check()) {
        fprintf(stderr, "usage: bench_viewer PATH [grid], on a display\n");
        return 2;
    }
    GtkApplication *application = viewer_application_new();
    g_application_set_flags(G_APPLICATION(application), G_APPLICATION_NON_UNIQUE);
    if (!g_application_register(G_APPLICATION(application), NULL, NULL))
        return 1;
    const char *const paths[] = {argv[1], NULL};
    ViewerWindow *w =
        VIEWER_WINDOW(viewer_application_add_window(application, no_games, grid ? NULL : paths));
    g_signal_connect(w->stage, "render", G_CALLBACK(count_frame), w);
    g_timeout_add(10, wake_up, NULL);
    if (grid) {
        g_action_group_change_action_state(G_ACTION_GROUP(w), "thumbnails",
                                           g_variant_new_boolean(TRUE));
        viewer_window_open(w, paths);
    }
    wait_for_picture(w);
    printf("%s%s: %.2f s,", argv[1], grid ? ", as a grid" : "",
           (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC);
    if (!grid)
        print_rate(w);
    iterate_until(g_get_monotonic_time() + REST);
    printf(" %.0f MB, at most %.0f MB\n", memory("VmRSS:"), memory("VmHWM:"));
    gtk_window_destroy(GTK_WINDOW(w));
    g_object_unref(application);
    return 0;
}
