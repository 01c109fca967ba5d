
#include "viewer_support.h"
#include "archive_maker.h"
#include "thumbnails.h"

#include "lerpmesh/edit.h"
#include "lerpmesh/files.h"
#include "lerpmesh/image.h"

#define TIMEOUT (60 * G_USEC_PER_SEC)
#define FRAMES 4 /* drawn before a window counts as settled: a new sidebar needs several */

/* ---- The program --------------------------------------------------------------------------- */

static GtkApplication *application;
static char *home; /* a folder for the settings and recent files of this program */

int start_viewer(void **state) {
    GError *error = NULL;
    /* GLib's workers wait until the program ends: LeakSanitizer crashes if it meets one that ends
     * after its 15 idle seconds. */
    g_thread_pool_set_max_idle_time(0);
    g_thread_pool_set_max_unused_threads(-1);
    home = g_dir_make_tmp("viewer-XXXXXX", NULL);
    g_setenv("XDG_CONFIG_HOME", home, TRUE);
    g_setenv("XDG_DATA_HOME", home, TRUE); /* two programs lose each other's recent files */
    (void)state;
    g_set_prgname("lerpmesh-viewer"); /* which dialogs write to the recent files */
    application = viewer_application_new();
    g_application_set_flags(G_APPLICATION(application), G_APPLICATION_NON_UNIQUE);
    if (!g_application_register(G_APPLICATION(application), NULL, &error))
        fail_msg("%s", error->message);
    return 0;
}

int end_viewer(void **state) {
    (void)state;
    thumbnails_end();
    g_object_unref(application);
    char *words[] = {(char *)"rm", (char *)"-rf", home, NULL};
    bool removed =
        g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
    g_free(home);
    return removed ? 0 : -1;
}

ViewerWindow *open_window(int width, int height) {
    const char *const games[] = {NULL}; /* as without --game */
    ViewerWindow *window = VIEWER_WINDOW(viewer_application_add_window(application, games, NULL));
    if (width > 0)
        gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    settle(window);
    return window;
}

void open_path(ViewerWindow *window, const char *path) {
    viewer_window_open(window, (const char *const[]){path, NULL});
    settle(window);
}

void open_still(ViewerWindow *window, const char *path) {
    open_path(window, path);
    set(window, "play", "false");
    set(window, "seek", "0.0");
}

void close_window(ViewerWindow *window) {
    gtk_window_destroy(GTK_WINDOW(window));
    for (int i = 0; i < 200 && g_main_context_pending(NULL); i++)
        g_main_context_iteration(NULL, FALSE);
}

