/* Fuzzes optimizing: the result of a valid file is no larger, and optimizing it again gives the
 * same bytes. The library itself proves that the result is equivalent, and fails otherwise. */
#include "fuzz.h"

#include <string.h>

static bool optimize(const uint8_t *data, size_t size, const lm_optimize_options *options,
                     lm_buffer *out) {
    lm_error error = {0};
    lm_optimize_report report;
    const bool done = lm_optimize(data, size, options, out, &report, &error);
    lm_model *model = lm_load_memory(data, size, NULL, NULL);
    PROMISE(done ? model != NULL
                 : !model || error.code == LM_CODE_LIMIT || error.code == LM_CODE_GL_COMMANDS);
    PROMISE(!done || (report.size_before == size && report.size_after == out->size));
    PROMISE(!done || report.max_error <= options->max_error);
    PROMISE(out->size <= size);
    if (!done)
        assert_error_valid(&error);
    lm_model_free(model);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    lm_buffer once = {0}, twice = {0};
    const lm_optimize_options options = {.strips = (lm_strips)fuzz_choose(&input, 3),
                                         .max_error = fuzz_choose(&input, 2) ? 0.05 : 0};
    if (optimize(input.data, input.size, &options, &once) &&
        optimize(once.data, once.size, &options, &twice))
        PROMISE(options.max_error > 0 ||
                (once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0));
    lm_buffer_free(&once);
    lm_buffer_free(&twice);
    fuzz_close(&input);
    return 0;
}
