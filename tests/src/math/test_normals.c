/* Compares the normal tables with independent formulas, and the nearest entry with a search of
 * all. */
#include "math/vectors.h"
#include "support.h"

#define PI 3.14159265358979323846

static uint64_t random_state = 88172645463325252u;

static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32);
}

static float random_between(double low, double high) {
    return (float)(low + (high - low) * (double)next_random() / 4294967295.0);
}

static lm_vec3 random_direction(void) {
    for (;;) {
        lm_vec3 d = {random_between(-1, 1), random_between(-1, 1), random_between(-1, 1)};
        if (d.x * d.x + d.y * d.y + d.z * d.z <= 1 && (d.x != 0 || d.y != 0 || d.z != 0))
            return d;
    }
}

static double product(lm_vec3 a, lm_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static unsigned nearest_of_all(const lm_vec3 *table, unsigned count, lm_vec3 d) {
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (product(d, table[i]) > product(d, table[best]))
            best = i;
    return best;
}

static void expect_nearest(lm_vec3 d) {
    if (case_is_skipped())
        return;
    unsigned small = nearest_of_all(lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162, d);
    unsigned large = nearest_of_all(lm_normal_table(LM_NUM_NORMALS_256), LM_NUM_NORMALS_256, d);
    if (lmi_nearest_normal_162(&d) != small || lmi_nearest_normal_256(&d) != large)
        fail_msg("direction %.9g %.9g %.9g: got %u and %u, nearest are %u and %u", (double)d.x,
                 (double)d.y, (double)d.z, lmi_nearest_normal_162(&d), lmi_nearest_normal_256(&d),
                 small, large);
}

TEST(test_162_are_unit_and_symmetric) {
    for (unsigned i = 0; i < LM_NUM_NORMALS_162; i++) {
        lm_vec3 n = lm_normal_table(LM_NUM_NORMALS_162)[i];
        assert_true(fabs(product(n, n) - 1) < 4e-6);
        for (unsigned axes = 1; axes < 8; axes++) {
            lm_vec3 mirrored = {axes & 1 ? -n.x : n.x, axes & 2 ? -n.y : n.y,
                                axes & 4 ? -n.z : n.z};
            lm_vec3 found = lm_normal_table(LM_NUM_NORMALS_162)[nearest_of_all(
                lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162, mirrored)];
            assert_true(found.x == mirrored.x && found.y == mirrored.y && found.z == mirrored.z);
        }
        for (unsigned j = 0; j < i; j++)
            assert_true(product(n, lm_normal_table(LM_NUM_NORMALS_162)[j]) < 0.995);
    }
    assert_true(lm_normal_table(LM_NUM_NORMALS_162)[5].z == 1 &&
                lm_normal_table(LM_NUM_NORMALS_162)[32].y == 1);
    assert_true(lm_normal_table(LM_NUM_NORMALS_162)[52].x == 1 &&
                lm_normal_table(LM_NUM_NORMALS_162)[84].z == -1);
}

/* Compares with table 1 of the description, with its null offsets as printed there. */
TEST(test_256_follow_the_description) {
    static const struct {
        double rho;
        unsigned width, offset;
    } ranges[] = {{11.25, 4, 252},   {22.5, 8, 244},  {33.75, 12, 232}, {45, 16, 216},
                  {56.25, 20, 196},  {67.5, 24, 172}, {78.75, 28, 144}, {90, 32, 0},
                  {101.25, 28, 32},  {112.5, 24, 60}, {123.75, 20, 84}, {135, 16, 104},
                  {146.25, 12, 120}, {157.5, 8, 132}, {168.75, 4, 140}};
    unsigned seen = 0;
    for (unsigned r = 0; r < 15; r++)
        for (unsigned n = 0; n < ranges[r].width; n++, seen++) {
            double rho = ranges[r].rho * PI / 180, sigma = 2 * PI * n / ranges[r].width;
            lm_vec3 normal = lm_normal_table(LM_NUM_NORMALS_256)[ranges[r].offset + n];
            assert_true(fabs((double)normal.x - cos(sigma) * sin(rho)) < 1e-7);
            assert_true(fabs((double)normal.y - sin(sigma) * sin(rho)) < 1e-7);
            assert_true(fabs((double)normal.z - cos(rho)) < 1e-7);
        }
    assert_int_equal(seen, LM_NUM_NORMALS_256);
}

TEST(test_angles_are_the_formula) {
    for (unsigned i = 0; i < 65536; i++) {
        double rho = (i >> 8) * PI / 128, sigma = (i & 255) * PI / 128;
        lm_vec3 n;
        lm_normal_from_angles((uint8_t)(i >> 8), (uint8_t)i, &n);
        assert_true(fabs((double)n.x - cos(sigma) * sin(rho)) < 6e-8);
        assert_true(fabs((double)n.y - sin(sigma) * sin(rho)) < 6e-8);
        assert_true(fabs((double)n.z - cos(rho)) < 6e-8);
    }
}

TEST(test_nearest_at_random) {
    for (unsigned i = 0; i < 300000; i++)
        expect_nearest(random_direction());
}

/* Tries every entry, and between every two, three and four neighbours the places where the nearest
 * one changes. */
static void expect_nearest_between(const lm_vec3 *table, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++) {
            if (product(table[i], table[j]) < 0.9)
                continue;
            lm_vec3 a = table[i], b = table[j], middle = {a.x + b.x, a.y + b.y, a.z + b.z};
            expect_nearest(middle);
            for (unsigned turn = 0; turn < 3; turn++)
                expect_nearest((lm_vec3){nextafterf(middle.x, turn == 0 ? 9.0f : -9.0f),
                                         nextafterf(middle.y, turn == 1 ? 9.0f : -9.0f),
                                         nextafterf(middle.z, turn == 2 ? 9.0f : -9.0f)});
            lm_vec3 third = table[next_random() % count];
            expect_nearest((lm_vec3){middle.x + third.x, middle.y + third.y, middle.z + third.z});
        }
}

