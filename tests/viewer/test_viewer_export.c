/* Tests the export dialog, and the files of all its formats. */

#include "exports.h"
#include "lerpmesh/encode.h"
#include "support.h"
#include "viewer_support.h"
#include "window_private.h"

#include <glib/gstdio.h>

/* ---- Helpers ------------------------------------------------------------------------------- */

static void export_as(ViewerWindow *window, guint kind, const char *path) {
    gtk_widget_activate_action(GTK_WIDGET(window), "win.export-as", "(us)", kind, path);
    settle(window);
}

/* Free it with g_free. */
static char *text_of(const char *path) {
    AT_END(blob_free) blob file = blob_read(path);
    return g_strndup((const char *)file.data, file.size);
}

/* Counts the images of an animated WebP. */
static unsigned count_images(const char *path) {
    AT_END(blob_free) blob file = blob_read(path);
    unsigned count = 0;
    for (size_t i = 0; i + 4 <= file.size; i++)
        count += memcmp(file.data + i, "ANMF", 4) == 0;
    return count;
}

static guint kind_of(const char *format) {
    for (uint32_t i = 0; lm_encoder_at(i); i++)
        if (strcmp(lm_encoder_at(i)->name, format) == 0)
            return EXPORT_MODEL + i;
    fail_msg("there is no %s", format);
    return 0;
}

static GtkWidget *open_export(ViewerWindow *window, guint kind) {
    GtkWidget *dialog = open_dialog(window, "win.export");
    gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(dialog, "kind")), kind);
    settle(window);
    return dialog;
}

static void press(GtkWidget *dialog, const char *id) {
    g_signal_emit_by_name(find_widget(dialog, id), "clicked");
}

static const char *facts_of(GtkWidget *dialog) {
    GtkWidget *label = find_widget(dialog, "facts");
    return gtk_widget_get_visible(label) ? gtk_label_get_text(GTK_LABEL(label)) : "";
}

/* Runs the main loop until the dialog that chooses a file is shown, or hidden. */
static void wait_for_chooser(bool shown) {
    const gint64 end = g_get_monotonic_time() + G_USEC_PER_SEC * 60;
    while ((find_chooser() != NULL) != shown && g_get_monotonic_time() < end)
        run_shortly();
    assert_true((find_chooser() != NULL) == shown);
}

/* Accepts the suggested name and folder. */
static void accept_file(ViewerWindow *window, GtkWidget *dialog) {
    press(dialog, "start");
    wait_for_chooser(true);
    settle(window); /* it reads the folder */
    gtk_dialog_response(GTK_DIALOG(find_chooser()), GTK_RESPONSE_ACCEPT);
    wait_for_chooser(false);
}

/* ---- Files --------------------------------------------------------------------------------- */

TEST(test_images) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *png = scratch_file("images/a.png"), *sheet = scratch_file("images/sheet.png");
    g_autofree char *clip = scratch_file("images/clip.webp"), *turns = scratch_file("images/turns");
    g_autofree char *named = g_strconcat(turns, ".webp", NULL);
    export_as(window, EXPORT_PICTURE, png);
    expect_same(read_screenshot(png), take_screenshot(window, "export-picture"));
    export_as(window, EXPORT_SHEET, sheet);
    screenshot page = read_screenshot(sheet);
    assert_true(page.width >= 3 * 256 && count_drawn(&page) > 10000);
    g_free(page.pixels);
    set(window, "clip", "uint32 1");
    export_as(window, EXPORT_CLIP, clip);
    assert_false(error_is_shown(window));
    assert_int_equal(count_images(clip), 8); /* the frames of "run" */
    export_as(window, EXPORT_TURNTABLE, turns);
    assert_int_equal(count_images(named), 72);
}

