/* A format, written down once: its headers as tables of fields, its lumps with what their elements
 * are made of. Reading and writing headers, comparing, placing lumps, engines' limits and `examine`
 * walk these tables, so that a byte offset or a field's name stands in one place.
 *
 *     static const lm_header_field fields[] = {
 *         LM_HEADER_IDENT("ident", "the format's mark, \"IDP9\""),
 *         LM_HEADER_VERSION("version", "always 1"),
 *         LM_HEADER_FIELD(COUNT, 8, lm_md9, num_tris, "num_tris", "triangles"),
 *         LM_HEADER_FIELD(OFFSET, 12, lm_md9, ofs_tris, "ofs_tris", "where the triangles start"),
 *         LM_HEADER_FIELD(OFFSET, 16, lm_md9, ofs_end, "ofs_end", "where the file ends"),
 *     };
 *     static const lm_column columns[] = {{"vertex 0", 0, LM_CELL_U16, 0}, ...};
 *     static const lm_header_lump lumps[] = {
 *         {LM_HEADER_LUMP(lm_md9, tris, 12, "triangles", LM_LIST(columns)),
 *          .count = LM_COUNTED_BY(lm_md9, num_tris)},
 *     };
 *     const lm_header lm_md9_header = {.size = 20, .ident = LM_MD9_IDENT, .version = 1,
 *                                      .fields = {LM_LIST(fields)}, .lumps = {LM_LIST(lumps)},
 * ...};
 *
 * A header is shown by a struct, the `owner`: the document, or one of its surfaces. It has a member
 * for each field, and for each lump an offset, a count and a pointer. Counts of a surface's lumps
 * may be the document's. Everything here takes the description first and the structs as void *;
 * what a format does with its own structs it does straight.
 *
 * A format whose sections follow one another without offsets describes its header and its shapes,
 * and says where each section is itself (layout/builder.h); it needs no lumps here.
 */
#ifndef LM_FORMATS_DESCRIBE_H
#define LM_FORMATS_DESCRIBE_H

#include "core/bytes.h"
#include "core/report.h"
#include "layout/builder.h"
#include "lerpmesh/check.h"

/* ---- Descriptions -------------------------------------------------------------------------- */

typedef enum lm_header_kind {
    LM_HEADER_NUMBER, /* int32_t */
    LM_HEADER_COUNT,  /* int32_t that may not be negative */
    LM_HEADER_OFFSET, /* int32_t: where something lies, which is no content */
    LM_HEADER_REAL,   /* float */
    LM_HEADER_MARK,   /* int32_t whose bytes are letters */
    LM_HEADER_TEXT    /* uint8_t[] */
} lm_header_kind;

/* Every file begins with these two; so do some surfaces, whose struct then shows them. */
#define LM_HEADER_AT_IDENT 0
#define LM_HEADER_AT_VERSION 4

#define LM_NOT_SHOWN UINT16_MAX /* a field that always is the same: the struct has no member */

typedef struct lm_header_field {
    uint16_t at, size; /* bytes, in the header on disk */
    uint16_t member;   /* offsetof, or LM_NOT_SHOWN */
    lm_header_kind kind;
    char name[24];
    const char *meaning;
} lm_header_field;

