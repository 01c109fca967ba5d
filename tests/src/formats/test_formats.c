/* Tests the list of formats and the properties that models report. */
#include "documents.h"
#include "lerpmesh/lerpmesh.h"

TEST(every_format_is_found_by_all_its_names) {
    assert_non_null(lm_format_at(2));
    for (uint32_t i = 0; lm_format_at(i); i++) {
        const lm_format_info *info = lm_format_at(i);
        char path[64] = "models.x/A.B.";
        assert_non_null(info);
        assert_ptr_equal(lm_format_by_name(info->name), info);
        assert_string_equal(lm_format_of(info->ident, strlen(info->ident)), info->name);
        assert_true(info->version > 0 && strlen(info->game) > 0);
        assert_memory_equal(info->mime, "model/x-", 8);
        strcat(path, info->extension);
        assert_ptr_equal(lm_format_by_extension(path), info);
        for (char *c = path + 13; *c; c++)
            *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        assert_ptr_equal(lm_format_by_extension(path), info);
        strcat(path, "x");
        assert_null(lm_format_by_extension(path));
    }
    assert_null(lm_format_at(UINT32_MAX));
}

TEST(unknown_formats_are_not_found) {
    static const char *const paths[] = {"", ".", "md2", "a.md", "a.md2.pk3", "a.md2/b", "a.iqm"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_null(lm_format_by_extension(paths[i]));
    assert_null(lm_format_by_name(""));
    assert_null(lm_format_by_name("MD2"));
    assert_null(lm_format_by_name(NULL));
    assert_null(lm_format_by_extension(NULL));
    assert_false(lm_format_limits(NULL, 0, &(lm_format_limit){NULL}));
    assert_int_equal(lm_engine_by_name(NULL), LM_NUM_ENGINES);
}

TEST(features) {
    assert_int_equal(lm_format_by_name("md2")->features, LM_FEATURE_SKINS | LM_FEATURE_GL_COMMANDS);
    assert_int_equal(lm_format_by_name("md3")->features, LM_FEATURE_SURFACES | LM_FEATURE_TAGS);
    assert_int_equal(lm_format_by_name("mdc")->features,
                     LM_FEATURE_SURFACES | LM_FEATURE_TAGS | LM_FEATURE_BASE_FRAMES);
    assert_int_equal(lm_format_by_name("mdl")->features, LM_FEATURE_EMBEDDED_SKINS);
}

static int32_t most(const char *format, lm_engine engine, const char *what, bool of_surface) {
    const lm_format_info *info = lm_format_by_name(format);
    lm_format_limit limit;
    for (uint32_t i = 0; lm_format_limits(info, i, &limit); i++)
        if (limit.engine == engine && strcmp(limit.element, what) == 0 &&
            limit.of_surface == of_surface)
            return limit.max;
    return -1;
}

TEST(limits_of_engines) {
    lm_format_limit limit;
    assert_int_equal(most("md2", LM_ENGINE_QUAKE2, "triangles", false), 4096);
    assert_int_equal(most("md2", LM_ENGINE_Q2PRO, "frames", false), 1024);
    assert_int_equal(most("md2", LM_ENGINE_UFOAI, "triangles", false), 4095);
    assert_int_equal(most("md3", LM_ENGINE_QUAKE3, "tags", false), 16);
    assert_int_equal(most("md3", LM_ENGINE_QUAKE3, "shaders", true), 256);
    assert_int_equal(most("mdc", LM_ENGINE_ET, "vertices", true), 9999);
    assert_int_equal(most("mdc", LM_ENGINE_ET, "vertices", false), -1);
    for (uint32_t i = 0; lm_format_at(i); i++) {
        assert_true(lm_format_limits(lm_format_at(i), 0, &limit));
        assert_false(lm_format_limits(lm_format_at(i), 1000, &limit));
    }
}

static void compare_with_its_format(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, &error);
    if (!model)
        return;
    const lm_format_info *info = lm_format_by_name(model->format);
    assert_ptr_equal(lm_format_by_extension(path), info);
    assert_int_equal(model->version, info->version);
    assert_int_equal(model->features, info->features);
    if (model->num_tags > 0)
        assert_true(model->features & LM_FEATURE_TAGS);
    if (model->num_skins > 0)
        assert_true(model->features & (LM_FEATURE_SKINS | LM_FEATURE_EMBEDDED_SKINS));
    assert_int_equal(model->embedded_skins != NULL,
                     (model->features & LM_FEATURE_EMBEDDED_SKINS) && model->num_skins > 0);
    if (model->gl_commands.num_integers > 0)
        assert_true(model->features & LM_FEATURE_GL_COMMANDS);
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        if (model->surfaces[s].num_deltas > 0)
            assert_true(model->features & LM_FEATURE_BASE_FRAMES);
        if (model->surfaces[s].num_materials > 0 || model->num_surfaces > 1)
            assert_true(model->features & LM_FEATURE_SURFACES);
    }
}

