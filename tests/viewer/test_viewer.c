/* The viewer on a display without a screen: opens our samples, plays, and is looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "archive_maker.h"
#include "viewer_support.h"

#define SAME 0.5 /* mean difference of a channel */

static GtkApplication *application;

static ViewerWindow *open_sample(const char *name) {
    ViewerWindow *window = open_window(application, 1040, 720);
    char *path = source_file(name);
    open_path(window, path);
    set(window, "play", "false");
    g_free(path);
    return window;
}

static ViewerWindow *open_knight(void) {
    return open_sample("samples/tick.md2");
}

/* Fails unless the stage shows something else than `before`, which is freed. Returns what. */
static picture expect_change(ViewerWindow *window, picture before, const char *name) {
    picture after = shoot(window, name);
    double d = difference(&before, &after);
    if (d < 0.02)
        fail_msg("%s is as before (difference %g)", name, d);
    g_free(before.pixels);
    return after;
}

static void expect_same(picture a, picture b) {
    double d = difference(&a, &b);
    if (d > SAME)
        fail_msg("the pictures differ by %g", d);
    g_free(a.pixels);
    g_free(b.pixels);
}

/* ---- What is drawn ------------------------------------------------------------------------- */

static void test_equals_render(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    set(window, "clip", "1");
    act(window, "win.view::front");
    set(window, "seek", "3.0");
    picture shown = shoot(window, "front");
    char *size = g_strdup_printf("%ux%u", shown.width, shown.height);
    char *model = source_file("samples/tick.md2");
    char *out = scratch_file("run-{frame:04}.png"), *third = scratch_file("run-0003.png");
    run_lerpmesh("render", model, "--clip", "run", "--size", size, "--view", "front",
                 "--background", "CCD1D9", "--force", "-o", out, NULL);
    picture expected = read_picture(third);
    assert_true(count_drawn(&expected) > 5000);
    expect_same(shown, expected);
    g_free(third);
    g_free(out);
    g_free(model);
    g_free(size);
    close_window(window);
}

static void test_plays(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    set(window, "clip", "1");
    picture before = shoot(window, "run");
    act(window, "win.play");
    assert_true(is_on(window, "play"));
    act(window, "win.play");
    GVariant *position = state_of(window, "seek");
    assert_true(g_variant_get_double(position) > 0);
    g_variant_unref(position);
    before = expect_change(window, before, "run-later");
    set(window, "seek", "2.5");
    before = expect_change(window, before, "run-between");
    set(window, "interpolate", "false");
    before = expect_change(window, before, "run-frame");
    act(window, "win.step(3)");
    g_free(expect_change(window, before, "run-stepped").pixels);
    close_window(window);
}

static void test_shades_and_scenery(void **state) {
    static const char *const shades[] = {"'texture'", "'normals'", "'wire'", "'uv'", "'lit'"};
    static const char *const things[] = {"edges", "box", "grid", "axes"};
    ViewerWindow *window = open_knight();
    (void)state;
    picture before = shoot(window, "lit");
    for (size_t i = 0; i < G_N_ELEMENTS(shades); i++) {
        char *name = g_strdup_printf("shade-%zu", i);
        set(window, "shade", shades[i]);
        before = expect_change(window, before, name);
        g_free(name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(things); i++) {
        set(window, things[i], "true");
        before = expect_change(window, before, things[i]);
    }
    g_free(before.pixels);
    close_window(window);
}

static void test_camera(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    picture home = shoot(window, "home");
    picture before = shoot(window, "home");
    act(window, "win.turn((40.0, 10.0))");
    before = expect_change(window, before, "turned");
    act(window, "win.zoom(2.0)");
    before = expect_change(window, before, "zoomed");
    act(window, "win.view::top");
    g_free(expect_change(window, before, "top").pixels);
    act(window, "win.reset-camera");
    expect_same(home, shoot(window, "home-again"));
    close_window(window);
}

/* ---- The whole window ---------------------------------------------------------------------- */

static void test_window(void **state) {
    static const char *const pages[] = {"clips", "look", "models", "info", "problems"};
    ViewerWindow *window = open_knight();
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
        char *page = g_strdup_printf("'%s'", pages[i]);
        char *name = g_strdup_printf("window-%s", pages[i]);
        set(window, "page", page);
        picture whole = shoot_window(window, name);
        assert_true(count_drawn(&whole) > 20000);
        g_free(whole.pixels);
        g_free(name);
        g_free(page);
    }
    close_window(window);
}

