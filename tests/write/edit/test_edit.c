/* Tests document edits: a changed name changes nothing else, and ownership stays clear. */
#include "edits.h"
#include "elements.h"
#include "formats/write_document.h"

/* A list of names that each format has, and its offset in the small model's file. */
typedef struct editable {
    int format;
    lm_edit_list list;
    uint32_t surface, count;
    size_t stride, room;
    size_t (*at)(const blob *file); /* of the first name */
} editable;

#define OFFSET(name, expression)           \
    static size_t name(const blob *file) { \
        return expression;                 \
    }

OFFSET(md2_skins, get32(file, MD2_AT_OFS_SKINS))
OFFSET(md2_frame_names, get32(file, MD2_AT_OFS_FRAMES) + 24)
OFFSET(mdc_shaders, surface_lump(file, 1, SURFACE_AT_OFS_SHADERS))
OFFSET(mdc_frame_names, get32(file, MDC_AT_OFS_FRAMES) + 40)
OFFSET(md3_shaders, surface_lump(file, 1, MD3_SURFACE_AT_OFS_SHADERS))
OFFSET(md3_frame_names, get32(file, MD3_AT_OFS_FRAMES) + 40)

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
    assert_done(lm_edit_rename(edit, e->list, e->surface, index, name, &error), error);
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
    assert_false(lmi_equal_documents(&lmi_md2_kind, md2, &changed));
}

/* ---- Rejected documents -------------------------------------------------------------------- */

/* A document without one of its lumps is not written. */
#define REFUSE(kind, owner, lump)                                                        \
    do {                                                                                 \
        AT_END(lm_buffer_free) lm_buffer out = {0};                                      \
        const void *kept;                                                                \
        lm_error error = {0};                                                            \
        memcpy(&kept, &(owner)->lump, sizeof kept);                                      \
        (owner)->lump = NULL;                                                            \
        lm_buffer_text(&out, "before");                                                  \
        if (lmi_write_document(&lmi_##kind##_kind, kind, &out, &error) || out.size != 6) \
            fail_msg("%s without %s was written", #kind, #lump);                         \
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);                              \
        assert_error_valid(&error);                                                      \
        memcpy(&(owner)->lump, &kept, sizeof kept);                                      \
    } while (0)

TEST(test_missing_lumps_are_not_written) {
    AT_END(blob_free)
    blob file2 = make_small(MD2), file3 = make_small(MD3), file_c = make_small(MDC);
    OWNED(lm_md2) *md2 = read_document(&md2_documents, &file2);
    OWNED(lm_md3) *md3 = read_document(&md3_documents, &file3);
    OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &file_c);
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
    AT_END(lm_buffer_free) lm_buffer out = {0};
    assert_false(lmi_write_document(&lmi_md2_kind, md2, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_COUNT);
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

/* Tests the codes and messages of rejected edits, and messages about completed ones. */

typedef struct refusal {
    int format;
    lm_code code;
    bool (*run)(lm_edit *edit, lm_error *error);
} refusal;

EDIT(reject_index, lm_edit_rename(edit, LM_EDIT_SKINS, 0, 7, "a", error))
EDIT(reject_surface, lm_edit_rename(edit, LM_EDIT_SKINS, 7, 0, "a", error))
EDIT(reject_length, lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "sixteen letters.", error))
EDIT(reject_substituted_length, SET("rename", "frames:s/a/0123456789abcdef/"))
EDIT(reject_tags, lm_edit_rename(edit, LM_EDIT_TAGS, 0, 0, "a", error))
EDIT(reject_no_frames, lm_edit_select(edit, LM_EDIT_FRAMES, 0, NULL, 0, error))
EDIT(reject_repeated_skin,
     lm_edit_select(edit, LM_EDIT_SKINS, 0, (const uint32_t[]){0, 1, 0}, 3, error))
EDIT(reject_frame_out_of_range,
     lm_edit_select(edit, LM_EDIT_FRAMES, 0, (const uint32_t[]){0, 3000000000u}, 2, error))
EDIT(reject_clips, lm_edit_select(edit, LM_EDIT_CLIPS, 0, (const uint32_t[]){0}, 1, error))
EDIT(reject_empty_clip_name, lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 0, "", error))
EDIT(reject_list, lm_edit_rename(edit, (lm_edit_list)77, 0, 0, "a", error))
EDIT(reject_long_path,
     SET("add-skin", "0123456789012345678901234567890123456789012345678901234567890123"))
EDIT(reject_image_name, lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "a", error))
EDIT(reject_no_image, lm_edit_select(edit, LM_EDIT_SKINS, 0, NULL, 0, error))
EDIT(reject_image, SET("add-skin", "a"))
EDIT(reject_rounding, set_edit_transform(edit, 0, 0, 0.01f, false, error))
EDIT(reject_move_out_of_range, set_edit_transform(edit, 0, 0, 400, true, error))
EDIT(reject_scale, set_edit_transform(edit, 2, 0, 0, true, error))
EDIT(reject_negative_scale, set_edit_transform(edit, -1, 0, 0, true, error))
EDIT(reject_tag_out_of_range, SET("add-tag", "tag_far=0,0,1e6"))
EDIT(reject_huge_transform, set_edit_transform(edit, 3e38f, 0, 1e38f, true, error))
EDIT(reject_huge_tag, SET("add-tag", "tag_far=0,3e38,0,follow"))
EDIT(reject_huge_tag_move, SET("move-tag", "0=0,0,-3e38"))
EDIT(reject_non_finite_tag, SET("add-tag", "tag_none=0,1e39,0"))

