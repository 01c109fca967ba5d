#include "core/exact.h"
#include "support.h"

#include <math.h>

#define TURN 6.283185307179586

/* libm's results differ between machines, but are accurate to within a last digit. */
TEST(test_angles) {
    for (int i = -30000; i <= 30000; i++) {
        const double turns = i / 7001.0, angle = (turns - floor(turns)) * TURN;
        assert_true(fabs(lm_sine(turns) - sin(angle)) < 2e-15);
        assert_true(fabs(lm_cosine(turns) - cos(angle)) < 2e-15);
    }
    for (int x = -60; x <= 60; x++)
        for (int y = -60; y <= 60; y++) {
            const double across = x / 7.0, up = y * y * y / 11.0;
            assert_true(fabs(lm_angle(up, across) - atan2(up, across) / TURN) < 1e-15);
        }
    assert_true(fabs(lm_angle(1e-30, 1) * TURN / 1e-30 - 1) < 1e-15);
    assert_true(fabs(lm_sine(1e-30) / (1e-30 * TURN) - 1) < 1e-15);
}

TEST(test_exact_angles) {
    static const int sines[] = {0, 1, 0, -1};
    for (int quarter = -9; quarter <= 9; quarter++) {
        assert_true(lm_sine(quarter / 4.0) == sines[(quarter + 12) % 4]);
        assert_true(lm_cosine(quarter / 4.0) == sines[(quarter + 13) % 4]);
    }
    assert_true(lm_angle(0, 2) == 0 && !signbit(lm_angle(0, 2)) && signbit(lm_angle(-0.0, 2)));
    assert_true(lm_angle(3, 0) == 0.25 && lm_angle(-3, 0) == -0.25 && lm_angle(0, -2) == 0.5);
    assert_true(lm_angle(-0.0, -2) == -0.5 && lm_angle(0, 0) == 0);
    assert_true(lm_angle(1, 1) == 0.125 && lm_angle(-1, -1) == -0.375);
    assert_true(lm_sine(INFINITY) == 0 && lm_cosine(NAN) == 1);
}

/* Checks exact bits: Taylor series give the same on every machine. */
TEST(test_the_same_bits_everywhere) {
    uint64_t sum = 14695981039346656037u; /* FNV-1a */
    for (int i = 0; i < 5000; i++) {
        const double values[] = {lm_sine(i / 733.0), lm_cosine(i / 733.0), lm_angle(i - 2500, 333),
                                 lm_shift_decimal(i, i % 80 - 40)};
        for (unsigned k = 0; k < COUNT_OF(values); k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            sum = (sum ^ bits) * 1099511628211u;
        }
    }
    assert_true(sum == UINT64_C(0x7b8a95d67aa4454c));
}

TEST(test_decimals) {
    assert_true(lm_shift_decimal(1, -1) == 0.1 && lm_shift_decimal(123, -2) == 1.23);
    assert_true(lm_shift_decimal(7, 0) == 7 && lm_shift_decimal(7, 22) == 7e22);
    assert_true(lm_shift_decimal(5, 1000000000000000) == INFINITY);
    assert_true(lm_shift_decimal(5, -1000000000000000) == 0);
    assert_true(lm_shift_decimal(0, 1000) == 0 && lm_shift_decimal(0, -1000) == 0);
}
