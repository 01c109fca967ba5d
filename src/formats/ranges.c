#include "formats/format.h"

#include "math/vectors.h"

#include "core/bytes.h"

/* ---- Ranges -------------------------------------------------------------------------------- */

static lm_range_u8 range_of(const uint8_t *vertices, size_t count) {
    lm_range_u8 range;
    memcpy(range.min, vertices, 4);
    memcpy(range.max, vertices, 4);
    for (size_t i = 4; i < 4 * count; i++) {
        uint8_t *min = &range.min[i % 4], *max = &range.max[i % 4];
        *min = vertices[i] < *min ? vertices[i] : *min;
        *max = vertices[i] > *max ? vertices[i] : *max;
    }
    return range;
}

uint8_t lmi_measure_rows_scalar(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    uint8_t most = 0;
    for (size_t r = 0; r < rows->num_rows; r++) {
        const lm_range_u8 range = range_of(rows->first + r * rows->stride, rows->count);
        most = range.max[3] > most ? range.max[3] : most;
        if (ranges)
            ranges[r] = range;
    }
    return most;
}

#if defined(__GNUC__) && !defined(LM_NO_SIMD) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define VECTORS

/* A vector of eight vertices. The compiler maps it to the processor's instructions. */
typedef uint8_t __attribute__((vector_size(32))) columns;
typedef uint64_t __attribute__((vector_size(32))) quarters;

#define INLINE static inline __attribute__((always_inline))
#define BLOCK (2 * sizeof(columns))

/* Keeps the smaller or larger of each pair of bytes. It is written so that each compiler recognises
 * one instruction. */
INLINE void keep(columns *result, const columns *other, bool most) {
    columns a = *result, b = *other;
#ifdef __clang__
    columns first = (columns)(most ? a > b : a < b);
    columns chosen = (first & a) | (~first & b);
#else
    columns chosen = a;
    for (size_t i = 0; i < sizeof a; i++)
        chosen[i] = (most ? a[i] > b[i] : a[i] < b[i]) ? a[i] : b[i];
#endif
    *result = chosen;
}

/* Reduces eight vertices to the smallest or largest of each of their four bytes. */
INLINE void reduce(columns *result, bool most, uint8_t out[4]) {
    quarters q = (quarters)*result;
    columns rotated = (columns)(quarters){q[2], q[3], q[0], q[1]};
    keep(result, &rotated, most);
    q = (quarters)*result;
    rotated = (columns)(quarters){q[1], q[0], q[3], q[2]};
    keep(result, &rotated, most);
    rotated = (columns)((quarters)*result >> 32);
    keep(result, &rotated, most);
    memcpy(out, result, 4);
}

typedef struct wide_range {
    columns low, low2, high, high2;
} wide_range;

INLINE void include_eight(columns *low, columns *high, const uint8_t *bytes, bool lows) {
    columns vertices;
    memcpy(&vertices, bytes, sizeof vertices);
    if (lows)
        keep(low, &vertices, false);
    keep(high, &vertices, true);
}

INLINE void include_block(wide_range *range, const uint8_t *block, bool lows) {
    include_eight(&range->low, &range->high, block, lows);
    include_eight(&range->low2, &range->high2, block + sizeof(columns), lows);
}

/* Includes a row of at least one block. Including a byte twice changes no minimum or maximum, so
 * the first and the last block may overlap the ones between. Those are aligned to cache lines if
 * the row starts at a multiple of four bytes. */
INLINE void include_row(wide_range *range, const uint8_t *bytes, size_t size, bool lows) {
    const uint8_t *last = bytes + size - BLOCK;
    include_block(range, last, lows);
    include_block(range, bytes, lows);
    bytes += -(uintptr_t)bytes % BLOCK / 4 * 4;
    for (; bytes + BLOCK < last; bytes += 2 * BLOCK) {
        include_block(range, bytes, lows);
        include_block(range, bytes + BLOCK, lows);
    }
    if (bytes < last)
        include_block(range, bytes, lows);
}

INLINE void begin_range(wide_range *range, const uint8_t *bytes) {
    columns first;
    memcpy(&first, bytes, sizeof first);
    *range = (wide_range){first, first, first, first};
}

INLINE void fold_highs(wide_range *range, uint8_t max[4]) {
    keep(&range->high, &range->high2, true);
    reduce(&range->high, true, max);
}

INLINE uint8_t largest_normal(const lm_packed_rows *rows) {
    wide_range range;
    uint8_t max[4];
    begin_range(&range, rows->first);
    for (size_t r = 0; r < rows->num_rows; r++)
        include_row(&range, rows->first + r * rows->stride, 4 * rows->count, false);
    fold_highs(&range, max);
    return max[3];
}

