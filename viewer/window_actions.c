/* The window's actions. */
#include "window_private.h"

#include "folder.h"

#include <string.h>

/* ---- Files ----------------------------------------------------------------------------------- */

static void open_path(GSimpleAction *action, GVariant *parameter, gpointer user) {
    const char *paths[] = {g_variant_get_string(parameter, NULL), NULL};
    viewer_window_open(user, paths);
}

static void open_sample(GSimpleAction *action, GVariant *parameter, gpointer user) {
    viewer_window_open(user, (const char *const[]){SAMPLE_PATH, NULL});
}

/* Returns whether the stage shows the model of the request. */
static bool is_open(const ViewerWindow *w, const char *path) {
    return w->doc && strcmp(w->doc->request.path, path) == 0 &&
           g_strcmp0(w->request.path, path) == 0;
}

static void select_model(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    guint row = g_variant_get_uint32(parameter);
    if (!w->list || row >= w->list->len)
        return;
    const char *path = g_array_index(w->list, folder_model, row).path;
    w->from_grid = w->grid_is_shown;
    if (w->grid_is_shown && is_open(w, path))
        window_show_grid(w, false);
    else
        window_load_model(w, path);
}

/* Returns -1 for the actions "previous" and "previous-clip", 1 for "next" and "next-clip". */
static int step_of(GSimpleAction *action) {
    return g_str_has_prefix(g_action_get_name(G_ACTION(action)), "previous") ? -1 : 1;
}

static void step_model(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    const guint row = window_step_row(w, step_of(action));
    if (w->list && row < w->list->len)
        window_load_model(w, g_array_index(w->list, folder_model, row).path);
}

static void open_repaired(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    w->request.repair = true;
    window_load(w);
}

static void set_game(GSimpleAction *action, GVariant *parameter, gpointer user) {
    window_set_game(user, g_variant_get_string(parameter, NULL));
}

/* ---- Loading --------------------------------------------------------------------------------- */

static void select_skin(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    uint32_t row = g_variant_get_uint32(state);
    if (!w->doc || row >= w->doc->skins->num_choices)
        return;
    g_free(w->request.skin);
    w->request.skin = g_strdup(w->doc->skins->choices[row].option);
    w->request.listed = w->doc->skins->choices[row].skin;
    window_load(w);
}

static void set_gl_commands(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    w->request.gl_commands = g_variant_get_boolean(state);
    g_simple_action_set_state(action, state);
    window_load(w);
}

static void set_attachments(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    w->request.without_related = !g_variant_get_boolean(state);
    g_simple_action_set_state(action, state);
    window_load(w);
}

/* ---- Time ------------------------------------------------------------------------------------ */

static void play(GSimpleAction *action, GVariant *state, gpointer user) {
    window_request_playing(user, g_variant_get_boolean(state));
}

static void select_clip(GSimpleAction *action, GVariant *state, gpointer user) {
    window_play_clip(user, g_variant_get_uint32(state));
}

static void step_clip(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (w->doc)
        window_play_clip(w, (w->clip + w->doc->num_clips + (uint32_t)step_of(action)) %
                                w->doc->num_clips);
}

static void select_torso(GSimpleAction *action, GVariant *state, gpointer user) {
    window_select_torso(user, g_variant_get_uint32(state));
}

static void seek(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    window_request_playing(w, false);
    lm_playback_seek(&w->play, g_variant_get_double(state));
    window_show_time(w);
}

static void step(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    window_request_playing(w, false);
    lm_playback_step(&w->play, g_variant_get_int32(parameter));
    window_show_time(w);
}

static const char *const modes[] = {"clip", "loop", "once", "ping-pong", NULL};

/* Returns the index of a word in a list; -1: not in it. */
static int index_of(const char *const *words, GVariant *word) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], g_variant_get_string(word, NULL)) == 0)
            return i;
    return -1;
}

static void set_mode(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    int mode = index_of(modes, state);
    if (mode < 0)
        return;
    lm_playback_set(&w->play, (lm_play_mode)mode, w->play.backwards, w->play.playing);
    g_simple_action_set_state(action, state);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(w->mode), (guint)mode);
    window_show_time(w);
}

static void set_backwards(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    lm_playback_set(&w->play, w->play.mode, g_variant_get_boolean(state), w->play.playing);
    g_simple_action_set_state(action, state);
    window_show_time(w);
}

static void set_interpolate(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    w->play.stepped = !g_variant_get_boolean(state);
    g_simple_action_set_state(action, state);
    window_show_time(w);
}

static void set_speed(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    double speed = g_variant_get_double(state);
    if (!(speed >= 0.05 && speed <= 8))
        return;
    w->play.speed = (float)speed;
    g_simple_action_set_state(action, state);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(w->speed), speed);
}

