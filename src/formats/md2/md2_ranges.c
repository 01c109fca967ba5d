#include "formats/md2/md2_ranges.h"

#include "model/build.h"

#include "core/bytes.h"

/* Vector instructions where every processor that is compiled for has them. A block is two registers
 * of four vertices each, in the end folded to one. Taking a byte twice changes no minimum, so that
 * the last block of a row may overlap the one before. */
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

static void include_vertex(lm_range_u8 *range, const uint8_t *vertex) {
    for (int i = 0; i < 4; i++) {
        range->min[i] = vertex[i] < range->min[i] ? vertex[i] : range->min[i];
        range->max[i] = vertex[i] > range->max[i] ? vertex[i] : range->max[i];
    }
}

static lm_range_u8 range_of_few(const uint8_t *bytes, size_t size) {
    lm_range_u8 range;
    memcpy(range.min, bytes, 4);
    memcpy(range.max, bytes, 4);
    for (size_t at = 4; at < size; at += 4)
        include_vertex(&range, bytes + at);
    return range;
}

/* The range of at least one block. */
static lm_range_u8 range_of_blocks(const uint8_t *bytes, size_t size) {
    lm_bytes16 low = load16(bytes), high = low, low2 = load16(bytes + 16), high2 = low2;
    uint8_t folded[16];
    lm_range_u8 range;
    for (size_t at = BLOCK; at < size; at += BLOCK) {
        const uint8_t *block = bytes + (size - at < BLOCK ? size - BLOCK : at);
        lm_bytes16 a = load16(block), b = load16(block + 16);
        low = min16(low, a);
        low2 = min16(low2, b);
        high = max16(high, a);
        high2 = max16(high2, b);
    }
    low = min16(low, low2);
    low = min16(low, two_rows_on(low));
    store16(folded, min16(low, row_on(low)));
    memcpy(range.min, folded, 4);
    high = max16(high, high2);
    high = max16(high, two_rows_on(high));
    store16(folded, max16(high, row_on(high)));
    memcpy(range.max, folded, 4);
    return range;
}

/* The larger of `most`, 16 columns, and what a row of at least one block holds. */
static lm_bytes16 max_of_blocks(lm_bytes16 most, const uint8_t *bytes, size_t size) {
    lm_bytes16 most2 = most;
    for (size_t at = 0; at < size; at += BLOCK) {
        const uint8_t *block = bytes + (size - at < BLOCK ? size - BLOCK : at);
        most = max16(most, load16(block));
        most2 = max16(most2, load16(block + 16));
    }
    return max16(most, most2);
}

static uint8_t max_normal_of_blocks(const lm_packed_rows *rows) {
    lm_bytes16 most = load16(rows->first);
    uint8_t folded[16];
    for (size_t r = 0; r < rows->num_rows; r++)
        most = max_of_blocks(most, rows->first + r * rows->stride, rows->count * 4);
    most = max16(most, two_rows_on(most));
    store16(folded, max16(most, row_on(most)));
    return folded[3];
}

static uint8_t max_normal_of_few(const lm_packed_rows *rows) {
    uint8_t most = 0;
    for (size_t r = 0; r < rows->num_rows; r++)
        for (size_t v = 0; v < rows->count; v++) {
            uint8_t normal = rows->first[r * rows->stride + 4 * v + 3];
            most = normal > most ? normal : most;
        }
    return most;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* The same, 32 bytes at a time, for processors that can. Each row's size is at least one block. */
#define LM_AVX2 __attribute__((target("avx2")))
#define WIDE_BLOCK ((size_t)64)

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}

