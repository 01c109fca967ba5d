/* The description of a format: tables of its header fields, its lumps and their elements. Reading
 * and writing headers, comparing, laying out lumps, engine limits and `examine` all use these
 * tables, so every byte offset and field name has one definition.
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
 *         {LM_HEADER_LUMP(lm_md9, tris, 12, "triangles", LM_COLUMNS(columns)),
 *          .count = LM_COUNTED_BY(lm_md9, num_tris)},
 *     };
 *     const lm_header lm_md9_header = {.size = 20, .ident = LM_MD9_IDENT, .version = 1,
 *                                      .fields = {LM_LIST(fields)}, .lumps = {LM_LIST(lumps)},
 *                                      ...};
 *
 * A struct, the `owner`, presents a header: the document, or one of its surfaces. It has a member
 * for each field, and for each lump an offset, a count and a pointer. A surface's lump may be
 * counted by the document. All functions take the description first and the structs as void *. A
 * format uses its own structs directly.
 *
 * A format without offsets, whose sections are consecutive, describes its header and its shapes. It
 * needs no lumps here: its own code locates each section (layout/builder.h).
 */
#ifndef LM_FORMATS_DESCRIBE_H
#define LM_FORMATS_DESCRIBE_H

#include "core/bytes.h"
#include "core/report.h"
#include "formats/format.h"
#include "layout/builder.h"
#include "lerpmesh/check.h"

/* ---- Descriptions -------------------------------------------------------------------------- */

typedef enum lm_header_kind {
    LM_HEADER_NUMBER, /* int32_t */
    LM_HEADER_COUNT,  /* int32_t that may not be negative */
    LM_HEADER_OFFSET, /* int32_t: an offset, which is not content */
    LM_HEADER_REAL,   /* float */
    LM_HEADER_MARK,   /* int32_t whose bytes are letters */
    LM_HEADER_TEXT    /* uint8_t[] */
} lm_header_kind;

/* Every file begins with these two fields. Some surfaces do too; their structs have members for
 * them. */
#define LM_HEADER_AT_IDENT 0
#define LM_HEADER_AT_VERSION 4

#define LM_NOT_SHOWN UINT16_MAX /* a constant field without a member in the struct */

typedef struct lm_header_field {
    uint16_t at, size; /* bytes, in the header on disk */
    uint16_t member;   /* offsetof, or LM_NOT_SHOWN */
    lm_header_kind kind;
    char name[24];
    const char *meaning;
} lm_header_field;