static void scale_speed(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    double speed = (double)w->play.speed * g_variant_get_double(parameter);
    window_change_state(w, "speed", g_variant_new_double(CLAMP(speed, 0.05, 8)));
}

/* ---- Display --------------------------------------------------------------------------------- */

static const char *const shades[] = {"lit", "texture", "normals", "wire", "uv", NULL};

static void set_shade(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    int shade = index_of(shades, state);
    if (shade < 0)
        return;
    viewer_stage_options(w->stage)->render.shade = (lm_gl_shade)shade;
    g_simple_action_set_state(action, state);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(w->shade), (guint)shade);
    viewer_stage_redraw(w->stage);
}

static void next_shade(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    unsigned shade = (unsigned)viewer_stage_options(w->stage)->render.shade + 1;
    window_change_state(w, "shade",
                        g_variant_new_string(shades[shade % (G_N_ELEMENTS(shades) - 1)]));
}

/* Sets the option that the action is named after. */
static void set_show(GSimpleAction *action, GVariant *state, gpointer user) {
    static const struct {
        const char *name;
        unsigned flag;
    } overlays[] = {{"box", LM_GL_SHOW_BOX},
                    {"grid", LM_GL_SHOW_GRID},
                    {"axes", LM_GL_SHOW_AXES},
                    {"tags", LM_GL_SHOW_TAGS},
                    {"shadow", LM_GL_SHOW_SHADOW}};
    ViewerWindow *w = user;
    stage_options *options = viewer_stage_options(w->stage);
    const char *name = g_action_get_name(G_ACTION(action));
    bool shown = g_variant_get_boolean(state);
    if (strcmp(name, "edges") == 0)
        options->edges = shown;
    if (strcmp(name, "two-sided") == 0)
        options->render.two_sided = shown;
    for (size_t i = 0; i < G_N_ELEMENTS(overlays); i++)
        if (strcmp(overlays[i].name, name) == 0)
            options->render.show = shown ? options->render.show | overlays[i].flag
                                         : options->render.show & ~overlays[i].flag;
    g_simple_action_set_state(action, state);
    viewer_stage_refit(w->stage);
}

static void set_skeleton(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    const bool shown = g_variant_get_boolean(state);
    viewer_stage_options(w->stage)->bones = shown;
    g_simple_action_set_state(action, state);
    if (shown)
        window_find_skeleton(w);
    else
        window_stop_skeleton(w);
    viewer_stage_redraw(w->stage);
}

/* ---- Camera ---------------------------------------------------------------------------------- */

static void view(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerStage *stage = VIEWER_WINDOW(user)->stage;
    static const char *const names[] = {"front", "side", "back", "top", "iso", NULL};
    static const float angles[][2] = {{0, 0}, {90, 0}, {180, 0}, {0, 90}, {45, 30}};
    int i = index_of(names, parameter);
    if (i >= 0)
        viewer_stage_view_from(stage, angles[i][0], angles[i][1]);
    viewer_stage_options(stage)->eye = strcmp(g_variant_get_string(parameter, NULL), "eye") == 0;
    viewer_stage_redraw(stage);
}

static void rotate(GSimpleAction *action, GVariant *parameter, gpointer user) {
    double azimuth, elevation;
    g_variant_get(parameter, "(dd)", &azimuth, &elevation);
    viewer_stage_orbit(VIEWER_WINDOW(user)->stage, (float)azimuth, (float)elevation);
}

static void zoom(GSimpleAction *action, GVariant *parameter, gpointer user) {
    viewer_stage_zoom(VIEWER_WINDOW(user)->stage, g_variant_get_double(parameter));
}

static void fit(GSimpleAction *action, GVariant *parameter, gpointer user) {
    viewer_stage_fit(VIEWER_WINDOW(user)->stage);
}

static void reset_camera(GSimpleAction *action, GVariant *parameter, gpointer user) {
    viewer_stage_view_from(VIEWER_WINDOW(user)->stage, 30, 15);
}

/* ---- The window ------------------------------------------------------------------------------ */

static void set_sidebar(GSimpleAction *action, GVariant *state, gpointer user) {
    g_simple_action_set_state(action, state);
    window_show_sidebar(user);
}

static void set_uv(GSimpleAction *action, GVariant *state, gpointer user) {
    gtk_widget_set_visible(VIEWER_WINDOW(user)->uv_slot, g_variant_get_boolean(state));
    g_simple_action_set_state(action, state);
}

static void set_page(GSimpleAction *action, GVariant *state, gpointer user) {
    GtkStack *pages = GTK_STACK(VIEWER_WINDOW(user)->pages);
    const char *name = g_variant_get_string(state, NULL);
    if (!gtk_stack_get_child_by_name(pages, name))
        return;
    VIEWER_WINDOW(user)->left_clips = false; /* the user chose the page */
    gtk_stack_set_visible_child_name(pages, name);
    g_simple_action_set_state(action, state);
    window_fill_info(user);
}

