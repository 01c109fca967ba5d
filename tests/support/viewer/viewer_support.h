/* What the tests of the viewer share: a window on a display without a screen, pictures of it. */
#ifndef VIEWER_SUPPORT_H
#define VIEWER_SUPPORT_H

#include "application.h"
#include "window.h"

#define SAME 0.5 /* mean difference of a channel */

/* The program, started without running: the tests turn its main loop. For cmocka's groups. */
int start_viewer(void **state);
int end_viewer(void **state);

/* A shown window of that size. */
ViewerWindow *open_window(int width, int height);
/* Opens PATH and waits until it was read and drawn. */
void open_path(ViewerWindow *window, const char *path);
void close_window(ViewerWindow *window);

/* Turns the main loop until nothing is read any more and a few frames were drawn; fails after a
 * minute. */
void settle(ViewerWindow *window);

/* Activates "win.ACTION", "win.ACTION(TARGET)" or "win.ACTION::TARGET", as menus name them, and
 * settles. Fails if there is no such action. */
void act(ViewerWindow *window, const char *detailed);
/* Sets an action's state, a GVariant as text, and settles. */
void set(ViewerWindow *window, const char *action, const char *state);
GVariant *state_of(ViewerWindow *window, const char *action); /* g_variant_unref */
/* Of an action named as in `act`. */
bool is_enabled(ViewerWindow *window, const char *detailed);
bool is_on(ViewerWindow *window, const char *action);

/* The widget below `root` whose name in window.ui is `id`. */
GtkWidget *find_widget(GtkWidget *root, const char *id);

/* A picture of what the stage draws, kept as NAME.png in the folder for screenshots. */
typedef struct picture {
    unsigned width, height;
    unsigned char *pixels; /* RGBA, g_free */
} picture;
picture shoot(ViewerWindow *window, const char *name);
/* The same of the window with all its widgets. */
picture shoot_window(ViewerWindow *window, const char *name);
picture shoot_widget(GtkWidget *widget, const char *name); /* of another window, as it is */
picture read_picture(const char *path);
/* Mean difference of a channel, 0 .. 255; 255 for pictures of different sizes. */
double difference(const picture *a, const picture *b);
/* How many pixels are neither of the backdrop nor like the one at the top left. */
unsigned count_drawn(const picture *a);

/* Paths, g_free: NAME in the sources; NAME in a folder for this run, which is made empty. */
char *source_file(const char *name);
char *scratch_file(const char *name);
void copy_file(const char *from, const char *to);
/* Runs `lerpmesh` with arguments, NULL at the end; fails unless it exits with 0. */
void run_lerpmesh(const char *const *arguments);

/* A window with a sample that does not play; the knight's. */
ViewerWindow *open_sample(const char *name);
ViewerWindow *open_knight(void);
void expect_title(ViewerWindow *window, const char *title);

/* Fails unless the stage shows something else than `before`, which is freed. Returns what. */
picture expect_change(ViewerWindow *window, picture before, const char *name);
/* Frees both. */
void expect_same(picture a, picture b);

/* Whether the banner is shown, and what it says; fails if it is not. */
bool is_complaining(ViewerWindow *window);
const char *complaint(ViewerWindow *window);

/* Copies a file of the sources to the scratch folder; writes a picture of one colour. */
void copy_sample(const char *sample, const char *to);
void write_red(const char *path);

#endif
