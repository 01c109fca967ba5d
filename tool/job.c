#include "job.h"

#include "describe.h"
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tool_shown_path(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static void note(tool_job *job, const char *sentence, va_list arguments) {
    char text[8192]; /* a sentence with two paths */
    vsnprintf(text, sizeof text, sentence, arguments);
    lm_buffer_text(&job->log, "lerpmesh: ");
    lm_text_harmless(&job->log, tool_shown_path(job->path));
    lm_buffer_text(&job->log, ": ");
    lm_text_harmless(&job->log, text);
    lm_buffer_text(&job->log, "\n");
}

void tool_fail(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    note(job, sentence, arguments);
    va_end(arguments);
    job->status = TOOL_FAILED;
}

void tool_fail_code(tool_job *job, lm_code code, const char *sentence, ...) {
    char text[8192]; /* as above */
    lm_error error;
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    tool_fail(job, "%s", text);
    tool_mark(job, code, TOOL_CODE_FAILED);
    lm_fail_plain(&error, code, "%s", text);
    if (job->json)
        tool_write_failure(job, &error);
}

bool tool_misfit(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    job->misfit = true;
    if (job->tree)
        return true;
    va_start(arguments, sentence);
    note(job, sentence, arguments);
    va_end(arguments);
    job->status = TOOL_FAILED;
    return false;
}

void tool_complain(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    note(job, sentence, arguments);
    va_end(arguments);
}

void tool_say(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    if (!job->brief)
        note(job, sentence, arguments);
    va_end(arguments);
}

void tool_tell_warning(tool_job *job, const char *kind, const lm_diagnostic *warning) {
    char times[32] = "";
    if (warning->count > 1)
        snprintf(times, sizeof times, " (%u times)", (unsigned)warning->count);
    if (kind)
        tool_say(job, "%s [%s] %s%s", kind, lm_code_name(warning->code), warning->text, times);
    else
        tool_say(job, "%s%s", warning->text, times);
}

void tool_mark(tool_job *job, lm_code code, tool_code_mark mark) {
    if ((unsigned)code < LM_NUM_CODES && job->codes[code] < mark)
        job->codes[code] = (uint8_t)mark;
}

/* Says an error. What is about a whole file names that file, as our sentence does already. */
static void say_error(tool_job *job, const lm_error *error) {
    const char *path = tool_shown_path(job->path);
    const char *named = error->code == LM_CODE_IO || error->code == LM_CODE_LIMIT
                            ? strstr(error->message, path)
                            : NULL;
    if (named && named > error->message && named[-1] == ' ' && named[strlen(path)] == ':')
        tool_fail(job, "%.*s%s", (int)(named - 1 - error->message), error->message,
                  named + strlen(path));
    else
        tool_fail(job, "%s", error->message);
}

void tool_fail_error(tool_job *job, const lm_error *error, bool json) {
    say_error(job, error);
    tool_mark(job, error->code, TOOL_CODE_FAILED);
    if (json)
        tool_write_failure(job, error);
}

bool tool_read(tool_job *job, lm_file *file, bool json) {
    lm_error error;
    if (lm_disk_read(job->disk, job->path, job->max_input, file, &error))
        return true;
    const lm_error said = error;
    if (said.code == LM_CODE_LIMIT && !said.section[0])
        lm_fail_plain(&error, said.code, "%s (max-input)", said.message);
    tool_fail_error(job, &error, json);
    return false;
}

void tool_write_failure(tool_job *job, const lm_error *error) {
    lm_json object = {.out = &job->out};
    lm_json_open(&object, NULL, '{');
    lm_json_string(&object, "file", job->path);
    lm_json_open(&object, "error", '{');
    lm_json_string(&object, "code", lm_code_name(error->code));
    lm_json_integer(&object, "offset", (int64_t)error->offset);
    lm_json_string(&object, "section", error->section);
    lm_json_string(&object, "message", error->message);
    lm_json_close(&object);
    lm_json_close(&object);
    lm_buffer_text(&job->out, "\n");
}