static bool reject_append(lm_edit *edit, lm_error *error) {
    static const md2_shape md2 = {2, 7, 9, 4, 3, false};
    static const md3_shape md3 = {4, 1, 2, 5, 3, 1};
    static const mdc_shape mdc = {4, 2, 2, 6, 3, 1, 2, 2, false};
    const char *format = lm_edit_format(edit)->name;
    AT_END(blob_free)
    blob file = strcmp(format, "md2") == 0   ? make_md2(&md2)
                : strcmp(format, "md3") == 0 ? make_md3(&md3)
                : strcmp(format, "mdc") == 0 ? make_mdc(&mdc)
                                             : make_md2(&small_md2);
    OWNED(lm_edit) *other = open_edit(&file);
    return lm_edit_append(edit, other, error);
}

EDIT(reject_bounds, SET("compute-bounds", NULL))
EDIT(reject_rate,
     lm_edit_reencode(edit, &(const lm_edit_reencode_options){.fps = 1e9f}, NULL, error))
EDIT(reject_reencoding,
     lm_edit_reencode(edit, &(const lm_edit_reencode_options){.degrees = NAN}, NULL, error))

static const refusal refusals[] = {
    {MD2, LM_CODE_LIMIT, reject_huge_transform},
    {MD3, LM_CODE_LIMIT, reject_huge_transform},
    {MDL, LM_CODE_LIMIT, reject_huge_transform},
    {MD3, LM_CODE_LIMIT, reject_huge_tag},
    {MD3, LM_CODE_LIMIT, reject_huge_tag_move},
    {MD2, LM_CODE_LIMIT, reject_rate},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_reencoding},
    {MD3, LM_CODE_ROUNDING, reject_rounding},
    {MDC, LM_CODE_ROUNDING, reject_rounding},
    {MD3, LM_CODE_LIMIT, reject_move_out_of_range},
    {MDC, LM_CODE_LIMIT, reject_move_out_of_range},
    {MDC, LM_CODE_LIMIT, reject_scale},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_negative_scale},
    {MDC, LM_CODE_LIMIT, reject_tag_out_of_range},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_non_finite_tag},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_non_finite_tag},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_append},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_append},
    {MDC, LM_CODE_BAD_ARGUMENT, reject_append},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_append},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_bounds},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_index},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_index},
    {MDC, LM_CODE_BAD_ARGUMENT, reject_surface},
    {MD2, LM_CODE_LIMIT, reject_length},
    {MDL, LM_CODE_LIMIT, reject_length},
    {MD3, LM_CODE_LIMIT, reject_substituted_length},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_tags},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_tags},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_no_frames},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_repeated_skin},
    {MDC, LM_CODE_BAD_ARGUMENT, reject_frame_out_of_range},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_clips},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_empty_clip_name},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_list},
    {MD2, LM_CODE_LIMIT, reject_long_path},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_image_name},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_image},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_no_image},
};

TEST(test_failed_edits_change_nothing) {
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        lm_error error = {0};
        uint32_t count;
        AT_END(blob_free) blob file = make_small(refusals[i].format);
        OWNED(lm_edit) *edit = open_edit(&file);
        if (refusals[i].run(edit, &error))
            fail_msg("refusal %zu was done", i);
        assert_false(refusals[i].run(edit, NULL));
        assert_int_equal(error.code, refusals[i].code);
        record_output("%s", error.message);
        lm_edit_changes(edit, &count);
        assert_int_equal(count, 0);
        AT_END(blob_free) blob made = write_edit(edit);
        assert_same_bytes("a refusal", &made, &file);
    }
    assert_matches_golden("edit");
}

TEST(test_changes_are_recorded) {
    static const char *const formats[] = {"MD2", "MD3", "MDC", "MDL"};
    for (int format = 0; format < NUM_EDITABLE; format++)
        for (size_t i = 1; i < num_edit_cases; i++) {
            if (!case_applies(&edit_cases[i], format))
                continue;
            uint32_t count;
            AT_END(blob_free) blob file = make_small(format);
            OWNED(lm_edit) *edit = open_edit(&file);
            assert_true(edit_cases[i].run(edit, NULL));
            const lm_edit_change *changes = lm_edit_changes(edit, &count);
            record_output("%s, %s", formats[format], edit_cases[i].name);
            for (uint32_t k = 0; k < count; k++)
                record_output("  %s: %s -> %s", changes[k].what,
                              changes[k].before ? changes[k].before : "(none)",
                              changes[k].after ? changes[k].after : "(none)");
        }
    assert_matches_golden("changes");
}
