/* lerpmesh/optimize.h - the same model in fewer bytes.
 *
 *     #include <lerpmesh/optimize.h>
 *     #include <stdio.h>
 *
 *     // A file made smaller; false, and why on the way out, if that cannot be.
 *     bool make_smaller(const void *bytes, size_t size, lm_buffer *out) {
 *         lm_error error;
 *         lm_optimize_report report;
 *         if (!lm_optimize(bytes, size, NULL, out, &report, &error))
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         printf("%zu bytes less\n", report.size_before - report.size_after);
 *         return true;
 *     }
 *
 * Nothing is decoded and quantised again: positions and normals keep their bytes. Only what is
 * stored twice, or for nobody, goes, and the rest is put in an order that graphics cards like.
 */
#ifndef LERPMESH_OPTIMIZE_H
#define LERPMESH_OPTIMIZE_H

#include "lerpmesh/encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done, in this order. */
typedef enum lm_optimize_step {
    LM_OPTIMIZE_VERTICES, /* those that nothing draws go, and those that are alike in every frame
                             and have the same texture coordinates become one */
    LM_OPTIMIZE_ST,       /* MD2: texture coordinates likewise */
    LM_OPTIMIZE_FRAMES,   /* MDC: base and compressed frames that are stored twice or not used */
    LM_OPTIMIZE_COMMANDS, /* MD2: GL commands that draw the same triangles in fewer integers */
    LM_OPTIMIZE_JUNK,     /* what no reader looks at: gaps, bytes behind frames and the end */
    LM_OPTIMIZE_LOSS,     /* MDC, if max_error allows it: frames encoded anew (lerpmesh/encode.h) */
    LM_NUM_OPTIMIZE_STEPS
} lm_optimize_step;

/* "vertices", ...; "unknown" for a number that is no step. */
LM_WRITE_API const char *lm_optimize_step_name(lm_optimize_step step);

typedef struct lm_optimize_options {
    lm_memory memory; /* bounds; max_bytes 0: 16 times the input and 1 MB */
    /* MD2: how hard fewer GL commands are searched for; LM_STRIPS_NONE: they stay as they are. */
    lm_strips strips;
    /* > 0 allows loss where that makes the file smaller still: no vertex is then further off than
     * so many units in any frame. MDC: base frames become compressed ones, each up to 0.025 units
     * off on an axis; done again, it adds up. Frames of the other formats cannot be smaller. */
    double max_error;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_optimize_options;

typedef struct lm_optimize_gain {
    uint32_t count; /* of vertices, texture coordinates, frames, integers that are no more; of junk
                       always 0 */
    int64_t bytes;  /* that it was; less than none only of junk: what was missing is written out */
} lm_optimize_gain;

typedef struct lm_optimize_report {
    const char *format;
    size_t size_before, size_after; /* bytes */
    lm_optimize_gain gains[LM_NUM_OPTIMIZE_STEPS];
    uint32_t num_triangles;
    /* Vertices that a graphics card which remembers the last 16 transforms for all triangles. */
    uint64_t transforms_before, transforms_after;
    double max_error; /* units; 0: nothing is lost */
} lm_optimize_report;

/* Appends the file made smaller. What is drawn is proven the same before anybody sees it: both
 * files are read, and each corner of each triangle has the same position, normal and texture
 * coordinate in every frame, to the bit; GL commands draw the same triangles with the same
 * coordinates; names, frames, tags, skins and materials are the same. The order of triangles, and
 * of vertices, may be another. What is optimized already comes out as the same bytes; nothing comes
 * out larger. Where loss is allowed all of this holds, but for positions and normals, which are
 * measured, and for what would have been the same bytes.
 *
 * `options` and `report` may be NULL. The same input and options give the same bytes on every
 * machine. Any number of threads may optimize at once. Errors: those of lm_load_memory without
 * `repair`; LM_CODE_LIMIT (the buffer is full), LM_CODE_OUT_OF_MEMORY. The buffer is then as it
 * was. */
LM_WRITE_API bool lm_optimize(const void *data, size_t size, const lm_optimize_options *options,
                              lm_buffer *out, lm_optimize_report *report, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