static void test_smallest_window(void **state) {
    ViewerWindow *window = open_window(application, 640, 480);
    char *path = source_file("samples/tick_head.mdc");
    (void)state;
    open_path(window, path);
    set(window, "tags", "true");
    set(window, "uv", "true");
    picture whole = shoot_window(window, "window-640");
    assert_true(whole.width <= 640 && whole.height <= 480);
    g_free(whole.pixels);
    g_free(path);
    close_window(window);
}

/* ---- What belongs together ----------------------------------------------------------------- */

/* A picture of one colour. */
static void write_red(const char *path) {
    static const unsigned char red[] = {230, 20, 20, 255};
    GBytes *bytes = g_bytes_new_static(red, sizeof red);
    GdkTexture *texture = gdk_memory_texture_new(1, 1, GDK_MEMORY_R8G8B8A8, bytes, sizeof red);
    assert_true(gdk_texture_save_to_png(texture, path));
    g_object_unref(texture);
    g_bytes_unref(bytes);
}

static void copy_sample(const char *sample, const char *to) {
    char *from = source_file(sample), *path = scratch_file(to);
    copy_file(from, path);
    g_free(path);
    g_free(from);
}

/* A player's folder: body, weapon (a head does), two skins. */
static char *make_player(void) {
    char *red = scratch_file("player/red.png");
    copy_sample("samples/tick.md2", "player/tris.md2");
    copy_sample("samples/tick_head.mdc", "player/weapon.md2");
    copy_sample("samples/tick.pcx", "player/tick.pcx");
    write_red(red);
    g_free(red);
    return scratch_file("player/tris.md2");
}

/* How much of it is rather red. */
static unsigned count_red(const picture *p) {
    unsigned count = 0;
    for (size_t i = 0; i < (size_t)p->width * p->height; i++) {
        const unsigned char *c = p->pixels + 4 * i;
        count += c[0] > 90 && c[1] < c[0] / 4 && c[2] < c[0] / 4;
    }
    return count;
}

static void test_skins_and_weapon(void **state) {
    ViewerWindow *window = open_window(application, 1040, 720);
    char *body = make_player();
    (void)state;
    open_path(window, body);
    set(window, "play", "false");
    set(window, "seek", "0.0");
    picture armed = shoot(window, "player");
    set(window, "skin", "1"); /* 0 is the one that is listed, then the files in their order */
    picture red = shoot(window, "player-red");
    assert_true(count_red(&red) > 10 * (count_red(&armed) + 100));
    g_free(red.pixels);
    set(window, "skin", "0");
    picture again = shoot(window, "player-again");
    assert_true(difference(&armed, &again) < SAME);
    g_free(armed.pixels);
    set(window, "attachments", "false");
    again = expect_change(window, again, "player-unarmed");
    g_free(again.pixels);
    g_free(body);
    close_window(window);
}

static void test_gl_commands(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    set(window, "seek", "4.0");
    set(window, "shade", "'normals'"); /* their texture coordinates differ by half a texel */
    picture before = shoot(window, "triangles");
    set(window, "gl-commands", "true");
    GVariant *position = state_of(window, "seek"); /* it goes on where it was */
    assert_true(g_variant_get_double(position) == 4.0);
    g_variant_unref(position);
    expect_same(before, shoot(window, "gl-commands"));
    close_window(window);
}

/* ---- Lists of models ----------------------------------------------------------------------- */

static char *title_of(ViewerWindow *window) {
    return g_strdup(gtk_window_get_title(GTK_WINDOW(window)));
}

static void expect_title(ViewerWindow *window, const char *title) {
    char *is = title_of(window);
    assert_string_equal(is, title);
    g_free(is);
}

