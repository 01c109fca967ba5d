/* Tests MDC documents: every field is read and written back to the byte, in any valid layout. */
#include "documents.h"
#include "elements.h"
#include "formats/write_document.h"

TEST(test_header_fields_are_read) {
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &file);
    const int32_t values[] = {
        mdc->flags,      mdc->num_frames,    mdc->num_tags, mdc->num_surfaces, mdc->num_skins,
        mdc->ofs_frames, mdc->ofs_tag_names, mdc->ofs_tags, mdc->ofs_surfaces, mdc->ofs_end};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_int_equal((uint32_t)values[i], get32(&file, MDC_AT_FLAGS + 4 * i));
    const int32_t known[] = {5, 4, 2, 2, 1, 112};
    assert_memory_equal(values, known, sizeof known);
    assert_memory_equal(mdc->name, file.data + MDC_AT_NAME, 64);
    assert_string_equal((const char *)mdc->tag_names + 64, "tag_1");
}

TEST(test_surface_fields_are_read) {
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &file);
    for (int32_t s = 0; s < 2; s++) {
        const lm_mdc_surface *f = &mdc->surfaces[s];
        size_t start = surface_start(&file, s);
        const int32_t values[] = {f->flags,
                                  f->num_comp_frames,
                                  f->num_base_frames,
                                  f->num_shaders,
                                  f->num_vertices,
                                  f->num_triangles,
                                  f->ofs_triangles,
                                  f->ofs_shaders,
                                  f->ofs_st,
                                  f->ofs_base_vertices,
                                  f->ofs_comp_vertices,
                                  f->ofs_frame_base_frames,
                                  f->ofs_frame_comp_frames,
                                  f->ofs_end};
        for (size_t i = 0; i < COUNT_OF(values); i++)
            assert_int_equal((uint32_t)values[i], get32(&file, start + SURFACE_AT_FLAGS + 4 * i));
        const int32_t known[] = {s, 2, 2, 1, 5, 3, 124};
        assert_memory_equal(values, known, sizeof known);
        assert_int_equal(f->ident, 7);
        assert_memory_equal(f->name, file.data + start + 4, 64);
        assert_ptr_equal(f->comp_vertices, file.data + surface_lump(&file, s, SURFACE_AT_OFS_COMP));
    }
}

TEST(test_elements_are_read) {
    uint32_t triangle[3];
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    size_t comp = surface_lump(&file, 1, SURFACE_AT_OFS_COMP);
    size_t base = surface_lump(&file, 1, SURFACE_AT_OFS_BASE);
    memcpy(file.data + base + 8 * (5 + 4), "\x00\x80\xff\x7f\xfe\xff\x12\x34", 8);
    memcpy(file.data + comp + 4 * (5 + 4), "\x00\x7f\xff\x10", 4);
    OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &file);
    const lm_mdc_surface *s = &mdc->surfaces[1];
    lm_mdc_base_vertex b;
    lmi_mdc_get_base_vertex(s, 1, 4, &b);
    assert_int_equal(b.v[0], INT16_MIN);
    assert_int_equal(b.v[1], INT16_MAX);
    assert_int_equal(b.v[2], -2);
    assert_int_equal(b.normal, 0x3412);
    lm_mdc_comp_vertex c;
    lmi_mdc_get_comp_vertex(s, 1, 4, &c);
    assert_memory_equal(c.v, "\x00\x7f\xff", 3);
    assert_int_equal(c.normal, 16);
    lmi_mdc_get_triangle(s, 2, triangle);
    assert_memory_equal(triangle, ((uint32_t[]){2, 3, 4}), sizeof triangle);
    lm_vec2 st;
    lmi_mdc_get_st(s, 0, &st);
    assert_true(st.x >= 0 && st.x < 1);
    lm_mdc_frame frame;
    lmi_mdc_get_frame(mdc, 3, &frame);
    assert_string_equal(frame.name, "frame3");
    assert_true(frame.bbox_max.z == 33);
    lmi_mdc_get_frame(mdc, 0, &frame);
    assert_true(frame.local_origin.y == 2);
    const int32_t bases[] = {1, 0, 1, 0}, comps[] = {0, -1, 0, 1};
    for (int32_t f = 0; f < 4; f++) {
        assert_int_equal(lmi_mdc_get_frame_base_frame(s, f), bases[f]);
        assert_int_equal(lmi_mdc_get_frame_comp_frame(s, f), comps[f]);
    }
}

/* ---- Absent tables ------------------------------------------------------------------------- */