TEST(test_nearest_at_ties) {
    expect_nearest_between(lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162);
    expect_nearest_between(lm_normal_table(LM_NUM_NORMALS_256), LM_NUM_NORMALS_256);
    for (int x = -3; x <= 3; x++) /* symmetric directions: axes, diagonals, planes */
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++)
                if (x || y || z)
                    expect_nearest((lm_vec3){(float)x, (float)y, (float)z});
}

/* Tries the lines of the grid in all octants, exactly and next to them. */
TEST(test_nearest_on_cell_borders) {
    for (int column = -64; column <= 64; column++)
        for (int fine = -320; fine <= 320; fine++) {
            float u = (float)column / 64, v = (float)fine / 320, z = 1 - fabsf(u) - fabsf(v);
            lm_vec3 d = {u, v, z};
            if (z < 0) {
                d.x = copysignf(1 - fabsf(v), u);
                d.y = copysignf(1 - fabsf(u), v);
            }
            if (d.x == 0 && d.y == 0 && d.z == 0)
                continue;
            expect_nearest(d);
            expect_nearest((lm_vec3){d.y, d.x, d.z});
            expect_nearest((lm_vec3){nextafterf(d.x, 2), nextafterf(d.y, -2), d.z});
            expect_nearest((lm_vec3){nextafterf(d.y, -2), nextafterf(d.x, 2), d.z});
        }
}

TEST(test_length_does_not_matter) {
    for (unsigned i = 0; i < 20000; i++) {
        lm_vec3 d = random_direction();
        /* Powers of two, to avoid rounding. */
        lm_vec3 large = {d.x * 0x1p100f, d.y * 0x1p100f, d.z * 0x1p100f};
        lm_vec3 small = {d.x * 0x1p-90f, d.y * 0x1p-90f, d.z * 0x1p-90f};
        assert_int_equal(lmi_nearest_normal_162(&d), lmi_nearest_normal_162(&large));
        assert_int_equal(lmi_nearest_normal_162(&d), lmi_nearest_normal_162(&small));
        assert_int_equal(lmi_nearest_normal_256(&d), lmi_nearest_normal_256(&large));
        assert_int_equal(lmi_nearest_normal_256(&d), lmi_nearest_normal_256(&small));
    }
    expect_nearest((lm_vec3){3e38f, -3e38f, 3e38f});
    expect_nearest((lm_vec3){1e-45f, 0, -1e-45f});
}

