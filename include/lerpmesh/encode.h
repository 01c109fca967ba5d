/* lerpmesh/encode.h - from floats to a file: MD2, MD3, MDC, MDL.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Any model as an MDC; false, and why on the way out, if that cannot be.
 *     bool to_mdc(const lm_model *model, lm_buffer *mdc) {
 *         lm_error error;
 *         lm_encode_report *report = NULL;
 *         lm_take *take = lm_take_from_model(model, NULL, &error);
 *         bool ok = take && lm_encode(take, lm_format_by_name("mdc"), NULL, mdc, &report, &error);
 *         if (ok)
 *             printf("off by %g units at most\n", report->max_error);
 *         else
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_encode_report_free(report);
 *         lm_take_free(take);
 *         return ok;
 *     }
 *
 * An encoder chooses what the file has room for so that what games show is as near to the take as
 * the format allows; docs/encoding.md says how, and what it reaches. What is written is read back
 * and compared with the take before anybody sees it. The same take and options give the same bytes
 * on every machine. Any number of threads may encode at once.
 */
#ifndef LERPMESH_ENCODE_H
#define LERPMESH_ENCODE_H

#include "lerpmesh/check.h"
#include "lerpmesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How hard MD2's strips and fans are searched for. */
typedef enum lm_strips {
    LM_STRIPS_BEST, /* 40 ms a thousand triangles */
    LM_STRIPS_FAST, /* 0.1 ms a thousand triangles, some 5 % more integers */
    LM_STRIPS_NONE  /* no GL commands: Quake II itself then draws nothing */
} lm_strips;

/* What each means only for one format says so; the others ignore it. */
typedef struct lm_encode_options {
    lm_memory memory; /* bounds; max_bytes 0: 16 times the take and 1 MB */

    /* Whose limits must hold. MD3 and MDC: surfaces that exceed them are split; more frames, tags
     * or surfaces are refused (LM_CODE_LIMIT). LM_ENGINE_ANY: split for the game that the format
     * was made for; what it does not load is a problem in the report. */
    lm_engine engine;

    /* > 0: fails with LM_CODE_LIMIT if a vertex in some frame is further off than so many units. */
    double max_error;

    /* MD2. How steady vertices that stand still are to be against how near moving ones: what a step
     * between two frames' grids costs. 0: 64. */
    float steadiness;
    bool smooth;         /* slow movements are rounded so that they do not jerk */
    bool high_precision; /* a low byte more a coordinate behind each frame, which other readers
                            skip */
    /* Takes that are encoded elsewhere and must fit this one without cracks, as a player cut into
     * pieces: each of as many frames. Give each piece all the others. */
    uint32_t num_grid_with;
    const lm_take *const *grid_with;
    lm_strips strips;

    /* MDC: base frames for each surface by itself, which is smaller but may open cracks of up to
     * 0.05 units where surfaces touch. */
    bool smallest;

    /* The take's triangles are wound the other way: front faces are counter-clockwise, as in
     * OpenGL. Every triangle is turned around; normals stay as they are. */
    bool flip_winding;

    /* MD3, MDC: clips' times are said beside the file, in an animation.cfg: they are not lost. */
    bool clips_beside;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_encode_options;

/* How what was written differs from the take, by what reading it back gave. */
typedef struct lm_encode_report {
    const char *format;
    size_t size; /* bytes */
    uint32_t num_surfaces, num_vertices, num_triangles;
    uint32_t num_st; /* texture coordinates; MD3, MDC: as vertices */
    uint32_t num_gl_integers;
    uint32_t num_base_frames; /* MDC: of all surfaces */

    /* Distances in units between a vertex in the take and in the file, in whole frames. */
    double rms_error, max_error;
    uint32_t worst_surface, worst_vertex, worst_frame; /* of the take: where max_error is */
    /* Of vertices that stand still in the take from one frame of a clip to the next: how many such
     * pairs there are, and how far they move in the file, root mean square, in units. */
    uint64_t num_still;
    double wobble;
    /* Degrees between the take's normals and the file's. */
    double mean_normal_error, max_normal_error;
    /* Units and degrees, over all tags and frames. */
    double max_tag_error, max_tag_turn;

    /* What the format has no room for, names that were shortened, and limits of engines that are
     * broken, with the element at fault: as lm_check_memory says it of the file, and in front of
     * that what is lost. LM_CODE_INVERTED: the triangles face inward in the first frame. They
     * enclose a volume below 0, and at most a tenth of their edges lacks a neighbour; meshes that
     * are more open, or nearly flat, are not judged. */
    uint32_t num_problems;
    const lm_diagnostic *problems;
} lm_encode_report;

/* Encodes a take in a format and appends the file to `out`. The report is the caller's
 * (lm_encode_report_free), NULL after a failure. Errors: those of lm_take_check;
 * LM_CODE_BAD_ARGUMENT (the format cannot be written, grid_with does not fit), LM_CODE_LIMIT (more
 * than the format or the buffer holds, with the number, the limit and the way out; or max_error),
 * LM_CODE_OUT_OF_MEMORY. The buffer is then as it was. */
LM_WRITE_API bool lm_encode(const lm_take *take, const lm_format_info *format,
                            const lm_encode_options *options, lm_buffer *out,
                            lm_encode_report **report, lm_error *error);

LM_WRITE_API void lm_encode_report_free(lm_encode_report *report);

/* ---- Optimizing ---------------------------------------------------------------------------- */

/* The same model in fewer bytes.
 *
 *     #include <lerpmesh/encode.h>
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
 * The same input and options give the same bytes on every
 * machine. Any number of threads may optimize at once. Errors: those of lm_load_memory without
 * `repair`; LM_CODE_LIMIT (the buffer is full), LM_CODE_OUT_OF_MEMORY. The buffer is then as it
 * was. */
LM_WRITE_API bool lm_optimize(const void *data, size_t size, const lm_optimize_options *options,
                              lm_buffer *out, lm_optimize_report *report, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