/* The written model has the frames and triangles of the sample, and the dialog told its losses. */
TEST(test_models) {
    OWNED(ViewerWindow) *window = open_tick();
    assert_non_null(lm_encoder_at(3));
    for (uint32_t i = 0; lm_encoder_at(i); i++) {
        const char *extension = lm_encoder_at(i)->extension;
        g_autofree char *name = g_strdup_printf("models/%s/out.%s", extension, extension);
        g_autofree char *path = scratch_file(name);
        lm_error error;
        GtkWidget *dialog = open_export(window, EXPORT_MODEL + i);
        assert_non_null(strstr(facts_of(dialog), "largest error"));
        assert_true(gtk_widget_get_sensitive(find_widget(dialog, "start")));
        press(dialog, "cancel");
        export_as(window, EXPORT_MODEL + i, path);
        assert_false(error_is_shown(window));
        OWNED(lm_model) *model = lm_load_file(path, NULL, &error);
        if (!model)
            fail_msg("%s: %s", path, error.message);
        assert_string_equal(model->format, lm_encoder_at(i)->name);
        assert_int_equal(model->num_frames, 49);
        assert_int_equal(model->surfaces[0].num_triangles, 888);
    }
}

/* An OBJ refers to its materials, which refer to an image. Another image of that name stays. */
TEST(test_obj) {
    OWNED(ViewerWindow) *window = open_tick();
    g_autofree char *folder = fresh_folder("obj"), *path = g_strconcat(folder, "/tick.obj", NULL);
    g_autofree char *mtl = g_strconcat(folder, "/tick.mtl", NULL);
    export_as(window, EXPORT_OBJ, path);
    assert_false(error_is_shown(window));
    g_autofree char *text = text_of(path), *materials = text_of(mtl);
    assert_non_null(strstr(text, "mtllib tick.mtl"));
    const char *map = strstr(materials, "map_Kd ");
    assert_non_null(map);
    g_autofree char *name = g_strdup_printf("obj/%.*s", (int)strcspn(map + 7, "\n"), map + 7);
    g_autofree char *image = scratch_file(name);
    AT_END(drop_screenshot) screenshot skin = read_screenshot(image);
    assert_int_equal(skin.width, 256);
    write_red(image);
    AT_END(blob_free) blob red = blob_read(image);
    export_as(window, EXPORT_OBJ, path);
    assert_non_null(strstr(error_text(window), "already exists"));
    AT_END(blob_free) blob again = blob_read(image);
    assert_int_equal(again.size, red.size);
    assert_memory_equal(again.data, red.data, red.size);
}

TEST(test_unwritable) {
    OWNED(ViewerWindow) *window = open_tick();
    for (guint kind = 0; kind < EXPORT_MODEL || lm_encoder_at(kind - EXPORT_MODEL); kind++) {
        export_as(window, kind, "/dev/null/at");
        assert_non_null(strstr(error_text(window), "/dev/null"));
        gtk_widget_activate_action(GTK_WIDGET(window), "win.reload", NULL);
        settle(window);
    }
    export_as(window, 1000, "/dev/null/at"); /* no such format: ignored */
}

/* ---- The dialog ---------------------------------------------------------------------------- */

TEST(test_dialog) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *sample = scratch_file("dialog/tick.md2"),
                    *name = scratch_file("dialog/tick.png");
    g_remove(name);
    copy_sample("samples/tick.md2", "dialog/tick.md2");
    open_path(window, sample);
    set(window, "play", "false");
    GtkWidget *dialog = open_export(window, EXPORT_GLTF);
    assert_false(gtk_widget_get_visible(find_widget(dialog, "sizes")));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(dialog, "kind")), EXPORT_PICTURE);
    assert_true(gtk_widget_get_visible(find_widget(dialog, "sizes")));
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(find_widget(dialog, "width")), 333);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(find_widget(dialog, "height")), 222);
    gtk_check_button_set_active(GTK_CHECK_BUTTON(find_widget(dialog, "transparent")), TRUE);
    settle(window);
    g_free(take_widget_screenshot(dialog, "export-dialog").pixels);
    accept_file(window, dialog);
    settle(window);
    assert_null(find_dialog(window));         /* it closed */
    screenshot image = read_screenshot(name); /* next to the model */
    assert_int_equal(image.width, 333);
    assert_int_equal(image.height, 222);
    assert_int_equal(image.pixels[3], 0);
    assert_true(count_drawn(&image) > 3000);
    g_free(image.pixels);
    dialog = open_export(window, kind_of("mdc"));
    g_free(take_widget_screenshot(dialog, "export-dialog-model").pixels);
    press(dialog, "cancel");
    dialog = open_dialog(window, "win.export"); /* the last format comes first */
    assert_int_equal(gtk_drop_down_get_selected(GTK_DROP_DOWN(find_widget(dialog, "kind"))),
                     kind_of("mdc"));
    press(dialog, "cancel");
}