static const mdc_shape one_pose = {3, 0, 2, 3, 1, 1, 1, 0, false};

/* A table is absent if its offset is 0 or negative or points outside the file. Then every frame is
 * base frame 0 without a compressed frame, as the table would state. */
TEST(test_absent_tables) {
    static const uint32_t offsets[] = {0, 0x7fffffff, 0x80000000, 0xffffffff};
    AT_END(blob_free) blob with = make_mdc(&one_pose);
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        AT_END(blob_free) blob without = blob_copy(with.data, with.size);
        for (int32_t s = 0; s < 2; s++) {
            put32(&without, surface_start(&with, s) + SURFACE_AT_OFS_BASE_TABLE, offsets[i]);
            put32(&without, surface_start(&with, s) + SURFACE_AT_OFS_COMP_TABLE, offsets[i]);
        }
        OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &without);
        assert_null(mdc->surfaces[1].frame_base_frames);
        assert_null(mdc->surfaces[1].frame_comp_frames);
        assert_int_equal(lmi_mdc_get_frame_base_frame(&mdc->surfaces[1], 2), 0);
        assert_int_equal(lmi_mdc_get_frame_comp_frame(&mdc->surfaces[1], 2), -1);
        assert_equal_documents(&mdc_documents, &with, &without);
    }
}

/* A surface with several base frames or with compressed frames needs its tables. */
TEST(test_required_tables) {
    static const size_t fields[] = {SURFACE_AT_OFS_BASE_TABLE, SURFACE_AT_OFS_COMP_TABLE};
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        lm_error error;
        AT_END(blob_free) blob file = make_mdc(&small_mdc);
        put32(&file, surface_start(&file, 1) + fields[i], 0x7fffffff);
        assert_null(lm_mdc_read(file.data, file.size, NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_OFFSET);
    }
}

/* ---- Editing ------------------------------------------------------------------------------- */

TEST(test_only_the_shader_path_changes) {
    uint8_t shaders[68];
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    size_t at = surface_lump(&file, 1, SURFACE_AT_OFS_SHADERS);
    memcpy(file.data + at + 40, "junk", 4);
    OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &file);
    memcpy(shaders, mdc->surfaces[1].shaders, 68);
    memcpy(shaders, "textures/", 9);
    mdc->surfaces[1].shaders = shaders;
    AT_END(blob_free) blob edited = write_document(&mdc_documents, mdc);
    memcpy(file.data + at, "textures/", 9);
    assert_int_equal(edited.size, file.size);
    assert_memory_equal(edited.data, file.data, file.size);
}

typedef struct refusal {
    const char *what;
    bool of_surface;
    size_t member; /* an int32_t of lm_mdc or lm_mdc_surface */
    int32_t value;
} refusal;

#define REFUSE(member, value) {#member " = " #value, false, offsetof(lm_mdc, member), value}
#define REFUSE_SURFACE(member, value) \
    {"surface " #member " = " #value, true, offsetof(lm_mdc_surface, member), value}

TEST(test_unreadable_documents_are_not_written) {
    static const refusal refusals[] = {
        REFUSE(num_frames, 0),
        REFUSE(num_frames, -1),
        REFUSE(num_tags, -1),
        REFUSE(num_surfaces, INT32_MIN),
        REFUSE_SURFACE(num_comp_frames, -1),
        REFUSE_SURFACE(num_comp_frames, 1),
        REFUSE_SURFACE(num_base_frames, 0),
        REFUSE_SURFACE(num_base_frames, 1),
        REFUSE_SURFACE(num_base_frames, -1),
        REFUSE_SURFACE(num_vertices, 4),
        REFUSE_SURFACE(num_vertices, -5),
        REFUSE_SURFACE(num_shaders, -1),
        REFUSE_SURFACE(num_triangles, INT32_MIN),
    };
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        lm_error error = {0};
        AT_END(lm_buffer_free) lm_buffer out = {0};
        OWNED(lm_mdc) *mdc = read_document(&mdc_documents, &file);
        char *owner = refusals[i].of_surface ? (char *)&mdc->surfaces[1] : (char *)mdc;
        memcpy(owner + refusals[i].member, &refusals[i].value, sizeof(int32_t));
        lm_buffer_text(&out, "before");
        if (lmi_write_document(&lmi_mdc_kind, mdc, &out, &error))
            fail_msg("%s was written", refusals[i].what);
        assert_error_valid(&error);
        assert_int_equal(out.size, 6);
    }
}
