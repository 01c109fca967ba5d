/* What the files that make up the window share. */
#ifndef VIEWER_WINDOW_PRIVATE_H
#define VIEWER_WINDOW_PRIVATE_H

#include "document.h"
#include "stage.h"
#include "uv_view.h"
#include "window.h"

/* A job that a thread does for a window. Begins a struct of g_new with the job's own values. */
typedef struct window_job window_job;
struct window_job {
    GWeakRef window;                                /* it may be closed meanwhile */
    void (*run)(window_job *job);                   /* in the thread */
    void (*done)(ViewerWindow *w, window_job *job); /* then, unless the window is closed */
    void (*clear)(window_job *job);                 /* frees all but the struct */
};

struct _ViewerWindow {
    GtkApplicationWindow parent;

    document *doc;      /* NULL: nothing is open */
    shelf *shelf;       /* NULL until something is opened */
    document_wish wish; /* what was asked for last */
    GArray *list;       /* folder_model, those that are next and previous; NULL: none */
    GArray *listed;     /* the one that the panel shows */
    lm_playback play;
    uint32_t clip;
    bool wants_play;  /* the person did not stop it; a clip that came to its end did not, either */
    guint tick;       /* the frame clock's callback, while it plays */
    gint64 last_tick; /* microseconds */
    guint generation; /* of what is being read; what comes of an older one is dropped */
    guint num_jobs;   /* that run */
    guint reload_timer, status_timer;
    GPtrArray *monitors; /* of the document's files */

    ViewerStage *stage;
    ViewerUvView *uv_view;
    GtkWidget *clip_list, *model_list, *skin_list, *problem_list, *model_search;

    /* From window.ui. */
    GtkWidget *title, *subtitle, *banner, *banner_text, *repair_button, *hint, *spinner;
    GtkWidget *hint_formats;
    GtkWidget *stage_slot, *uv_slot, *uv_surface, *status;
    GtkWidget *timeline, *frame_label, *play_button, *speed, *mode;
    GtkWidget *sidebar, *pages, *clip_page, *model_page, *skin_slot, *shade, *info_text;
    GtkWidget *problem_page, *problem_summary, *recent_button;
};

/* Each file calls only files above it in this list. */

/* window_status.c */
void window_complain(ViewerWindow *w, const char *sentence, bool repairable);
void window_tell(ViewerWindow *w, const char *sentence); /* in the status line, for a while */
void window_run(ViewerWindow *w, window_job *job);       /* takes the job */
void window_set_state(ViewerWindow *w, const char *action, GVariant *state);
/* Asks an action for another state. */
void window_change_state(ViewerWindow *w, const char *action, GVariant *state);
void window_set_enabled(ViewerWindow *w, const char *action, bool enabled);

/* window_play.c */
void window_pick_clip(ViewerWindow *w, uint32_t clip);
void window_play_clip(ViewerWindow *w, uint32_t clip); /* the same, and it plays */
/* As a person asks for it. */
void window_ask_playing(ViewerWindow *w, bool playing);
void window_set_playing(ViewerWindow *w, bool playing);
void window_show_time(ViewerWindow *w); /* everywhere, after the clock was moved */

/* window_panels.c */
void window_fill_panels(ViewerWindow *w); /* from the document */
void window_fill_models(ViewerWindow *w); /* from the list */
void window_fill_recent(ViewerWindow *w);
void window_enable(ViewerWindow *w);                         /* what there is something to do for */
void window_show_surface(ViewerWindow *w, uint32_t surface); /* its texture coordinates */
void window_show_problem(ViewerWindow *w, uint32_t row);

/* window_document.c */
/* Shows `d` and takes the reference. False: the stage cannot show it, and the old one stays. */
bool window_adopt(ViewerWindow *w, document *d);

/* window_load.c */
void window_load(ViewerWindow *w); /* what the wish says */
void window_load_model(ViewerWindow *w, const char *path);
void window_set_game(ViewerWindow *w, const char *folder);
void window_load_end(ViewerWindow *w);

/* window_files.c: actions */
void window_ask_open(GSimpleAction *action, GVariant *parameter, gpointer user);
void window_screenshot(GSimpleAction *action, GVariant *parameter, gpointer user);
void window_screenshot_to(GSimpleAction *action, GVariant *parameter, gpointer user);
void window_ask_export(GSimpleAction *action, GVariant *parameter, gpointer user);
void window_ask_game(GSimpleAction *action, GVariant *parameter, gpointer user);
void window_export_to(GSimpleAction *action, GVariant *parameter, gpointer user);

/* window_actions.c */
void window_add_actions(ViewerWindow *w);

#endif
