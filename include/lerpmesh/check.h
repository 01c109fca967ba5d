/* lerpmesh/check.h - every problem of a file at once, for people who mend files.
 *
 *     #include <lerpmesh/check.h>
 *     #include <stdio.h>
 *
 *     // Prints what is wrong with a file; false if it would not load.
 *     bool check(const void *bytes, size_t size) {
 *         lm_error error;
 *         lm_report *report = lm_check_memory(bytes, size, NULL, &error);
 *         if (!report)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (uint32_t i = 0; i < report->num_problems; i++)
 *             printf("%s: %s\n", lm_severity_name(report->problems[i].severity),
 *                    report->problems[i].text);
 *         bool sound = report->num_errors == 0;
 *         lm_report_free(report);
 *         return sound;
 *     }
 *
 * Loading stops at the first error. Checking goes on: it lists each error, what breaks in other
 * programs, and what given engines do not load.
 */
#ifndef LERPMESH_CHECK_H
#define LERPMESH_CHECK_H

#include "lerpmesh/base.h"
#include "lerpmesh/load.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lm_report {
    const char *format; /* NULL if the format is unknown: then that is the only problem */
    uint32_t num_problems;
    const lm_diagnostic *problems;                /* in the order of the file's parts */
    uint32_t num_errors, num_warnings, num_notes; /* all that were found, listed or not; what is
                                                     said once of many elements is one */
} lm_report;

typedef struct lm_check_options {
    lm_memory memory;
    /* With an engine named, exceeding its limits is an error; otherwise Quake II's, RtCW's and so
     * on are warnings that name the engine. */
    lm_engine engine;
    uint32_t max_per_code; /* of one code are listed; 0: 16. All are counted. */
    uint64_t reserved[4];  /* zeros: room for later options */
} lm_check_options;

/* Checks a file. NULL only if memory fails or an option is wrong (LM_CODE_BAD_ARGUMENT): a file
 * that is nothing but damage has a report too.
 * A file has errors exactly if lm_load_memory refuses it (engines' limits and LM_CODE_LIMIT
 * aside). */
LM_API lm_report *lm_check_memory(const void *data, size_t size, const lm_check_options *options,
                                  lm_error *error);
LM_API void lm_report_free(lm_report *report);

/* ---- Where on the model -------------------------------------------------------------------- */

/* Three vertices of a surface, as it is drawn. All the same: that vertex is meant. */
typedef struct lm_problem_triangle {
    uint32_t surface;
    uint32_t vertices[3];
} lm_problem_triangle;

#define LM_NO_FRAME UINT32_MAX

/* Appends the triangles of a file's model that one of its problems is about, an
 * lm_problem_triangle each; none where it is about no triangles. Returns the frame that it is
 * about, LM_NO_FRAME if none. Time is that of the triangles, and of sorting GL commands. There
 * being no memory sets the buffer's `failed`. */
LM_API uint32_t lm_problem_locate(const lm_model *model, const lm_diagnostic *problem,
                                  lm_buffer *triangles);

/* ---- Layout -------------------------------------------------------------------------------- */

/* A file's anatomy: each header field and each lump, where it starts and ends.
 *
 *     #include <lerpmesh/check.h>
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