#define LM_HEADER_FIELD(kind, at, type, member, name, meaning) \
    {at, sizeof(((type *)0)->member), offsetof(type, member), LM_HEADER_##kind, name, meaning}
#define LM_HEADER_IDENT(name, meaning) \
    {LM_HEADER_AT_IDENT, 4, LM_NOT_SHOWN, LM_HEADER_MARK, name, meaning}
#define LM_HEADER_VERSION(name, meaning) \
    {LM_HEADER_AT_VERSION, 4, LM_NOT_SHOWN, LM_HEADER_NUMBER, name, meaning}

/* An int32_t member of the owner, or of the document. */
typedef struct lm_count_member {
    uint16_t member;
    bool of_document;
} lm_count_member;

typedef struct lm_header lm_header;

typedef struct lm_header_lump {
    lm_shape shape;
    uint16_t ofs, data;            /* offsetof: int32_t, const uint8_t * */
    uint16_t element;              /* bytes per element */
    lm_count_member count, groups; /* elements per group; groups, if .member is not 0 */
    uint16_t stride;               /* if not 0, offsetof the int32_t with these bytes */
    /* If not 0, offsetof the int32_t with the bytes of all elements beyond `element`: those that
     * differ in size begin with `element` bytes. */
    uint16_t extra;
    /* For a chain of surfaces instead of elements: the description of a surface. Each starts at the
     * end of the previous one, and `data` points to their structs. */
    const lm_header *chain;
    /* If not NULL, the lump may be absent when this returns false: its offset is 0, or it is not in
     * the file. Writers write it all the same, filled with the byte `absent`. */
    bool (*needed)(const void *owner);
    uint8_t absent;
    bool required; /* if it is not in the file, nothing can be read */
} lm_header_lump;

/* `member` of the owner, with its shape: the name, LM_COLUMNS, ... */
#define LM_HEADER_LUMP(owner, member, size, ...)                          \
    .shape = {.name = __VA_ARGS__}, .ofs = offsetof(owner, ofs_##member), \
    .data = offsetof(owner, member), .element = (size)
#define LM_COUNTED_BY(owner, number) {.member = offsetof(owner, number)}
#define LM_COUNTED_BY_DOCUMENT(owner, number) \
    {.member = offsetof(owner, number), .of_document = true}

/* The maximum an engine loads of something that a header counts. */
typedef struct lm_header_limit {
    lm_engine engine;
    uint16_t member;
    int32_t max;
    const char *element_name;
    const char *why; /* appended to the message: " (...)"; may be NULL */
} lm_header_limit;

#define LM_MAX_LUMPS 8 /* per header */

struct lm_header {
    uint16_t size, struct_size; /* bytes on disk, and of the struct */
    uint32_t ident;             /* the first two fields; only if version is not 0 */
    int32_t version;
    struct {
        const lm_header_field *list;
        size_t count;
    } fields;
    struct {
        const lm_header_lump *list; /* in writing order, if all offsets are 0 */
        size_t count;
    } lumps;
    struct {
        const lm_header_limit *list;
        size_t count;
    } limits;
    /* Sets the members that no field has, such as the size of elements that differ in size, from
     * the file. NULL: each member has a field. */
    void (*measure)(lm_bytes file, size_t start, void *owner);
    uint16_t back;     /* offsetof the int32_t with the offset of the file's header; 0: none */
    uint16_t end;      /* offsetof the int32_t with the part's end */
    uint16_t trailing; /* offsetof the document's lm_trailing */
};

/* The last two members of a document: the bytes after its end. */
typedef struct lm_trailing {
    const uint8_t *data;
    size_t size;
} lm_trailing;

/* ---- Headers ------------------------------------------------------------------------------- */

/* Returns an int32_t member of the owner. */
static inline int32_t lmi_number(const void *owner, size_t member) {
    int32_t number;
    memcpy(&number, (const char *)owner + member, sizeof number);
    return number;
}

static inline void lmi_set_number(void *owner, size_t member, int32_t number) {
    memcpy((char *)owner + member, &number, sizeof number);
}

/* Fills the owner from a header's bytes, with all lumps NULL. */
void lmi_get_header(const lm_header *header, const uint8_t *bytes, void *owner);
/* The same for the part at `start`, whose header is in the file, with all other members. */
void lmi_get_part(const lm_header *header, lm_bytes file, size_t start, void *owner);
/* Returns true if no count is negative. */
bool lmi_counts_valid(const lm_header *header, const void *owner);
/* Empties a damaged part: its counts become 0 and its lumps NULL. Names stay. */
void lmi_empty_part(const lm_header *header, void *owner);

/* Returns the offset of a field in the header on disk. */
size_t lmi_field_at(const lm_header *header, size_t member);

/* Locations for reports: the start of the file's header, or of a surface's header at byte `start`;
 * from there a field or a lump; and from a lump one of its elements. */
lm_location lmi_file_location(void);
lm_location lmi_surface_location(uint32_t surface, size_t start);
lm_location lmi_field_location(const lm_header *header, lm_location start, size_t member);
lm_location lmi_lump_location(lm_location start, const char *lump, int32_t offset);
lm_location lmi_element_location(lm_location lump, uint32_t index, size_t element);

/* ---- Lumps --------------------------------------------------------------------------------- */

typedef struct lm_extent {
    uint64_t count;
    size_t element;
    uint64_t extra; /* bytes beyond count * element */
} lm_extent;

static inline uint64_t lmi_extent_size(lm_extent extent) {
    return extent.count * extent.element + extent.extra;
}

/* Returns true if an extent at `offset` lies inside `size` bytes. */
static inline bool lmi_extent_fits(uint64_t size, uint64_t offset, lm_extent extent) {
    return lmi_fits(size, offset, extent.count, extent.element) &&
           extent.extra <= size - offset - extent.count * extent.element;
}

uint64_t lmi_lump_groups(const lm_header_lump *lump, const void *document, const void *owner);
/* Returns the extent of all groups together. Counts that are negative because of damage are taken
 * as 0. */
lm_extent lmi_lump_extent(const lm_header_lump *lump, const void *document, const void *owner);

static inline const uint8_t *lmi_lump_data(const lm_header_lump *lump, const void *owner) {
    const uint8_t *data;
    memcpy(&data, (const char *)owner + lump->data, sizeof data);
    return data;
}

static inline void lmi_set_lump_data(const lm_header_lump *lump, void *owner, const uint8_t *data) {
    memcpy((char *)owner + lump->data, &data, sizeof data);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* The state of reading a file. */
typedef struct lm_reading {
    lm_bytes file;
    lm_arena *arena; /* results are allocated from it */
    lm_reporter *reporter;
    uint64_t lump_bytes; /* bytes of all lumps found so far */
} lm_reading;

/* Returns true if the header is complete and has the supported version; otherwise reports an
 * error. */
bool lmi_read_ident(const lm_reading *reading, const lm_header *header);
/* Returns true if a count of the file's header is not negative; otherwise reports an error that
 * names `element_name`. */
bool lmi_read_count(const lm_reading *reading, const lm_header *header, const void *document,
                    size_t member, const char *element_name);
/* Points the owner, whose header is at `start`, to one of its lumps. Returns false if the lump is
 * not inside the file. */
bool lmi_find_lump(lm_reading *reading, const lm_header_lump *lump, const void *document,
                   void *owner, size_t start);
/* Reports that a lump from byte `start` on is not inside the file: as damage, unless it is
 * required. Returns true if the reader continues. */
bool lmi_report_outside(const lm_reading *reading, const lm_header_lump *lump, lm_extent extent,
                        lm_location location, int64_t start);
/* Checks the end of the file in the header and sets the trailing bytes, once the lumps and surfaces
 * are found. `named` is the name of the field. Returns false if the call ended. */
bool lmi_read_end(const lm_reading *reading, const lm_header *header, void *document,
                  const char *named);

/* ---- Limits -------------------------------------------------------------------------------- */

/* Reports the engines whose limits a part exceeds. */
void lmi_check_limits(const lm_header *header, const void *owner, lm_location start,
                      lm_reporter *reporter);

/* ---- Anatomy ------------------------------------------------------------------------------- */

/* Describes the file's header, lumps and surfaces, as far as they are in the file. */
void lmi_layout_described(const lm_header *header, lm_bytes file, lm_layout_builder *builder);
/* Describes the fields of the header at `start`, and the header itself as a lump. */
void lmi_layout_fields(const lm_header *header, const char *name, size_t start,
                       lm_layout_builder *builder);

/* ---- Documents: lm_NAME_read and lm_NAME_free of every format ------------------------------- */

typedef struct lm_document_kind {
    const lm_format *format;
    const char *title; /* "MD3" */
    const lm_header *header;
    /* Finds and checks everything in a file. `document` is the format's struct; its memory is from
     * the reading's arena. Returns false after reporting an error or if memory ran out. */
    bool (*read)(lm_reading *reading, void *document);
} lm_document_kind;

void *lmi_read_document(const lm_document_kind *kind, const void *data, size_t size,
                        const lm_memory *memory, lm_error *error);
/* Reads with the memory and the tolerance of the options. The reporter gets the warnings. With
 * `repair`, lumps are cut to what is inside the file, and their elements may be damaged.
 *
 * The document is an object (core/arena.h). Each piece of its arena is an allocation of its own, so
 * that lumps made by edits can be found. */
void *lmi_read_document_as(const lm_document_kind *kind, lm_bytes file,
                           const lm_load_options *options, lm_load_reporter *reporter,
                           lm_error *error);

/* Defines lm_NAME_read and lm_NAME_free. */
#define LM_DOCUMENT_READ(name, kind)                                                    \
    lm_##name *lm_##name##_read(const void *data, size_t size, const lm_memory *memory, \
                                lm_error *error) {                                      \
        return (lm_##name *)lmi_read_document(&(kind), data, size, memory, error);      \
    }                                                                                   \
    void lm_##name##_free(lm_##name *document) {                                        \
        lmi_object_free(document);                                                      \
    }

#endif
