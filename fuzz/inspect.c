/* Fuzzes checking and examining a file. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

/* ---- Checking -------------------------------------------------------------------------------- */

static void assert_report(const lm_report *report, size_t size) {
    uint32_t counts[LM_ERROR + 1] = {0};
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *problem = &report->problems[i];
        PROMISE(problem->code > LM_CODE_OK && problem->code < LM_NUM_CODES);
        PROMISE(problem->severity <= LM_ERROR);
        PROMISE(problem->location.offset <= size);
        PROMISE(strlen(problem->text) > 8 && problem->location.section);
        counts[problem->severity]++;
    }
    PROMISE(counts[LM_ERROR] <= report->num_errors && counts[LM_WARNING] <= report->num_warnings &&
            counts[LM_NOTE] <= report->num_notes);
}

/* Compares the report with loading: every failure except for memory limits is an error of the
 * report, and nothing else is. */
static void compare_with_load(const fuzz_input *input, const lm_report *report) {
    lm_error error = {0};
    lm_model *model = lm_load_memory(input->data, input->size, NULL, &error);
    PROMISE(model ? report->num_errors == 0
                  : report->num_errors > 0 || error.code == LM_CODE_LIMIT);
    lm_model_free(model);
}

/* Checking finds errors exactly in files that loading rejects. */
void fuzz_check(fuzz_input *input) {
    lm_error error = {0};
    lm_check_options options = {.engine = (lm_engine)fuzz_choose(input, LM_NUM_ENGINES)};
    options.max_per_code = fuzz_choose(input, 4);
    lm_report *report = lm_check_memory(input->data, input->size, &options, &error);
    if (report)
        assert_report(report, input->size);
    else
        PROMISE(error.code == LM_CODE_LIMIT);
    if (report && options.engine == LM_ENGINE_ANY)
        compare_with_load(input, report);
    lm_report_free(report);
}

/* ---- Examining ------------------------------------------------------------------------------- */

#define MAX_TABLES 3
#define MAX_OUTPUT (1 << 13)

static void print_table(const fuzz_input *input, const char *name) {
    lm_error error = {0};
    lm_buffer out = {.max_size = MAX_OUTPUT};
    if (!lm_layout_table(input->data, input->size, name, &out, &error)) {
        assert_error_valid(&error);
        PROMISE(out.size == 0);
    }
    lm_buffer_free(&out);
}

static void assert_layout(const lm_layout *layout, size_t size) {
    PROMISE(layout->file_size == size);
    PROMISE(lm_layout_header_fields(layout) <= layout->num_fields);
    for (uint32_t i = 0; i < layout->num_fields; i++)
        PROMISE(layout->fields[i].offset + 4 <= size);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        PROMISE(lump->outside == (lump->size > 0 && lump->end > size));
        PROMISE(lump->first_field + lump->num_fields <= layout->num_fields);
    }
    for (uint32_t i = 0; i < layout->num_spans; i++) {
        PROMISE(layout->spans[i].offset + layout->spans[i].size <= size);
        PROMISE(i == 0 || layout->spans[i - 1].offset <= layout->spans[i].offset);
    }
}

/* Fields lie in the file, each lump with a table prints it, and spans are ordered. */
void fuzz_examine(fuzz_input *input) {
    lm_error error = {0};
    const uint32_t first = fuzz_choose(input, 256);
    lm_layout *layout = lm_layout_memory(input->data, input->size, NULL, &error);
    if (layout) {
        char name[48];
        assert_layout(layout, input->size);
        for (uint32_t i = first; i < layout->num_lumps && i - first < MAX_TABLES; i++)
            print_table(input, layout->lumps[i].name);
        snprintf(name, sizeof name, "frame %u vertices", (unsigned)fuzz_choose(input, 256));
        print_table(input, name);
        print_table(input, "vertices");
    } else {
        assert_error_valid(&error);
    }
    lm_layout_free(layout);
}
