/* Editing documents: a name changed and nothing else, and who owns what then. */
#include "documents.h"

#include <stdio.h>

/* A name that each format has, and where it stands in the small model's file. */
typedef struct editable {
    const document_kind *kind;
    const char *what;
    blob (*make)(void);
    void *(*read)(const blob *file, const lm_memory *memory);
    bool (*set)(void *document, int32_t index, const char *name, lm_error *error);
    int32_t count;
    size_t stride, room;
    size_t (*at)(const blob *file); /* of the first name */
} editable;

static blob make_small_md2(void) {
    return make_md2(&small_md2);
}

static blob make_small_mdc(void) {
    return make_mdc(&small_mdc);
}

static blob make_small_md3(void) {
    return make_md3(&small_md3);
}

#define READER(format)                                                                \
    static void *read_##format(const blob *file, const lm_memory *memory) {           \
        return lm_##format##_read(file->data, file->size, memory, NULL);              \
    }                                                                                 \
    static bool set_##format##_frame(void *document, int32_t index, const char *name, \
                                     lm_error *error) {                               \
        return lm_##format##_set_frame_name(document, index, name, error);            \
    }

READER(md2)
READER(mdc)
READER(md3)

static bool set_md2_skin(void *document, int32_t index, const char *name, lm_error *error) {
    return lm_md2_set_skin(document, index, name, error);
}

static bool set_mdc_shader(void *document, int32_t index, const char *name, lm_error *error) {
    return lm_mdc_set_shader(document, 1, index, name, error);
}

static bool set_md3_shader(void *document, int32_t index, const char *name, lm_error *error) {
    return lm_md3_set_shader(document, 1, index, name, error);
}

static size_t md2_skins(const blob *file) {
    return get32(file, MD2_AT_OFS_SKINS);
}

static size_t md2_frame_names(const blob *file) {
    return get32(file, MD2_AT_OFS_FRAMES) + 24;
}

static size_t mdc_shaders(const blob *file) {
    return surface_lump(file, 1, SURFACE_AT_OFS_SHADERS);
}

static size_t mdc_frame_names(const blob *file) {
    return get32(file, MDC_AT_OFS_FRAMES) + 40;
}

static size_t md3_shaders(const blob *file) {
    return surface_lump(file, 1, MD3_SURFACE_AT_OFS_SHADERS);
}

static size_t md3_frame_names(const blob *file) {
    return get32(file, MD3_AT_OFS_FRAMES) + 40;
}

static const editable editables[] = {
    {&md2_documents, "skin", make_small_md2, read_md2, set_md2_skin, 2, 64, 64, md2_skins},
    {&md2_documents, "frame", make_small_md2, read_md2, set_md2_frame, 3, 64, 16, md2_frame_names},
    {&mdc_documents, "shader", make_small_mdc, read_mdc, set_mdc_shader, 1, 68, 64, mdc_shaders},
    {&mdc_documents, "frame", make_small_mdc, read_mdc, set_mdc_frame, 4, 56, 16, mdc_frame_names},
    {&md3_documents, "shader", make_small_md3, read_md3, set_md3_shader, 1, 68, 64, md3_shaders},
    {&md3_documents, "frame", make_small_md3, read_md3, set_md3_frame, 4, 56, 16, md3_frame_names},
};

static void each_editable(void (*run)(const editable *e, const blob *file)) {
    for (size_t i = 0; i < COUNT_OF(editables); i++) {
        blob file = editables[i].make();
        run(&editables[i], &file);
        blob_free(&file);
    }
}

static void set(const editable *e, void *document, int32_t index, const char *name) {
    lm_error error;
    if (!e->set(document, index, name, &error))
        fail_msg("%s", error.message);
}

/* ---- A name and nothing else --------------------------------------------------------------- */

static void change_each(const editable *e, const blob *file) {
    blob expected = blob_copy(file->data, file->size);
    blob before = blob_copy(file->data, file->size);
    void *document = read_document(e->kind, file);
    for (int32_t i = 0; i < e->count; i++) {
        uint8_t *field = expected.data + e->at(file) + (size_t)i * e->stride;
        memset(field, 0, e->room);
        snprintf((char *)field, e->room, "new/%d.tga", (int)i);
        set(e, document, i, (const char *)field);
        blob written = write_document(e->kind, document);
        assert_int_equal(written.size, expected.size);
        assert_memory_equal(written.data, expected.data, expected.size);
        blob_free(&written);
    }
    assert_memory_equal(file->data, before.data, before.size); /* the caller's bytes are his */
    e->kind->free(document);
    blob_free(&expected);
    blob_free(&before);
}

static void test_one_name_changes(void **state) {
    (void)state;
    each_editable(change_each);
}

