/* The declarations that the window's files share. */
#ifndef VIEWER_WINDOW_PRIVATE_H
#define VIEWER_WINDOW_PRIVATE_H

#include "document.h"
#include "edits.h"
#include "stage.h"
#include "window.h"

/* A job for a worker thread. Embed it as the first member of a struct allocated with g_new. */
typedef struct window_job window_job;
struct window_job {
    GWeakRef window;              /* the window may be closed in the meantime */
    void (*run)(window_job *job); /* called in the worker thread */
    /* called afterwards in the main thread, unless the window is closed */
    void (*done)(ViewerWindow *w, window_job *job);
    void (*clear)(window_job *job); /* frees everything except the struct */
};

struct _ViewerWindow {
    GtkApplicationWindow parent;

    document *doc;            /* NULL: nothing is open */
    shared_vfs *shared_vfs;   /* NULL until the first load */
    document_request request; /* the latest request */
    edits *edits;             /* of the document's own file; NULL: none */
    bool games_given;         /* the request's games were given, or chosen in this window */
    GArray *list;             /* folder_model, for next and previous; NULL: none */
    GArray *listed;           /* the list that the panel shows */
    lm_playback play;
    uint32_t clip;
    bool play_requested; /* the user has not paused; the end of a clip does not change this */
    guint tick;          /* the frame clock's callback while playing */
    gint64 last_tick;    /* microseconds */
    guint tick_idle;     /* pending since the last tick that drew */
    guint generation;    /* of the latest load; older results are dropped */
    guint finished;      /* the generation of the last load that ended */
    guint num_jobs;      /* running now */
    guint reload_timer, status_timer, spinner_timer;
    guint bar_timer;          /* hides the bar of a full screen */
    bool is_full;             /* the window covers the screen */
    bool is_narrow;           /* the side panel is over the view */
    bool is_tight;            /* the title has the room of some buttons */
    bool is_compact;          /* either; the side panel is hidden at first */
    bool sidebar_before;      /* shown before that */
    bool is_placed;           /* the panes have a position */
    bool is_described;        /* the Information page shows the document */
    bool left_clips;          /* for the Display page, as the model does not move */
    int panel_width;          /* pixels, when it was last beside the view */
    guint adapt_idle;         /* adapts the panel to the window's width */
    double mouse_x, mouse_y;  /* of the last motion */
    gpointer search;          /* for a skeleton (window_skeleton.c); NULL: none is running */
    guint search_timer;       /* updates its progress */
    guint export_kind;        /* the last one in the dialog's list */
    GPtrArray *monitors;      /* of the document's files */
    GPtrArray *list_monitors; /* of the list's folders, or of its archive */
    bool document_changed, list_changed; /* by other programs; `reload_timer` runs */
    bool error_is_of_file; /* the banner's error ends when the file can be opened again */

    ViewerStage *stage;
    ViewerUvView *uv_view;
    GtkWidget *clip_list, *model_list, *skin_list, *problem_list, *model_search;

    /* Children from window.ui. */
    GtkWidget *title, *subtitle, *step_buttons, *screenshot_button, *banner, *banner_text,
        *banner_details, *details_button;
    GtkWidget *repair_button, *empty_state, *formats, *recent_box, *spinner;
    GtkWidget *stage_slot, *uv_slot, *uv_surface, *status;
    GtkWidget *torso;
    GtkWidget *timeline, *frame_label, *play_button, *speed, *mode;
    GtkWidget *body, *panes, *sidebar, *pages, *clip_page, *model_page, *shade, *info_box;
    GtkWidget *playback_box, *display_box;
    GtkWidget *problem_page, *problem_summary, *recent_button;
    GtkWidget *search_bar, *search_progress;
    GtkWidget *texture_bar, *texture_text;
    GtkWidget *controls, *controls_slot, *bar, *bar_slot;

    GWeakRef attach_dialog; /* of window_attach.c */

    /* Of window_grid.c. */
    GtkWidget *grid, *grid_page, *grid_search, *grid_count, *grid_sort;
    bool grid_is_shown; /* in place of the model */
    bool prefers_grid;  /* folders and archives open in the grid */
    char **list_paths;  /* which the list was made of */
    char *list_path;    /* the folder or the archive of the list */
    GArray *gridded;    /* the list that the grid shows; NULL: none */
    bool from_grid;     /* the model was opened from the grid, whose order the next one follows */
    shared_vfs *grid_vfs;
    guint grid_generation; /* counts the lists that the grid showed */
};

/* The functions of actions; `user` is the window. */
typedef void window_action(GSimpleAction *action, GVariant *parameter, gpointer user);

/* Each file calls only functions of files above it in this list. */

/* window_status.c */
/* Shows the banner. `details`: the library's message, for the "Details" button; NULL: none. */
void window_show_error(ViewerWindow *w, const char *message, const char *details, bool repairable);
void window_show_status(ViewerWindow *w,
                        const char *message); /* shown in the status line for a while */
