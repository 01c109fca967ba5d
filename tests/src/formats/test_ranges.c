/* Compares passes over whole tables with one element at a time: every count near the block sizes,
 * at every alignment, in memory that ends with the table. */
#include "support.h"

#include "core/bytes.h"
#include "formats/format.h"

#define MOST 80 /* vertices in a row */
#define ROWS 3

/* A table in its own allocation, at `offset` bytes: the sanitizer reports reads outside. */
static uint8_t *random_bytes(chance *c, size_t offset, size_t size) {
    uint8_t *bytes = malloc(offset + size);
    assert_non_null(bytes);
    for (size_t i = 0; i < offset + size; i++)
        bytes[i] = (uint8_t)(20 + chance_below(c, 200));
    return bytes;
}

static void include_vertex(lm_range_u8 *range, const uint8_t *vertex) {
    for (int i = 0; i < 4; i++) {
        range->min[i] = vertex[i] < range->min[i] ? vertex[i] : range->min[i];
        range->max[i] = vertex[i] > range->max[i] ? vertex[i] : range->max[i];
    }
}

static uint8_t measure(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    uint8_t most = 0;
    for (size_t r = 0; r < rows->num_rows; r++) {
        ranges[r] = (lm_range_u8){{255, 255, 255, 255}, {0, 0, 0, 0}};
        for (size_t v = 0; v < rows->count; v++)
            include_vertex(&ranges[r], rows->first + r * rows->stride + 4 * v);
        most = ranges[r].max[3] > most ? ranges[r].max[3] : most;
    }
    return most;
}

static void assert_measured(const lm_packed_rows *rows) {
    lm_range_u8 expected[ROWS], ranges[ROWS], scalar[ROWS];
    const uint8_t most = measure(rows, expected);
    assert_int_equal(lmi_measure_rows(rows, ranges), most);
    assert_memory_equal(ranges, expected, rows->num_rows * sizeof *ranges);
    assert_int_equal(lmi_measure_rows_scalar(rows, scalar), most);
    assert_memory_equal(scalar, expected, rows->num_rows * sizeof *scalar);
    assert_int_equal(lmi_measure_rows(rows, NULL), most);
    assert_int_equal(lmi_measure_rows_scalar(rows, NULL), most);
}

TEST(ranges_include_every_vertex) {
    chance c = chance_from(1);
    for (size_t count = 1; count <= MOST; count++)
        for (size_t offset = 0; offset < 8; offset++) {
            const size_t stride = 4 * count + offset % 3;
            AT_END(drop_bytes)
            uint8_t *bytes = random_bytes(&c, offset, (ROWS - 1) * stride + 4 * count);
            const lm_packed_rows rows = {bytes + offset, stride, ROWS, count};
            for (size_t v = 0; v < count; v++) {
                /* An extreme value in each place in turn. */
                uint8_t *vertex = bytes + offset + v % ROWS * stride + v * 4, kept[4];
                memcpy(kept, vertex, 4);
                memset(vertex, v % 2 ? 0 : 255, 3);
                vertex[3] = (uint8_t)(221 + v % 30);
                assert_measured(&rows);
                memcpy(vertex, kept, 4);
            }
        }
}

TEST(one_word_too_large_is_found_anywhere) {
    const uint32_t limits[6] = {65535, 65535, 40000, 1, 65536, 2000000000};
    for (size_t count = 1; count <= 20; count++) {
        AT_END(drop_bytes) uint8_t *rows = malloc(12 * count);
        assert_non_null(rows);
        for (size_t w = 0; w < 6 * count; w++) {
            uint32_t most = limits[w % 6] > 65536 ? 65535 : limits[w % 6] - 1;
            lmi_put_u16(rows + 2 * w, (uint16_t)most);
        }
        assert_true(lmi_words_below(rows, count, limits));
        for (size_t w = 0; w < 6 * count; w++) {
            uint16_t kept = lmi_get_u16(rows + 2 * w);
            lmi_put_u16(rows + 2 * w, (uint16_t)(kept + (kept < 65535)));
            assert_int_equal(lmi_words_below(rows, count, limits), kept == 65535);
            lmi_put_u16(rows + 2 * w, kept);
        }
    }
}

TEST(empty_lists_are_below_any_limit) {
    const uint32_t limits[6] = {1, 1, 1, 0, 0, 0};
    const uint8_t zeros[60] = {0};
    assert_true(lmi_words_below(zeros, 0, limits));
    assert_true(lmi_words_below(NULL, 0, limits));
    assert_false(lmi_words_below(zeros, 1, limits));
    assert_false(lmi_words_below(zeros, 5, limits));
}

TEST(one_size_outside_is_found_anywhere) {
    const uint32_t low = 0x15F79688, high = 0x4F000000;
    const struct {
        uint32_t number;
        bool within;
    } cases[] = {{0, true},
                 {1, false},
                 {low - 1, false},
                 {low, true},
                 {high - 1, true},
                 {high, false},
                 {INT32_MAX, false},
                 {1u << 31, true},
                 {1u << 31 | 1, false},
                 {1u << 31 | low, true},
                 {UINT32_MAX, false}};
    for (size_t i = 0; i < 3 * 6; i++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            uint8_t rows[3 * 28] = {0}; /* rows of 24 bytes, 28 apart */
            lmi_put_u32(rows + i / 6 * 28 + i % 6 * 4, cases[c].number);
            assert_int_equal(lmi_sizes_within(rows, 28, 3, low, high), cases[c].within);
        }
}