LM_AVX2 static inline __m256i load32(const uint8_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* Four bytes: the smallest, or largest, of each column. */
LM_AVX2 static inline uint32_t fold_min(__m256i wide) {
    __m128i a = _mm_min_epu8(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    a = _mm_min_epu8(a, _mm_shuffle_epi32(a, 0x4E));
    return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu8(a, _mm_shuffle_epi32(a, 0x39)));
}

LM_AVX2 static inline uint32_t fold_max(__m256i wide) {
    __m128i a = _mm_max_epu8(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    a = _mm_max_epu8(a, _mm_shuffle_epi32(a, 0x4E));
    return (uint32_t)_mm_cvtsi128_si32(_mm_max_epu8(a, _mm_shuffle_epi32(a, 0x39)));
}

/* Where blocks start that cross no line of the cache, if whole vertices lie before it; the block at
 * 0 holds all that does. */
static inline size_t second_block(const uint8_t *bytes) {
    size_t before = (size_t)(-(uintptr_t)bytes % WIDE_BLOCK);
    return before && before % 4 == 0 ? before : WIDE_BLOCK;
}

typedef struct wide_range {
    __m256i low, low2, high, high2;
} wide_range;

LM_AVX2 static inline void include_block(wide_range *range, const uint8_t *block) {
    __m256i a = load32(block), b = load32(block + WIDE_BLOCK / 2);
    range->low = _mm256_min_epu8(range->low, a);
    range->low2 = _mm256_min_epu8(range->low2, b);
    range->high = _mm256_max_epu8(range->high, a);
    range->high2 = _mm256_max_epu8(range->high2, b);
}

LM_AVX2 static inline void range_of_wide_blocks(const uint8_t *bytes, size_t size,
                                                lm_range_u8 *range) {
    __m256i first = load32(bytes);
    wide_range wide = {first, first, first, first};
    include_block(&wide, bytes + size - WIDE_BLOCK);
    include_block(&wide, bytes);
    size_t at = second_block(bytes);
    for (; at + 2 * WIDE_BLOCK < size; at += 2 * WIDE_BLOCK) {
        include_block(&wide, bytes + at);
        include_block(&wide, bytes + at + WIDE_BLOCK);
    }
    if (at + WIDE_BLOCK < size)
        include_block(&wide, bytes + at);
    uint32_t min = fold_min(_mm256_min_epu8(wide.low, wide.low2));
    uint32_t max = fold_max(_mm256_max_epu8(wide.high, wide.high2));
    memcpy(range->min, &min, sizeof min);
    memcpy(range->max, &max, sizeof max);
}

LM_AVX2 static void range_wide_rows(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    for (size_t r = 0; r < rows->num_rows; r++)
        range_of_wide_blocks(rows->first + r * rows->stride, rows->count * 4, &ranges[r]);
}

LM_AVX2 static uint8_t max_normal_of_wide_blocks(const lm_packed_rows *rows) {
    size_t last = rows->count * 4 - WIDE_BLOCK;
    __m256i most = load32(rows->first), most2 = most;
    for (size_t r = 0; r < rows->num_rows; r++) {
        const uint8_t *bytes = rows->first + r * rows->stride;
        most = _mm256_max_epu8(most, load32(bytes));
        most2 = _mm256_max_epu8(most2, load32(bytes + WIDE_BLOCK / 2));
        for (size_t at = second_block(bytes); at < last; at += WIDE_BLOCK) {
            most = _mm256_max_epu8(most, load32(bytes + at));
            most2 = _mm256_max_epu8(most2, load32(bytes + at + WIDE_BLOCK / 2));
        }
        most = _mm256_max_epu8(most, load32(bytes + last));
        most2 = _mm256_max_epu8(most2, load32(bytes + last + WIDE_BLOCK / 2));
    }
    return (uint8_t)(fold_max(_mm256_max_epu8(most, most2)) >> 24);
}

#else

#define WIDE_BLOCK SIZE_MAX

static bool has_avx2(void) {
    return false;
}

static void range_wide_rows(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    (void)rows;
    (void)ranges;
}

static uint8_t max_normal_of_wide_blocks(const lm_packed_rows *rows) {
    return max_normal_of_blocks(rows);
}

#endif

void lm_range_rows(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    size_t size = rows->count * 4;
    if (size >= WIDE_BLOCK && has_avx2()) {
        range_wide_rows(rows, ranges);
        return;
    }
    for (size_t r = 0; r < rows->num_rows; r++) {
        const uint8_t *bytes = rows->first + r * rows->stride;
        ranges[r] = size >= BLOCK ? range_of_blocks(bytes, size) : range_of_few(bytes, size);
    }
}

uint8_t lm_max_normal(const lm_packed_rows *rows) {
    size_t size = rows->count * 4;
    if (size >= WIDE_BLOCK && has_avx2())
        return max_normal_of_wide_blocks(rows);
    return size >= BLOCK ? max_normal_of_blocks(rows) : max_normal_of_few(rows);
}

static bool rows_below(const uint8_t *rows, size_t count, const uint32_t limits[6]) {
    bool below = true;
    for (size_t i = 0; i < count * 6; i += 6)
        for (size_t c = 0; c < 6; c++)
            below &= lm_get_u16(rows + 2 * (i + c)) < limits[c];
    return below;
}

#if defined(__SSE2__)

/* Four rows are three registers. A subtraction that stops at 0 leaves what exceeds the limit. */
static size_t excess_of_fours(const uint8_t *rows, size_t count, const uint16_t most[24],
                              __m128i *excess) {
    const uint8_t *limits = (const uint8_t *)most;
    __m128i most0 = load16(limits), most1 = load16(limits + 16), most2 = load16(limits + 32);
    __m128i a = _mm_setzero_si128(), b = a, c = a;
    size_t row = 0;
    for (; row + 4 <= count; row += 4, rows += 48) {
        a = _mm_or_si128(a, _mm_subs_epu16(load16(rows), most0));
        b = _mm_or_si128(b, _mm_subs_epu16(load16(rows + 16), most1));
        c = _mm_or_si128(c, _mm_subs_epu16(load16(rows + 32), most2));
    }
    *excess = _mm_or_si128(a, _mm_or_si128(b, c));
    return row;
}

bool lm_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]) {
    uint16_t most[24];
    if (count == 0)
        return true; /* rows may be NULL */
    for (int i = 0; i < 24; i++) {
        if (limits[i % 6] == 0)
            return false;
        most[i] = (uint16_t)(limits[i % 6] > UINT16_MAX ? UINT16_MAX : limits[i % 6] - 1);
    }
    __m128i excess;
    size_t done = excess_of_fours(rows, count, most, &excess);
    int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(excess, _mm_setzero_si128()));
    return zeros == 0xFFFF && rows_below(rows + 12 * done, count - done, limits);
}

