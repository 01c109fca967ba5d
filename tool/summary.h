/* The end of a batch: how many files were read, and what was wrong with the others. */
#ifndef TOOL_SUMMARY_H
#define TOOL_SUMMARY_H

#include "job.h"

typedef struct tool_summary {
    const char *done; /* what happened to those that did not fail: "converted" */
    const char *asks; /* what is not for misfits: "--skin asks for" */
    double seconds;
    size_t num_files, num_read, num_warned, num_failed, num_skipped; /* read: and not skipped */
    /* Of the files that were read. */
    size_t num_misfits, num_passed_over, num_same;
    size_t num_missing;            /* textures */
    size_t failures[LM_NUM_CODES]; /* files, by code; LM_CODE_OK: for another reason */
    size_t warnings[LM_NUM_CODES]; /* of the files that were read */
} tool_summary;

void tool_summary_add(tool_summary *summary, const tool_job *job);
/* For people: one line; with `codes` another that counts what was warned of. */
void tool_summary_print(const tool_summary *summary, bool codes, lm_buffer *out);
/* The line of it that says what was asked for of none: why a quiet run failed. */
void tool_summary_print_misfits(const tool_summary *summary, lm_buffer *out);
/* For programs: one object, {"summary": ...}, on a line. */
void tool_summary_json(const tool_summary *summary, lm_buffer *out);

#endif
