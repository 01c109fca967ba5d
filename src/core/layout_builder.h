/* Describing a file's parts: what a format's layout and table functions call. */
#ifndef LM_CORE_LAYOUT_BUILDER_H
#define LM_CORE_LAYOUT_BUILDER_H

#include "core/bytes.h"
#include "core/heap.h"
#include "lerpmesh/layout.h"

typedef struct lm_layout_builder lm_layout_builder;

/* ---- Header fields and lumps --------------------------------------------------------------- */

/* Names and meanings are literals, or outlive the layout. The bytes of a field must lie inside the
 * file: a format describes a header only where all of it is there. */
void lm_layout_number(lm_layout_builder *builder, size_t offset, const char *name,
                      const char *meaning);
/* A field of `length` bytes of text, up to its first NUL. */
void lm_layout_text(lm_layout_builder *builder, size_t offset, size_t length, const char *name,
                    const char *meaning);

/* A field of a header whose fields follow one another: numbers of 4 bytes but for names. */
typedef struct lm_header_field {
    const char *name, *meaning;
    size_t text; /* bytes, 0: a number */
} lm_header_field;

void lm_layout_fields(lm_layout_builder *builder, size_t offset, const lm_header_field *fields,
                      size_t count);

/* A header of `size` bytes. The fields described since the header before are its own. */
void lm_layout_header(lm_layout_builder *builder, const char *name, size_t offset, size_t size);
/* A lump anywhere, as a header states it: it need not lie inside the file. A negative offset is
 * the unsigned number that its bytes make (so it lies outside), a negative count is none. */
void lm_layout_lump(lm_layout_builder *builder, const char *name, int32_t offset, uint64_t count,
                    uint64_t element_size);

/* From here to the next call the names of headers and lumps begin with "surface N", and the offsets
 * of lumps count from `start`. */
void lm_layout_surface(lm_layout_builder *builder, uint32_t surface, size_t start);
void lm_layout_end_of_surfaces(lm_layout_builder *builder);

/* Where the header says that the file ends. */
void lm_layout_end(lm_layout_builder *builder, int32_t ofs_end);
/* What lm_layout_table knows besides the lumps, for its error: "vertices, frame N vertices". */
void lm_layout_more_tables(lm_layout_builder *builder, const char *names);

/* A count from a file, none if it is negative. */
static inline uint64_t lm_count(int32_t count) {
    return count > 0 ? (uint32_t)count : 0;
}

/* A layout with what belongs to it. */
typedef struct lm_layout_block {
    lm_layout layout; /* first: the public pointer is the block's */
    lm_allocator allocator;
    size_t size;
    const char *more_tables; /* NULL: none */
} lm_layout_block;

/* Runs `describe` (twice: to measure, then to fill) and finds gaps, overlaps and trailing bytes.
 * NULL with `error` filled if it describes no header or memory fails. */
lm_layout_block *lm_layout_build(lm_bytes file, const char *format,
                                 void (*describe)(lm_bytes file, lm_layout_builder *builder),
                                 lm_heap *heap, lm_error *error);

/* ---- Tables -------------------------------------------------------------------------------- */

typedef enum lm_cell_type {
    LM_CELL_U8,
    LM_CELL_U16,
    LM_CELL_S16,
    LM_CELL_S32,
    LM_CELL_F32,
    LM_CELL_TEXT /* `length` bytes, up to the first NUL */
} lm_cell_type;

typedef struct lm_column {
    const char *name;
    uint32_t offset; /* in the element */
    lm_cell_type type;
    uint32_t length; /* of text */
} lm_column;

#define LM_MOST_COLUMNS 16 /* of a table */

/* `groups` rows of `count` elements each: one group is a plain array. */
typedef struct lm_table {
    size_t offset; /* of the first element */
    uint64_t count;
    size_t stride;          /* from one element to the next; at least an element's size */
    const char *index_name; /* "index", "vertex", ... */
    uint64_t groups;
    size_t group_stride;    /* at least count * stride */
    const char *group_name; /* "frame", ...; NULL: no column of its own */
    uint64_t first_group;   /* the number shown for the first one */
    const lm_column *columns;
    size_t num_columns; /* at most LM_MOST_COLUMNS */
} lm_table;

/* Appends the table, as far as the file reaches. Takes time linear in the file: a table whose
 * strides are too small (a damaged file's) has no rows. */
void lm_table_print(lm_bytes file, const lm_table *table, lm_buffer *out);

/* A plain array, and elements that stand `count` to each of `groups` without gaps. */
void lm_table_array(lm_bytes file, uint64_t offset, uint64_t count, size_t stride,
                    const lm_column *columns, size_t num_columns, lm_buffer *out);
void lm_table_groups(lm_bytes file, uint64_t offset, const char *group_name, uint64_t groups,
                     const char *index_name, uint64_t count, size_t stride,
                     const lm_column *columns, size_t num_columns, lm_buffer *out);

/* Text of a file as printable ASCII: other bytes become \xNN. Returns its length, which is at most
 * 4 * size; `out` may be NULL to measure, else has room for it and a NUL. */
size_t lm_printable(const uint8_t *field, size_t size, char *out);
/* The value in decimals, also if it is not finite. */
void lm_print_float(lm_buffer *out, float value);
/* Appends spaces in front of what was appended since `start` until it is `width` wide. */
void lm_align_right(lm_buffer *out, size_t start, size_t width);

#endif
