/* Fuzzes layouts: fields lie in the file, each lump with a table prints it, and spans are
 * ordered. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#define MAX_TABLES 3
#define MAX_OUTPUT (1 << 13)

static void print(const fuzz_input *input, const char *name) {
    lm_error error = {0};
    lm_buffer out = {.max_size = MAX_OUTPUT};
    if (!lm_layout_table(input->data, input->size, name, &out, &error)) {
        assert_error_valid(&error);
        PROMISE(out.size == 0);
    }
    lm_buffer_free(&out);
}

static void examine(const lm_layout *layout, size_t size) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    lm_error error = {0};
    const uint32_t first = fuzz_choose(&input, 256);
    lm_layout *layout = lm_layout_memory(input.data, input.size, NULL, &error);
    if (layout) {
        char name[48];
        examine(layout, input.size);
        for (uint32_t i = first; i < layout->num_lumps && i - first < MAX_TABLES; i++)
            print(&input, layout->lumps[i].name);
        snprintf(name, sizeof name, "frame %u vertices", (unsigned)fuzz_choose(&input, 256));
        print(&input, name);
        print(&input, "vertices");
    } else {
        assert_error_valid(&error);
    }
    lm_layout_free(layout);
    fuzz_close(&input);
    return 0;
}
