/* Tests document edits: a changed name changes nothing else, and ownership stays clear. */
#include "documents.h"
#include "edits.h"

#include <stdio.h>

/* A list of names that each format has, and its offset in the small model's file. */
typedef struct editable {
    int format;
    lm_edit_list list;
    uint32_t surface, count;
    size_t stride, room;
    size_t (*at)(const blob *file); /* of the first name */
} editable;

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
    {MD2, LM_EDIT_SKINS, 0, 2, 64, 64, md2_skins},
    {MD2, LM_EDIT_FRAMES, 0, 3, 64, 16, md2_frame_names},
    {MDC, LM_EDIT_SKINS, 1, 1, 68, 64, mdc_shaders},
    {MDC, LM_EDIT_FRAMES, 0, 4, 56, 16, mdc_frame_names},
    {MD3, LM_EDIT_SKINS, 1, 1, 68, 64, md3_shaders},
    {MD3, LM_EDIT_FRAMES, 0, 4, 56, 16, md3_frame_names},
};

static void each_editable(void (*run)(const editable *e, const blob *file, lm_edit *edit)) {
    for (size_t i = 0; i < COUNT_OF(editables); i++) {
        AT_END(blob_free) blob file = make_small(editables[i].format);
        OWNED(lm_edit) *edit = open_edit(&file);
        run(&editables[i], &file, edit);
    }
}

static void set(const editable *e, lm_edit *edit, uint32_t index, const char *name) {
    lm_error error;
    if (!lm_edit_rename(edit, e->list, e->surface, index, name, &error))
        fail_msg("%s", error.message);
}

/* ---- A name and nothing else --------------------------------------------------------------- */

static void change_each(const editable *e, const blob *file, lm_edit *edit) {
    AT_END(blob_free) blob expected = blob_copy(file->data, file->size);
    AT_END(blob_free) blob before = blob_copy(file->data, file->size);
    for (uint32_t i = 0; i < e->count; i++) {
        uint8_t *field = expected.data + e->at(file) + (size_t)i * e->stride;
        memset(field, 0, e->room);
        snprintf((char *)field, e->room, "new/%u.tga", (unsigned)i);
        set(e, edit, i, (const char *)field);
        AT_END(blob_free) blob written = write_edit(edit);
        assert_same_bytes("a name", &expected, &written);
    }
    assert_same_bytes("the caller's bytes", &before, file);
}

TEST(test_one_name_changes) {
    each_editable(change_each);
}

static void fill_the_field(const editable *e, const blob *file, lm_edit *edit) {
    char name[65] = {0};
    lm_error error = {0};
    (void)file;
    memset(name, 'x', e->room - 1);
    set(e, edit, 0, name);
    set(e, edit, 0, "");
    set(e, edit, 0, name);
    AT_END(blob_free) blob written = write_edit(edit);
    assert_memory_equal(written.data + e->at(&written), name, e->room);
    name[e->room - 1] = 'x';
    assert_false(lm_edit_rename(edit, e->list, e->surface, 0, name, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_error_valid(&error);
    AT_END(blob_free) blob again = write_edit(edit);
    assert_same_bytes("a document after a refusal", &written, &again);
}

TEST(test_names_fit_their_field) {
    each_editable(fill_the_field);
}

static void reject_indices(const editable *e, const blob *file, lm_edit *edit) {
    const uint32_t indices[] = {e->count, INT32_MAX, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(indices); i++) {
        lm_error error = {0};
        assert_false(lm_edit_rename(edit, e->list, e->surface, indices[i], "a", &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_error_valid(&error);
        assert_false(lm_edit_rename(edit, e->list, e->surface, indices[i], "a", NULL));
    }
    AT_END(blob_free) blob written = write_edit(edit);
    assert_same_bytes("a document after refusals", file, &written);
}

TEST(test_missing_elements_are_not_renamed) {
    each_editable(reject_indices);
    AT_END(blob_free) blob file = make_small(MD3);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_false(lm_edit_rename(edit, LM_EDIT_SKINS, 2, 0, "a", NULL));
}

/* ---- Ownership ----------------------------------------------------------------------------- */

/* All lumps, surfaces and trailing bytes are replaced by memory that must not be freed. */
TEST(test_callers_arrays_are_allowed) {
    AT_END(assert_all_released) counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    AT_END(blob_free) blob file = make_small(MD3);
    OWNED(lm_md3) *md3 = lm_md3_read(file.data, file.size, &memory, NULL);
    uint8_t shader[LM_MD3_SHADER_SIZE] = "third.tga";
    lm_md3_surface surfaces[3];
    memcpy(surfaces, md3->surfaces, 2 * sizeof *surfaces);
    surfaces[2] = surfaces[0];
    md3->surfaces = surfaces;
    md3->num_surfaces = 3;
    md3->frames = file.data + get32(&file, MD3_AT_OFS_FRAMES);
    md3->trailing = (const uint8_t *)"end";
    md3->num_trailing = 3;
    surfaces[2].shaders = shader;
    surfaces[2].num_shaders = 1;
    AT_END(blob_free) blob written = write_document(&md3_documents, md3);
    assert_memory_equal(written.data + surface_lump(&written, 2, MD3_SURFACE_AT_OFS_SHADERS),
                        "third.tga", 10);
    assert_memory_equal(written.data + written.size - 3, "end", 3);
    assert_memory_equal(written.data + md3_frame_names(&written), "frame0", 7);
}

TEST(test_a_copy_of_the_struct_is_a_document) {
    static const uint8_t skins[2 * LM_MD2_SKIN_SIZE] = "other.pcx";
    AT_END(blob_free) blob file = make_small(MD2);
    OWNED(lm_md2) *md2 = read_document(&md2_documents, &file);
    lm_md2 changed = *md2;
    changed.skins = skins;
    assert_false(lm_md2_equal(md2, &changed));
}

TEST(test_callers_documents_are_not_freed) {
    static const uint8_t skin[64] = "mine.pcx";
    lm_md2 md2 = {.num_skins = 1, .skins = skin};
    lm_md2_free(&md2);
    assert_ptr_equal(md2.skins, skin);
    lm_md2_free(NULL);
    lm_mdc_free(NULL);
    lm_md3_free(NULL);
}

/* ---- Rejected documents -------------------------------------------------------------------- */

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
        assert_error_valid(&error);                              \
        assert_int_equal(out.size, 6);                           \
        lm_buffer_free(&out);                                    \
        memcpy(&(document)->lump, &kept, sizeof kept);           \
    } while (0)

TEST(test_missing_lumps_are_not_written) {
    AT_END(blob_free)
    blob file2 = make_small(MD2), file3 = make_small(MD3), file_c = make_small(MDC);
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
}

/* ---- Empty lumps --------------------------------------------------------------------------- */

/* An empty lump may have any offset. Written twice, it stays at the offset of the first time. */
TEST(test_empty_lumps_keep_their_offset) {
    static const mdc_shape without_tags = {4, 0, 2, 5, 3, 0, 2, 2, false};
    AT_END(blob_free) blob file = make_mdc(&without_tags);
    for (uint32_t at = 100; at < file.size; at += 7) {
        put32(&file, MDC_AT_OFS_TAG_NAMES, at);
        put32(&file, MDC_AT_OFS_TAGS, at / 2);
        put32(&file, surface_start(&file, 0) + SURFACE_AT_OFS_SHADERS, at);
        void *document = read_document(&mdc_documents, &file);
        AT_END(blob_free) blob written = write_document(&mdc_documents, document);
        assert_round_trip(&mdc_documents, "an empty lump", &written);
        mdc_documents.free(document);
    }
}
