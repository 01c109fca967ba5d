/* Fuzzes loading of one format with all options: the model keeps its guarantees, or there is an
 * error message. FUZZ_KIND is the format; each has its own program. */
#include "fuzz.h"

#include <string.h>

/* Loads again while one of the first allocations fails. */
static void load_with_few_allocations(fuzz_input *input) {
    lm_error error = {0};
    lm_load_options options = {.repair = true};
    options.memory.max_allocations = 1 + fuzz_choose(input, 24);
    lm_model *model = lm_load_memory(input->data, input->size, &options, &error);
    if (!model)
        assert_error_valid(&error);
    lm_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    const char *format = lm_format_of(input.data, input.size);
    if (!format || strcmp(format, FUZZ_KIND) == 0) {
        lm_model_free(fuzz_load(&input, NULL));
        if (fuzz_choose(&input, 8) == 1)
            load_with_few_allocations(&input);
        if (fuzz_choose(&input, 2) == 0)
            fuzz_assert_faithful(&input);
    }
    fuzz_close(&input);
    return 0;
}
