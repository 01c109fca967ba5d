#include "importing.h"

#include <stdio.h>

const char *lm_im_location(importing *im, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(im->place, sizeof im->place, format, values);
    va_end(values);
    return im->place;
}

bool lm_im_fail(importing *im, lm_code code, const char *place, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE / 2];
    va_list values;
    va_start(values, sentence);
    vsnprintf(text, sizeof text, sentence, values);
    va_end(values);
    lm_fail_plain(im->error, code, place ? "%s: %s: %s" : "%s: %s%s", im->what, place ? place : "",
                  text);
    if (im->error && place)
        snprintf(im->error->section, sizeof im->error->section, "%s", place);
    return false;
}

void lm_im_find(importing *im, lm_im_oddity oddity, const char *sentence) {
    lm_diagnostic *diagnostic = &im->diagnostics[oddity];
    if (diagnostic->count++ == 0) {
        diagnostic->code = LM_CODE_NOT_HELD;
        diagnostic->severity = lm_code_severity(LM_CODE_NOT_HELD);
        diagnostic->text = sentence;
    }
}
