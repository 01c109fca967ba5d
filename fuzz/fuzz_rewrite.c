/* Any bytes as a document: what is read is written, reads as the same again and is then written as
 * the same bytes; also when a number was changed. */
#include "fuzz.h"

#include <string.h>

/* FORMATS is X(md2) X(mdc) and so on, which CMake takes from src/formats.h. */
#define X(name)                                                                         \
    static void write_##name(const lm_##name *document, lm_buffer *out) {               \
        lm_error error = {0};                                                           \
        const bool written = lm_##name##_write(document, out, &error);                  \
        PROMISE(written);                                                               \
    }                                                                                   \
    static void compare_##name(const lm_##name *document) {                             \
        lm_error error = {0};                                                           \
        lm_buffer out = {0}, twice = {0};                                               \
        write_##name(document, &out);                                                   \
        lm_##name *again = lm_##name##_read(out.data, out.size, NULL, &error);          \
        PROMISE(again &&lm_##name##_equal(document, again));                            \
        write_##name(again, &twice);                                                    \
        PROMISE(out.size == twice.size && memcmp(out.data, twice.data, out.size) == 0); \
        lm_##name##_free(again);                                                        \
        lm_buffer_free(&out);                                                           \
        lm_buffer_free(&twice);                                                         \
    }
FORMATS
#undef X

/* Changes a number of the header; fuzz_edit changes lumps. */
static void change_md2(lm_md2 *md2, int32_t by) {
    md2->skinwidth |= by;
}

static void change_md3(lm_md3 *md3, int32_t by) {
    md3->flags ^= by;
}

static void change_mdc(lm_mdc *mdc, int32_t by) {
    mdc->flags ^= by;
}

static void change_mdl(lm_mdl *mdl, int32_t by) {
    mdl->flags ^= by;
}

#define X(name)                                                                       \
    static void rewrite_##name(fuzz_input input) {                                    \
        lm_error error = {0};                                                         \
        lm_##name *document = lm_##name##_read(input.data, input.size, NULL, &error); \
        if (!document) {                                                              \
            assert_error_told(&error);                                                \
            return;                                                                   \
        }                                                                             \
        compare_##name(document);                                                     \
        if (fuzz_choose(&input, 2)) {                                                 \
            change_##name(document, (int32_t)fuzz_choose(&input, 4));                 \
            compare_##name(document);                                                 \
        }                                                                             \
        lm_##name##_free(document);                                                   \
    }
FORMATS
#undef X

/* As a document of every format; all but one refuse it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    uint32_t count = 0;
#define X(name) rewrite_##name(input), count++;
    FORMATS
#undef X
    PROMISE(count == lm_format_count());
    fuzz_close(&input);
    return 0;
}