/* Folders and archives then open in the form that the user chose. Without the grid, the first model
 * opens unless one is open. */
static void set_thumbnails(GSimpleAction *action, GVariant *state, gpointer user) {
    ViewerWindow *w = user;
    const bool before = w->grid_is_shown;
    w->prefers_grid = g_variant_get_boolean(state);
    if (before && !w->prefers_grid && w->request.path && !is_open(w, w->request.path))
        window_load(w);
    window_show_grid(w, w->prefers_grid);
}

static const char *const orders[] = {"name",      "folder",   "size", "frames",
                                     "triangles", "problems", NULL};

static void set_order(GSimpleAction *action, GVariant *state, gpointer user) {
    const int order = index_of(orders, state);
    if (order < 0)
        return;
    g_simple_action_set_state(action, state);
    window_sort_grid(user, (uint32_t)order);
}

static void set_fullscreen(GSimpleAction *action, GVariant *state, gpointer user) {
    if (g_variant_get_boolean(state))
        gtk_window_fullscreen(GTK_WINDOW(user));
    else
        gtk_window_unfullscreen(GTK_WINDOW(user));
    g_simple_action_set_state(action, state);
}

static void leave_fullscreen(GSimpleAction *action, GVariant *parameter, gpointer user) {
    if (VIEWER_WINDOW(user)->is_full || !window_close_overlay(user))
        window_change_state(user, "fullscreen", g_variant_new_boolean(FALSE));
}

/* Leaves full screen, the search of the grid, or a model that was opened from the grid. */
static void go_back(GSimpleAction *action, GVariant *parameter, gpointer user) {
    ViewerWindow *w = user;
    if (w->is_full)
        leave_fullscreen(action, parameter, user);
    else if (w->grid_is_shown)
        gtk_editable_set_text(GTK_EDITABLE(w->grid_search), "");
    else if (!window_close_overlay(w))
        window_show_grid(w, w->prefers_grid);
}

static void show_surface(GSimpleAction *action, GVariant *state, gpointer user) {
    window_show_surface(user, g_variant_get_uint32(state));
}

/* ---- The actions ----------------------------------------------------------------------------- */