static gboolean count_frame(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
    int *frames = user;
    (void)clock;
    gtk_widget_queue_draw(widget);
    return ++*frames < FRAMES ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean wake_up(gpointer user) {
    (void)user;
    return G_SOURCE_CONTINUE;
}

static void expect_time_left(gint64 end) {
    if (g_get_monotonic_time() > end)
        fail_msg("the window is still busy");
}

void settle(ViewerWindow *window) {
    gint64 end = g_get_monotonic_time() + TIMEOUT;
    guint timer = g_timeout_add(50, wake_up, NULL);
    int frames = 0;
    while (viewer_window_is_busy(window)) {
        expect_time_left(end);
        g_main_context_iteration(NULL, TRUE);
    }
    gtk_widget_add_tick_callback(GTK_WIDGET(window), count_frame, &frames, NULL);
    while (frames < FRAMES) {
        expect_time_left(end);
        g_main_context_iteration(NULL, TRUE);
    }
    g_source_remove(timer);
}

void run_shortly(void) {
    if (!g_main_context_iteration(NULL, FALSE))
        g_usleep(1000);
}

/* ---- Actions and widgets ------------------------------------------------------------------- */

void act(ViewerWindow *window, const char *detailed) {
    char *name = NULL;
    GVariant *target = NULL;
    GError *error = NULL;
    if (!g_action_parse_detailed_name(detailed, &name, &target, &error))
        fail_msg("%s: %s", detailed, error->message);
    if (!gtk_widget_activate_action_variant(GTK_WIDGET(window), name, target))
        fail_msg("there is no action %s", name);
    const GVariantType *wanted =
        g_action_group_get_action_parameter_type(G_ACTION_GROUP(window), name + strlen("win."));
    if ((wanted == NULL) != (target == NULL))
        fail_msg("%s takes %s target", name, wanted ? "a" : "no");
    g_free(name);
    g_clear_pointer(&target, g_variant_unref);
    settle(window);
}

void set(ViewerWindow *window, const char *action, const char *state) {
    const GVariantType *type = g_action_group_get_action_state_type(G_ACTION_GROUP(window), action);
    GError *error = NULL;
    GVariant *value = type ? g_variant_parse(type, state, NULL, NULL, &error) : NULL;
    if (!value)
        fail_msg("%s = %s: %s", action, state, error ? error->message : "no such state");
    g_action_group_change_action_state(G_ACTION_GROUP(window), action, value);
    g_variant_unref(value);
    settle(window);
}

bool is_enabled(ViewerWindow *window, const char *detailed) {
    g_autofree char *name = NULL;
    GVariant *target = NULL;
    assert_true(g_action_parse_detailed_name(detailed, &name, &target, NULL));
    bool enabled = g_action_group_get_action_enabled(G_ACTION_GROUP(window), name + strlen("win."));
    g_clear_pointer(&target, g_variant_unref);
    return enabled;
}

void expect_state(ViewerWindow *window, const char *action, const char *text) {
    g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(window), action);
    assert_non_null(state);
    g_autofree char *is = g_variant_print(state, FALSE);
    g_autoptr(GVariant) wanted = g_variant_parse(g_variant_get_type(state), text, NULL, NULL, NULL);
    if (!wanted || !g_variant_equal(state, wanted))
        fail_msg("%s is %s, not %s", action, is, text);
}

bool is_on(ViewerWindow *window, const char *action) {
    g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(window), action);
    assert_non_null(state);
    return g_variant_get_boolean(state);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
GtkWidget *find_widget(GtkWidget *root, const char *id) {
    if (g_strcmp0(gtk_buildable_get_buildable_id(GTK_BUILDABLE(root)), id) == 0)
        return root;
    GtkWidget *found = NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(root); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = find_widget(child, id);
    return found;
}

GtkWidget *widget(ViewerWindow *window, const char *id) {
    GtkWidget *found = find_widget(GTK_WIDGET(window), id);
    if (!found)
        fail_msg("there is no widget %s", id);
    return found;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
GtkWidget *find_type(GtkWidget *root, GType type) {
    GtkWidget *found = g_type_is_a(G_OBJECT_TYPE(root), type) ? root : NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(root); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = find_type(child, type);
    return found;
}

void expect_property(GtkWidget *widget, GtkAccessibleProperty property, const char *value) {
    g_autofree char *other =
        gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), property, value);
    if (other)
        fail_msg("\"%s\" instead of \"%s\"", other, value);
}

void expect_label(ViewerWindow *window, const char *id, const char *text) {
    assert_string_equal(gtk_label_get_text(GTK_LABEL(widget(window, id))), text);
}

void click(ViewerWindow *window, GtkWidget *button) {
    g_signal_emit_by_name(button, "clicked");
    settle(window);
}

document *open_document(const char *name) {
    g_autofree char *path = source_file(name);
    document_request request = {.path = path, .listed = DOCUMENT_ANY_SKIN};
    shared_vfs *vfs = shared_vfs_new();
    lm_error error;
    document *d = document_open(vfs, &request, &error);
    assert_non_null(d);
    shared_vfs_unref(vfs);
    return d;
}

/* ---- Files --------------------------------------------------------------------------------- */

static const char *environment(const char *name) {
    const char *value = g_getenv(name);
    if (!value)
        fail_msg("%s is not set", name);
    return value;
}

char *source_file(const char *name) {
    return g_build_filename(environment("LERPMESH_SOURCE_DIR"), name, NULL);
}

static char *in_build(const char *folder, const char *name) {
    g_autofree char *where = g_build_filename(environment("LERPMESH_BUILD_DIR"), folder, NULL);
    char *path = g_build_filename(where, name, NULL);
    g_autofree char *above = g_path_get_dirname(path);
    g_mkdir_with_parents(above, 0755);
    return path;
}

