/* lerpmesh/mdc.h - MDC, version 2: the file as it is.
 *
 *     #include <lerpmesh/mdc.h>
 *     #include <stdio.h>
 *
 *     // Writes the file with another name in its header. Prints why if that fails.
 *     bool put_name(const void *bytes, size_t size, const char *name, lm_buffer *out) {
 *         lm_error error;
 *         lm_mdc *mdc = lm_mdc_read(bytes, size, NULL, &error);
 *         if (mdc)
 *             snprintf((char *)mdc->name, sizeof mdc->name, "%s", name);
 *         bool ok = mdc && lm_mdc_write(mdc, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_mdc_free(mdc);
 *         return ok;
 *     }
 *
 * Source: W. Prinz, "The MDC File Format" (2004), sections 2 to 4; field names without their
 * Hungarian prefixes. Where it guessed, docs/formats.md says what the engine does.
 *
 * As with MD2, lumps are bytes: after lm_mdc_read they point into the bytes you gave, which must
 * outlive the document. To change a lump or `surfaces`, point it at memory of your own (and set its
 * count); lerpmesh/edit.h changes names, frames and more. To make a document from nothing, start
 * from {0}.
 *
 * The document owns itself and the table of surfaces that was read, until lm_mdc_free, whatever
 * `surfaces` and the lumps point to by then; never memory of yours.
 */
#ifndef LERPMESH_MDC_H
#define LERPMESH_MDC_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MDC_IDENT 0x43504449 /* "IDPC" */
#define LM_MDC_VERSION 2
#define LM_MDC_SURFACE_IDENT 7 /* in every real file seen; readers ignore it */

/* Bytes of each element: those of lerpmesh/load.h, and by offset, little-endian:
 *     tag name     0 char name[64]
 *     tag          0 int16 position[3]: 1/64 unit per step; 6 int16 angle[3]: pitch, yaw, roll,
 *                  360/32700 degrees per step
 *     comp vertex  0 uint8 v[3]: 127 is no difference, 0.05 units per step; 3 uint8: into
 *                  the 256 normals
 *     frame index  0 int16: of a base frame, or of a compressed frame; -1: none */
#define LM_MDC_HEADER_SIZE 112
#define LM_MDC_NAME_SIZE LM_MESH_NAME_SIZE
#define LM_MDC_FRAME_SIZE LM_MESH_FRAME_SIZE
#define LM_MDC_FRAME_NAME_SIZE LM_MESH_FRAME_NAME_SIZE
#define LM_MDC_TAG_NAME_SIZE LM_MESH_NAME_SIZE
#define LM_MDC_TAG_SIZE 12
#define LM_MDC_SURFACE_HEADER_SIZE 124
#define LM_MDC_TRIANGLE_SIZE LM_MESH_TRIANGLE_SIZE
#define LM_MDC_SHADER_SIZE LM_MESH_SHADER_SIZE
#define LM_MDC_ST_SIZE LM_MESH_ST_SIZE
#define LM_MDC_BASE_VERTEX_SIZE LM_MESH_VERTEX_SIZE
#define LM_MDC_COMP_VERTEX_SIZE 4
#define LM_MDC_FRAME_INDEX_SIZE 2
#define LM_MDC_NO_COMP_FRAME (-1)

typedef struct lm_mdc_surface {
    int32_t ident; /* write LM_MDC_SURFACE_IDENT */
    uint8_t name[LM_MDC_NAME_SIZE];
    int32_t flags;
    int32_t num_comp_frames, num_base_frames, num_shaders, num_vertices, num_triangles;
    /* From the surface's start, as read; lm_mdc_write keeps their order, not their values. */
    int32_t ofs_triangles, ofs_shaders, ofs_st, ofs_base_vertices, ofs_comp_vertices;
    int32_t ofs_frame_base_frames, ofs_frame_comp_frames, ofs_end;

    const uint8_t *triangles;         /* num_triangles * 12 */
    const uint8_t *shaders;           /* num_shaders * 68: name, NUL, junk; flags */
    const uint8_t *st;                /* num_vertices * 8 */
    const uint8_t *base_vertices;     /* num_base_frames * num_vertices * 8 */
    const uint8_t *comp_vertices;     /* num_comp_frames * num_vertices * 4 */
    const uint8_t *frame_base_frames; /* num_frames * 2; NULL: absent, all are base frame 0 */
    const uint8_t *frame_comp_frames; /* num_frames * 2; NULL: absent, all are -1 */
} lm_mdc_surface;

typedef struct lm_mdc {
    uint8_t name[LM_MDC_NAME_SIZE];
    int32_t flags;
    int32_t num_frames, num_tags, num_surfaces, num_skins;
    int32_t ofs_frames, ofs_tag_names, ofs_tags, ofs_surfaces, ofs_end; /* as read */

    const uint8_t *frames;    /* num_frames * 56 */
    const uint8_t *tag_names; /* num_tags * 64 */
    const uint8_t *tags;      /* num_frames * num_tags * 12, frame by frame */
    lm_mdc_surface *surfaces;
    const uint8_t *trailing; /* bytes behind ofs_end */
    size_t num_trailing;
    struct lm_arena *owned; /* what lm_mdc_free releases; NULL in a document of your own */
} lm_mdc;

/* Reads and checks, as lm_load_memory does without `repair`. Free with lm_mdc_free. */
LM_API lm_mdc *lm_mdc_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
LM_API void lm_mdc_free(lm_mdc *mdc);

/* Appends the document as a file; a file without gaps comes out as the same bytes. A document that
 * lm_mdc_read would refuse is refused, and one with a count but no lump for it
 * (LM_CODE_BAD_ARGUMENT); the buffer is then as it was. Absent tables are written out, saying what
 * their absence said (base frame 0, no compressed frame): engines look at them all the same. */
LM_WRITE_API bool lm_mdc_write(const lm_mdc *mdc, lm_buffer *out, lm_error *error);

/* The same content, wherever it lies in the file. */
LM_WRITE_API bool lm_mdc_equal(const lm_mdc *a, const lm_mdc *b);

#ifdef __cplusplus
}
#endif
#endif
