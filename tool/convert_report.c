/* What convert reports about a model that it wrote. */
#include "convert.h"
#include "describe.h"

/* The most messages per code. Lost features differ from each other, so more of them are shown. */
#define MAX_WARNINGS 3u
#define MAX_LOSSES 10u

static uint32_t max_messages(lm_code code) {
    return code == LM_CODE_NOT_HELD ? MAX_LOSSES : MAX_WARNINGS;
}

/* `file`: the model among several, or "". */
static void report_problems(tool_job *job, const char *file, const lm_encode_report *report) {
    const bool verbose = tool_has(job->args, TOOL_VERBOSE);
    uint32_t counts[LM_NUM_CODES] = {0};
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_error hinted = tool_error_of(&report->problems[i]);
        tool_mark(job, hinted.code, TOOL_CODE_WARNED);
        if (counts[hinted.code]++ < max_messages(hinted.code) || verbose)
            tool_note(job, "%s%swarning [%s] %s", file, *file ? ": " : "",
                      lm_code_name(hinted.code), hinted.message);
    }
    for (unsigned code = 0; code < LM_NUM_CODES && !verbose; code++)
        if (counts[code] > max_messages((lm_code)code))
            tool_note(job, "%s%s%u more [%s]; -v shows all", file, *file ? ": " : "",
                      counts[code] - max_messages((lm_code)code), lm_code_name((lm_code)code));
}

void convert_report_model(tool_job *job, const char *subject, const char *file,
                          const lm_encode_report *report) {
    lm_buffer text = {0};
    lm_text_count(&text, report->size, "byte");
    lm_buffer_text(&text, ", ");
    lm_text_count(&text, report->num_surfaces, "surface");
    lm_buffer_text(&text, ", ");
    lm_text_count(&text, report->num_vertices, "vertex");
    lm_buffer_text(&text, ", ");
    lm_text_count(&text, report->num_triangles, "triangle");
    lm_buffer_printf(&text, "; maximum error %.3g units, RMS %.2g", report->max_error,
                     report->rms_error);
    const char *counts = tool_take_text(&job->memory, &text);
    if (counts)
        tool_note(job, "%s: %s", subject, counts);
    report_problems(job, file, report);
}