/* Options of the command apply to models, glTF and OBJ. Wrong ones are explained in the dialog. */
TEST(test_more_options) {
    static const char *const wrong[][2] = {
        {"--no-such", "no-such"},     {"--scale x", "--scale"},     {"'", "quot"},
        {"scale 2", "begin with --"}, {"--quantize", "--quantize"}, {"--clip rum", "did you mean"}};
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *sample = scratch_file("more/tick.md2"), *path = scratch_file("more/tick.md3");
    copy_sample("samples/tick.md2", "more/tick.md2");
    g_remove(path);
    open_path(window, sample);
    GtkWidget *dialog = open_export(window, EXPORT_PICTURE);
    assert_false(gtk_widget_get_visible(find_widget(dialog, "more_row")));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(dialog, "kind")), kind_of("md3"));
    settle(window);
    assert_true(gtk_widget_get_visible(find_widget(dialog, "more_row")));
    GtkWidget *more = find_widget(dialog, "more"), *start = find_widget(dialog, "start");
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        gtk_editable_set_text(GTK_EDITABLE(more), wrong[i][0]);
        assert_true(gtk_widget_get_sensitive(start));
        g_signal_emit_by_name(more, "activate");
        settle(window);
        if (!strstr(facts_of(dialog), wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], facts_of(dialog));
        assert_false(gtk_widget_get_sensitive(start));
    }
    gtk_editable_set_text(GTK_EDITABLE(more), "--decimate 50% --clip run");
    g_signal_emit_by_name(more, "activate");
    settle(window);
    assert_non_null(strstr(facts_of(dialog), "largest error"));
    g_free(take_widget_screenshot(dialog, "export-dialog-options").pixels);
    accept_file(window, dialog);
    settle(window);
    lm_error error;
    OWNED(lm_model) *model = lm_load_file(path, NULL, &error);
    assert_non_null(model);
    assert_int_equal(model->num_frames, 8);
    assert_int_equal(model->surfaces[0].num_triangles, 444);
}

/* A film of a document, which a thread draws: in this one, GTK's context may be current. */
typedef struct film {
    document *doc;
    const char *path;
    export_progress progress;
} film;

static gpointer draw_film(gpointer user) {
    film *f = user;
    const export_options options = {.kind = EXPORT_TURNTABLE,
                                    .width = 32,
                                    .height = 32,
                                    .images = 72,
                                    .rate = 24,
                                    .play = {.clip = &f->doc->clips[0].clip}};
    return export_write(f->doc, &options, f->path, &f->progress);
}

/* A film that is stopped draws no further image, and writes nothing. */
TEST(test_stopped_film) {
    char *path = scratch_file("stopped.webp");
    film f = {open_document("samples/tick.md2"), path, {.stopped = 1}};
    remove(path);
    char *message = g_thread_join(g_thread_new("film", draw_film, &f));
    assert_string_equal(message, "Stopped; nothing was written");
    assert_int_equal(f.progress.permille, 0);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    g_free(message);
    f.progress.stopped = 0;
    assert_null(g_thread_join(g_thread_new("film", draw_film, &f)));
    assert_in_range(f.progress.permille, 900, 1000);
    g_free(path);
    document_unref(f.doc);
}

/* ---- Turntables ------------------------------------------------------------------------------ */

static guint num_notifications;
static char *notification;

/* Takes the place of GLib's, which needs a desktop. */
void g_application_send_notification(GApplication *application, const char *id,
                                     GNotification *shown) {
    (void)application, (void)shown;
    num_notifications++;
    g_free(notification);
    notification = g_strdup(id);
}

/* Returns the duration of each image of an animated WebP in milliseconds: three bytes of ANMF. */
static unsigned duration_of(const char *path) {
    AT_END(blob_free) blob file = blob_read(path);
    size_t at = 0;
    while (at + 24 <= file.size && memcmp(file.data + at, "ANMF", 4) != 0)
        at++;
    assert_true(at + 24 <= file.size);
    return file.data[at + 20] | (unsigned)file.data[at + 21] << 8;
}

/* The dialog chooses the images of a turntable and their speed. A user of another program is told
 * when it is written. While the CPU draws it, the model on screen rests. */
