/* A format that lerpmesh reads: its facts and functions. Only formats.h lists them. */
#ifndef LM_FORMATS_FORMAT_H
#define LM_FORMATS_FORMAT_H

#include "core/bytes.h"
#include "core/report.h"
#include "lerpmesh/check.h"
#include "lerpmesh/load.h"

typedef struct lm_layout_builder lm_layout_builder;
typedef struct lm_header lm_header;   /* formats/describe.h */
typedef struct lm_reading lm_reading; /* formats/describe.h */

/* Returns a normal of MD2 or MDL. One beyond the table points straight up, as in Q2PRO
 * (src/refresh/models.c); id's renderers read beyond their tables, or light it with 1.00
 * (Quake II, ref_gl/anormtab.h). */
#define LM_NORMAL_UP 5
static inline uint8_t lmi_known_normal(uint8_t index) {
    return index < LM_NUM_NORMALS_162 ? index : LM_NORMAL_UP;
}

typedef struct lm_format {
    lm_format_info info;
    const lm_header *header;
    /* Finds everything in a file. `document` is the format's struct, cleared. It points into the
     * file or to memory from the reading's arena. Returns false if the call ended. */
    bool (*parse)(lm_reading *reading, void *document);
    /* Verifies a parsed document and fills an empty model from the model's arena. Temporary memory
     * is from the reading's arena. Returns false if the call ended. */
    bool (*decode)(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model);
} lm_format;

/* An engine that cannot show files with some problems, and LM_CODE_BIT of their codes. */
typedef struct lm_refusal {
    lm_engine engine;
    uint64_t codes;
} lm_refusal;

/* The functions of a format for `check` and `examine`. Programs that only load do not link them. */
typedef struct lm_examiner {
    const lm_format *format;
    struct {
        const lm_refusal *list;
        size_t count;
    } refusals;
    /* Reports every problem of a parsed document. */
    void (*check)(lm_reading *reading, const void *document);
    /* Describes header fields and lumps, as far as the file reaches. NULL: as lmi_layout_described
     * does by the format's header. */
    void (*layout)(lm_bytes file, lm_layout_builder *builder);
    /* Appends a table of data that no shape describes. Returns false if it knows no such name.
     * NULL: shapes describe every lump. */
    const char *more_tables; /* the names of those that are no lumps, for errors; NULL: none */
    bool (*table)(lm_bytes file, const char *lump, lm_buffer *out);
} lm_examiner;

/* Returns the format of these bytes; NULL if none matches. */
const lm_format *lmi_find_format(lm_bytes file);
const lm_examiner *lmi_examiner_of(const lm_format *format);
/* Parses a file of a format. Returns NULL if the call ended. */
void *lmi_parse(const lm_format *format, lm_reading *reading);
/* Decodes a parsed document into a model from the heap. The model gets the warnings that the
 * reporter counted. Returns NULL if the call ended. */
lm_model *lmi_decode(const lm_format *format, const lm_reading *reading, const void *document,
                     const lm_load_options *options, lm_heap *heap, lm_load_reporter *reporter);
/* Checks a file like lm_check_memory. `model` may be NULL; otherwise it gets the model of the
 * checked document, which borrows from the file, or NULL if decoding failed. */
lm_report *lmi_check_and_decode(lm_bytes file, const lm_check_options *options, lm_model **model,
                                lm_error *error);
/* Fails with LM_CODE_UNKNOWN_FORMAT. If the bytes are of another known format, the sentence names
 * it. Returns false. */
bool lmi_fail_unknown(lm_bytes file, lm_error *error);

/* Passes over whole tables of a file: minimums and maximums for bounds and checks (ranges.c). */

typedef struct lm_range_u8 {
    uint8_t min[4], max[4];
} lm_range_u8;

/* Rows of packed vertices of 4 bytes each: x, y, z, normal. */
typedef struct lm_packed_rows {
    const uint8_t *first;
    size_t stride;   /* bytes from one row to the next */
    size_t num_rows; /* >= 1 */
    size_t count;    /* vertices per row, >= 1 */
} lm_packed_rows;

/* Returns the largest normal of all rows. Unless `ranges` is NULL, ranges[num_rows] gets the range
 * of each row, separately for each of the four bytes. The scalar version gives the same results one
 * vertex at a time. */
uint8_t lmi_measure_rows(const lm_packed_rows *rows, lm_range_u8 *ranges);
uint8_t lmi_measure_rows_scalar(const lm_packed_rows *rows, lm_range_u8 *ranges);

/* Returns true if each row's six 16-bit words are below limits[0 .. 5]. */
bool lmi_words_below(const uint8_t *rows, size_t count, const uint32_t limits[6]);

/* Checks the six 32-bit numbers at the start of each row; rows are `stride` bytes apart. Returns
 * true if the magnitude of each number (all but its highest bit) is 0 or in low .. high - 1. Both
 * limits are below 2^31. */
bool lmi_sizes_within(const uint8_t *rows, size_t stride, size_t count, uint32_t low,
                      uint32_t high);

/* Computes a frame's box and sphere from the range of its packed positions. The frame's scale, of
 * any sign, and translate must be set. */
void lmi_range_bounds(const lm_range_u8 *range, lm_frame *frame);

#endif
