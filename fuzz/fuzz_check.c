/* Fuzzes checking: it finds errors exactly in files that loading rejects. */
#include "fuzz.h"

#include <string.h>

static void examine(const lm_report *report, size_t size) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    lm_error error = {0};
    lm_check_options options = {.engine = (lm_engine)fuzz_choose(&input, LM_NUM_ENGINES)};
    options.max_per_code = fuzz_choose(&input, 4);
    lm_report *report = lm_check_memory(input.data, input.size, &options, &error);
    if (report)
        examine(report, input.size);
    else
        PROMISE(error.code == LM_CODE_LIMIT);
    if (report && options.engine == LM_ENGINE_ANY)
        compare_with_load(&input, report);
    lm_report_free(report);
    fuzz_close(&input);
    return 0;
}