#define LM_HEADER_FIELD(kind, at, type, member, name, meaning) \
    { at, sizeof(((type *)0)->member), offsetof(type, member), LM_HEADER_##kind, name, meaning }
#define LM_HEADER_IDENT(name, meaning) \
    { LM_HEADER_AT_IDENT, 4, LM_NOT_SHOWN, LM_HEADER_MARK, name, meaning }
#define LM_HEADER_VERSION(name, meaning) \
    { LM_HEADER_AT_VERSION, 4, LM_NOT_SHOWN, LM_HEADER_NUMBER, name, meaning }

/* An int32_t of the owner, or of the document. */
typedef struct lm_count_member {
    uint16_t member;
    bool of_document;
} lm_count_member;

typedef struct lm_header lm_header;

typedef struct lm_header_lump {
    lm_shape shape;
    uint16_t ofs, data;            /* offsetof: int32_t, const uint8_t * */
    uint16_t element;              /* bytes of one */
    uint16_t stride;               /* if not 0, offsetof the int32_t that says these bytes */
    lm_count_member count, groups; /* elements; if .member is not 0, so often */
    /* For a chain of surfaces instead of elements: each starts where the one before it ends, and
     * `data` is the pointer to the structs that show them. */
    const lm_header *chain;
    /* If not NULL the lump may be absent where this is false: its offset is 0, or it is not in the
     * file. It is written out all the same, made of this byte. */
    bool (*needed)(const void *owner);
    uint8_t absent;
} lm_header_lump;

/* `member` of the owner, with what is known of its shape: its name, LM_LIST of columns, ... */
#define LM_HEADER_LUMP(owner, member, size, ...)                                             \
    .shape = {.name = __VA_ARGS__}, .element = (size), .ofs = offsetof(owner, ofs_##member), \
    .data = offsetof(owner, member)
#define LM_COUNTED_BY(owner, number) \
    { .member = offsetof(owner, number) }
#define LM_COUNTED_BY_DOCUMENT(owner, number) \
    { .member = offsetof(owner, number), .of_document = true }

/* What an engine loads at most of something that a header counts. */
typedef struct lm_header_limit {
    lm_engine engine;
    uint16_t member;
    int32_t most;
    const char *what;
    const char *why; /* behind the sentence: " (...)"; may be NULL */
} lm_header_limit;

#define LM_MOST_LUMPS 8 /* of a header */

struct lm_header {
    uint16_t size, struct_size; /* bytes on disk, and of the struct */
    uint32_t ident;             /* the first two fields, if version is not 0 */
    int32_t version;
    struct {
        const lm_header_field *list;
        size_t count;
    } fields;
    struct {
        const lm_header_lump *list; /* in the order in which they are written, if offsets are 0 */
        size_t count;
    } lumps;
    struct {
        const lm_header_limit *list;
        size_t count;
    } limits;
    uint16_t end;      /* offsetof the int32_t that says where the part ends */
    uint16_t trailing; /* offsetof the document's lm_trailing */
    uint16_t owned;    /* and of its lm_arena * (formats/document.h) */
};

/* The last two members that show a file: its bytes behind the end. */
typedef struct lm_trailing {
    const uint8_t *data;
    size_t size;
} lm_trailing;

/* ---- Headers ------------------------------------------------------------------------------- */

/* A member of the owner. */
static inline int32_t lm_number(const void *owner, size_t member) {
    int32_t number;
    memcpy(&number, (const char *)owner + member, sizeof number);
    return number;
}

static inline void lm_set_number(void *owner, size_t member, int32_t number) {
    memcpy((char *)owner + member, &number, sizeof number);
}

/* Fills the owner from a header's bytes; lumps are none yet. */
void lm_get_header(const lm_header *header, const uint8_t *bytes, void *owner);
/* Whether no count is negative. */
bool lm_counts_sound(const lm_header *header, const void *owner);
/* Leaves a damaged part with its names and nothing else. */
void lm_empty_part(const lm_header *header, void *owner);

/* Where a field stands in the header on disk. */
size_t lm_field_at(const lm_header *header, size_t member);

/* For reports. The beginning of the file's header, or of a surface's, which starts at a byte of the
 * file; from there, a field, and a lump; and from a lump, one of its elements. */
lm_location lm_file_location(void);
lm_location lm_surface_location(uint32_t surface, size_t start);
lm_location lm_field_location(const lm_header *header, lm_location start, size_t member);
lm_location lm_lump_location(lm_location start, const char *lump, int32_t offset);
lm_location lm_element_location(lm_location lump, uint32_t index, size_t element);

/* ---- Lumps --------------------------------------------------------------------------------- */

typedef struct lm_extent {
    uint64_t count;
    size_t element;
} lm_extent;

static inline uint64_t lm_extent_size(lm_extent extent) {
    return extent.count * extent.element;
}

uint64_t lm_lump_groups(const lm_header_lump *lump, const void *document, const void *owner);
/* Of all groups together. What damage made negative counts as 0. */
lm_extent lm_lump_extent(const lm_header_lump *lump, const void *document, const void *owner);

static inline const uint8_t *lm_lump_data(const lm_header_lump *lump, const void *owner) {
    const uint8_t *data;
    memcpy(&data, (const char *)owner + lump->data, sizeof data);
    return data;
}

static inline void lm_set_lump_data(const lm_header_lump *lump, void *owner, const uint8_t *data) {
    memcpy((char *)owner + lump->data, &data, sizeof data);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* A file being read. */
typedef struct lm_reading {
    lm_bytes file;
    lm_arena *arena; /* what is found is from it */
    lm_reporter *reporter;
    uint64_t claimed; /* what the lumps found so far say is theirs */
} lm_reading;

/* Whether a whole header is there, of the version that is known. */
bool lm_read_ident(const lm_reading *reading, const lm_header *header);
/* Whether a count of the file's header, of `what`, is not negative. */
bool lm_read_count(const lm_reading *reading, const lm_header *header, const void *document,
                   size_t member, const char *what);
/* Points the owner, whose header starts at `start`, at one of its lumps. False if the lump does not
 * lie in the file. */
bool lm_find_lump(lm_reading *reading, const lm_header_lump *lump, const void *document,
                  void *owner, size_t start);
/* Reports as damage that a lump begins at byte `start` and leaves the file. */
bool lm_report_outside(const lm_reading *reading, const lm_header_lump *lump, lm_extent extent,
                       lm_location location, int64_t start);
/* What follows the model, whose lumps and surfaces were found. `named` is the name of the field
 * that says where it ends. */
bool lm_read_end(const lm_reading *reading, const lm_header *header, void *document,
                 const char *named);

/* ---- Limits -------------------------------------------------------------------------------- */

/* Reports which engines load less than a part has. */
void lm_check_limits(const lm_header *header, const void *owner, lm_location start,
                     lm_reporter *reporter);

/* ---- Anatomy ------------------------------------------------------------------------------- */

/* Describes the file's header, its lumps and its surfaces, as far as they are there. */
void lm_layout_described(const lm_header *header, lm_bytes file, lm_layout_builder *builder);
/* Describes the fields of a header that starts at `start`, and it itself as a lump. */
void lm_layout_fields(const lm_header *header, const char *name, size_t start,
                      lm_layout_builder *builder);

#endif
