/* Describing a file's parts: what a format's layout and table functions call. */
#ifndef LM_LAYOUT_BUILDER_H
#define LM_LAYOUT_BUILDER_H

#include "core/arena.h"
#include "core/bytes.h"
#include "lerpmesh/check.h"

typedef struct lm_layout_builder lm_layout_builder;

/* ---- Elements ------------------------------------------------------------------------------ */

typedef enum lm_cell_type {
    LM_CELL_U8,
    LM_CELL_U16,
    LM_CELL_S16,
    LM_CELL_S32,
    LM_CELL_F32,
    LM_CELL_TEXT /* `length` bytes, up to the first NUL */
} lm_cell_type;

typedef struct lm_column {
    char name[16];   /* not a pointer: hundreds of them would need relocations */
    uint32_t offset; /* in the element */
    lm_cell_type type;
    uint32_t length; /* of text */
} lm_column;

#define LM_MOST_COLUMNS 16 /* of a table */

/* What the elements of a lump look like. */
typedef struct lm_shape {
    const char *name; /* of the lump: "triangles" */
    const lm_column *columns;
    size_t num_columns;     /* 0: a format's own table shows them */
    const char *index_name; /* of the column that counts them: "vertex"; NULL: "index" */
    const char
        *group_name; /* of the column that counts their groups: "frame"; NULL: there is none */
} lm_shape;

/* Three bytes and the number of a normal, which three formats have. */
#define LM_NUM_PACKED_COLUMNS 4
extern const lm_column lm_packed_columns[LM_NUM_PACKED_COLUMNS];

/* A static array and its length, in an initialiser. */
#define LM_LIST(array) (array), sizeof(array) / sizeof *(array)

/* ---- Header fields and lumps --------------------------------------------------------------- */

/* A field of a header: 4 bytes as a number (LM_CELL_S32 or _F32), or `length` bytes of text, up to
 * its first NUL. They must lie inside the file: a format describes a header only where all of it is
 * there. Names and meanings are literals, or outlive the layout. */
void lm_layout_field(lm_layout_builder *builder, size_t offset, lm_cell_type type, size_t length,
                     const char *name, const char *meaning);

/* A header of `size` bytes. The fields described since the header before are its own. */
void lm_layout_header(lm_layout_builder *builder, const char *name, size_t offset, size_t size);
/* A lump anywhere, as a header states it: it need not lie inside the file. Its elements stand
 * `count` to each of `groups`, without gaps. */
void lm_layout_lump(lm_layout_builder *builder, const lm_shape *shape, uint64_t offset,
                    uint64_t groups, uint64_t count, uint64_t element_size);

/* From here on the names of headers and lumps begin with "surface N", until `part` is NULL. */
void lm_layout_part(lm_layout_builder *builder, const char *part, uint32_t index);

/* Where the header says that the file ends. */
void lm_layout_end(lm_layout_builder *builder, int32_t ofs_end);
/* What lm_layout_table knows besides the lumps, for its error: "vertices, frame N vertices". */
void lm_layout_more_tables(lm_layout_builder *builder, const char *names);

/* A count from a file, none if it is negative. */
static inline uint64_t lm_count(int32_t count) {
    return count > 0 ? (uint32_t)count : 0;
}

/* ---- Tables -------------------------------------------------------------------------------- */

/* Elements to be shown: `groups` rows of `count` each. */
typedef struct lm_table {
    const lm_shape *shape;
    uint64_t offset; /* of the first element */
    uint64_t groups, count;
    uint64_t stride;       /* from one element to the next; at least an element's size */
    uint64_t group_stride; /* at least count * stride */
    uint64_t first_group;  /* the number shown for the first one */
} lm_table;

/* Whether a table is named "frame N vertices", and there is such a frame. */
bool lm_table_of_frame(const char *name, uint64_t num_frames, uint64_t *frame);
/* Appends the table, as far as the file reaches. Takes time linear in the file: a table whose
 * strides are too small (a damaged file's) has no rows. */
void lm_table_print(lm_bytes file, const lm_table *table, lm_buffer *out);

/* Text of a file as printable ASCII: other bytes become \xNN. Returns its length, which is at most
 * 4 * size; `out` may be NULL to measure, else has room for it and a NUL. */
size_t lm_printable(const uint8_t *field, size_t size, char *out);
/* The value in decimals, also if it is not finite. */
void lm_print_float(lm_buffer *out, float value);
/* Appends spaces in front of what was appended since `start` until it is `width` wide. */
void lm_align_right(lm_buffer *out, size_t start, size_t width);

/* ---- Building ------------------------------------------------------------------------------ */

/* What is known of a lump besides what the public layout says. */
typedef struct lm_layout_detail {
    const char *part; /* which its name begins with; NULL: none */
    uint32_t index;
    lm_table table; /* `shape` is NULL for a header */
} lm_layout_detail;

/* A layout with what belongs to it. */
typedef struct lm_layout_block {
    lm_layout layout;                /* first: the public pointer is the block's */
    const lm_layout_detail *details; /* one a lump */
    const char *more_tables;         /* NULL: none */
} lm_layout_block;

/* Runs `describe` and finds gaps, overlaps and trailing bytes.
 * NULL with `error` filled if it describes no header or memory fails. */
lm_layout_block *lm_layout_build(lm_bytes file, const char *format,
                                 void (*describe)(lm_bytes file, lm_layout_builder *builder),
                                 lm_heap *heap);

#endif
