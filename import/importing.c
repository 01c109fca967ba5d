#include "importing.h"

#include <stdio.h>

size_t lm_im_max_file(const importing *im) {
    const size_t given = im->options->memory.max_bytes;
    return given > 0 ? given : LM_MAX_IMPORT_BYTES;
}

void lm_im_add_input(importing *im, uint64_t bytes) {
    lm_heap *heap = im->arena->heap;
    im->input += bytes;
    if (im->options->memory.max_bytes > 0)
        return;
    heap->max_bytes = LM_MAX_IMPORT_BYTES;
    if (im->input < (LM_MAX_IMPORT_BYTES - LM_IMPORT_EXTRA) / LM_IMPORT_MULTIPLE)
        heap->max_bytes = LM_IMPORT_EXTRA + (size_t)im->input * LM_IMPORT_MULTIPLE;
}

const char *lm_im_location(importing *im, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(im->location, sizeof im->location, format, values);
    va_end(values);
    return im->location;
}

bool lm_im_fail(importing *im, lm_code code, const char *location, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE];
    va_list values;
    va_start(values, sentence);
    vsnprintf(text, sizeof text, sentence, values);
    va_end(values);
    lm_fail_plain(im->error, code, location ? "%s: %s: %s" : "%s: %s%s", im->what,
                  location ? location : "", text);
    if (im->error && location)
        snprintf(im->error->section, sizeof im->error->section, "%s", location);
    return false;
}

void lm_im_note(importing *im, lm_im_issue issue, const char *sentence) {
    lm_diagnostic *diagnostic = &im->diagnostics[issue];
    if (diagnostic->count++ == 0) {
        diagnostic->code = LM_CODE_NOT_HELD;
        diagnostic->severity = lm_code_severity(LM_CODE_NOT_HELD);
        diagnostic->text = sentence;
    }
}

void lm_im_note_colors(importing *im) {
    lm_im_note(im, IM_COLORS, "a surface loses its vertex colours: these models have none");
}
