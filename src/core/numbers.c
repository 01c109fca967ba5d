/* Numbers as text, with as few digits as tell them apart. The core for JavaScript (web/wasm/core.c)
 * has its own. */
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Appends a number with the decimal point of the C locale instead of the current locale's. */
static void append_number(lm_buffer *buffer, const char *text) {
    size_t whole = strspn(text, "+-0123456789");
    lm_buffer_append(buffer, text, whole);
    const char *rest = text + whole;
    if (*rest == '\0' || *rest == 'e') {
        lm_buffer_text(buffer, rest);
        return;
    }
    lm_buffer_text(buffer, ".");
    lm_buffer_text(buffer, rest + strcspn(rest, "0123456789"));
}

void lmi_buffer_float(lm_buffer *buffer, float value) {
    char text[48];
    if (!isfinite(value))
        value = 0;
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    append_number(buffer, text);
}

void lmi_buffer_double(lm_buffer *buffer, double value) {
    char text[48];
    if (!isfinite(value))
        value = 0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    append_number(buffer, text);
}
