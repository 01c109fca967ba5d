/* lerpmesh/check.h - reports every problem of a file at once, and the layout of its bytes.
 *
 *     #include <lerpmesh/check.h>
 *     #include <stdio.h>
 *
 *     // Prints the problems of a file. Returns false if the file would not load.
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
 * Loading stops at the first error; checking continues. A report lists each error, each problem
 * that affects other programs, and each limit of an engine that the file exceeds.
 */
#ifndef LERPMESH_CHECK_H
#define LERPMESH_CHECK_H

#include "lerpmesh/base.h"
#include "lerpmesh/load.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A report: the problems of a file. */
typedef struct lm_report {
    const char *format; /* NULL if the format is unknown; that is then the only problem */
    /* The listed problems: first errors, then the others, both in the order of the file's parts. */
    uint32_t num_problems;
    const lm_diagnostic *problems;
    /* All problems that were found, listed or not. A problem of many elements counts once. */
    uint32_t num_errors, num_warnings, num_notes;
} lm_report;

/* Options for checking. Zeros are the defaults: `= {0}`, in C++ `= {}`. */
typedef struct lm_check_options {
    lm_memory memory; /* max_bytes 0: the limit of lm_memory */
    /* If an engine is named, exceeding its limits is an error, and so is anything else for which
     * it does not show the model. Otherwise, exceeding the limits of an engine (Quake II, RtCW and
     * so on) is a warning that names the engine. */
    lm_engine engine;
    /* Problems listed per code; 0: 16. All are counted. Problems beyond a quarter of the memory
     * limit are not listed either, except the first of each code. */
    uint32_t max_per_code;
    bool strict;          /* damage that no engine notices is an error, as in lm_load_options */
    uint64_t reserved[4]; /* zeros; space for later options */
} lm_check_options;

/* Checks a file. Returns NULL only if memory runs out or an option is invalid
 * (LM_CODE_BAD_ARGUMENT); even a completely damaged file has a report. The report has errors if and
 * only if lm_load_memory rejects the file, apart from a named engine and LM_CODE_LIMIT. */
LM_API lm_report *lm_check_memory(const void *data, size_t size, const lm_check_options *options,
                                  lm_error *error);
/* Frees a report. */
LM_API void lm_report_free(lm_report *report);

/* ---- Location on the model ----------------------------------------------------------------- */

/* Three vertices of a surface: indices below its num_vertices. If all three are the same, the
 * problem concerns that vertex. */
typedef struct lm_diagnostic_triangle {
    uint32_t surface;     /* index into model->surfaces */
    uint32_t vertices[3]; /* clockwise from outside */
} lm_diagnostic_triangle;

#define LM_NO_FRAME UINT32_MAX /* the frame of a problem that concerns none */

/* Finds the location of a problem on the model of its file. Appends the triangles that the problem
 * concerns, each as an lm_diagnostic_triangle; appends none if it concerns no triangles. Sets
 * `frame` to the frame that it concerns, or to LM_NO_FRAME. Takes time linear in the number of
 * triangles, plus sorting for GL commands. Returns false if memory runs out; the buffer is then
 * unchanged. */
LM_API bool lm_diagnostic_locate(const lm_model *model, const lm_diagnostic *problem,
                                 lm_buffer *triangles, uint32_t *frame, lm_error *error);

/* ---- Layout -------------------------------------------------------------------------------- */

/* The layout of a file: each header field and each lump, with its start and end.
 *
 *     #include <lerpmesh/check.h>
 *     #include <stdio.h>
 *
 *     // Prints the offset and the name of each lump.
 *     void print_lumps(const void *data, size_t size) {
 *         lm_layout *layout = lm_layout_memory(data, size, NULL, NULL);
 *         for (uint32_t i = 0; layout && i < layout->num_lumps; i++)
 *             printf("%8llu %s\n", (unsigned long long)layout->lumps[i].offset,
 *                    layout->lumps[i].name);
 *         lm_layout_free(layout);
 *     }
 *
 * For `lerpmesh examine` and hex editors. Damaged files have a layout, too, as far as their header
 * can be read.
 */

/* A field of a header, with the name from the format's description. */
typedef struct lm_field {
    size_t offset;       /* byte in the file */
    const char *name;    /* "num_xyz", "ofs_frames", ... */
    const char *text;    /* the value if it is text (identifiers and names); otherwise NULL */
    int32_t value;       /* the value if it is an integer */
    const char *meaning; /* one phrase: "number of frames" */
    bool is_real;        /* the value is the float `real` */
    float real;          /* the value if `is_real` */
} lm_field;

/* A lump: `count` elements of `element_size` bytes. GL commands are counted in integers of 4 bytes.
 * Each vertex of MDS has its weights after `element_size` bytes. The header of a surface is a lump
 * with fields. */
typedef struct lm_lump {
    const char *name;      /* "triangles", "surface 2 shaders": as for lm_layout_table */
    uint64_t offset;       /* start; in a damaged file, it may be beyond the end of the file */
    uint64_t count;        /* elements; integers for GL commands */
    uint64_t element_size; /* bytes */
    uint64_t size;         /* count * element_size, and all weights */
    uint64_t end;          /* offset + size; may also be beyond the end of the file */
    bool outside;          /* part of it is outside the file; never true for an empty lump */
    uint32_t first_field, num_fields; /* for headers: their range in lm_layout.fields */
} lm_lump;

/* The kind of a span. */
typedef enum lm_span_kind {
    LM_SPAN_GAP,     /* bytes that no lump uses */
    LM_SPAN_OVERLAP, /* bytes that two lumps share */
    LM_SPAN_TRAILING /* bytes after the end given in the header */
} lm_span_kind;

/* A span of bytes that belong to no lump or to several, or that follow the end given in the
 * header. */
typedef struct lm_span {
    size_t offset;              /* byte in the file */
    size_t size;                /* bytes */
    lm_span_kind kind;          /* gap, overlap or trailing */
    const char *before, *after; /* overlap: the two lumps; gap: the lumps around it; may be NULL */
} lm_span;

/* The layout of a file. */
typedef struct lm_layout {
    const char *format;         /* as lm_format_of returns it */
    size_t file_size;           /* bytes */
    uint32_t num_fields;        /* of the whole file */
    uint32_t num_header_fields; /* of the file's header */
    const lm_field *fields;     /* num_header_fields of the file's header, then of each surface's */
    uint32_t num_lumps;
    const lm_lump *lumps; /* in the order of the format's description */
    uint32_t num_spans;
    const lm_span *spans; /* sorted by offset */
} lm_layout;

/* Finds the layout of a file. Returns NULL if the format is unknown, the header is cut off, or
 * memory runs out. The layout does not refer to `data`; lm_layout_table needs the bytes again. */
LM_API lm_layout *lm_layout_memory(const void *data, size_t size, const lm_memory *memory,
                                   lm_error *error);
/* Frees a layout. */
LM_API void lm_layout_free(lm_layout *layout);

/* Appends the contents of a lump as a text table: one line of column names, then one line per
 * element with its index, its offset in bytes and its numbers, packed numbers also in units or
 * degrees. Columns are aligned. The table stops at the end of the file. There are tables for lumps
 * that are not in the layout: "frame 12 vertices" (MD2, MDL), "vertices" (MD2), "frame 12 bones"
 * and "surface 2 weights" (MDS). MDL's images consist of pixels and have no table. Fails with
 * LM_CODE_BAD_ARGUMENT if there is no such table, as for NULL. */
LM_API bool lm_layout_table(const void *data, size_t size, const char *lump, lm_buffer *out,
                            lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
