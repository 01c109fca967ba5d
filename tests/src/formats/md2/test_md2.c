/* Tests MD2 documents: every field is read and written back to the byte, in any valid layout. */
#include "documents.h"
#include "elements.h"
#include "formats/write_document.h"

static void assert_same_bytes(const blob *a, const blob *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

TEST(test_header_fields_are_read) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_md2) *md2 = read_document(&md2_documents, &file);
    const int32_t values[] = {md2->skinwidth,  md2->skinheight, md2->framesize, md2->num_skins,
                              md2->num_xyz,    md2->num_st,     md2->num_tris,  md2->num_glcmds,
                              md2->num_frames, md2->ofs_skins,  md2->ofs_st,    md2->ofs_tris,
                              md2->ofs_frames, md2->ofs_glcmds, md2->ofs_end};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_int_equal((uint32_t)values[i], get32(&file, 8 + 4 * i));
    const int32_t known[] = {64, 32, 64, 2, 6, 9, 4, 41, 3, 68};
    assert_memory_equal(values, known, sizeof known);
    assert_int_equal(md2->num_trailing, 0);
}

/* Compares elements with the file's bytes, assembled here. */
TEST(test_elements_are_read) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    put16(&file, get32(&file, MD2_AT_OFS_ST) + 4, 0x8001);
    put32(&file, get32(&file, MD2_AT_OFS_GLCMDS) + 4, 0x3e800000); /* 0.25 */
    OWNED(lm_md2) *md2 = read_document(&md2_documents, &file);
    lm_md2_st st[2];
    lmi_md2_get_st(md2, 1, &st[0]);
    lmi_md2_get_st(md2, 2, &st[1]);
    assert_int_equal(st[0].s, -32767);
    assert_int_equal(st[1].t, 10);
    lm_md2_triangle t;
    lmi_md2_get_triangle(md2, 3, &t);
    assert_int_equal(t.vertex[2], 5);
    assert_int_equal(t.st[1], 7);
    lm_md2_frame frame;
    lmi_md2_get_frame(md2, 2, &frame);
    assert_true(frame.scale.x == 0.5f && frame.scale.z == 2.125f);
    assert_true(frame.translate.x == -2 && frame.translate.z == -8);
    assert_string_equal(frame.name, "run3");
    lm_md2_vertex v;
    lmi_md2_get_vertex(md2, 2, 5, &v);
    const uint8_t *raw = file.data + get32(&file, MD2_AT_OFS_FRAMES) + 3 * 64 - 4;
    assert_memory_equal(v.v, raw, 3);
    assert_int_equal(v.normal, raw[3]);
    assert_int_equal(lmi_md2_get_glcmd(md2, 0), -3);
    assert_int_equal(lmi_md2_get_glcmd(md2, 1), 0x3e800000);
    assert_string_equal((const char *)md2->skins + 64, "players/test/skin1.pcx");
}

/* ---- Other layouts ------------------------------------------------------------------------- */

/* Frames with spare bytes after their vertices: the high-precision form stores 3 bytes per vertex
 * there. */
static blob widen_frames(const blob *file, size_t more) {
    OWNED(lm_md2) *md2 = read_document(&md2_documents, file);
    size_t old_size = (size_t)md2->framesize, new_size = old_size + more;
    AT_END(drop_bytes) uint8_t *frames = malloc((size_t)md2->num_frames * new_size);
    assert_non_null(frames);
    memset(frames, 0x77, (size_t)md2->num_frames * new_size);
    for (size_t f = 0; f < (size_t)md2->num_frames; f++)
        memcpy(frames + f * new_size, md2->frames + f * old_size, old_size);
    md2->frames = frames;
    md2->framesize = (int32_t)new_size;
    return write_document(&md2_documents, md2);
}