TEST(models_have_only_features_of_their_format) {
    each_model(compare_with_its_format);
}

/* Tests common to the documents of every format: they are written back as read, and compared in
 * full. */

static void each_small_file(void (*check)(const document_kind *kind, const blob *file)) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        AT_END(blob_free) blob file = documents[format]->make();
        check(documents[format], &file);
    }
}

/* All files of the corpus are canonical. */
TEST(test_corpus_round_trips) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        file_list list = list_models(documents[format]->extension);
        for (size_t i = 0; i < list.count; i++) {
            AT_END(blob_free) blob file = blob_read(list.paths[i]);
            assert_round_trip(documents[format], list.paths[i], &file);
        }
        free_list(&list);
    }
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

/* Checks that lumps in any order and with gaps before them make the same document. */
static void assert_layout_does_not_matter(const document_kind *kind, const blob *file) {
    static const size_t gaps[] = {0, 1, 2, 3, 7, 100};
    for (size_t order = 0; order < 16; order++)
        for (size_t g = 0; g < COUNT_OF(gaps); g++) {
            AT_END(blob_free) blob other = rearrange(kind->format, file, order, gaps[g]);
            assert_equal_documents(kind, file, &other);
            if (gaps[g] == 0)
                assert_round_trip(kind, "another order", &other);
        }
}

TEST(test_layout_does_not_matter) {
    each_small_file(assert_layout_does_not_matter);
}

static void assert_trailing_bytes_are_kept(const document_kind *kind, const blob *file) {
    static const size_t more[] = {1, 3, 128};
    void *plain = read_document(kind, file);
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        AT_END(blob_free) blob longer = {malloc(file->size + more[i]), file->size + more[i]};
        assert_non_null(longer.data);
        memcpy(longer.data, file->data, file->size);
        memset(longer.data + file->size, 0xAB, more[i]);
        void *document = read_document(kind, &longer);
        assert_false(kind->equal(plain, document));
        assert_round_trip(kind, "trailing bytes", &longer);
        kind->free(document);
    }
    kind->free(plain);
}

TEST(test_trailing_bytes_are_kept) {
    each_small_file(assert_trailing_bytes_are_kept);
}

/* Checks that every byte of content counts, even unused ones, and that offsets do not. */
static void assert_equal_compares_every_byte(const document_kind *kind, const blob *file) {
    AT_END(blob_free) blob other = blob_copy(file->data, file->size);
    void *document = read_document(kind, file);
    size_t seen = 0;
    for (size_t at = 8; at < file->size; at++) {
        if (is_layout(kind->format, file, at))
            continue;
        other.data[at] ^= 1;
        void *changed = kind->read(other.data, other.size, NULL);
        if (changed && kind->equal(document, changed))
            fail_msg("byte %zu makes no difference", at);
        seen += changed != NULL;
        kind->free(changed);
        other.data[at] ^= 1;
    }
    assert_true(seen > file->size / 2);
    kind->free(document);
}

TEST(test_equal_compares_every_byte) {
    each_small_file(assert_equal_compares_every_byte);
}

/* Checks that a document is appended to a buffer's contents and that the buffer's limit holds. */
static void assert_write_appends_and_obeys_limits(const document_kind *kind, const blob *file) {
    lm_error error;
    void *document = read_document(kind, file);
    lm_buffer out = {0};
    lm_buffer_text(&out, "abc");
    assert_true(kind->write(document, &out, NULL));
    assert_int_equal(out.size, 3 + file->size);
    assert_memory_equal(out.data + 3, file->data, file->size);
    lm_buffer_free(&out);
    lm_buffer small = {.max_size = file->size - 1};
    assert_false(kind->write(document, &small, &error));
    assert_error_valid(&error);
    lm_buffer_free(&small);
    lm_buffer enough = {.max_size = file->size};
    assert_true(kind->write(document, &enough, &error));
    lm_buffer_free(&enough);
    kind->free(document);
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
