/* Passes over whole tables against one element at a time: every count around the blocks' sizes, at
 * every alignment, in memory that ends where the table does. */
#include "support.h"

#include "core/bytes.h"
#include "formats/md2/md2_ranges.h"

#include <stdlib.h>

#define MOST 80

/* A table in its own allocation, `offset` bytes in; whoever reads outside is caught by the
 * sanitizer. */
static uint8_t *random_bytes(chance *c, size_t offset, size_t size) {
    uint8_t *bytes = malloc(offset + size);
    assert_non_null(bytes);
    for (size_t i = 0; i < offset + size; i++)
        bytes[i] = (uint8_t)(20 + chance_below(c, 200));
    return bytes;
}

static lm_range_u8 range_of(const uint8_t *row, size_t count) {
    lm_range_u8 range = {{255, 255, 255, 255}, {0, 0, 0, 0}};
    for (size_t i = 0; i < 4 * count; i++) {
        uint8_t *min = &range.min[i % 4], *max = &range.max[i % 4];
        *min = row[i] < *min ? row[i] : *min;
        *max = row[i] > *max ? row[i] : *max;
    }
    return range;
}

static void ranges_leave_no_vertex_out(void **state) {
    chance c = chance_from(1);
    (void)state;
    for (size_t count = 1; count <= MOST; count++)
        for (size_t offset = 0; offset < 8; offset++) {
            uint8_t *bytes = random_bytes(&c, offset, 4 * count), *row = bytes + offset;
            for (size_t v = 0; v < count; v++) {
                /* An extreme in each place in turn. */
                uint8_t *vertex = row + v * 4, kept[4];
                memcpy(kept, vertex, 4);
                memset(vertex, v % 2 ? 0 : 255, 3);
                vertex[3] = (uint8_t)(221 + v % 30);
                lm_range_u8 expected = range_of(row, count), range = lm_range_of(row, count, true);
                lm_range_u8 scalar = lm_scalar_range(row, count);
                lm_range_u8 highs = lm_range_of(row, count, false);
                assert_memory_equal(&range, &expected, sizeof expected);
                assert_memory_equal(&scalar, &expected, sizeof expected);
                assert_memory_equal(highs.max, expected.max, sizeof expected.max);
                memcpy(vertex, kept, 4);
            }
            free(bytes);
        }
}

static void one_word_too_large_is_found_anywhere(void **state) {
    const uint32_t limits[6] = {65535, 65535, 40000, 1, 65536, 2000000000};
    (void)state;
    for (size_t count = 1; count <= 20; count++) {
        uint8_t *rows = malloc(12 * count);
        assert_non_null(rows);
        for (size_t w = 0; w < 6 * count; w++) {
            uint32_t most = limits[w % 6] > 65536 ? 65535 : limits[w % 6] - 1;
            lm_put_u16(rows + 2 * w, (uint16_t)most);
        }
        assert_true(lm_words_below(rows, count, limits));
        for (size_t w = 0; w < 6 * count; w++) {
            uint16_t kept = lm_get_u16(rows + 2 * w);
            lm_put_u16(rows + 2 * w, (uint16_t)(kept + (kept < 65535)));
            assert_int_equal(lm_words_below(rows, count, limits), kept == 65535);
            lm_put_u16(rows + 2 * w, kept);
        }
        free(rows);
    }
}

static void nothing_is_below_nothing(void **state) {
    const uint32_t limits[6] = {1, 1, 1, 0, 0, 0};
    const uint8_t zeros[60] = {0};
    (void)state;
    assert_true(lm_words_below(zeros, 0, limits));
    assert_true(lm_words_below(NULL, 0, limits));
    assert_false(lm_words_below(zeros, 1, limits));
    assert_false(lm_words_below(zeros, 5, limits));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_leave_no_vertex_out),
        cmocka_unit_test(one_word_too_large_is_found_anywhere),
        cmocka_unit_test(nothing_is_below_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