/* Two loops, so that neither tests for `ranges` in each step. */
INLINE uint8_t measure(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    uint8_t most = 0;
    if (!ranges)
        return largest_normal(rows);
    for (size_t r = 0; r < rows->num_rows; r++) {
        wide_range range;
        begin_range(&range, rows->first + r * rows->stride);
        include_row(&range, rows->first + r * rows->stride, 4 * rows->count, true);
        keep(&range.low, &range.low2, false);
        reduce(&range.low, false, ranges[r].min);
        fold_highs(&range, ranges[r].max);
        most = ranges[r].max[3] > most ? ranges[r].max[3] : most;
    }
    return most;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static uint8_t measure_avx2(const lm_packed_rows *rows,
                                                            lm_range_u8 *ranges) {
    return measure(rows, ranges);
}
#endif

uint8_t lmi_measure_rows(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    if (rows->count * 4 < BLOCK)
        return lmi_measure_rows_scalar(rows, ranges);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return measure_avx2(rows, ranges);
#endif
    return measure(rows, ranges);
}

#else

uint8_t lmi_measure_rows(const lm_packed_rows *rows, lm_range_u8 *ranges) {
    return lmi_measure_rows_scalar(rows, ranges);
}

#endif

/* ---- Limits -------------------------------------------------------------------------------- */

static bool rows_below(const uint8_t *rows, size_t count, const uint32_t limits[6]) {
    bool below = true;
    for (size_t i = 0; i < count * 6; i += 6)
        for (size_t c = 0; c < 6; c++)
            below &= lmi_get_u16(rows + 2 * (i + c)) < limits[c];
    return below;
}

#ifdef VECTORS

typedef uint16_t __attribute__((vector_size(16))) words;
typedef int32_t __attribute__((vector_size(16))) numbers;

INLINE void clear_above(words *valid, const uint8_t *row, const words *most) {
    words word;
    memcpy(&word, row, sizeof word);
    *valid &= (words)(word <= *most);
}

/* Four rows are three vectors. */
bool lmi_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]) {
    words most[3] = {{0}}, a = ~(words){0}, b = a, c = a;
    for (size_t i = 0; i < 24; i++) {
        if (limits[i % 6] == 0)
            return count == 0;
        most[i / 8][i % 8] =
            (uint16_t)(limits[i % 6] > UINT16_MAX ? UINT16_MAX : limits[i % 6] - 1);
    }
    for (; count >= 4; count -= 4, rows += 48) {
        clear_above(&a, rows, &most[0]);
        clear_above(&b, rows + 16, &most[1]);
        clear_above(&c, rows + 32, &most[2]);
    }
    numbers all = (numbers)(a & b & c);
    return (all[0] & all[1] & all[2] & all[3]) == -1 && rows_below(rows, count, limits);
}

/* Sets the lanes of `bad` whose magnitude is out of range. */
INLINE void outside(numbers *bad, const uint8_t *row, int32_t low, int32_t high) {
    numbers size;
    memcpy(&size, row, sizeof size);
    size &= INT32_MAX;
    *bad |= ((size > 0) & (size < low)) | (size > high - 1);
}

bool lmi_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low,
                      uint32_t high) {
    numbers bad = {0};
    for (size_t r = 0; r < count; r++, rows += stride) {
        outside(&bad, rows, (int32_t)low, (int32_t)high);
        outside(&bad, rows + 8, (int32_t)low, (int32_t)high);
    }
    return (bad[0] | bad[1] | bad[2] | bad[3]) == 0;
}

#else

bool lmi_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]) {
    return rows_below(rows, count, limits);
}

bool lmi_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low,
                      uint32_t high) {
    bool within = true;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < 6; i++) {
            uint32_t size = lmi_get_u32(rows + r * stride + 4 * i) & INT32_MAX;
            within &= (size == 0) | (size - low < high - low);
        }
    return within;
}

#endif

/* ---- Bounds -------------------------------------------------------------------------------- */

static lm_vec3 unpacked(const uint8_t position[4], const lm_frame *frame) {
    const lm_vec3 scale = frame->scale, translate = frame->translate;
    return (lm_vec3){(float)position[0] * scale.x + translate.x,
                     (float)position[1] * scale.y + translate.y,
                     (float)position[2] * scale.z + translate.z};
}

void lmi_range_bounds(const lm_range_u8 *range, lm_frame *frame) {
    const lm_vec3 a = unpacked(range->min, frame), b = unpacked(range->max, frame);
    const lm_vec3 min = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
    const lm_vec3 max = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
    frame->min = min;
    frame->max = max;
    lmi_box_sphere(min, max, &frame->origin, &frame->radius);
}
