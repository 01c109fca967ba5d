/* Tests common to the documents of every format: they are written back as read, and compared in
 * full. */
#include "documents.h"

static void each_small_file(void (*check)(const document_kind *kind, const blob *file)) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        AT_END(blob_free) blob file = documents[format]->make();
        check(documents[format], &file);
    }
}

TEST(test_corpus_round_trips) {
    for (int format = 0; format < NUM_FORMATS; format++)
        assert_corpus_round_trips(documents[format]);
}

static void check_shape(const document_kind *kind, blob file) {
    assert_round_trip(kind, "a synthetic model", &file);
    blob_free(&file);
}

TEST(test_synthetic_models_round_trip) {
    static const md2_shape md2[] = {
        {2, 6, 9, 4, 3, false},    {0, 1, 1, 0, 1, true},         {1, 3, 3, 1, 1, true},
        {32, 50, 60, 90, 2, true}, {1, 300, 700, 500, 20, false},
    };
    static const md3_shape md3[] = {
        {4, 2, 2, 5, 3, 1}, {1, 0, 0, 0, 0, 0},    {7, 3, 0, 0, 0, 0},
        {3, 0, 1, 3, 1, 1}, {250, 1, 19, 4, 2, 0}, {5, 0, 3, 40, 60, 2},
    };
    static const mdc_shape mdc[] = {
        {4, 2, 2, 5, 3, 1, 2, 2, false},    {1, 0, 0, 0, 0, 0, 0, 0, false},
        {7, 3, 0, 0, 0, 0, 0, 0, false},    {3, 0, 1, 3, 1, 1, 1, 0, false},
        {250, 1, 19, 4, 2, 0, 3, 5, false}, {5, 0, 3, 40, 60, 2, 1, 4, false},
    };
    for (size_t i = 0; i < COUNT_OF(md2); i++)
        check_shape(&md2_documents, make_md2(&md2[i]));
    for (size_t i = 0; i < COUNT_OF(md3); i++)
        check_shape(&md3_documents, make_md3(&md3[i]));
    for (size_t i = 0; i < COUNT_OF(mdc); i++)
        check_shape(&mdc_documents, make_mdc(&mdc[i]));
    check_shape(&mdl_documents, make_mdl());
}

TEST(test_layout_does_not_matter) {
    each_small_file(assert_layout_does_not_matter);
}

TEST(test_trailing_bytes_are_kept) {
    each_small_file(assert_trailing_bytes_are_kept);
}

TEST(test_equal_compares_every_byte) {
    each_small_file(assert_equal_compares_every_byte);
}

TEST(test_write_appends_and_obeys_limits) {
    each_small_file(assert_write_appends_and_obeys_limits);
}

static void assert_input_rejected(const document_kind *kind, const void *data, size_t size,
                                  lm_code code) {
    lm_error error = {0};
    assert_null(kind->read(data, size, NULL));
    assert_null(kind->read(data, size, &error));
    assert_int_equal(error.code, code);
    assert_error_valid(&error);
}

static void assert_other_formats_rejected(const document_kind *kind, const blob *file) {
    for (int format = 0; format < NUM_FORMATS; format++)
        if (format != kind->format)
            assert_input_rejected(documents[format], file->data, file->size,
                                  LM_CODE_UNKNOWN_FORMAT);
    assert_input_rejected(kind, file->data, 4, LM_CODE_TRUNCATED);
    assert_input_rejected(kind, NULL, 0, LM_CODE_UNKNOWN_FORMAT);
    kind->free(NULL);
}

TEST(test_other_formats_are_rejected) {
    each_small_file(assert_other_formats_rejected);
}