#else

bool lm_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]) {
    return rows_below(rows, count, limits);
}

#endif

#if defined(__SSE2__)

/* Lanes that are not 0 where a number is not within. */
static __m128i outside(__m128i numbers, __m128i low, __m128i most) {
    __m128i size = _mm_and_si128(numbers, _mm_set1_epi32(INT32_MAX));
    __m128i zero = _mm_cmpeq_epi32(size, _mm_setzero_si128());
    return _mm_or_si128(_mm_andnot_si128(zero, _mm_cmplt_epi32(size, low)),
                        _mm_cmpgt_epi32(size, most));
}

bool lm_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low,
                     uint32_t high) {
    const __m128i lows = _mm_set1_epi32((int)low), most = _mm_set1_epi32((int)high - 1);
    __m128i bad = _mm_setzero_si128();
    for (size_t r = 0; r < count; r++, rows += stride) {
        bad = _mm_or_si128(bad, outside(load16(rows), lows, most));
        bad = _mm_or_si128(bad, outside(load16(rows + 8), lows, most));
    }
    return _mm_movemask_epi8(bad) == 0;
}

#else

bool lm_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low,
                     uint32_t high) {
    bool within = true;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < 6; i++) {
            uint32_t size = lm_get_u32(rows + r * stride + 4 * i) & INT32_MAX;
            within &= (size == 0) | (size - low < high - low);
        }
    return within;
}

#endif

#if defined(__SSE2__)

static __m128 from_vec3(lm_vec3 v) {
    return _mm_setr_ps(v.x, v.y, v.z, 0);
}

static void to_vec3(lm_vec3 *v, __m128 lanes) {
    _mm_storel_pi((__m64 *)(void *)v, lanes);
    _mm_store_ss(&v->z, _mm_movehl_ps(lanes, lanes));
}

static __m128 from_packed(const uint8_t position[4]) {
    const __m128i zero = _mm_setzero_si128();
    __m128i bytes = _mm_cvtsi32_si128(lm_get_s32(position));
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero));
}

static void range_box(const lm_range_u8 *range, lm_frame *frame) {
    __m128 scale = from_vec3(frame->scale), translate = from_vec3(frame->translate);
    __m128 a = _mm_add_ps(_mm_mul_ps(from_packed(range->min), scale), translate);
    __m128 b = _mm_add_ps(_mm_mul_ps(from_packed(range->max), scale), translate);
    to_vec3(&frame->min, _mm_min_ps(a, b));
    to_vec3(&frame->max, _mm_max_ps(b, a));
}

#else

static void box_side(uint8_t low, uint8_t high, float scale, float translate, float *min,
                     float *max) {
    float a = (float)low * scale + translate, b = (float)high * scale + translate;
    *min = a < b ? a : b;
    *max = a < b ? b : a;
}

static void range_box(const lm_range_u8 *range, lm_frame *frame) {
    lm_vec3 scale = frame->scale, translate = frame->translate;
    lm_vec3 *min = &frame->min, *max = &frame->max;
    box_side(range->min[0], range->max[0], scale.x, translate.x, &min->x, &max->x);
    box_side(range->min[1], range->max[1], scale.y, translate.y, &min->y, &max->y);
    box_side(range->min[2], range->max[2], scale.z, translate.z, &min->z, &max->z);
}

#endif

void lm_range_bounds(const lm_range_u8 *range, lm_frame *frame) {
    range_box(range, frame);
    lm_box_sphere(frame->min, frame->max, &frame->origin, &frame->radius);
}
