/* Diagnostics of opening. */
#include "context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lm_context_add(lm_context *c, const char *section, lm_severity severity, lm_code code,
                    const char *path, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const lm_diagnostic diagnostic = {.subject = path,
                                      .location.section = section,
                                      .code = code,
                                      .severity = severity,
                                      .count = 1};
    lm_diagnostics_vprintf(&c->diagnostics, c->arena, diagnostic, sentence, arguments);
    va_end(arguments);
}

const char *lm_suggestion(lm_arena *arena, const lm_guess *guess) {
    const char *text =
        guess->best ? lm_arena_printf(arena, "; did you mean \"%s\"?", guess->best) : "";
    return text ? text : "";
}

const char *lm_without_path(const lm_error *error, const char *path, char out[LM_MESSAGE_SIZE]) {
    const char *named = strstr(error->message, path), *rest = named ? named + strlen(path) : "";
    const bool cut = named && named > error->message && named[-1] == ' ' && *rest == ':';
    const size_t length = cut ? (size_t)(named - 1 - error->message) : strlen(error->message);
    snprintf(out, LM_MESSAGE_SIZE, "%.*s%s", (int)length, error->message, cut ? rest : "");
    return out;
}

bool lm_context_fail(lm_context *c, const char *path, const lm_error *error) {
    char text[LM_MESSAGE_SIZE];
    const bool names = error->code == LM_CODE_IO || error->code == LM_CODE_LIMIT ||
                       error->code == LM_CODE_INPUT_LIMIT;
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    c->error = *error;
    lm_context_add(c, LM_SUBJECT_MODEL, LM_ERROR, error->code, path, "%s",
                   names ? lm_without_path(error, shown, text) : error->message);
    return false;
}

bool lm_context_reject(lm_context *c, lm_code code, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const char *text = lm_arena_sentence(c->arena, sentence, arguments);
    va_end(arguments);
    lm_fail_plain(&c->error, code, "%s", text ? text : "out of memory");
    lm_context_add(c, LM_SUBJECT_MODEL, LM_ERROR, code, c->path, "%s", c->error.message);
    return false;
}