void window_hide_error(ViewerWindow *w);
void window_run(ViewerWindow *w, window_job *job); /* takes ownership of the job */
void window_set_state(ViewerWindow *w, const char *action, GVariant *state);
/* Requests another state of an action. */
void window_change_state(ViewerWindow *w, const char *action, GVariant *state);
void window_set_enabled(ViewerWindow *w, const char *action, bool enabled);

/* window_play.c */
void window_select_clip(ViewerWindow *w, uint32_t clip);
void window_play_clip(ViewerWindow *w, uint32_t clip); /* the same, and starts playing */
/* Sets playing on the user's request. */
void window_request_playing(ViewerWindow *w, bool playing);
void window_set_playing(ViewerWindow *w, bool playing);
void window_show_time(ViewerWindow *w); /* updates all displays after a change of the time */

/* window_layout.c */
/* Shows the side panel if the user wants it and there is a model or a list. */
void window_show_sidebar(ViewerWindow *w);
/* Hides a panel over the view. False: there is none. */
bool window_close_overlay(ViewerWindow *w);
/* Moves the panel over the view of a narrow window, or beside it. */
void window_fit_panel(ViewerWindow *w, int window_width);
/* The panel's width beside the view, in pixels. Set it before the first allocation. */
int window_panel_width(ViewerWindow *w);
void window_set_panel_width(ViewerWindow *w, int width, int window_width);
void window_allocated(ViewerWindow *w, int width); /* the window, a width in pixels */
void window_watch_mouse(ViewerWindow *w);          /* which brings back the bar */
/* Hides all but the model, or shows it again. */
void window_set_full(ViewerWindow *w, bool full);

/* window_info.c */
/* Fills the Information page from the document, if it is shown. */
void window_fill_info(ViewerWindow *w);

/* window_panels.c */
void window_add_rows(ViewerWindow *w);    /* the switches */
void window_fill_panels(ViewerWindow *w); /* from the document */
/* Shows the document's title, with a dot if there are unsaved changes. */
void window_show_title(ViewerWindow *w);
void window_enable_edits(ViewerWindow *w); /* enables undo and so on, if they apply now */
void window_fill_models(ViewerWindow *w);  /* from the list */
/* Returns the row of the requested model in the list; GTK_INVALID_LIST_POSITION: it has none. */
guint window_model_row(ViewerWindow *w);
/* Returns "TITLE", a tab, "DETAIL", a tab and "PROBLEM" of a row; free it with g_free. */
char *window_model_text(ViewerWindow *w, guint row);
/* enables the actions that apply now */
void window_enable(ViewerWindow *w);
/* Shows the texture coordinates of a surface, by its index among those of all parts. */
void window_show_surface(ViewerWindow *w, uint32_t row);
/* Sets the clip that the torso plays apart from the legs: 0 is none, others count from 1. */
void window_select_torso(ViewerWindow *w, uint32_t row);
uint32_t window_torso(const ViewerWindow *w);
window_action window_show_problem;

/* window_skeleton.c */
/* Starts to find the document's skeleton, unless it is known. */
void window_find_skeleton(ViewerWindow *w);
void window_stop_skeleton(ViewerWindow *w);

/* window_grid.c */
void window_add_grid(ViewerWindow *w);
void window_end_grid(ViewerWindow *w);
/* Shows the list as a grid in place of the model and the side panel, or the model again. With fewer
 * than two models, there is no grid. */
void window_show_grid(ViewerWindow *w, bool shown);
/* Sorts by an index in the list of orders. */
void window_sort_grid(ViewerWindow *w, uint32_t order);
/* Returns the row of the model after the requested one, or before it: in the order of the grid if
 * the requested one was opened there. GTK_INVALID_LIST_POSITION: there is no other. */
guint window_step_row(ViewerWindow *w, int step);
bool window_grid_is_busy(ViewerWindow *w);

/* window_settings.c */
typedef struct settings settings;

