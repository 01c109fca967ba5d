/* lerpmesh/layout.h - a file's anatomy: each header field and each lump, where it starts and ends.
 *
 *     #include <lerpmesh/layout.h>
 *     #include <stdio.h>
 *
 *     // Says where everything lies in a file.
 *     void tell(const void *data, size_t size) {
 *         lm_layout *layout = lm_layout_memory(data, size, NULL, NULL);
 *         for (uint32_t i = 0; layout && i < layout->num_lumps; i++)
 *             printf("%8llu %s\n", (unsigned long long)layout->lumps[i].offset,
 *                    layout->lumps[i].name);
 *         lm_layout_free(layout);
 *     }
 *
 * For `lerpmesh examine`, hex editors and the curious. Works on damaged files too, as far as the
 * header reaches.
 */
#ifndef LERPMESH_LAYOUT_H
#define LERPMESH_LAYOUT_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field of a header, under the name that the format's description gives it. */
typedef struct lm_field {
    size_t offset;    /* byte in the file */
    const char *name; /* "num_xyz", "ulNumFrames", ... */
    const char *text; /* the value if it is text (idents and names), else NULL */
    int32_t value;    /* the value if it is a whole number */
    const char *meaning;
    bool is_real; /* the value is `real` */
    float real;
} lm_field;

/* A lump: `count` elements of `element_size` bytes. GL commands are counted in integers of 4
 * bytes; a surface's header is a lump of its own with fields. */
typedef struct lm_lump {
    const char *name; /* "triangles", "surface 2 shaders": what lm_layout_table takes */
    uint64_t offset;  /* where it starts; beyond the file if that is damaged */
    uint64_t count;
    uint64_t element_size;
    uint64_t size;                    /* count * element_size */
    uint64_t end;                     /* offset + size; likewise */
    bool outside;                     /* it does; an empty lump never */
    uint32_t first_field, num_fields; /* for headers: which of the layout's fields are its own */
} lm_lump;

typedef enum lm_span_kind {
    LM_SPAN_GAP,
    LM_SPAN_OVERLAP,
    LM_SPAN_TRAILING
} lm_span_kind;

/* Bytes that belong to no lump, to several, or that come after the end named in the header. */
typedef struct lm_span {
    size_t offset, size;
    lm_span_kind kind;
    const char *before, *after; /* overlap: the two lumps; gap: its neighbours; may be NULL */
} lm_span;

typedef struct lm_layout {
    const char *format;
    size_t file_size;
    uint32_t num_fields;
    const lm_field *fields; /* of the file's header first, then of each surface's */
    uint32_t num_lumps;
    const lm_lump *lumps; /* in the order in which the format's description lists them */
    uint32_t num_spans;
    const lm_span *spans; /* by offset */
} lm_layout;

/* Takes a file apart. `data` must stay as long as the layout is used for tables. NULL if the
 * format is unknown, the header is cut off, or memory fails. */
LM_API lm_layout *lm_layout_memory(const void *data, size_t size, const lm_memory *memory,
                                   lm_error *error);
LM_API void lm_layout_free(lm_layout *layout);

/* How many of a layout's fields are the file's own header; what a surface's header has comes behind
 * them. */
LM_API uint32_t lm_layout_header_fields(const lm_layout *layout);

/* Appends the contents of a lump as a table in text: a line of column names, then a line an element
 * with its index and byte offset, columns aligned, stopping at the end of the file. Some tables are
 * of no lump of the layout: "frame 12 vertices" (MD2, MDL) and "vertices" (MD2). MDL's pictures,
 * which are pixels, have none. */
LM_API bool lm_layout_table(const void *data, size_t size, const char *lump, lm_buffer *out,
                            lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
