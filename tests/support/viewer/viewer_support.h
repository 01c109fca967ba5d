/* Helpers of the viewer's tests: a window on a display without a screen, and screenshots. */
#ifndef VIEWER_SUPPORT_H
#define VIEWER_SUPPORT_H

#include "document.h"
#include "testing.h"
#include "window.h"

#define SAME 0.5 /* mean difference per channel */

/* Starts the program without running it: the tests drive its main loop. For TEST_GROUP. */
int start_viewer(void **state);
int end_viewer(void **state);

/* Opens and shows a window of that size; of width 0: of its own size. */
ViewerWindow *open_window(int width, int height);
/* Opens PATH and waits until the file is read and drawn. */
void open_path(ViewerWindow *window, const char *path);
/* Does the same, and pauses at the first frame. */
void open_still(ViewerWindow *window, const char *path);
void close_window(ViewerWindow *window);
OWNER(ViewerWindow, close_window)
OWNER(document, document_unref)
OWNER(shared_vfs, shared_vfs_unref)

/* Runs the main loop until all reading ends and a few frames are drawn. Fails after a minute. */
void settle(ViewerWindow *window);
/* Runs the main loop once, or waits for a millisecond. */
void run_shortly(void);
/* Runs the main loop until a condition holds, which something else than an action brings about. */
#define WAIT_FOR(window, condition)                                           \
    do {                                                                      \
        const gint64 wait_end = g_get_monotonic_time() + 30 * G_USEC_PER_SEC; \
        while (!(condition) && g_get_monotonic_time() < wait_end)             \
            run_shortly();                                                    \
        settle(window);                                                       \
        assert_true(condition);                                               \
    } while (0)

/* Activates "win.ACTION", "win.ACTION(TARGET)" or "win.ACTION::TARGET", as menus name them, and
 * settles. Fails if there is no such action. */
void act(ViewerWindow *window, const char *detailed);
/* Sets an action's state, a GVariant as text, and settles. */
void set(ViewerWindow *window, const char *action, const char *state);
/* Compares an action's state, a GVariant as text. */
void expect_state(ViewerWindow *window, const char *action, const char *text);
/* Takes an action named as in `act`. */
bool is_enabled(ViewerWindow *window, const char *detailed);
bool is_on(ViewerWindow *window, const char *action);

/* Returns the widget below `root` whose name in window.ui is `id`. */
GtkWidget *find_widget(GtkWidget *root, const char *id);
/* Does the same in a window, and fails if there is none. */
GtkWidget *widget(ViewerWindow *window, const char *id);
/* Returns the first widget of a type at or below `root`; NULL: there is none. */
GtkWidget *find_type(GtkWidget *root, GType type);

/* Checks what a screen reader finds, and the text of a label with that id. */
void expect_property(GtkWidget *widget, GtkAccessibleProperty property, const char *value);
void expect_label(ViewerWindow *window, const char *id, const char *text);
void click(ViewerWindow *window, GtkWidget *button);

/* An image of the stage, saved as NAME.png in the folder for screenshots. */
typedef struct screenshot {
    unsigned width, height;
    unsigned char *pixels; /* RGBA, free with g_free */
} screenshot;
/* AT_END(drop_screenshot) screenshot shown = … */
static inline void drop_screenshot(screenshot *shown) {
    g_free(shown->pixels);
}
screenshot take_screenshot(ViewerWindow *window, const char *name);
/* Does the same with the window and all its widgets. */
screenshot take_window_screenshot(ViewerWindow *window, const char *name);
screenshot take_widget_screenshot(GtkWidget *widget,
                                  const char *name); /* of any widget, in its current state */
screenshot read_screenshot(const char *path);
/* Returns the mean difference per channel, 0 .. 255; 255 for images of different sizes. */
double difference(const screenshot *a, const screenshot *b);
/* Counts the pixels that differ from the background and from the top left pixel. */
unsigned count_drawn(const screenshot *a);

/* Return paths, to be freed with g_free: of NAME in the sources; of NAME in a folder for this run,
 * emptied at its start. */
char *source_file(const char *name);
char *scratch_file(const char *name);
char *fresh_folder(const char *name); /* the same, empty */
void copy_file(const char *from, const char *to);
guint count_files(const char *folder);
/* Runs `lerpmesh` with arguments, NULL at the end; fails unless it exits with 0. */
void run_lerpmesh(const char *const *arguments);

/* Open a window with a paused sample: NAME, and Tick. */
ViewerWindow *open_sample(const char *name);
ViewerWindow *open_tick(void);
document *open_document(const char *name); /* a sample, without a window */
void expect_title(ViewerWindow *window, const char *title);

/* Fails unless the stage differs from `before`, which is freed. Returns the new image. */
screenshot expect_change(ViewerWindow *window, screenshot before, const char *name);
/* Frees both. */
void expect_same(screenshot a, screenshot b);

/* Return whether the banner is shown, and its text; the second fails if it is hidden. */
bool error_is_shown(ViewerWindow *window);
const char *error_text(ViewerWindow *window);

/* Writes Tick with another path of its skin, and its texture. Returns the path of the file. */
char *make_tick(const char *name, const char *skin);
/* Fails unless two files have the same bytes, or different ones. */
void expect_equal_files(const char *a, const char *b, bool equal);
void save_to(ViewerWindow *window, const char *path); /* a copy of the edited model */
/* Return the dialog over a window, the dialog that chooses a file, and the question that is shown;
 * NULL: none. */
GtkWidget *find_dialog(ViewerWindow *window);
GtkWidget *open_dialog(ViewerWindow *window, const char *action); /* fails without a dialog */
GtkWidget *find_chooser(void);
GtkWidget *find_question(void);
/* Answers the question, and fails if there is none. */
void answer(ViewerWindow *window, int response);

/* Returns the paths of the files in a folder of the corpus; free them with g_strfreev. Fails if
 * there is no such folder. */
char **corpus_files(const char *folder);
/* Copies a file of the sources to the scratch folder; writes an image of one colour. */
void copy_sample(const char *sample, const char *to);
/* Writes an archive of samples: pairs of a member and a sample, NULL at the end. */
void pack(const char *path, const char *const (*members)[2]);
void write_red(const char *path);

#endif