char *scratch_file(const char *name) {
    return in_build("viewer-scratch", name);
}

char *fresh_folder(const char *name) {
    char *path = scratch_file(name);
    const char *words[] = {"rm", "-rf", path, NULL};
    assert_true(g_spawn_sync(NULL, (char **)(void *)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                             NULL, NULL, NULL, NULL));
    assert_int_equal(g_mkdir_with_parents(path, 0755), 0);
    return path;
}

void copy_file(const char *from, const char *to) {
    g_autofree char *bytes = NULL;
    gsize size;
    assert_true(g_file_get_contents(from, &bytes, &size, NULL));
    assert_true(g_file_set_contents(to, bytes, (gssize)size, NULL));
}

char **corpus_files(const char *folder) {
    GStrvBuilder *files = g_strv_builder_new();
    char *path = g_build_filename(g_getenv("LERPMESH_CORPUS"), folder, NULL);
    GDir *dir = g_dir_open(path, 0, NULL);
    assert_non_null(dir);
    for (const char *name; (name = g_dir_read_name(dir));) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_strv_builder_add(files, file);
    }
    g_dir_close(dir);
    g_free(path);
    char **all = g_strv_builder_end(files);
    g_strv_builder_unref(files);
    return all;
}

guint count_files(const char *folder) {
    GDir *dir = g_dir_open(folder, 0, NULL);
    guint count = 0;
    assert_non_null(dir);
    while (g_dir_read_name(dir))
        count++;
    g_dir_close(dir);
    return count;
}

void run_lerpmesh(const char *const *arguments) {
    GPtrArray *words = g_ptr_array_new();
    GError *error = NULL;
    int status = 0;
    g_ptr_array_add(words, (gpointer)environment("LERPMESH_BINARY"));
    for (size_t i = 0; i == 0 || arguments[i - 1]; i++)
        g_ptr_array_add(words, (gpointer)arguments[i]);
    /* Turns off the search for leaks: under a sanitizer the driver's own would be reported. */
    char **variables = g_environ_setenv(g_get_environ(), "ASAN_OPTIONS", "detect_leaks=0", TRUE);
    if (!g_spawn_sync(NULL, (char **)words->pdata, variables, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                      NULL, &status, &error))
        fail_msg("%s", error->message);
    if (status != 0)
        fail_msg("lerpmesh %s failed", arguments[0]);
    g_strfreev(variables);
    g_ptr_array_unref(words);
}

/* ---- Images -------------------------------------------------------------------------------- */

screenshot read_screenshot(const char *path) {
    lm_error error = {.message = ""};
    lm_buffer file = {0};
    lm_image *image = NULL;
    if (lm_file_read(path, 0, &file, &error)) {
        image = lm_image_read(file.data, file.size, NULL, &error);
        lm_buffer_free(&file);
    }
    if (!image) {
        fail_msg("%s: %s", path, error.message);
        return (screenshot){0};
    }
    size_t size = (size_t)image->width * image->height * 4;
    screenshot out = {image->width, image->height, g_memdup2(image->pixels, size)};
    lm_image_free(image);
    return out;
}

screenshot take_screenshot(ViewerWindow *window, const char *name) {
    g_autofree char *file = g_strdup_printf("%s.png", name);
    g_autofree char *path = in_build("screenshots", file);
    remove(path);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.screenshot-to", "s", path);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        fail_msg("no screenshot: %s", error_is_shown(window) ? error_text(window) : "disabled");
    return read_screenshot(path);
}

/* Cairo's pixels are blue, green, red, alpha in memory. Our own writer makes smaller files. */
static void save_texture(GdkTexture *texture, const char *path) {
    unsigned width = (unsigned)gdk_texture_get_width(texture);
    unsigned height = (unsigned)gdk_texture_get_height(texture);
    unsigned char *pixels = g_malloc((size_t)width * height * 4);
    lm_buffer png = {0};
    lm_error error;
    gdk_texture_download(texture, pixels, (size_t)width * 4);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        unsigned char *p = pixels + 4 * i, blue = p[0];
        p[0] = p[2];
        p[2] = blue;
        p[3] = 255;
    }
    assert_true(lm_pixels_write(pixels, width, height, LM_PIXELS_PNG, NULL, &png, &error) &&
                lm_file_write(&(lm_file_output){.path = path, .data = png.data, .size = png.size},
                              1, false, &error));
    lm_buffer_free(&png);
    g_free(pixels);
}

