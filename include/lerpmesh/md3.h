/* lerpmesh/md3.h - MD3, version 15: the file as it is.
 *
 *     #include <lerpmesh/md3.h>
 *     #include <stdio.h>
 *
 *     // Writes the file with another name in its header. Prints why if that fails.
 *     bool put_name(const void *bytes, size_t size, const char *name, lm_buffer *out) {
 *         lm_error error;
 *         lm_md3 *md3 = lm_md3_read(bytes, size, NULL, &error);
 *         if (md3)
 *             snprintf((char *)md3->name, sizeof md3->name, "%s", name);
 *         bool ok = md3 && lm_md3_write(md3, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_md3_free(md3);
 *         return ok;
 *     }
 *
 * Source: what is publicly known of Quake III's format (docs/formats.md). MDC is its successor:
 * what both have in common is in lerpmesh/load.h.
 *
 * As with MD2, lumps are bytes: after lm_md3_read they point into the bytes you gave, which must
 * outlive the document. To change a lump or `surfaces`, point it at memory of your own (and set its
 * count); lerpmesh/edit.h changes names, frames and more. To make a document from nothing, start
 * from {0}.
 *
 * The document owns itself and the table of surfaces that was read, until lm_md3_free, whatever
 * `surfaces` and the lumps point to by then; never memory of yours.
 */
#ifndef LERPMESH_MD3_H
#define LERPMESH_MD3_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MD3_IDENT 0x33504449 /* "IDP3": of the file, and of each surface */
#define LM_MD3_VERSION 15

/* Bytes of each element: those of lerpmesh/load.h, and by offset, little-endian:
 *     tag  0 char name[64]; 64 float origin[3]; 76 float axes[3][3]: forward, left, up */
#define LM_MD3_HEADER_SIZE 108
#define LM_MD3_NAME_SIZE LM_MESH_NAME_SIZE
#define LM_MD3_FRAME_SIZE LM_MESH_FRAME_SIZE
#define LM_MD3_FRAME_NAME_SIZE LM_MESH_FRAME_NAME_SIZE
#define LM_MD3_TAG_SIZE 112
#define LM_MD3_SURFACE_HEADER_SIZE 108
#define LM_MD3_TRIANGLE_SIZE LM_MESH_TRIANGLE_SIZE
#define LM_MD3_SHADER_SIZE LM_MESH_SHADER_SIZE
#define LM_MD3_ST_SIZE LM_MESH_ST_SIZE
#define LM_MD3_XYZ_NORMAL_SIZE LM_MESH_VERTEX_SIZE

typedef struct lm_md3_surface {
    int32_t ident; /* write LM_MD3_IDENT; readers ignore it */
    uint8_t name[LM_MD3_NAME_SIZE];
    int32_t flags;
    int32_t num_frames; /* as the file says: readers go by the document's */
    int32_t num_shaders, num_verts, num_triangles;
    /* From the surface's start, as read; lm_md3_write keeps their order, not their values. */
    int32_t ofs_triangles, ofs_shaders, ofs_st, ofs_xyz_normals, ofs_end;

    const uint8_t *triangles;   /* num_triangles * 12 */
    const uint8_t *shaders;     /* num_shaders * 68: name, NUL, junk; index, junk in real files */
    const uint8_t *st;          /* num_verts * 8 */
    const uint8_t *xyz_normals; /* the document's num_frames * num_verts * 8, frame by frame */
} lm_md3_surface;

typedef struct lm_md3 {
    uint8_t name[LM_MD3_NAME_SIZE];
    int32_t flags;
    int32_t num_frames, num_tags, num_surfaces, num_skins;
    int32_t ofs_frames, ofs_tags, ofs_surfaces, ofs_end; /* as read */

    const uint8_t *frames; /* num_frames * 56 */
    const uint8_t *tags;   /* num_frames * num_tags * 112, frame by frame */
    lm_md3_surface *surfaces;
    const uint8_t *trailing; /* bytes behind ofs_end */
    size_t num_trailing;
    struct lm_arena *owned; /* what lm_md3_free releases; NULL in a document of your own */
} lm_md3;

/* A tag in one frame. Each frame repeats the name; engines and lerpmesh go by frame 0's. */
/* Reads and checks, as lm_load_memory does without `repair`. Free with lm_md3_free. */
LM_API lm_md3 *lm_md3_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
LM_API void lm_md3_free(lm_md3 *md3);

/* Appends the document as a file; a file without gaps comes out as the same bytes. A document that
 * lm_md3_read would refuse is refused, and one with a count but no lump for it
 * (LM_CODE_BAD_ARGUMENT); the buffer is then as it was. */
LM_WRITE_API bool lm_md3_write(const lm_md3 *md3, lm_buffer *out, lm_error *error);

/* The same content, wherever it lies in the file. */
LM_WRITE_API bool lm_md3_equal(const lm_md3 *a, const lm_md3 *b);

#ifdef __cplusplus
}
#endif
#endif
