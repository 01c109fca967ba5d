/* Tests that files are parsed once: when an edit opens them, and after writing. A document begins
 * with one allocation, recognised by its size. */
#include "edits.h"

#include "edit/editing.h"

#include <stdlib.h>

typedef struct parse_count {
    size_t size;  /* of a document's first block; 0: not known yet */
    size_t count; /* blocks of that size */
    size_t skip;  /* blocks before that one */
} parse_count;

static void *count_alloc(void *user, size_t size) {
    parse_count *parses = user;
    if (parses->size == 0 && parses->skip-- == 0)
        parses->size = size;
    parses->count += size == parses->size;
    return malloc(size);
}

static void *count_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(pointer, new_size);
}

static void count_free(void *user, void *pointer, size_t size) {
    (void)user;
    (void)size;
    free(pointer);
}

/* Reads and writes a file; reading may determine the block's size. */
#define READ_AND_WRITE(name)                                                              \
    static size_t rewrite_##name(const blob *file, parse_count *parses, lm_buffer *out) { \
        const lm_memory memory = {.allocator = out->allocator};                           \
        lm_##name *document = lm_##name##_read(file->data, file->size, &memory, NULL);    \
        assert_non_null(document);                                                        \
        parses->count = 0;                                                                \
        assert_true(lm_##name##_write(document, out, NULL));                              \
        lm_##name##_free(document);                                                       \
        return parses->count;                                                             \
    }

READ_AND_WRITE(md2)
READ_AND_WRITE(md3)
READ_AND_WRITE(mdc)
READ_AND_WRITE(mdl)

/* Returns the blocks of a document's size that opening it allocates: on some machines an edit is as
 * large as a document. */
static size_t blocks_to_open(const parse_count *parses) {
    return 1 + (parses->size == sizeof(lm_edit));
}

static size_t (*const rewrites[NUM_FORMATS])(const blob *, parse_count *, lm_buffer *) = {
    [MD2] = rewrite_md2, [MD3] = rewrite_md3, [MDC] = rewrite_mdc, [MDL] = rewrite_mdl};

/* Resizes lumps, so that the file cannot be patched in place, or keeps their sizes. */
static void change(lm_edit *edit, bool resize) {
    const uint32_t first = 0;
    assert_true(resize ? lm_edit_select(edit, LM_EDIT_FRAMES, 0, &first, 1, NULL)
                       : lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "first", NULL));
}

TEST(test_a_written_file_is_read_once) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        parse_count parses = {0};
        const lm_memory memory = {.allocator = {count_alloc, count_realloc, count_free, &parses}};
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory.allocator};
        AT_END(blob_free) blob file = make_small(format);
        assert_int_equal(rewrites[format](&file, &parses, &out), 1);
        for (int resize = 0; resize < 2; resize++) {
            parses.count = 0;
            OWNED(lm_edit) *edit =
                lm_edit_open(file.data, file.size, &(lm_load_options){.memory = memory}, NULL);
            assert_non_null(edit);
            assert_int_equal(parses.count, blocks_to_open(&parses));
            change(edit, resize);
            out.size = 0;
            parses.count = 0;
            assert_true(lm_edit_write(edit, &out, NULL));
            assert_int_equal(parses.count, 1);
        }
    }
}

/* Other objects of a call may have the size of a document. */
TEST(test_shown_data_is_read_once) {
    static const size_t sizes[NUM_FORMATS] = {[MD2] = sizeof(lm_md2),
                                              [MD3] = sizeof(lm_md3),
                                              [MDC] = sizeof(lm_mdc),
                                              [MDL] = sizeof(lm_mdl)};
    for (int format = 0; format < NUM_FORMATS; format++) {
        static const lm_edit_reencode half = {.scale = 0.5};
        parse_count parses = {0};
        const lm_memory memory = {.allocator = {count_alloc, count_realloc, count_free, &parses}};
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory.allocator};
        AT_END(blob_free) blob file = make_small(format);
        rewrites[format](&file, &parses, &out);
        parses.count = 0;
        OWNED(lm_edit) *edit =
            lm_edit_open(file.data, file.size, &(lm_load_options){.memory = memory}, NULL);
        assert_non_null(edit);
        assert_int_equal(parses.count, blocks_to_open(&parses));
        parses.count = 0;
        const size_t meshes = sizes[format] == sizeof(lm_mesh);
        const size_t reports = sizes[format] == sizeof(lm_encode_report);
        assert_true(lm_edit_compute_normals(edit, NULL)); /* of a model, not of a document */
        assert_int_equal(parses.count, meshes);
        parses.count = 0;
        assert_true(lm_edit_encode(edit, &half, NULL, NULL));
        assert_int_equal(parses.count, 1 + 2 * meshes + reports); /* both meshes */
    }
}

/* ---- Encoding ------------------------------------------------------------------------------- */

/* Every reader of an MD3 or MDC has a table of surfaces, whether it makes a document, a model or a
 * report. The table is a document's second allocation. */
static size_t size_of_table(const blob *file) {
    parse_count parses = {.skip = 1};
    const lm_memory memory = {.allocator = {count_alloc, count_realloc, count_free, &parses}};
    lm_mdc *mdc = lm_mdc_read(file->data, file->size, &memory, NULL);
    assert_non_null(mdc);
    lm_mdc_free(mdc);
    return parses.size;
}

TEST(test_an_encoded_file_is_read_once) {
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){2, 0, 20, 3, 1, 1, 1, 1, false});
    OWNED(lm_mesh) *mesh = mesh_of(&file);
    for (int with_report = 0; with_report < 2; with_report++) {
        /* The encoder has such a table as well. */
        parse_count parses = {.size = size_of_table(&file)};
        const lm_encode_options options = {
            .memory.allocator = {count_alloc, count_realloc, count_free, &parses}};
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_encode_report *report = NULL;
        assert_true(lm_encode(mesh, lm_format_by_name("mdc"), &options, &out,
                              with_report ? &report : NULL, NULL));
        assert_int_equal(parses.count, 2);
        lm_encode_report_free(report);
    }
}

TEST(test_a_checked_file_is_read_once) {
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){2, 0, 20, 3, 1, 1, 1, 1, false});
    parse_count parses = {.size = size_of_table(&file)};
    const lm_check_options options = {
        .memory.allocator = {count_alloc, count_realloc, count_free, &parses}};
    OWNED(lm_report) *report = lm_check_memory(file.data, file.size, &options, NULL);
    assert_non_null(report);
    assert_int_equal(report->num_errors, 0); /* so that its normals are checked, too */
    assert_int_equal(parses.count, 1);
}