screenshot take_widget_screenshot(GtkWidget *widget, const char *name) {
    g_autofree char *file = g_strdup_printf("%s.png", name);
    g_autofree char *path = in_build("screenshots", file);
    GdkPaintable *paintable = gtk_widget_paintable_new(widget);
    GtkSnapshot *snapshot = gtk_snapshot_new();
    gdk_paintable_snapshot(paintable, snapshot, gtk_widget_get_width(widget),
                           gtk_widget_get_height(widget));
    GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
    GdkTexture *texture =
        gsk_renderer_render_texture(gtk_native_get_renderer(GTK_NATIVE(widget)), node, NULL);
    save_texture(texture, path);
    screenshot out = read_screenshot(path);
    g_object_unref(texture);
    gsk_render_node_unref(node);
    g_object_unref(paintable);
    return out;
}

screenshot take_window_screenshot(ViewerWindow *window, const char *name) {
    settle(window);
    return take_widget_screenshot(GTK_WIDGET(window), name);
}

double difference(const screenshot *a, const screenshot *b) {
    size_t count = (size_t)a->width * a->height * 4, sum = 0;
    if (a->width != b->width || a->height != b->height)
        return 255;
    for (size_t i = 0; i < count; i++)
        sum += (size_t)abs(a->pixels[i] - b->pixels[i]);
    return (double)sum / (double)count;
}

/* The background is a gradient between two greys, both slightly blue. */
static bool is_backdrop(const unsigned char *pixel) {
    int green = pixel[1] - pixel[0], blue = pixel[2] - pixel[0];
    return pixel[0] >= 0x4b && pixel[0] <= 0x8b && green >= 4 && green <= 7 && blue >= 12 &&
           blue <= 15;
}

unsigned count_drawn(const screenshot *a) {
    unsigned drawn = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        const unsigned char *pixel = a->pixels + 4 * i;
        drawn += memcmp(pixel, a->pixels, 3) != 0 && !is_backdrop(pixel);
    }
    return drawn;
}

/* ---- Samples ------------------------------------------------------------------------------- */

ViewerWindow *open_sample(const char *name) {
    ViewerWindow *window = open_window(760, 540);
    g_autofree char *path = source_file(name);
    open_path(window, path);
    set(window, "play", "false");
    return window;
}

ViewerWindow *open_tick(void) {
    return open_sample("samples/tick.md2");
}

/* Fails unless the stage differs from `before`, which is freed. Returns the new image. */
screenshot expect_change(ViewerWindow *window, screenshot before, const char *name) {
    screenshot after = take_screenshot(window, name);
    double d = difference(&before, &after);
    if (d < 0.02)
        fail_msg("%s did not change (difference %g)", name, d);
    g_free(before.pixels);
    return after;
}

void expect_same(screenshot a, screenshot b) {
    double d = difference(&a, &b);
    if (d > SAME)
        fail_msg("the images differ by %g", d);
    g_free(a.pixels);
    g_free(b.pixels);
}

/* Writes an image of one colour. */
void write_red(const char *path) {
    const unsigned char red[] = {230, 20, 20, 255};
    GBytes *bytes = g_bytes_new_static(red, sizeof red);
    GdkTexture *texture = gdk_memory_texture_new(1, 1, GDK_MEMORY_R8G8B8A8, bytes, sizeof red);
    assert_true(gdk_texture_save_to_png(texture, path));
    g_object_unref(texture);
    g_bytes_unref(bytes);
}

void copy_sample(const char *sample, const char *to) {
    g_autofree char *from = source_file(sample), *path = scratch_file(to);
    copy_file(from, path);
}

