#include "keys.h"

/* The keys of f3d, and a few more. */
static const struct {
    const char *key, *action, *target; /* a GVariant as text, or NULL */
} keys[] = {
    {"space", "win.play", NULL},
    {"Left", "win.previous", NULL},
    {"Right", "win.next", NULL},
    {"w", "win.next-clip", NULL},
    {"<Shift>w", "win.previous-clip", NULL},
    {"comma", "win.step", "-1"},
    {"period", "win.step", "1"},
    {"b", "win.backwards", NULL},
    {"i", "win.interpolate", NULL},
    {"bracketleft", "win.scale-speed", "0.8"},
    {"bracketright", "win.scale-speed", "1.25"},
    {"e", "win.edges", NULL},
    {"g", "win.grid", NULL},
    {"x", "win.axes", NULL},
    {"t", "win.tags", NULL},
    {"o", "win.box", NULL},
    {"s", "win.next-shade", NULL},
    {"u", "win.uv", NULL},
    {"KP_1", "win.view", "'front'"}, /* if an action has two keys, menus show the last */
    {"KP_3", "win.view", "'side'"},
    {"KP_7", "win.view", "'top'"},
    {"KP_9", "win.view", "'iso'"},
    {"1", "win.view", "'front'"},
    {"3", "win.view", "'side'"},
    {"7", "win.view", "'top'"},
    {"9", "win.view", "'iso'"},
    {"KP_Enter", "win.reset-camera", NULL},
    {"Return", "win.reset-camera", NULL},
    {"<Shift>Left", "win.rotate", "(-15.0, 0.0)"},
    {"<Shift>Right", "win.rotate", "(15.0, 0.0)"},
    {"<Shift>Up", "win.rotate", "(0.0, 15.0)"},
    {"<Shift>Down", "win.rotate", "(0.0, -15.0)"},
    {"plus", "win.zoom", "1.25"},
    {"equal", "win.zoom", "1.25"},
    {"minus", "win.zoom", "0.8"},
    {"Escape", "win.back", NULL},
    {"h", "win.fit", NULL},
};

static const struct {
    const char *action, *keys[3];
} accelerators[] = {
    {"win.open", {"<Control>o"}},         {"win.open-folder", {"<Control><Shift>o"}},
    {"win.reload", {"F5", "<Control>r"}}, {"win.export", {"<Control>e"}},
    {"win.undo", {"<Control>z"}},         {"win.redo", {"<Control><Shift>z"}},
    {"win.save-copy", {"<Control>s"}},    {"win.edit-focused", {"F2"}},
    {"win.copy-picture", {"<Control>c"}}, {"win.screenshot", {"F12"}},
    {"win.thumbnails", {"<Control>g"}},   {"win.sidebar", {"F9"}},
    {"win.fullscreen", {"F11"}},          {"window.close", {"<Control>w"}},
    {"app.quit", {"<Control>q"}},         {"win.show-help-overlay", {"<Control>question", "F1"}},
};

void keys_add_to_window(GtkWidget *window) {
    GtkEventController *controller = gtk_shortcut_controller_new();
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        GtkShortcut *shortcut = gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys[i].key),
                                                 gtk_named_action_new(keys[i].action));
        if (keys[i].target)
            gtk_shortcut_set_arguments(shortcut, g_variant_new_parsed(keys[i].target));
        gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(controller), shortcut);
    }
    gtk_widget_add_controller(window, controller);
}

void keys_add_to_application(GtkApplication *application) {
    for (size_t i = 0; i < G_N_ELEMENTS(accelerators); i++)
        gtk_application_set_accels_for_action(application, accelerators[i].action,
                                              accelerators[i].keys);
}