static void test_folder(void **state) {
    ViewerWindow *window = open_window(application, 1040, 720);
    char *first = scratch_file("folder/a2.md2");
    (void)state;
    copy_sample("samples/tick.md2", "folder/a2.md2");
    copy_sample("samples/tick_head.mdc", "folder/a10.mdc");
    copy_sample("samples/tick.md2", "folder/B.md2");
    copy_sample("samples/tick.pcx", "folder/tick.pcx");
    open_path(window, first);
    expect_title(window, "a2.md2");
    act(window, "win.next");
    expect_title(window, "a10.mdc");
    act(window, "win.next");
    act(window, "win.next"); /* around the end */
    expect_title(window, "a2.md2");
    act(window, "win.previous");
    expect_title(window, "B.md2");
    act(window, "win.model(uint32 1)");
    expect_title(window, "a10.mdc");
    g_free(first);
    close_window(window);
}

static void test_archive(void **state) {
    char *body = source_file("samples/tick.md2"), *skin = source_file("samples/tick.pcx");
    char *head = source_file("samples/tick_head.mdc"), *path = scratch_file("tick.pk3");
    char *member = g_strdup_printf("%s:models/tick_head.mdc", path);
    blob files[] = {blob_read(body), blob_read(head), blob_read(skin)};
    const packed_file packed[] = {
        {.name = "models/tick.md2", .data = files[0].data, .size = files[0].size, .deflate = true},
        {.name = "models/tick_head.mdc", .data = files[1].data, .size = files[1].size},
        {.name = "models/tick.pcx", .data = files[2].data, .size = files[2].size}};
    blob archive = make_pk3(packed, 3);
    ViewerWindow *window = open_window(application, 1040, 720);
    (void)state;
    assert_true(g_file_set_contents(path, (const char *)archive.data, (gssize)archive.size, NULL));
    open_path(window, path);
    expect_title(window, "tick.md2");
    set(window, "play", "false");
    set(window, "seek", "0.0");
    set(window, "page", "'models'");
    picture whole = shoot_window(window, "window-archive");
    picture skinned = shoot(window, "archive");
    assert_true(count_drawn(&skinned) > 5000);
    act(window, "win.next");
    expect_title(window, "tick_head.mdc");
    open_path(window, member);
    expect_title(window, "tick_head.mdc");
    act(window, "win.previous");
    expect_title(window, "tick.md2");
    expect_same(skinned, shoot(window, "archive-again"));
    g_free(whole.pixels);
    close_window(window);
    for (size_t i = 0; i < 3; i++)
        blob_free(&files[i]);
    blob_free(&archive);
    g_free(member), g_free(path), g_free(head), g_free(skin), g_free(body);
}

/* ---- What goes wrong ----------------------------------------------------------------------- */

static bool is_complaining(ViewerWindow *window) {
    return gtk_info_bar_get_revealed(GTK_INFO_BAR(find_widget(GTK_WIDGET(window), "banner")));
}

static const char *complaint(ViewerWindow *window) {
    assert_true(is_complaining(window));
    return gtk_label_get_text(GTK_LABEL(find_widget(GTK_WIDGET(window), "banner_text")));
}

/* The knight with a triangle that uses a vertex far beyond the last. */
static char *make_damaged(void) {
    char *from = source_file("samples/tick.md2"), *to = scratch_file("damaged/knight.md2");
    blob file = blob_read(from);
    put16(&file, get32(&file, 52), 65000); /* ofs_tris */
    assert_true(g_file_set_contents(to, (const char *)file.data, (gssize)file.size, NULL));
    blob_free(&file);
    g_free(from);
    return to;
}

/* Closes it, and waits until the stage is as high as it was. */
static void close_banner(ViewerWindow *window, const picture *before) {
    GtkWidget *banner = find_widget(GTK_WIDGET(window), "banner");
    gtk_info_bar_response(GTK_INFO_BAR(banner), GTK_RESPONSE_CLOSE);
    assert_false(is_complaining(window));
    for (int i = 0; i < 50; i++) {
        picture now = shoot(window, "closing");
        bool same = now.height == before->height;
        g_free(now.pixels);
        if (same)
            return;
        settle(window);
    }
    fail_msg("the banner does not go");
}

