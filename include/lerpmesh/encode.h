/* lerpmesh/encode.h - encoding meshes as files, and optimizing files: MD2, MD3, MDC, MDL.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <lerpmesh/load.h>
 *     #include <stdio.h>
 *
 *     // Encodes a model as an MDC. Returns false if that fails.
 *     bool to_mdc(const lm_model *model, lm_buffer *mdc) {
 *         lm_error error;
 *         lm_encode_report *report = NULL;
 *         lm_mesh *mesh = lm_mesh_from_model(model, NULL, &error);
 *         bool ok = mesh && lm_encode(mesh, lm_format_by_name("mdc"), NULL, mdc, &report, &error);
 *         if (ok)
 *             printf("maximum error: %g units\n", report->max_error);
 *         else
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_encode_report_free(report);
 *         lm_mesh_free(mesh);
 *         return ok;
 *     }
 *
 * The encoder chooses steps, base frames and rounding so that the decoded frames are as close to
 * the mesh as the format allows. docs/internals/encoders.md describes the methods and the errors
 * that they reach. Before lm_encode returns, it reads its output back and measures the error
 * against the mesh. The same mesh and options give the same bytes on every machine. Any number of
 * threads may encode at once. C++ writes = {} where these headers write = {0}. */
#ifndef LERPMESH_ENCODE_H
#define LERPMESH_ENCODE_H

#include "lerpmesh/check.h"
#include "lerpmesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The effort spent on MD2's strips and fans. */
typedef enum lm_strips {
    LM_STRIPS_BEST, /* about 14 ms per thousand triangles */
    LM_STRIPS_FAST, /* about 0.03 ms per thousand triangles, and 5 to 6 % more integers */
    LM_STRIPS_NONE  /* no GL commands: the original Quake II then draws nothing */
} lm_strips;

