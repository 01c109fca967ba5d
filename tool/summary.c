#include "summary.h"

#include "describe.h"
#include "json.h"

#include <inttypes.h>

void tool_summary_add(tool_summary *summary, const tool_job *job) {
    bool failed = job->status != TOOL_DONE, warned = false, told = false;
    summary->num_files++;
    for (unsigned code = 0; code < LM_NUM_CODES; code++) {
        warned = warned || job->codes[code] != TOOL_CODE_NONE;
        told = told || job->codes[code] == TOOL_CODE_FAILED;
        summary->failures[code] += failed && job->codes[code] == TOOL_CODE_FAILED;
        summary->warnings[code] += !failed && job->codes[code] != TOOL_CODE_NONE;
    }
    summary->failures[LM_CODE_OK] += failed && !told;
    summary->num_failed += failed;
    summary->num_read += !failed && !job->skipped;
    summary->num_skipped += job->skipped;
    summary->num_warned += !failed && warned;
    summary->num_misfits += !failed && job->misfit;
    summary->num_passed_over += !failed && job->passed_over;
    summary->num_same += !failed && job->same;
    summary->num_missing += job->num_missing;
}

static const char *code_name(unsigned code) {
    return code == LM_CODE_OK ? "other" : lm_code_name((lm_code)code);
}

static void print_codes(const size_t *counts, lm_buffer *out) {
    const char *before = "";
    for (unsigned code = 0; code < LM_NUM_CODES; code++) {
        /* What has no code of its own comes last. */
        unsigned turned = (code + 1) % LM_NUM_CODES;
        if (counts[turned] == 0)
            continue;
        lm_buffer_printf(out, "%s%s %zu", before, code_name(turned), counts[turned]);
        before = ", ";
    }
}

/* What there is none of is not worth a word. */
static void print_count(size_t count, const char *what, lm_buffer *out) {
    if (count > 0)
        lm_buffer_printf(out, ", %zu %s", count, what);
}

void tool_summary_print_misfits(const tool_summary *summary, lm_buffer *out) {
    if (summary->num_misfits > 0)
        lm_buffer_printf(out, "lerpmesh: what %s is not for %zu of them\n", summary->asks,
                         summary->num_misfits);
}

void tool_summary_print(const tool_summary *summary, bool codes, lm_buffer *out) {
    lm_buffer_text(out, "lerpmesh: ");
    lm_text_count(out, summary->num_files, "file");
    lm_buffer_printf(out, ": %zu %s",
                     summary->num_read - summary->num_same - summary->num_passed_over,
                     summary->done);
    print_count(summary->num_same, "as before", out);
    print_count(summary->num_skipped, "skipped", out);
    print_count(summary->num_failed, "failed (", out);
    if (summary->num_failed > 0) {
        print_codes(summary->failures, out);
        lm_buffer_text(out, ")");
    }
    print_count(summary->num_warned, "with warnings", out);
    print_count(summary->num_missing,
                summary->num_missing == 1 ? "texture missing" : "textures missing", out);
    lm_buffer_printf(out, "; %.1f s\n", summary->seconds);
    tool_summary_print_misfits(summary, out);
    if (codes && summary->num_warned > 0) {
        lm_buffer_text(out, "lerpmesh: warned of: ");
        print_codes(summary->warnings, out);
        lm_buffer_text(out, "\n");
    }
}

static void json_codes(lm_json *json, const char *key, const size_t *counts) {
    lm_json_open(json, key, '{');
    for (unsigned code = 0; code < LM_NUM_CODES; code++)
        if (counts[code] > 0)
            lm_json_integer(json, code_name(code), (int64_t)counts[code]);
    lm_json_close(json);
}

void tool_summary_json(const tool_summary *summary, lm_buffer *out) {
    lm_json json = {.out = out};
    lm_json_open(&json, NULL, '{');
    lm_json_open(&json, "summary", '{');
    lm_json_integer(&json, "files", (int64_t)summary->num_files);
    lm_json_integer(&json, "read", (int64_t)summary->num_read);
    lm_json_integer(&json, "same", (int64_t)summary->num_same);
    lm_json_integer(&json, "warned", (int64_t)summary->num_warned);
    lm_json_integer(&json, "failed", (int64_t)summary->num_failed);
    lm_json_integer(&json, "skipped", (int64_t)summary->num_skipped);
    lm_json_integer(&json, "textures_missing", (int64_t)summary->num_missing);
    json_codes(&json, "failures", summary->failures);
    json_codes(&json, "warnings", summary->warnings);
    lm_json_close(&json);
    lm_json_close(&json);
    lm_buffer_text(out, "\n");
}
