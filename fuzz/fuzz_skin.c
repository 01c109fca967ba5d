/* Fuzzes .skin files: entries have names and paths, and each is found by its name. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lm_error error = {0};
    fuzz_input input = fuzz_open(data, size);
    lm_skin_file *skin = lm_skin_read(input.data, input.size, NULL, &error);
    if (!skin)
        assert_error_valid(&error);
    for (uint32_t i = 0; skin && i < skin->num_entries; i++) {
        PROMISE(skin->entries[i].surface[0] && skin->entries[i].path[0] && skin->entries[i].line);
        (void)lm_skin_path(skin, skin->entries[i].surface);
    }
    for (uint32_t i = 0; skin && i < skin->num_tags; i++)
        PROMISE(skin->tags[i][0]);
    (void)(skin && lm_skin_path(skin, "h_head_1"));
    lm_skin_free(skin);
    fuzz_close(&input);
    return 0;
}