static void fill_the_field(const editable *e, const blob *file) {
    char name[65] = {0};
    lm_error error = {0};
    void *document = read_document(e->kind, file);
    memset(name, 'x', e->room - 1);
    set(e, document, 0, name);
    set(e, document, 0, "");
    set(e, document, 0, name);
    blob written = write_document(e->kind, document);
    assert_memory_equal(written.data + e->at(file), name, e->room);
    name[e->room - 1] = 'x';
    assert_false(e->set(document, 0, name, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_error_told(&error);
    blob again = write_document(e->kind, document);
    assert_memory_equal(again.data, written.data, written.size);
    blob_free(&again);
    blob_free(&written);
    e->kind->free(document);
}

static void test_names_fit_their_field(void **state) {
    (void)state;
    each_editable(fill_the_field);
}

static void refuse_indices(const editable *e, const blob *file) {
    const int32_t indices[] = {-1, e->count, INT32_MAX, INT32_MIN};
    void *document = read_document(e->kind, file);
    for (size_t i = 0; i < COUNT_OF(indices); i++) {
        lm_error error = {0};
        assert_false(e->set(document, indices[i], "a", &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_error_told(&error);
        assert_false(e->set(document, indices[i], "a", NULL));
    }
    assert_round_trip(e->kind, "a document after refusals", file);
    e->kind->free(document);
}

static void test_what_is_not_there_is_not_changed(void **state) {
    (void)state;
    each_editable(refuse_indices);
    blob file = make_small_md3();
    lm_md3 *md3 = read_document(&md3_documents, &file);
    assert_false(lm_md3_set_shader(md3, 2, 0, "a", NULL));
    assert_false(lm_md3_set_shader(md3, -1, 0, "a", NULL));
    lm_md3_free(md3);
    blob_free(&file);
}

/* ---- Ownership ----------------------------------------------------------------------------- */

static void copy_once(const editable *e, const blob *file) {
    counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    void *document = e->read(file, &memory);
    assert_non_null(document);
    size_t calls = counts.calls;
    for (int32_t i = 0; i < 1000; i++)
        set(e, document, i % e->count, "a/b.tga");
    assert_int_equal(counts.calls, calls + 1);
    e->kind->free(document);
    assert_all_released(&counts);
}

static void test_a_lump_is_copied_once(void **state) {
    (void)state;
    each_editable(copy_once);
}

static void fail_the_copy(const editable *e, const blob *file) {
    counted counts = {0};
    lm_error error = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    void *document = e->read(file, &memory);
    counts.fail_at = counts.calls + 1;
    assert_false(e->set(document, 0, "a", &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    assert_error_told(&error);
    blob written = write_document(e->kind, document);
    assert_memory_equal(written.data, file->data, file->size);
    set(e, document, 0, "a");
    blob_free(&written);
    e->kind->free(document);
    assert_all_released(&counts);
}

static void test_a_copy_that_fails_changes_nothing(void **state) {
    (void)state;
    each_editable(fail_the_copy);
}

/* Lumps, surfaces and what lies behind the end, all replaced by memory that nobody may free. */
static void test_arrays_may_be_the_callers(void **state) {
    (void)state;
    counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    blob file = make_small_md3();
    lm_md3 *md3 = read_md3(&file, &memory);
    lm_md3_surface surfaces[3];
    set_md3_frame(md3, 0, "gone", NULL);
    memcpy(surfaces, md3->surfaces, 2 * sizeof *surfaces);
    surfaces[2] = surfaces[0];
    md3->surfaces = surfaces;
    md3->num_surfaces = 3;
    md3->frames = file.data + get32(&file, MD3_AT_OFS_FRAMES);
    md3->trailing = (const uint8_t *)"end";
    md3->num_trailing = 3;
    assert_true(lm_md3_set_shader(md3, 2, 0, "third.tga", NULL));
    blob written = write_document(&md3_documents, md3);
    assert_memory_equal(written.data + surface_lump(&written, 2, MD3_SURFACE_AT_OFS_SHADERS),
                        "third.tga", 10);
    assert_memory_equal(written.data + written.size - 3, "end", 3);
    assert_memory_equal(written.data + md3_frame_names(&written), "frame0", 7);
    lm_md3_free(md3);
    assert_all_released(&counts);
    blob_free(&written);
    blob_free(&file);
}

static void test_a_copy_of_the_struct_is_a_document(void **state) {
    (void)state;
    blob file = make_small_md2();
    lm_md2 *md2 = read_document(&md2_documents, &file);
    lm_md2 changed = *md2;
    assert_true(lm_md2_set_skin(&changed, 0, "other.pcx", NULL));
    assert_false(lm_md2_equal(md2, &changed));
    assert_string_equal((const char *)changed.skins, "other.pcx");
    lm_md2_free(md2);
    blob_free(&file);
}

static void test_a_document_of_ones_own_is_ones_own(void **state) {
    (void)state;
    static const uint8_t skin[64] = "mine.pcx";
    lm_error error = {0};
    lm_md2 md2 = {.num_skins = 1, .skins = skin};
    assert_false(lm_md2_set_skin(&md2, 0, "other.pcx", &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_ptr_equal(md2.skins, skin);
    lm_md2_free(&md2);
    lm_md2_free(NULL);
    lm_mdc_free(NULL);
    lm_md3_free(NULL);
}

/* ---- What is not written ------------------------------------------------------------------- */

#define REFUSE(kind, document, lump)                             \
    do {                                                         \
        lm_error error = {0};                                    \
        lm_buffer out = {0};                                     \
        const void *kept;                                        \
        memcpy(&kept, &(document)->lump, sizeof kept);           \
        (document)->lump = NULL;                                 \
        lm_buffer_text(&out, "before");                          \
        if (lm_##kind##_write(document##_whole, &out, &error))   \
            fail_msg("%s without %s was written", #kind, #lump); \
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);      \
        assert_error_told(&error);                               \
        assert_int_equal(out.size, 6);                           \
        lm_buffer_free(&out);                                    \
        memcpy(&(document)->lump, &kept, sizeof kept);           \
    } while (0)

static void test_lumps_that_are_missing_are_not_written(void **state) {
    (void)state;
    blob file2 = make_small_md2(), file3 = make_small_md3(), file_c = make_small_mdc();
    lm_md2 *md2 = read_document(&md2_documents, &file2), *md2_whole = md2;
    lm_md3 *md3 = read_document(&md3_documents, &file3), *md3_whole = md3, *s3_whole = md3;
    lm_mdc *mdc = read_document(&mdc_documents, &file_c), *mdc_whole = mdc, *sc_whole = mdc;
    lm_md3_surface *s3 = &md3->surfaces[1];
    lm_mdc_surface *sc = &mdc->surfaces[1];
    REFUSE(md2, md2, skins);
    REFUSE(md2, md2, st);
    REFUSE(md2, md2, tris);
    REFUSE(md2, md2, frames);
    REFUSE(md2, md2, glcmds);
    REFUSE(md3, md3, frames);
    REFUSE(md3, md3, tags);
    REFUSE(md3, md3, surfaces);
    REFUSE(md3, s3, triangles);
    REFUSE(md3, s3, shaders);
    REFUSE(md3, s3, st);
    REFUSE(md3, s3, xyz_normals);
    REFUSE(mdc, mdc, frames);
    REFUSE(mdc, mdc, tag_names);
    REFUSE(mdc, mdc, tags);
    REFUSE(mdc, mdc, surfaces);
    REFUSE(mdc, sc, triangles);
    REFUSE(mdc, sc, shaders);
    REFUSE(mdc, sc, st);
    REFUSE(mdc, sc, base_vertices);
    REFUSE(mdc, sc, comp_vertices);
    REFUSE(mdc, sc, frame_base_frames);
    REFUSE(mdc, sc, frame_comp_frames);
    md2->trailing = NULL;
    md2->num_trailing = 1;
    REFUSE(md2, md2, trailing);
    md2->num_trailing = 0;
    md2->num_frames = 0;
    lm_error error = {0};
    lm_buffer out = {0};
    assert_false(lm_md2_write(md2, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_COUNT);
    lm_buffer_free(&out);
    lm_md2_free(md2);
    lm_md3_free(md3);
    lm_mdc_free(mdc);
    blob_free(&file2);
    blob_free(&file3);
    blob_free(&file_c);
}

/* ---- Empty lumps --------------------------------------------------------------------------- */

/* An empty lump may say that it lies anywhere: written twice, it lies where it was written first.
 */
static void test_empty_lumps_keep_their_place(void **state) {
    (void)state;
    static const mdc_shape without_tags = {4, 0, 2, 5, 3, 0, 2, 2, false};
    blob file = make_mdc(&without_tags);
    for (uint32_t at = 100; at < file.size; at += 7) {
        put32(&file, MDC_AT_OFS_TAG_NAMES, at);
        put32(&file, MDC_AT_OFS_TAGS, at / 2);
        put32(&file, surface_start(&file, 0) + SURFACE_AT_OFS_SHADERS, at);
        void *document = read_document(&mdc_documents, &file);
        blob written = write_document(&mdc_documents, document);
        assert_round_trip(&mdc_documents, "an empty lump", &written);
        mdc_documents.free(document);
        blob_free(&written);
    }
    blob_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_name_changes),
        cmocka_unit_test(test_names_fit_their_field),
        cmocka_unit_test(test_what_is_not_there_is_not_changed),
        cmocka_unit_test(test_a_lump_is_copied_once),
        cmocka_unit_test(test_a_copy_that_fails_changes_nothing),
        cmocka_unit_test(test_arrays_may_be_the_callers),
        cmocka_unit_test(test_a_copy_of_the_struct_is_a_document),
        cmocka_unit_test(test_a_document_of_ones_own_is_ones_own),
        cmocka_unit_test(test_lumps_that_are_missing_are_not_written),
        cmocka_unit_test(test_empty_lumps_keep_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