static const GActionEntry entries[] = {
    {.name = "open", .activate = window_ask_open},
    {.name = "open-folder", .activate = window_ask_folder},
    {.name = "open-path", .activate = open_path, .parameter_type = "s"},
    {.name = "open-sample", .activate = open_sample},
    {.name = "open-repaired", .activate = open_repaired},
    {.name = "ask-game", .activate = window_ask_game},
    {.name = "game", .activate = set_game, .parameter_type = "s"},
    {.name = "reload", .activate = window_reload},
    {.name = "next", .activate = step_model},
    {.name = "previous", .activate = step_model},
    {.name = "model", .activate = select_model, .parameter_type = "u"},
    {.name = "screenshot", .activate = window_screenshot},
    {.name = "screenshot-to", .activate = window_screenshot_to, .parameter_type = "s"},
    {.name = "ask-attach", .activate = window_ask_attach},
    {.name = "attach", .activate = window_attach, .parameter_type = "(ss)"},
    {.name = "detach", .activate = window_detach, .parameter_type = "s"},
    {.name = "export", .activate = window_ask_export},
    {.name = "export-as", .activate = window_export_as, .parameter_type = "(us)"},
    {.name = "copy-picture", .activate = window_copy_picture},

    {.name = "fix", .activate = window_fix, .parameter_type = "u"}, /* row of a problem */
    {.name = "rename", .activate = window_rename, .parameter_type = "(uuus)"},
    {.name = "edit-names", .activate = window_edit_names},
    {.name = "edit-clip", .activate = window_edit_clip},
    {.name = "edit-focused", .activate = window_edit_focused},
    /* clip, name, first and last frame, rate, loop */
    {.name = "change-clip", .activate = window_change_clip, .parameter_type = "(usuudb)"},
    {.name = "undo", .activate = window_undo},
    {.name = "redo", .activate = window_undo},
    {.name = "save-copy", .activate = window_save_copy},
    {.name = "save-copy-to", .activate = window_save_copy_to, .parameter_type = "s"},
    {.name = "replace-original", .activate = window_replace_original},

    /* Load options: changing them reloads the model. */
    {.name = "skin", .parameter_type = "u", .state = "uint32 0", .change_state = select_skin},
    {.name = "gl-commands", .state = "false", .change_state = set_gl_commands},
    {.name = "attachments", .state = "true", .change_state = set_attachments},

    {.name = "play", .state = "true", .change_state = play},
    {.name = "clip", .parameter_type = "u", .state = "uint32 0", .change_state = select_clip},
    {.name = "torso", .parameter_type = "u", .state = "uint32 0", .change_state = select_torso},
    {.name = "next-clip", .activate = step_clip},
    {.name = "previous-clip", .activate = step_clip},
    {.name = "seek", .parameter_type = "d", .state = "0.0", .change_state = seek},
    {.name = "step", .activate = step, .parameter_type = "i"},
    {.name = "mode", .parameter_type = "s", .state = "'clip'", .change_state = set_mode},
    {.name = "backwards", .state = "false", .change_state = set_backwards},
    {.name = "interpolate", .state = "true", .change_state = set_interpolate},
    {.name = "speed", .parameter_type = "d", .state = "1.0", .change_state = set_speed},
    {.name = "scale-speed", .activate = scale_speed, .parameter_type = "d"},

    {.name = "shade", .parameter_type = "s", .state = "'lit'", .change_state = set_shade},
    {.name = "next-shade", .activate = next_shade},
    {.name = "edges", .state = "false", .change_state = set_show},
    {.name = "box", .state = "false", .change_state = set_show},
    {.name = "grid", .state = "false", .change_state = set_show},
    {.name = "axes", .state = "false", .change_state = set_show},
    {.name = "tags", .state = "false", .change_state = set_show},
    {.name = "shadow", .state = "true", .change_state = set_show},
    {.name = "skeleton", .state = "false", .change_state = set_skeleton},
    {.name = "two-sided", .state = "false", .change_state = set_show},

    {.name = "view", .activate = view, .parameter_type = "s"},
    {.name = "rotate", .activate = rotate, .parameter_type = "(dd)"}, /* degrees */
    {.name = "zoom", .activate = zoom, .parameter_type = "d"},
    {.name = "fit", .activate = fit},
    {.name = "reset-camera", .activate = reset_camera},

    {.name = "sidebar", .state = "true", .change_state = set_sidebar},
    {.name = "page", .parameter_type = "s", .state = "'clips'", .change_state = set_page},
    {.name = "uv", .state = "false", .change_state = set_uv},
    {.name = "uv-surface",
     .parameter_type = "u",
     .state = "uint32 0",
     .change_state = show_surface},
    {.name = "problem", .activate = window_show_problem, .parameter_type = "u"},
    {.name = "fullscreen", .state = "false", .change_state = set_fullscreen},
    {.name = "leave-fullscreen", .activate = leave_fullscreen},
    {.name = "thumbnails", .state = "false", .change_state = set_thumbnails},
    {.name = "sort", .parameter_type = "s", .state = "'name'", .change_state = set_order},
    {.name = "back", .activate = go_back},
};

/* ---- Widgets that are not buttons ------------------------------------------------------------ */

/* Requests the selected row of a list, or its word. */
static void row_selected(GtkDropDown *down, GParamSpec *spec, ViewerWindow *w) {
    const struct {
        GtkWidget *down;
        const char *action;
        const char *const *words;
    } all[] = {{w->mode, "mode", modes},
               {w->shade, "shade", shades},
               {w->grid_sort, "sort", orders},
               {w->uv_surface, "uv-surface", NULL},
               {w->torso, "torso", NULL}};
    const guint row = gtk_drop_down_get_selected(down);
    for (size_t i = 0; i < G_N_ELEMENTS(all) && row != GTK_INVALID_LIST_POSITION; i++)
        if (all[i].down == GTK_WIDGET(down))
            window_change_state(w, all[i].action,
                                all[i].words ? g_variant_new_string(all[i].words[row])
                                             : g_variant_new_uint32(row));
}

static void page_selected(GtkStack *pages, GParamSpec *spec, ViewerWindow *w) {
    const char *name = gtk_stack_get_visible_child_name(pages);
    if (name && w->stage) /* otherwise the window is closing */
        window_change_state(w, "page", g_variant_new_string(name));
}

static void speed_changed(GtkSpinButton *spin, ViewerWindow *w) {
    window_change_state(w, "speed", g_variant_new_double(gtk_spin_button_get_value(spin)));
}

void window_add_actions(ViewerWindow *w) {
    g_action_map_add_action_entries(G_ACTION_MAP(w), entries, G_N_ELEMENTS(entries), w);
    window_enable_edits(w);
    GtkWidget *const downs[] = {w->mode, w->shade, w->grid_sort, w->uv_surface, w->torso};
    for (size_t i = 0; i < G_N_ELEMENTS(downs); i++)
        g_signal_connect(downs[i], "notify::selected", G_CALLBACK(row_selected), w);
    g_signal_connect(w->pages, "notify::visible-child-name", G_CALLBACK(page_selected), w);
    g_signal_connect(w->speed, "value-changed", G_CALLBACK(speed_changed), w);
}