static void test_damaged(void **state) {
    ViewerWindow *window = open_knight();
    char *damaged = make_damaged();
    (void)state;
    picture before = shoot(window, "sound");
    open_path(window, damaged);
    assert_non_null(strstr(complaint(window), "triangle 0 uses vertex 65000"));
    expect_title(window, "tick.md2");
    picture whole = shoot_window(window, "window-damaged");
    g_free(whole.pixels);
    close_banner(window, &before);
    expect_same(before, shoot(window, "still-sound"));
    open_path(window, damaged);
    act(window, "win.open-repaired");
    assert_false(is_complaining(window));
    expect_title(window, "knight.md2");
    g_free(damaged);
    close_window(window);
}

static void test_nothing_there(void **state) {
    ViewerWindow *window = open_window(application, 700, 500);
    char *nothing = scratch_file("nothing/at-all.md2");
    (void)state;
    picture whole = shoot_window(window, "window-empty");
    g_free(whole.pixels);
    open_path(window, nothing);
    assert_non_null(strstr(complaint(window), "at-all.md2"));
    static const char *const useless[] = {"win.play",    "win.screenshot", "win.export",
                                          "win.step(1)", "win.next-clip",  "win.previous-clip"};
    for (size_t i = 0; i < G_N_ELEMENTS(useless); i++)
        assert_false(is_enabled(window, useless[i]));
    act(window, "win.view::top"); /* these find nothing to do */
    act(window, "win.problem(uint32 3)");
    act(window, "win.reload");
    set(window, "gl-commands", "true");
    set(window, "uv", "true");
    g_free(nothing);
    close_window(window);
}

static void test_closed_while_reading(void **state) {
    char *path = source_file("samples/tick.md2");
    (void)state;
    for (int i = 0; i < 3; i++) {
        ViewerWindow *window = open_window(application, 640, 480);
        viewer_window_open(window, (const char *const[]){path, NULL});
        close_window(window);
    }
    g_free(path);
}

static void test_no_size(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    gtk_widget_set_visible(GTK_WIDGET(window), FALSE);
    char *head = source_file("samples/tick_head.mdc");
    viewer_window_open(window, (const char *const[]){head, NULL});
    while (viewer_window_is_busy(window))
        g_main_context_iteration(NULL, TRUE);
    gtk_window_present(GTK_WINDOW(window));
    settle(window);
    picture after = shoot(window, "shown-again");
    assert_true(count_drawn(&after) > 5000);
    g_free(after.pixels);
    g_free(head);
    close_window(window);
}

/* ---- Files that change --------------------------------------------------------------------- */

/* Until the title is that; fails when settle would. */
static void await_reload(ViewerWindow *window, const char *name, const picture *before) {
    gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
    for (;;) {
        g_main_context_iteration(NULL, FALSE);
        settle(window);
        picture now = shoot(window, name);
        double d = difference(&now, before);
        g_free(now.pixels);
        if (d > 1)
            return;
        if (g_get_monotonic_time() > end)
            fail_msg("%s: the change was not noticed", name);
    }
}

static void test_reloads(void **state) {
    ViewerWindow *window = open_window(application, 1040, 720);
    char *path = scratch_file("changing/model.md2"), *skin = scratch_file("changing/tick.pcx");
    (void)state;
    copy_sample("samples/tick.md2", "changing/model.md2");
    copy_sample("samples/tick.pcx", "changing/tick.pcx");
    open_path(window, path);
    set(window, "play", "false");
    set(window, "seek", "0.0");
    act(window, "win.turn((25.0, 0.0))");
    picture before = shoot(window, "unchanged");
    write_red(skin); /* pictures are known by their contents */
    await_reload(window, "changed-skin", &before);
    copy_sample("samples/tick_head.mdc", "changing/model.md2");
    copy_sample("samples/tick.pcx", "changing/tick.pcx");
    await_reload(window, "changed-model", &before);
    assert_false(is_complaining(window));
    remove(path);
    for (int i = 0; i < 20 && !is_complaining(window); i++) {
        g_usleep(100000);
        settle(window);
    }
    assert_non_null(strstr(complaint(window), "model.md2"));
    g_free(before.pixels);
    g_free(skin);
    g_free(path);
    close_window(window);
}

