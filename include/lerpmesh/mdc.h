/* lerpmesh/mdc.h - MDC, version 2: the file's own structure.
 *
 *     #include <lerpmesh/mdc.h>
 *     #include <stdio.h>
 *
 *     // Prints the numbers of compressed frames. On failure, prints the reason.
 *     bool print_compression(const void *data, size_t size) {
 *         lm_error error;
 *         lm_mdc *mdc = lm_mdc_read(data, size, NULL, &error);
 *         if (!mdc)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (int32_t i = 0; i < mdc->num_surfaces; i++)
 *             printf("%.64s: %ld\n", (const char *)mdc->surfaces[i].name,
 *                    (long)mdc->surfaces[i].num_comp_frames);
 *         lm_mdc_free(mdc);
 *         return true;
 *     }
 *
 * Source: W. Prinz, "The MDC File Format" (2004), sections 2 to 4. Field names are its own, without
 * their Hungarian prefixes. If the source guesses, docs/reference/formats.md describes the engine's
 * behaviour.
 *
 * As with MD2, lumps are bytes: they point into the bytes that you passed, which must outlive the
 * document. To change a file, use lm_edit_document of lerpmesh/edit.h, and point a lump or
 * `surfaces` at your own memory.
 *
 * Freeing a document releases the memory that the library allocated, even if `surfaces` and the
 * lumps point elsewhere by then. It never releases your own memory.
 */
#ifndef LERPMESH_MDC_H
#define LERPMESH_MDC_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MDC_IDENT 0x43504449 /* "IDPC" */
#define LM_MDC_VERSION 2        /* the number after the identifier */
#define LM_MDC_SURFACE_IDENT 7  /* in every real file that was examined; readers ignore it */

/* The elements in the file: offset in bytes, type and name. Numbers are little-endian.
 *     frame        0 float min[3]; 12 float max[3]: bounds; 24 float origin[3]; 36 float radius;
 *                  40 char name[16]
 *     triangle     0 uint32 vertex[3], clockwise from outside
 *     shader       0 char name[64]; 64 int32: flags
 *     st           0 float s, t: 0 to 1 across the texture, from its top left
 *     base vertex  0 int16 position[3]: 1/64 unit per step; 6 uint8 rho, sigma: the normal's
 *                  angles (lm_normal_from_angles)
 *     tag name     0 char name[64]
 *     tag          0 int16 position[3]: 1/64 unit per step; 6 int16 angle[3]: pitch, yaw, roll,
 *                  360/32700 degrees per step
 *     comp vertex  0 uint8 v[3]: 0.05 units per step, 127 for no difference; 3 uint8: into
 *                  the 256 normals
 *     frame index  0 int16: number of a base frame or a compressed frame; -1: none */
#define LM_MDC_HEADER_SIZE 112
#define LM_MDC_NAME_SIZE 64            /* bytes */
#define LM_MDC_FRAME_SIZE 56           /* bytes */
#define LM_MDC_FRAME_NAME_SIZE 16      /* bytes */
#define LM_MDC_TAG_NAME_SIZE 64        /* bytes */
#define LM_MDC_TAG_SIZE 12             /* bytes per tag and frame */
#define LM_MDC_SURFACE_HEADER_SIZE 124 /* bytes */
#define LM_MDC_TRIANGLE_SIZE 12        /* bytes */
#define LM_MDC_SHADER_SIZE 68          /* bytes */
#define LM_MDC_ST_SIZE 8               /* bytes per vertex */
#define LM_MDC_BASE_VERTEX_SIZE 8      /* bytes per vertex and base frame */
#define LM_MDC_COMP_VERTEX_SIZE 4      /* bytes per vertex and compressed frame */
#define LM_MDC_FRAME_INDEX_SIZE 2      /* bytes per frame, in each of the two tables */
#define LM_MDC_NO_COMP_FRAME (-1)      /* in frame_comp_frames: the base frame alone */

/* A surface of an MDC document. */
typedef struct lm_mdc_surface {
    int32_t ident;                  /* write LM_MDC_SURFACE_IDENT */
    uint8_t name[LM_MDC_NAME_SIZE]; /* NUL, junk */
    int32_t flags;                  /* meaning unknown; 0 in real files */
    /* Vertices are per base or compressed frame. */
    int32_t num_comp_frames, num_base_frames, num_shaders, num_vertices, num_triangles;
    /* Offsets from the start of the surface, as read. lm_edit_write keeps their order, but not
     * their values. */
    int32_t ofs_triangles, ofs_shaders, ofs_st, ofs_base_vertices, ofs_comp_vertices;
    /* The same: tables of frames, and the end of the surface. */
    int32_t ofs_frame_base_frames, ofs_frame_comp_frames, ofs_end;

    const uint8_t *triangles;         /* num_triangles * 12 */
    const uint8_t *shaders;           /* num_shaders * 68: name, NUL, junk; flags */
    const uint8_t *st;                /* num_vertices * 8 */
    const uint8_t *base_vertices;     /* num_base_frames * num_vertices * 8 */
    const uint8_t *comp_vertices;     /* num_comp_frames * num_vertices * 4 */
    const uint8_t *frame_base_frames; /* num_frames * 2; NULL: absent, all are base frame 0 */
    const uint8_t *frame_comp_frames; /* num_frames * 2; NULL: absent, all are -1 */
} lm_mdc_surface;

/* An MDC document. */
typedef struct lm_mdc {
    uint8_t name[LM_MDC_NAME_SIZE]; /* of the file when it was created; NUL, junk */
    int32_t flags;                  /* meaning unknown; 0 in real files */
    /* Tags are per frame. Real files have 0 skins. */
    int32_t num_frames, num_tags, num_surfaces, num_skins;
    int32_t ofs_frames, ofs_tag_names, ofs_tags, ofs_surfaces, ofs_end; /* as read */

    const uint8_t *frames;    /* num_frames * 56 */
    const uint8_t *tag_names; /* num_tags * 64 */
    const uint8_t *tags;      /* num_frames * num_tags * 12, frame by frame */
    lm_mdc_surface *surfaces; /* [num_surfaces] */
    const uint8_t *trailing;  /* bytes after ofs_end */
    size_t num_trailing;      /* bytes */
} lm_mdc;

/* Reads a file into a document without decoding it, and checks it as lm_load_memory does without
 * `repair`. Free the document with lm_mdc_free. */
LM_API lm_mdc *lm_mdc_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a document that lm_mdc_read returned. */
LM_API void lm_mdc_free(lm_mdc *mdc);

#ifdef __cplusplus
}
#endif
#endif