TEST(test_larger_framesize_is_kept) {
    static const size_t more[] = {1, 4, 3 * 6, 1000};
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_md2) *narrow = read_document(&md2_documents, &file);
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        AT_END(blob_free) blob wide = widen_frames(&file, more[i]);
        assert_round_trip(&md2_documents, "wide frames", &wide);
        OWNED(lm_md2) *md2 = read_document(&md2_documents, &wide);
        assert_int_equal(md2->framesize, 64 + (int32_t)more[i]);
        assert_false(lmi_equal_documents(&lmi_md2_kind, narrow, md2));
        lm_md2_frame frame;
        lmi_md2_get_frame(md2, 2, &frame);
        assert_string_equal(frame.name, "run3");
        lm_md2_vertex a, b;
        lmi_md2_get_vertex(narrow, 2, 5, &a);
        lmi_md2_get_vertex(md2, 2, 5, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* ---- Editing ------------------------------------------------------------------------------- */

TEST(test_only_the_skin_path_changes) {
    uint8_t skins[3 * 64] = {0};
    AT_END(blob_free) blob file = make_md2(&small_md2);
    memcpy(file.data + 68 + 30, "junk behind the NUL", 19);
    OWNED(lm_md2) *md2 = read_document(&md2_documents, &file);
    memcpy(skins, md2->skins, 128);
    memcpy(skins + 128, "players/test/new.pcx", 20);
    md2->skins = skins;
    md2->num_skins = 3;
    AT_END(blob_free) blob edited = write_document(&md2_documents, md2);
    assert_int_equal(edited.size, file.size + 64);
    assert_memory_equal(edited.data + 68, skins, sizeof skins);
    assert_memory_equal(edited.data + 68 + 192, file.data + 68 + 128, file.size - 68 - 128);
    memcpy(skins + 5, "\\OTHER", 6);
    md2->num_skins = 2;
    AT_END(blob_free) blob same_size = write_document(&md2_documents, md2);
    memcpy(file.data + 68 + 5, "\\OTHER", 6);
    assert_same_bytes(&same_size, &file);
}

TEST(test_equal_compares_sizes_and_counts) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_md2) *a = read_document(&md2_documents, &file);
    lm_md2 changed = *a;
    changed.skinwidth++;
    assert_false(lmi_equal_documents(&lmi_md2_kind, a, &changed));
    changed = *a;
    changed.num_tris--;
    assert_false(lmi_equal_documents(&lmi_md2_kind, a, &changed));
}

/* The same bytes divided into frames differently are another document. */
TEST(test_equal_compares_frame_sizes) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 6, 9, 4, 4, false});
    lm_md2 *a = read_document(&md2_documents, &file), b = *a;
    b.framesize *= 2;
    b.num_frames /= 2;
    assert_false(lmi_equal_documents(&lmi_md2_kind, a, &b));
    lm_md2_free(a);
}

typedef struct refusal {
    const char *what;
    size_t member; /* an int32_t of lm_md2 */
    int32_t value;
} refusal;

#define REFUSE(member, value) {#member " = " #value, offsetof(lm_md2, member), value}

TEST(test_unreadable_documents_are_not_written) {
    static const refusal refusals[] = {
        REFUSE(num_skins, -1),     REFUSE(num_xyz, 0),         REFUSE(num_xyz, -1),
        REFUSE(num_xyz, 7),        REFUSE(num_xyz, INT32_MAX), REFUSE(num_st, 5),
        REFUSE(num_st, INT32_MIN), REFUSE(num_tris, -1),       REFUSE(num_frames, 0),
        REFUSE(num_frames, -2),    REFUSE(num_glcmds, -1),     REFUSE(framesize, 63),
        REFUSE(framesize, 0),      REFUSE(framesize, -64),     REFUSE(skinwidth, 0),
        REFUSE(skinheight, -1),
    };
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_md2) *md2 = read_document(&md2_documents, &file);
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        lm_error error = {0};
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_md2 changed = *md2;
        memcpy((char *)&changed + refusals[i].member, &refusals[i].value, sizeof(int32_t));
        lm_buffer_text(&out, "before");
        if (lmi_write_document(&lmi_md2_kind, &changed, &out, &error))
            fail_msg("%s was written", refusals[i].what);
        assert_error_valid(&error);
        assert_int_equal(out.size, 6);
    }
}