/* ---- What it writes ------------------------------------------------------------------------ */

static void test_export(void **state) {
    ViewerWindow *window = open_knight();
    char *path = scratch_file("knight.glb"), *expected = scratch_file("expected/tick.glb");
    char *model = source_file("samples/tick.md2"), *ours, *theirs;
    gsize our_size, their_size;
    (void)state;
    remove(path);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.export-to", "s", path);
    settle(window);
    run_lerpmesh("convert", model, "--force", "-o", expected, NULL);
    assert_true(g_file_get_contents(path, &ours, &our_size, NULL));
    assert_true(g_file_get_contents(expected, &theirs, &their_size, NULL));
    assert_int_equal(our_size, their_size);
    assert_memory_equal(ours, theirs, our_size);
    gtk_widget_activate_action(GTK_WIDGET(window), "win.export-to", "s", "/nowhere/at.glb");
    settle(window);
    assert_non_null(strstr(complaint(window), "/nowhere/at.glb"));
    g_free(ours), g_free(theirs), g_free(model), g_free(expected), g_free(path);
    close_window(window);
}

/* ---- Problems ------------------------------------------------------------------------------ */

static void test_problems(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    set(window, "uv", "true");
    picture before = shoot(window, "no-problem");
    act(window, "win.problem(uint32 1)"); /* seams */
    before = expect_change(window, before, "problem-seams");
    picture whole = shoot_window(window, "window-problem");
    act(window, "win.problem(uint32 0)"); /* frame 29 */
    before = expect_change(window, before, "problem-frame");
    GVariant *position = state_of(window, "seek");
    assert_true(g_variant_get_double(position) == 29);
    g_variant_unref(position);
    g_free(whole.pixels);
    g_free(before.pixels);
    close_window(window);
}

/* ---- Real models --------------------------------------------------------------------------- */

static unsigned open_all(ViewerWindow *window, const char *folder, bool sound) {
    char *path = g_build_filename(g_getenv("LERPMESH_CORPUS"), folder, NULL);
    GDir *dir = g_dir_open(path, 0, NULL);
    unsigned count = 0;
    assert_non_null(dir);
    for (const char *name; (name = g_dir_read_name(dir)); count++) {
        char *model = g_build_filename(path, name, NULL);
        char *shot = g_strdup_printf("corpus-%s", name);
        open_path(window, model);
        assert_true(is_complaining(window) != sound);
        picture drawn = shoot(window, shot);
        assert_true(count_drawn(&drawn) > 200);
        g_free(drawn.pixels);
        g_free(shot);
        g_free(model);
    }
    g_dir_close(dir);
    g_free(path);
    return count;
}

static void test_corpus(void **state) {
    (void)state;
    if (!g_getenv("LERPMESH_CORPUS"))
        skip();
    ViewerWindow *window = open_window(application, 800, 600);
    assert_true(open_all(window, "md2", true) + open_all(window, "mdc", true) +
                    open_all(window, "md3", true) >
                10);
    assert_true(open_all(window, "broken", false) > 0);
    close_window(window);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_render),
        cmocka_unit_test(test_plays),
        cmocka_unit_test(test_shades_and_scenery),
        cmocka_unit_test(test_camera),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_smallest_window),
        cmocka_unit_test(test_skins_and_weapon),
        cmocka_unit_test(test_gl_commands),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_archive),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_closed_while_reading),
        cmocka_unit_test(test_no_size),
        cmocka_unit_test(test_reloads),
        cmocka_unit_test(test_export),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_corpus),
    };
    application = viewer_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    g_object_unref(application);
    return failed;
}