TEST(test_turntable) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *sample = scratch_file("turn/tick.md2");
    g_autofree char *name = scratch_file("turn/tick-turntable.webp");
    g_remove(name);
    copy_sample("samples/tick.md2", "turn/tick.md2");
    open_path(window, sample);
    set(window, "play", "true");
    num_notifications = 0;
    GtkWidget *dialog = open_export(window, EXPORT_CLIP);
    assert_false(gtk_widget_get_visible(find_widget(dialog, "turn_row")));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(dialog, "kind")), EXPORT_TURNTABLE);
    assert_true(gtk_widget_get_visible(find_widget(dialog, "turn_row")));
    assert_true(gtk_spin_button_get_value(GTK_SPIN_BUTTON(find_widget(dialog, "images"))) == 72);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(find_widget(dialog, "images")), 9);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(find_widget(dialog, "rate")), 10);
    accept_file(window, dialog);
    assert_false(window->play.playing); /* LIBGL_ALWAYS_SOFTWARE */
    settle(window);
    assert_true(window->play.playing);
    assert_int_equal(count_images(name), 9);
    assert_int_equal(duration_of(name), 100);
    g_autofree char *saved = g_strdup_printf("Saved %s", name);
    expect_label(window, "status", saved);
    assert_int_equal(num_notifications, !gtk_window_is_active(GTK_WINDOW(window)));
    assert_true(num_notifications == 0 || g_str_equal(notification, "export"));
    g_clear_pointer(&notification, g_free);
}

/* Ends an export so long that `settle` would not wait for it. Nothing is written. */
TEST(test_cancel) {
    OWNED(ViewerWindow) *window = open_window(700, 500);
    g_autofree char *sample = scratch_file("cancel/tick.md2");
    g_autofree char *name = scratch_file("cancel/tick-turntable.webp");
    g_remove(name);
    copy_sample("samples/tick.md2", "cancel/tick.md2");
    open_path(window, sample);
    for (int closes = 0; closes < 2; closes++) {
        GtkWidget *dialog = open_export(window, EXPORT_TURNTABLE);
        GtkWidget *progress = find_widget(dialog, "progress");
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(find_widget(dialog, "width")), 3000);
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(find_widget(dialog, "height")), 3000);
        accept_file(window, dialog);
        assert_true(gtk_widget_get_visible(progress));
        assert_false(gtk_widget_get_sensitive(find_widget(dialog, "start")));
        if (closes)
            gtk_window_destroy(GTK_WINDOW(dialog));
        else
            press(dialog, "cancel");
        settle(window);
        if (!closes) {
            assert_non_null(strstr(facts_of(dialog), "Stopped"));
            assert_false(gtk_widget_get_visible(progress));
            press(dialog, "cancel");
        }
        assert_null(find_dialog(window));
        assert_false(error_is_shown(window));
        assert_false(g_file_test(name, G_FILE_TEST_EXISTS));
    }
}

TEST(test_copy) {
    OWNED(ViewerWindow) *window = open_tick();
    GdkClipboard *clipboard = gtk_widget_get_clipboard(GTK_WIDGET(window));
    GValue value = G_VALUE_INIT;
    act(window, "win.copy-picture");
    AT_END(drop_screenshot) screenshot image = take_screenshot(window, "export-copy");
    g_value_init(&value, GDK_TYPE_TEXTURE);
    assert_true(gdk_content_provider_get_value(gdk_clipboard_get_content(clipboard), &value, NULL));
    GdkTexture *texture = g_value_get_object(&value);
    assert_int_equal(gdk_texture_get_width(texture), image.width);
    assert_int_equal(gdk_texture_get_height(texture), image.height);
    g_value_unset(&value);
}

/* A player of three models becomes one. */
TEST(test_player) {
    OWNED(ViewerWindow) *window = open_sample("samples/models/players/tick/lower.md3");
    g_autofree char *path = scratch_file("player/tick.md2");
    lm_error error;
    export_as(window, kind_of("md2"), path);
    assert_false(error_is_shown(window));
    OWNED(lm_model) *model = lm_load_file(path, NULL, &error);
    assert_non_null(model);
    assert_true(model->num_frames > 100);
}

TEST_GROUP(start_viewer, end_viewer)
