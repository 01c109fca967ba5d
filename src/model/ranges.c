#include "model/ranges.h"

#include <math.h>
#include <string.h>

#define LM_HUGE_SQUARE 1e36f

/* Vector instructions where every processor that is compiled for has them: two registers of four
 * rows each at a time, in the end folded to one row. Min and max have one result anyhow. */
#define BLOCK ((size_t)32)

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128i lm_bytes16;

static lm_bytes16 load16(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static lm_bytes16 min16(lm_bytes16 a, lm_bytes16 b) {
    return _mm_min_epu8(a, b);
}

static lm_bytes16 max16(lm_bytes16 a, lm_bytes16 b) {
    return _mm_max_epu8(a, b);
}

static void store16(uint8_t *p, lm_bytes16 a) {
    _mm_storeu_si128((__m128i *)(void *)p, a);
}

/* Each row in the place of the one two before it, or one before it. */
static lm_bytes16 two_rows_on(lm_bytes16 a) {
    return _mm_shuffle_epi32(a, 0x4E);
}

static lm_bytes16 row_on(lm_bytes16 a) {
    return _mm_shuffle_epi32(a, 0x39);
}

#elif defined(__ARM_NEON)
#include <arm_neon.h>

typedef uint8x16_t lm_bytes16;

static lm_bytes16 load16(const uint8_t *p) {
    return vld1q_u8(p);
}

static lm_bytes16 min16(lm_bytes16 a, lm_bytes16 b) {
    return vminq_u8(a, b);
}

static lm_bytes16 max16(lm_bytes16 a, lm_bytes16 b) {
    return vmaxq_u8(a, b);
}

static void store16(uint8_t *p, lm_bytes16 a) {
    vst1q_u8(p, a);
}

static lm_bytes16 two_rows_on(lm_bytes16 a) {
    return vextq_u8(a, a, 8);
}

static lm_bytes16 row_on(lm_bytes16 a) {
    return vextq_u8(a, a, 4);
}

#else

typedef struct lm_bytes16 {
    uint8_t at[16];
} lm_bytes16;

static lm_bytes16 load16(const uint8_t *p) {
    lm_bytes16 a;
    memcpy(a.at, p, sizeof a.at);
    return a;
}

static lm_bytes16 min16(lm_bytes16 a, lm_bytes16 b) {
    for (int i = 0; i < 16; i++)
        a.at[i] = a.at[i] < b.at[i] ? a.at[i] : b.at[i];
    return a;
}

static lm_bytes16 max16(lm_bytes16 a, lm_bytes16 b) {
    for (int i = 0; i < 16; i++)
        a.at[i] = a.at[i] > b.at[i] ? a.at[i] : b.at[i];
    return a;
}

static void store16(uint8_t *p, lm_bytes16 a) {
    memcpy(p, a.at, sizeof a.at);
}

static lm_bytes16 turned(lm_bytes16 a, size_t bytes) {
    lm_bytes16 b;
    for (size_t i = 0; i < 16; i++)
        b.at[i] = a.at[(i + bytes) % 16];
    return b;
}

static lm_bytes16 two_rows_on(lm_bytes16 a) {
    return turned(a, 8);
}

static lm_bytes16 row_on(lm_bytes16 a) {
    return turned(a, 4);
}

#endif

static void include_row(lm_range_u8 *range, const uint8_t *row) {
    for (int i = 0; i < 4; i++) {
        range->min[i] = row[i] < range->min[i] ? row[i] : range->min[i];
        range->max[i] = row[i] > range->max[i] ? row[i] : range->max[i];
    }
}

/* The range of whole blocks, at least one; returns how many bytes they are. */
static size_t range_of_blocks(lm_range_u8 *range, const uint8_t *bytes, size_t size) {
    lm_bytes16 low = load16(bytes), high = low, low2 = load16(bytes + 16), high2 = low2;
    uint8_t folded[16];
    size_t at = BLOCK;
    for (; size - at >= BLOCK; at += BLOCK) {
        lm_bytes16 a = load16(bytes + at), b = load16(bytes + at + 16);
        low = min16(low, a);
        low2 = min16(low2, b);
        high = max16(high, a);
        high2 = max16(high2, b);
    }
    low = min16(low, low2);
    low = min16(low, two_rows_on(low));
    store16(folded, min16(low, row_on(low)));
    memcpy(range->min, folded, 4);
    high = max16(high, high2);
    high = max16(high, two_rows_on(high));
    store16(folded, max16(high, row_on(high)));
    memcpy(range->max, folded, 4);
    return at;
}

lm_range_u8 lm_range_u8x4(const uint8_t *rows, size_t count) {
    size_t size = count * 4, at = 0;
    lm_range_u8 range;
    memcpy(range.min, rows, 4);
    memcpy(range.max, rows, 4);
    if (size >= BLOCK)
        at = range_of_blocks(&range, rows, size);
    for (; at < size; at += 4)
        include_row(&range, rows + at);
    return range;
}

static void box_side(uint8_t low, uint8_t high, float scale, float translate, float *min,
                     float *max) {
    float a = (float)low * scale + translate, b = (float)high * scale + translate;
    *min = a < b ? a : b;
    *max = a < b ? b : a;
}

void lm_range_box(const lm_range_u8 *range, lm_vec3 scale, lm_vec3 translate, lm_vec3 *min,
                  lm_vec3 *max) {
    box_side(range->min[0], range->max[0], scale.x, translate.x, &min->x, &max->x);
    box_side(range->min[1], range->max[1], scale.y, translate.y, &min->y, &max->y);
    box_side(range->min[2], range->max[2], scale.z, translate.z, &min->z, &max->z);
}

void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius) {
    /* Halves first: no sum of two halves overflows. */
    float x = max.x / 2 - min.x / 2, y = max.y / 2 - min.y / 2, z = max.z / 2 - min.z / 2;
    float square = x * x + y * y + z * z;
    *origin = (lm_vec3){min.x + x, min.y + y, min.z + z};
    /* The square overflows long before the radius does. */
    *radius = square < LM_HUGE_SQUARE ? sqrtf(square)
                                      : (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