void pack(const char *path, const char *const (*members)[2]) {
    packed_file packed[8] = {{0}};
    blob files[8];
    size_t count = 0;
    for (; members[count][0]; count++) {
        g_autofree char *from = source_file(members[count][1]);
        files[count] = blob_read(from);
        packed[count] = (packed_file){.name = members[count][0],
                                      .data = files[count].data,
                                      .size = files[count].size,
                                      .deflate = count % 2 == 0};
    }
    AT_END(blob_free) blob archive = make_pk3(packed, count);
    assert_true(g_file_set_contents(path, (const char *)archive.data, (gssize)archive.size, NULL));
    for (size_t i = 0; i < count; i++)
        blob_free(&files[i]);
}

static char *title_of(ViewerWindow *window) {
    return g_strdup(gtk_window_get_title(GTK_WINDOW(window)));
}

void expect_title(ViewerWindow *window, const char *title) {
    g_autofree char *is = title_of(window);
    assert_string_equal(is, title);
}

bool error_is_shown(ViewerWindow *window) {
    return gtk_info_bar_get_revealed(GTK_INFO_BAR(find_widget(GTK_WIDGET(window), "banner")));
}

const char *error_text(ViewerWindow *window) {
    assert_true(error_is_shown(window));
    return gtk_label_get_text(GTK_LABEL(find_widget(GTK_WIDGET(window), "banner_text")));
}

/* ---- Edits --------------------------------------------------------------------------------- */

static char *read_bytes(const char *path, gsize *size) {
    char *data = NULL;
    assert_true(g_file_get_contents(path, &data, size, NULL));
    return data;
}

void expect_equal_files(const char *a, const char *b, bool equal) {
    gsize size_a, size_b;
    char *x = read_bytes(a, &size_a), *y = read_bytes(b, &size_b);
    assert_int_equal(size_a == size_b && memcmp(x, y, size_a) == 0, equal);
    g_free(x), g_free(y);
}

char *make_tick(const char *name, const char *skin) {
    char *from = source_file("samples/tick.md2"), *path = scratch_file(name);
    gsize size;
    char *data = read_bytes(from, &size);
    lm_buffer out = {0};
    lm_error error;
    lm_edit *edit = lm_edit_open(data, size, NULL, &error);
    assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, skin, &error));
    assert_true(lm_edit_write(edit, &out, &error));
    copy_sample("samples/tick.pcx", "edits/tick.pcx");
    assert_true(g_file_set_contents(path, (const char *)out.data, (gssize)out.size, NULL));
    lm_edit_free(edit);
    lm_buffer_free(&out);
    g_free(data), g_free(from);
    return path;
}

void save_to(ViewerWindow *window, const char *path) {
    g_autofree char *action = g_strdup_printf("win.save-copy-to::%s", path);
    act(window, action);
}

/* Returns the last visible window of a type, over `owner` unless that is NULL. */
static GtkWidget *find_visible(GType type, ViewerWindow *owner) {
    GListModel *all = gtk_window_get_toplevels();
    GtkWidget *found = NULL;
    for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
        GtkWindow *one = g_list_model_get_item(all, i);
        if (g_type_is_a(G_OBJECT_TYPE(one), type) && gtk_widget_get_visible(GTK_WIDGET(one)) &&
            (!owner || gtk_window_get_transient_for(one) == GTK_WINDOW(owner)))
            found = GTK_WIDGET(one);
        g_object_unref(one);
    }
    return found;
}

GtkWidget *find_dialog(ViewerWindow *window) {
    return find_visible(GTK_TYPE_WINDOW, window);
}

GtkWidget *open_dialog(ViewerWindow *window, const char *action) {
    act(window, action);
    GtkWidget *dialog = find_dialog(window);
    assert_non_null(dialog);
    return dialog;
}

GtkWidget *find_chooser(void) {
    return find_visible(GTK_TYPE_FILE_CHOOSER, NULL);
}

GtkWidget *find_question(void) {
    return find_visible(GTK_TYPE_MESSAGE_DIALOG, NULL);
}

void answer(ViewerWindow *window, int response) {
    GtkWidget *dialog = find_question();
    assert_non_null(dialog);
    gtk_dialog_response(GTK_DIALOG(dialog), response);
    settle(window);
    assert_null(find_question());
}
