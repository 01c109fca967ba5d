#include "core/text.h"
#include "lerpmesh/base.h"

#include <stdarg.h>

static const uint8_t severities[] = {
#define LM_CODE_SEVERITY(name, text, severity, meaning) LM_SEVERITY_##severity,
    LM_CODE_LIST(LM_CODE_SEVERITY)
#undef LM_CODE_SEVERITY
};

/* Functions instead of tables, because a program that never asks for the texts then lacks them. */
const char *lm_code_name(lm_code code) {
    switch (code) {
#define LM_CODE_TEXT(name, text, severity, meaning) \
    case LM_CODE_##name:                            \
        return text;
        LM_CODE_LIST(LM_CODE_TEXT)
#undef LM_CODE_TEXT
    default:
        return "unknown";
    }
}

const char *lm_code_meaning(lm_code code) {
    switch (code) {
#define LM_CODE_MEANING(name, text, severity, meaning) \
    case LM_CODE_##name:                               \
        return meaning;
        LM_CODE_LIST(LM_CODE_MEANING)
#undef LM_CODE_MEANING
    default:
        return "not a code";
    }
}

lm_severity lm_code_severity(lm_code code) {
    return (unsigned)code < LM_NUM_CODES ? (lm_severity)severities[code] : LM_SEVERITY_ERROR;
}

const char *lm_severity_name(lm_severity severity) {
    static const char *const names[] = {"note", "warning", "error"};
    return (unsigned)severity <= LM_SEVERITY_ERROR ? names[severity] : "unknown";
}

bool lmi_fail_vplain(lm_error *error, lm_code code, const char *sentence, va_list arguments) {
    if (!error)
        return false;
    *error = (lm_error){.code = code};
    lmi_text_fit(error->message, sizeof error->message, sentence, arguments);
    /* Keep a message on one line, even if a name in it contains control characters. */
    char *message = error->message;
    for (; *message; message++)
        if (lmi_is_control(*message))
            *message = *message == '\n' || *message == '\t' ? ' ' : '?';
    return false;
}

bool lm_fail_plain(lm_error *error, lm_code code, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    lmi_fail_vplain(error, code, sentence, arguments);
    va_end(arguments);
    return false;
}

#define LM_TEXT(x) #x
#define LM_TEXT_OF(x) LM_TEXT(x)

const char *lm_version(void) {
    return LM_TEXT_OF(LM_VERSION_MAJOR) "." LM_TEXT_OF(LM_VERSION_MINOR) "." LM_TEXT_OF(
        LM_VERSION_PATCH);
}