/* Options for encoding. Each format ignores the options of other formats. */
typedef struct lm_encode_options {
    lm_memory memory; /* bounds; max_bytes 0: 16 times the mesh, and 1 MB */

    /* The engine whose limits apply. MD3 and MDC: surfaces that exceed them are split, and the
     * report says so (LM_CODE_ENGINE_LIMIT); more frames, tags or surfaces fail with LM_CODE_LIMIT.
     * LM_ENGINE_ANY: nothing is split; each limit of an engine that the file exceeds is a problem
     * in the report. */
    lm_engine engine;

    /* > 0: fails with LM_CODE_LIMIT if a vertex's error in any frame exceeds this, in units. */
    double max_error;

    /* MD2. Temporal stability against accuracy; higher is more stable. It weighs the movement of
     * static vertices where the step changes between two frames. 0: 64. */
    float stability;
    bool smooth;         /* MD2: rounds slow movements so that they do not jerk */
    bool high_precision; /* MD2: stores a second byte per coordinate after each frame; other readers
                            skip it */
    /* MD2. Other meshes that must fit this one without cracks, such as the other pieces of a
     * player, each with as many frames. They get a shared quantisation. Give each piece all the
     * others. */
    uint32_t num_shared_grids;
    const lm_mesh *const *shared_grid; /* the other pieces */
    lm_strips strips;                  /* MD2: the effort spent on fewer GL commands */

    /* MDC: chooses base frames for each surface separately. Files are smaller, but cracks of up to
     * 0.05 units may open between surfaces. */
    bool smallest;

    /* The mesh's front faces are counter-clockwise, as in OpenGL. The encoder reverses the winding
     * of all triangles and keeps the normals. */
    bool flip_winding;

    /* Vertex v of a surface of the mesh is vertex v of the file's surface, even if no triangle uses
     * it or another one is the same. By default, the file has one vertex for all that are the same
     * in every frame, in the order in which triangles use them, and the report maps them. MD2, MDL:
     * the vertices of all surfaces follow one another. MD3, MDC, MDL: if a vertex has several
     * texture coordinates, others follow the last vertex. MD3, MDC: no surface is split; one that
     * exceeds `engine` fails with LM_CODE_LIMIT. */
    bool keep_numbers;

    /* MD3, MDC: the caller stores the clips' times in an animation.cfg, so the report does not list
     * them as lost. */
    bool sidecar_clips;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_encode_options;

/* A vertex of a mesh. */
typedef struct lm_vertex_source {
    uint32_t surface; /* of the mesh */
    uint32_t vertex;  /* of the surface */
} lm_vertex_source;

/* An encoded file: its counts, and its error, measured on the file read back. */
typedef struct lm_encode_report {
    const char *format; /* as lm_format_of returns it */
    size_t size;        /* bytes */
    /* Of the file, over all surfaces. */
    uint32_t num_surfaces, num_vertices, num_triangles;
    uint32_t num_st;          /* texture coordinates; MD3, MDC: the same as vertices */
    uint32_t num_gl_integers; /* MD2: size of the GL commands, in integers of 4 bytes */
    uint32_t num_base_frames; /* MDC: over all surfaces */
    /* [num_vertices] where each vertex of the file comes from: those of its first surface, then
     * those of its second, and so on. If several became one, the first of them. */
    const lm_vertex_source *sources;

    /* Distances between the vertices of the mesh and of the file, in units, at whole frames. */
    double rms_error, max_error;
    uint32_t worst_surface, worst_vertex, worst_frame; /* of the mesh: the position of max_error */
    /* Static vertices: pairs of a vertex and two consecutive frames of a clip between which it
     * does not move in the mesh. */
    uint64_t num_still;
    double jitter; /* root mean square of their movement in the file, in units */
    /* Degrees between the normals of the mesh and of the file. */
    double mean_normal_error, max_normal_error;
    /* Units and degrees, over all tags and frames. */
    double max_tag_error, max_tag_angle_error;

    /* First the losses: data that the format cannot store and names that were shortened. Their
     * section is "mesh", or the list of the mesh that their index refers to: "surfaces", "frames",
     * "tags", "clips" or "skins". Then the problems of the file as lm_check_memory reports them,
     * such as exceeded limits of engines. LM_CODE_INVERTED: the triangles face inward in the first
     * frame, that is, their signed volume is negative. Meshes are not judged if more than a tenth
     * of their edges lack a neighbour, or if they are nearly flat. */
    uint32_t num_problems;
    const lm_diagnostic *problems;
} lm_encode_report;

/* Encodes a mesh in a format and appends the file to `out`. Free the report with
 * lm_encode_report_free; it is NULL after a failure. Errors: those of lm_mesh_check;
 * LM_CODE_BAD_ARGUMENT (`format` is NULL, as for an unknown name, or cannot be written, or
 * shared_grid does not fit), LM_CODE_LIMIT
 * (more than the format or the buffer holds, with the number, the limit and the way out; or the
 * error exceeds max_error), LM_CODE_OUT_OF_MEMORY. After an error the buffer is unchanged. */
LM_WRITE_API bool lm_encode(const lm_mesh *mesh, const lm_format_info *format,
                            const lm_encode_options *options, lm_buffer *out,
                            lm_encode_report **report, lm_error *error);

struct lm_skeleton;

/* Encodes a mesh with its skeleton as IQM, the Inter-Quake Model that engines of this family read.
 * The skeleton is that of the mesh: from lm_skeleton_fit, or lm_import.skeleton. A mesh whose
 * vertices do not move needs none (NULL).
 *
 * The file has a mesh per surface with triangles, with the surface's first material, else the
 * mesh's first skin; the joints of the skeleton at rest, with the axes of the mesh; each tag that
 * is no joint of its name and place as one below the joint relative to which it moves least; and
 * the clips, with the frames that they show. Clips that play backwards get frames of their own.
 * Correctives are not written. docs/reference/formats/iqm.md has the details.
 *
 * A channel of a pose has 16 bits over its range, and a weight 8 bits. The errors in the report are
 * those of the file against the mesh. Fails as lm_encode does, and with LM_CODE_BAD_ARGUMENT (the
 * skeleton of another mesh), LM_CODE_NOT_HELD (vertices move, and there is no skeleton) and
 * LM_CODE_LIMIT (more than LM_MAX_SKELETON_BONES joints and tags). */
LM_WRITE_API bool lm_encode_iqm(const lm_mesh *mesh, const struct lm_skeleton *skeleton,
                                lm_buffer *out, lm_encode_report **report, lm_error *error);

/* Returns format `index` of those that lm_encode makes, counted from 0; NULL after the last. */
LM_WRITE_API const lm_format_info *lm_encoder_at(uint32_t index);
LM_WRITE_API void lm_encode_report_free(lm_encode_report *report); /* NULL is allowed */

/* ---- Optimizing ---------------------------------------------------------------------------- */

/* Optimizing: the same model in fewer bytes.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <stdio.h>
 *
 *     // Optimizes a file. Returns false if that fails.
 *     bool make_smaller(const void *bytes, size_t size, lm_buffer *out) {
 *         lm_error error;
 *         lm_optimize_report *report = NULL;
 *         if (!lm_optimize(bytes, size, NULL, out, &report, &error))
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         printf("saved %zu bytes\n", report->size_before - report->size_after);
 *         lm_optimize_report_free(report);
 *         return true;
 *     }
 *
 * Nothing is decoded and quantised again: positions and normals keep their bytes. The optimizer
 * removes duplicate and unused data, and sorts triangles and vertices for the vertex cache of
 * graphics cards. */

/* Options for optimizing. Each format ignores the options of other formats. */
typedef struct lm_optimize_options {
    lm_memory memory; /* bounds; max_bytes 0: 16 times the input, and 1 MB */
    /* MD2: the effort spent on fewer GL commands. LM_STRIPS_NONE: they stay as they are. */
    lm_strips strips;
    /* The triangles and the GL commands keep their order. Surfaces that are blended with what is
     * behind them need this, because their triangles may hide each other. */
    bool keep_draw_order;
    /* The triangles and vertices keep their numbers, so no vertex is removed. Files that refer to
     * these numbers need this, such as the .mdx of UFO: Alien Invasion. */
    bool keep_numbers;
    /* > 0 allows loss if that makes the file smaller. No vertex is then further off than this in
     * any frame, in units. MDC: base frames become compressed frames, each up to 0.025 units off
     * per axis. The error adds up if a file is optimized again. The other formats' frames cannot
     * become smaller. */
    double max_error;
    bool repair;          /* first repairs damage, as lm_edit_open does */
    bool one_frame;       /* if all frames are equal, only the first one stays */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_optimize_options;

/* The gain of one step. */
typedef struct lm_optimize_gain {
    const char *step; /* its name: "vertices" */
    uint32_t count;   /* removed vertices, texture coordinates, frames or integers; 0 for junk */
    int64_t bytes;    /* saved; negative only for junk, if missing data had to be written */
} lm_optimize_gain;

/* The results of optimizing a file. */
typedef struct lm_optimize_report {
    const char *format;             /* as lm_format_of returns it */
    size_t size_before, size_after; /* bytes */
    /* The steps, in their order:
     *     vertices       removes unused vertices, and merges those that are equal in every frame
     *                    and have the same texture coordinates
     *     st             MD2: does the same with texture coordinates
     *     frames         MDC: removes duplicate and unused base frames and compressed frames;
     *                    with one_frame: removes all frames but the first
     *     GL commands    MD2: replaces them by shorter ones that draw the same
     *     junk           removes bytes that no reader uses: padding, bytes after the end, ...
     *     loss           MDC, if max_error allows it: encodes the frames again, with loss */
    uint32_t num_gains;
    const lm_optimize_gain *gains;
    uint32_t num_triangles; /* of the result, over all surfaces */
    /* Vertices that a graphics card transforms over all triangles if it caches the last 16. */
    uint64_t transforms_before, transforms_after;
    double max_error; /* units; 0: lossless */
} lm_optimize_report;

/* Optimizes a file and appends the result to `out`. Before it returns, it proves that the result
 * draws the same. It reads both files and compares them bit by bit: each corner of each triangle
 * has the same position, normal and texture coordinate in every frame. GL commands draw the same
 * triangles with the same coordinates. Names, frames, tags, skins and materials are the same, but
 * for the frames that one_frame removes. The order of triangles and vertices may differ, unless the
 * options keep it.
 *
 * An optimized file gives the same bytes again, and no result is larger than its input. If loss is
 * allowed, there are two exceptions: positions and normals may differ, and their error is measured;
 * and a second run may change the file again.
 *
 * The same input and options give the same bytes on every machine. Any number of threads may
 * optimize at once. Free the report with lm_optimize_report_free; it is NULL after a failure.
 * Errors: those of lm_load_memory; LM_CODE_GL_COMMANDS if they are damaged; LM_CODE_LIMIT (the
 * buffer is full), LM_CODE_OUT_OF_MEMORY. After an error the buffer is unchanged. */
LM_WRITE_API bool lm_optimize(const void *data, size_t size, const lm_optimize_options *options,
                              lm_buffer *out, lm_optimize_report **report, lm_error *error);

LM_WRITE_API void lm_optimize_report_free(lm_optimize_report *report); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
