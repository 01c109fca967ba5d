#include "shown.h"

#include "input.h"
#include "text.h"

#include <glib.h>

char *shown_text(const char *text) {
    lm_buffer out = {0};
    tool_text(&out, text);
    char *shown = out.size > 0 ? g_strndup((const char *)out.data, out.size) : g_strdup("");
    lm_buffer_free(&out);
    return shown;
}

char *shown_name(const char *path) {
    const char *name = tool_base_name(path);
    return shown_text(*name ? name : path);
}
