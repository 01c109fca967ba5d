/* Fuzzes documents: each one that is read is written, reads as the same again, and is then written
 * as the same bytes; also after a number changed. */
#include "fuzz.h"

#include "formats/edit_document.h"
#include "formats/writer.h"

#include <string.h>

static void put(const lm_editor *editor, const void *document, lm_buffer *out) {
    lm_error error = {0};
    const bool written = lm_put_as(editor, document, out, &error);
    PROMISE(written);
}

static void compare(const lm_editor *editor, const void *document) {
    lm_error error = {0};
    lm_buffer out = {0}, twice = {0};
    put(editor, document, &out);
    void *again = lm_read_document(editor->kind, out.data, out.size, NULL, &error);
    PROMISE(again && lm_equal_as(editor, document, again));
    put(editor, again, &twice);
    PROMISE(out.size == twice.size && memcmp(out.data, twice.data, out.size) == 0);
    lm_free_document(editor->kind->header, again);
    lm_buffer_free(&out);
    lm_buffer_free(&twice);
}

/* Changes the header's flags, if the format has them; fuzz_edit changes lumps. */
static void change(const lm_header *header, void *document, int32_t by) {
    for (size_t i = 0; i < header->fields.count; i++)
        if (strcmp(header->fields.list[i].name, "flags") == 0)
            lm_set_number(document, header->fields.list[i].member,
                          lm_number(document, header->fields.list[i].member) ^ by);
}

static void rewrite(const lm_editor *editor, fuzz_input input) {
    lm_error error = {0};
    void *document = lm_read_document(editor->kind, input.data, input.size, NULL, &error);
    if (!document) {
        assert_error_valid(&error);
        return;
    }
    compare(editor, document);
    if (fuzz_choose(&input, 2)) {
        change(editor->kind->header, document, (int32_t)fuzz_choose(&input, 4));
        compare(editor, document);
    }
    lm_free_document(editor->kind->header, document);
}

/* Reads the input as a document of every format; all but one reject it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    for (uint32_t i = 0; i < lm_format_count(); i++) {
        const lm_writer *writer = lm_find_writer(lm_format_at(i)->name);
        if (writer)
            rewrite(writer->edit, input);
    }
    fuzz_close(&input);
    return 0;
}