TEST(test_entries_are_their_own_nearest) {
    for (unsigned i = 0; i < LM_NUM_NORMALS_162; i++)
        assert_int_equal(lmi_nearest_normal_162(&lm_normal_table(LM_NUM_NORMALS_162)[i]), i);
    for (unsigned i = 0; i < LM_NUM_NORMALS_256; i++)
        assert_int_equal(lmi_nearest_normal_256(&lm_normal_table(LM_NUM_NORMALS_256)[i]), i);
}

TEST(test_invalid_directions) {
    const lm_vec3 none[] = {
        {0, 0, 0}, {-0.0f, 0, 0}, {NAN, 1, 0}, {INFINITY, 0, 0}, {1, 0, -INFINITY}};
    unsigned up_162 =
        nearest_of_all(lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162, (lm_vec3){0, 0, 1});
    unsigned up_256 =
        nearest_of_all(lm_normal_table(LM_NUM_NORMALS_256), LM_NUM_NORMALS_256, (lm_vec3){0, 0, 1});
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
        uint8_t rho = 9, sigma = 9;
        assert_int_equal(lmi_nearest_normal_162(&none[i]), up_162);
        assert_int_equal(lmi_nearest_normal_256(&none[i]), up_256);
        lmi_nearest_normal_angles(&none[i], &rho, &sigma);
        assert_int_equal(rho, 0);
        assert_int_equal(sigma, 0);
    }
}

/* ---- Angles -------------------------------------------------------------------------------- */

static lm_vec3 all_angles[65536];

static int make_angles(void **state) {
    for (unsigned i = 0; i < 65536; i++)
        lm_normal_from_angles((uint8_t)(i >> 8), (uint8_t)i, &all_angles[i]);
    return 0;
}

static void expect_nearest_angles(lm_vec3 d) {
    if (case_is_skipped())
        return;
    uint8_t rho, sigma;
    unsigned best = nearest_of_all(all_angles, 65536, d);
    lmi_nearest_normal_angles(&d, &rho, &sigma);
    if ((unsigned)rho << 8 != (best & 0xff00) || sigma != (best & 0xff))
        fail_msg("direction %.9g %.9g %.9g: got %u %u, nearest is %u %u", (double)d.x, (double)d.y,
                 (double)d.z, rho, sigma, best >> 8, best & 255);
}

TEST(test_nearest_angles) {
    for (unsigned i = 0; i < 600; i++)
        expect_nearest_angles(random_direction());
    for (unsigned i = 0; i < 200; i++) { /* near the poles */
        float scale = ldexpf(1, -(int)(i % 40));
        expect_nearest_angles((lm_vec3){random_between(-1, 1) * scale,
                                        random_between(-1, 1) * scale, i % 2 ? 1.0f : -1.0f});
    }
    for (unsigned i = 0; i < 200; i++) { /* halfway between two entries, one step or two apart */
        unsigned at = next_random() & 0xffff;
        lm_vec3 a = all_angles[at], b = all_angles[(at + (i & 1 ? 1u : 256u)) & 0xffff];
        expect_nearest_angles((lm_vec3){a.x + b.x, a.y + b.y, a.z + b.z});
    }
    /* Exactly as near to sigma 255 as to 0: the lower one wins. */
    lm_vec3 last = all_angles[64 << 8 | 255], tie = {-last.y, last.x - 1, 0};
    assert_true(product(tie, last) == product(tie, all_angles[64 << 8]));
    expect_nearest_angles(tie);
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++)
                if (x || y || z)
                    expect_nearest_angles((lm_vec3){(float)x, (float)y, (float)z});
}

/* Encoding a decoded vector again gives the same vector, as the lowest pair that makes it. */
TEST(test_angles_round_trip) {
    for (unsigned i = 0; i < 65536; i++) {
        uint8_t rho, sigma;
        lmi_nearest_normal_angles(&all_angles[i], &rho, &sigma);
        lm_vec3 again;
        lm_normal_from_angles(rho, sigma, &again);
        assert_true(again.x == all_angles[i].x && again.y == all_angles[i].y &&
                    again.z == all_angles[i].z);
        assert_true(((unsigned)rho << 8 | sigma) <= i);
        assert_true(rho <= 128);
    }
}

TEST_GROUP(make_angles, NULL)
