/* The viewer on a display without a screen: opens our samples, plays, and is looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "viewer_support.h"

#define CLOSE 1.0 /* mean difference of a channel: the same picture */
#define FAR 0.3   /* a different one */

static GtkApplication *application;

static ViewerWindow *open_knight(void) {
    ViewerWindow *window = open_window(application, 1040, 720);
    char *path = source_file("samples/tick.md2");
    open_path(window, path);
    act(window, "win.play(false)");
    g_free(path);
    return window;
}

/* Fails unless the pictures differ, or are the same. */
static void expect_another(picture a, picture b, bool another) {
    double d = difference(&a, &b);
    if (another ? d < FAR : d > CLOSE)
        fail_msg("the pictures differ by %g", d);
    g_free(b.pixels);
}

static void test_equals_render(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    act(window, "win.clip(uint32 1)");
    act(window, "win.play(false)");
    act(window, "win.view::front");
    act(window, "win.seek(3.0)");
    picture shown = shoot(window, "front");
    char *size = g_strdup_printf("%ux%u", shown.width, shown.height);
    char *model = source_file("samples/tick.md2");
    char *out = scratch_file("run-{frame:04}.png"), *third = scratch_file("run-0003.png");
    run_lerpmesh("render", model, "--clip", "run", "--size", size, "--view", "front",
                 "--background", "CCD1D9", "--force", "-o", out, NULL);
    picture expected = read_picture(third);
    assert_true(count_drawn(&expected) > 5000);
    expect_another(shown, expected, false);
    g_free(shown.pixels);
    g_free(third);
    g_free(out);
    g_free(model);
    g_free(size);
    close_window(window);
}

static void test_window(void **state) {
    ViewerWindow *window = open_knight();
    (void)state;
    picture whole = shoot_window(window, "window");
    assert_true(count_drawn(&whole) > 20000);
    g_free(whole.pixels);
    close_window(window);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_render),
        cmocka_unit_test(test_window),
    };
    application = viewer_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    g_object_unref(application);
    return failed;
}