/* Reads the settings. Without a file, or with one that cannot be read, there are none. */
settings *settings_open(void);
/* Writes the changes, warns on the terminal if that fails, and frees the settings. */
void settings_close(settings *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(settings, settings_close)

/* Returns a value, to be freed with g_variant_unref; NULL: there is none of that type. */
GVariant *settings_get(const settings *s, const char *key, const GVariantType *type);
/* Takes a floating value. */
void settings_set(settings *s, const char *key, GVariant *value);
void window_restore(ViewerWindow *w);  /* the size and the settings of the last window */
void window_remember(ViewerWindow *w); /* them for the next window */
/* Returns the folder of the last files that a dialog opened; free it with g_free. NULL: none. */
char *window_last_folder(void);
void window_remember_folder(const char *folder);
/* Returns the game folder that was chosen for a folder of models that has the path; free it with
 * g_free. NULL: none was, or it is gone. */
char *window_game_of(const char *path);
void window_remember_game(const char *models, const char *chosen);

/* window_save.c */
bool window_is_edited(const ViewerWindow *w); /* there are unsaved changes */
void window_drop_edits(ViewerWindow *w);
typedef void (*window_go)(ViewerWindow *w, gpointer data);
/* If there are unsaved changes, asks about them, calls `go` unless the user cancels, and returns
 * true. `free_data` (NULL: none) is then called at last. Otherwise does nothing. */
bool window_ask_unsaved(ViewerWindow *w, window_go go, gpointer data, GDestroyNotify free_data);
/* Actions. */
window_action window_save_copy, window_save_copy_to, window_replace_original;

/* window_dialogs.c */
/* A widget of a .ui file, and the place that receives it. */
typedef struct dialog_widget {
    const char *name;
    GtkWidget **place;
} dialog_widget;
/* Builds the dialog of a .ui file, the first of the widgets. `data` is freed with it. */
void window_build_dialog(ViewerWindow *w, const char *file, const dialog_widget *widgets,
                         size_t count, gpointer data, GDestroyNotify free_data);
/* Shows a dialog that chooses a file, until `owner` ends. `answered` frees it with
 * window_answer. */
void window_show_chooser(GtkFileChooserNative *dialog, GObject *owner, GCallback answered);
/* Starts a dialog in a folder; NULL, or one that does not exist: wherever GTK starts it. */
void window_start_in(GtkFileChooser *chooser, const char *folder);
/* Starts a dialog in the folder of the document's file; NULL: in the last folder. */
void window_start_near(GtkFileChooser *chooser, const document *doc);
/* Returns the selected path, NULL: none, and frees the dialog. Free it with g_free. */
char *window_answer(GtkNativeDialog *dialog, int response);
/* Reports that a file was written, or the error. */
void window_show_result(ViewerWindow *w, const char *path, const char *error);

/* window_load.c */
void window_load(ViewerWindow *w); /* loads the current request */
window_action window_reload;
void window_load_model(ViewerWindow *w, const char *path);
void window_set_game(ViewerWindow *w, const char *folder);
void window_load_end(ViewerWindow *w);

/* window_files.c */
/* Writes the stage as PNG. Returns NULL, or a message to free. */
char *window_write_picture(ViewerWindow *w, const char *path, uint32_t width, uint32_t height,
                           bool transparent);
/* Actions. */
window_action window_ask_open, window_ask_folder, window_screenshot, window_screenshot_to,
    window_copy_picture, window_ask_game;

/* window_edit.c */
/* Applies an edit of a part and shows the result. Fills in the files of the step. */
bool window_add_step(ViewerWindow *w, uint32_t part, const edit_step *step, lm_error *error);
/* Actions. window_undo is also that of redo. */
window_action window_fix, window_undo, window_rename, window_edit_names, window_edit_clip,
    window_edit_focused, window_change_clip;

/* window_export.c: actions */
window_action window_ask_export, window_export_as;

/* window_attach.c */
/* A list of attached models is a tag and a path in turn, terminated by NULL. The tag "" stands for
 * none: the model shows the same frames as the first part. */

/* Returns the list with a model added, or without a model. A tag holds one model, which takes the
 * place of another one. A weapon brings its barrel if that is among the paths, and takes it along.
 * Free the list with g_strfreev. `list` and `paths` may be NULL; `paths` is terminated by NULL. */
char **attachments_with(char **list, const char *tag, const char *path, char **paths);
char **attachments_without(char **list, const char *path);

/* Sorts the paths of models: first those that the weapon of `shown[0]`, the first part's file,
 * lacks among `shown`, the files of the scene (terminated by NULL); then those of weapons. Returns
 * a list to free with g_strfreev, without `shown[0]`. Weapons are in folders of weapons, or begin
 * with weapon or w_ in the folder of `shown[0]`. */
char **attachments_at_hand(lm_vfs *vfs, char **paths, const char *const *shown);

/* Finds the weapons of the game that `body` belongs to: in all archives of its archive's folder, or
 * in the folders models/weapons and models/weapons2 above it. Returns their paths; free them with
 * g_strfreev. Reads files: call it in a thread. */
char **attachments_weapons(lm_vfs *vfs, const char *body);

/* Returns the names of the tags of a scene, those of weapons first; free the list with g_strfreev.
 * The tags that several models have are PARENT:TAG. */
char **attachments_tags(const lm_scene *scene);
/* Shows in the dialog, if it is open, what the window shows now. Closes it if the document is
 * another one, or was not opened. */
void window_attach_refresh(ViewerWindow *w, bool opened);
/* Actions. */
window_action window_ask_attach, window_attach, window_detach;

/* window_actions.c */
void window_add_actions(ViewerWindow *w);

#endif
