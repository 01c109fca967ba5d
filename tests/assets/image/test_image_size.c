/* Tests the sizes of images from their headers. */
#include "image_maker.h"
#include "support.h"

static const pcx_kind pcx = {
    .version = 5, .bits = 8, .planes = 1, .width = 21, .height = 300, .xmin = 7, .ymin = 9};

/* Reads from a copy of `size` bytes. */
static bool size_of(const lm_buffer *file, size_t size, uint32_t *width, uint32_t *height) {
    blob copy = blob_copy(file->data, size);
    bool found = lm_image_size(copy.data, copy.size, width, height);
    blob_free(&copy);
    return found;
}

/* Checks that the header is sufficient, that less is not, and that no prefix is read past its
 * end. */
static void expect(lm_buffer file, size_t header, uint32_t width, uint32_t height) {
    uint32_t w, h;
    for (size_t size = 0; size <= file.size; size++) {
        assert_int_equal(size_of(&file, size, &w, &h), size >= header);
        assert_int_equal(w, size >= header ? width : 0);
        assert_int_equal(h, size >= header ? height : 0);
    }
    lm_buffer_free(&file);
}

TEST(sizes_are_in_headers) {
    expect(make_pcx(&pcx), 128, 21, 300);
    expect(make_png(5, 7), 24, 5, 7);
    expect(make_tga(9, 4, 2, 24), 18, 9, 4);
    expect(make_tga(9, 4, 10, 32), 18, 9, 4);
}

/* After the segments before the frame header; equal to the decoded size. */
TEST(jpeg_size_may_follow_other_segments) {
    AT_END(lm_buffer_free) lm_buffer file = make_jpeg(), grown = {0};
    uint32_t w, h;
    uint8_t comment[300] = {0xFF, 0xFF, 0xFE, 0x01, 0x29};
    assert_true(size_of(&file, file.size, &w, &h));
    assert_int_equal(w, 16);
    assert_int_equal(h, 8);
    lm_buffer_append(&grown, file.data, 2);
    lm_buffer_append(&grown, comment, sizeof comment);
    lm_buffer_append(&grown, file.data + 2, file.size - 2);
    assert_false(size_of(&grown, 200, &w, &h));
    assert_true(size_of(&grown, grown.size, &w, &h));
    assert_int_equal(w, 16);
    for (size_t size = 0; size < grown.size; size++)
        size_of(&grown, size, &w, &h);
}

/* The marker of Huffman tables lies among those of frame headers. A segment contains at least its
 * length. */
TEST(a_jpeg_may_have_tables_first) {
    static const uint8_t table[] = {0xFF, 0xC4, 0, 9, 0, 0, 99, 0, 99, 0, 0};
    static const uint8_t broken[] = {0xFF, 0xFE, 0, 0};
    AT_END(lm_buffer_free) lm_buffer file = make_jpeg();
    uint32_t w, h;
    for (int is_broken = 0; is_broken < 2; is_broken++) {
        AT_END(lm_buffer_free) lm_buffer grown = {0};
        lm_buffer_append(&grown, file.data, 2);
        lm_buffer_append(&grown, is_broken ? broken : table,
                         is_broken ? sizeof broken : sizeof table);
        lm_buffer_append(&grown, file.data + 2, file.size - 2);
        assert_int_equal(size_of(&grown, grown.size, &w, &h), !is_broken);
        assert_int_equal(w, is_broken ? 0 : 16);
    }
}

TEST(other_formats_have_no_size) {
    uint32_t w = 1, h = 1;
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&pcx);
    assert_false(lm_image_size("no picture at all", 17, &w, &h));
    assert_int_equal(w + h, 0);
    assert_false(lm_image_size(NULL, 0, &w, &h));
    file.data[8] = 0; /* xmax before xmin */
    file.data[9] = 0;
    assert_false(lm_image_size(file.data, file.size, &w, &h));
}
