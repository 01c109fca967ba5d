#include "importing.h"

#include <stdio.h>

const char *lm_im_location(importing *im, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(im->location, sizeof im->location, format, values);
    va_end(values);
    return im->location;
}

bool lm_im_fail(importing *im, lm_code code, const char *location, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE / 2];
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
