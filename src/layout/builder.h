/* Describes the parts of a file. Formats call these functions from their `layout` and `table`. */
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
    LM_CELL_TEXT, /* `length` bytes, up to the first NUL */
    /* The same numbers in units; `length` is the index of the unit. */
    LM_CELL_U8_UNITS,
    LM_CELL_S16_UNITS
} lm_cell_type;

/* value in units = number * factor + addend */
typedef struct lm_unit {
    float factor, addend;
} lm_unit;

typedef struct lm_column {
    char name[20];   /* not a pointer, which would need relocations */
    uint32_t offset; /* bytes from the start of the element */
    lm_cell_type type;
    uint32_t length; /* of text */
} lm_column;

#define LM_MAX_COLUMNS 16 /* per table */

/* Three columns from `offset` on: of floats, and of the first three bytes of a packed vertex. */
#define LM_COLUMNS_F32(prefix, offset)                                                  \
    {prefix "x", (offset), LM_CELL_F32, 0}, {prefix "y", (offset) + 4, LM_CELL_F32, 0}, \
        {prefix "z", (offset) + 8, LM_CELL_F32, 0}
#define LM_COLUMNS_U8(prefix, offset)                                                 \
    {prefix "x", (offset), LM_CELL_U8, 0}, {prefix "y", (offset) + 1, LM_CELL_U8, 0}, \
        {prefix "z", (offset) + 2, LM_CELL_U8, 0}
/* Three columns in units, of bytes or of integers of 2 bytes at the start of an element. */
#define LM_COLUMNS_UNITS(type, size)                                                           \
    {"x units", 0, LM_CELL_##type##_UNITS, 0}, {"y units", (size), LM_CELL_##type##_UNITS, 1}, \
        {"z units", 2 * (size), LM_CELL_##type##_UNITS, 2}

/* The columns of a lump's elements. */
typedef struct lm_shape {
    const char *name; /* the lump's: "triangles" */
    const lm_column *columns;
    size_t num_columns;     /* 0: the format prints its own table */
    const char *index_name; /* header of the index column: "vertex"; NULL: "index" */
    const char *group_name; /* header of the group column: "frame"; NULL: no groups */
    const lm_unit *units;   /* of the columns in units; NULL: the table has a grid */
} lm_shape;

/* Three position bytes and a normal index, as in MD2, MDC and MDL; and the position in units. */
#define LM_NUM_PACKED_COLUMNS 7
extern const lm_column lmi_packed_columns[LM_NUM_PACKED_COLUMNS];

/* A static array and its length, for an initialiser; of a shape's columns. */
#define LM_LIST(array) (array), sizeof(array) / sizeof *(array)
#define LM_COLUMNS(array) .columns = (array), .num_columns = sizeof(array) / sizeof *(array)

/* ---- Header fields and lumps --------------------------------------------------------------- */

/* Adds a field of a header: a number of 4 bytes (LM_CELL_S32 or _F32), or `length` bytes of text up
 * to the first NUL. It must lie inside the file: formats describe only complete headers. Names and
 * meanings are literals, or outlive the layout. */
void lmi_layout_field(lm_layout_builder *builder, size_t offset, lm_cell_type type, size_t length,
                      const char *name, const char *meaning);

/* Adds a header of `size` bytes with the fields described since the previous header. */
void lmi_layout_header(lm_layout_builder *builder, const char *name, size_t offset, size_t size);
/* Adds a lump as a header describes it; it may lie outside the file. It has `groups` times `count`
 * elements without padding, and `extra` bytes if they differ in size. */
void lmi_layout_lump(lm_layout_builder *builder, const lm_shape *shape, uint64_t offset,
                     uint64_t groups, uint64_t count, uint64_t element_size, uint64_t extra);

/* Begins a part: the names of headers and lumps begin with "surface N" until `part` is NULL. */
void lmi_layout_part(lm_layout_builder *builder, const char *part, uint32_t index);

/* Sets the end of the file according to its header. */
void lmi_layout_end(lm_layout_builder *builder, int32_t ofs_end);

/* Returns a count from a file; 0 if it is negative. */
static inline uint64_t lmi_count(int32_t count) {
    return count > 0 ? (uint32_t)count : 0;
}

/* ---- Tables -------------------------------------------------------------------------------- */

/* A table of elements: `groups` rows of `count` each. */
typedef struct lm_table {
    const lm_shape *shape;
    uint64_t offset; /* of the first element */
    uint64_t groups, count;
    uint64_t stride;       /* from one element to the next; at least an element's size */
    uint64_t group_stride; /* at least count * stride */
    uint64_t first_group;  /* the number printed for the first group */
    /* Without units in the shape: the offset of the first group's grid, the floats scale[3] and
     * translate[3], and the distance to the next group's. */
    uint64_t grid, grid_stride;
    uint64_t extra; /* bytes beyond all strides; only the format prints such a table */
} lm_table;

/* Parses a table's name of the form "frame 12 vertices", in which `part` is "frame" and `elements`
 * is "vertices". Returns false if it has another form or there is no such part. */
bool lmi_table_of(const char *name, const char *part, const char *elements, uint64_t num_parts,
                  uint64_t *index);
/* Appends the table, as far as the file reaches. Takes time linear in the file's size: a table
 * whose strides are too small (from a damaged file) has no rows. */
void lmi_table_print(lm_bytes file, const lm_table *table, lm_buffer *out);

/* Writes text of a file as printable ASCII, with other bytes as \xNN. Returns the length: at most
 * four times the size. `out` needs room for it and a NUL; if it is NULL, only measures. */
size_t lmi_printable(const uint8_t *field, size_t size, char *out);
/* Appends a value in decimals; "inf", "-inf" or "nan" if it is not finite. */
void lmi_print_float(lm_buffer *out, float value);
/* Inserts spaces before the text appended since `start`, until it is `width` wide. */
void lmi_align_right(lm_buffer *out, size_t start, size_t width);

/* ---- Building ------------------------------------------------------------------------------ */

/* Details of a lump that the public layout does not have. */
typedef struct lm_layout_detail {
    const char *part; /* the beginning of its name; NULL: none */
    uint32_t index;
    lm_table table; /* `shape` is NULL for headers */
} lm_layout_detail;

/* A layout with the details of its lumps. */
typedef struct lm_layout_block {
    lm_layout layout;                /* first: the public pointer is the block's */
    const lm_layout_detail *details; /* one per lump */
} lm_layout_block;

/* Runs `describe` and finds gaps, overlaps and trailing bytes. If it describes no header or memory
 * runs out, returns NULL and fills the error. */
lm_layout_block *lmi_layout_build(lm_bytes file, const char *format,
                                  void (*describe)(lm_bytes file, lm_layout_builder *builder),
                                  lm_heap *heap);

#endif
