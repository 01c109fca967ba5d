/* lerpmesh/md3.h - MD3, version 15: the file's own structure.
 *
 *     #include <lerpmesh/md3.h>
 *     #include <stdio.h>
 *
 *     // Writes the file with another name in its header. On failure, prints the reason.
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
 * Source: public knowledge about Quake III's format (docs/reference/formats.md). MDC is its
 * successor; lerpmesh/load.h has the definitions that both share.
 *
 * As with MD2, lumps are bytes: after lm_md3_read, they point into the bytes that you passed, which
 * must outlive the document. To change a lump or `surfaces`, point it at your own memory and set
 * its count. The functions of lerpmesh/edit.h change names, frames and more. To create a document,
 * start from {0}.
 *
 * lm_md3_free releases the document and the table of surfaces that lm_md3_read allocated, even if
 * `surfaces` and the lumps point elsewhere by then. It never releases your own memory.
 */
#ifndef LERPMESH_MD3_H
#define LERPMESH_MD3_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MD3_IDENT 0x33504449 /* "IDP3": of the file, and of each surface */
#define LM_MD3_VERSION 15       /* the number after the identifier */

/* The elements in the file are those of lerpmesh/load.h and, by offset, little-endian:
 *     tag  0 char name[64]; 64 float origin[3]; 76 float axes[3][3]: forward, left, up */
#define LM_MD3_HEADER_SIZE 108
#define LM_MD3_NAME_SIZE LM_VERTEX_MESH_NAME_SIZE             /* bytes */
#define LM_MD3_FRAME_SIZE LM_VERTEX_MESH_FRAME_SIZE           /* bytes */
#define LM_MD3_FRAME_NAME_SIZE LM_VERTEX_MESH_FRAME_NAME_SIZE /* bytes */
#define LM_MD3_TAG_SIZE 112                                   /* bytes per tag and frame */
#define LM_MD3_SURFACE_HEADER_SIZE 108                        /* bytes */
#define LM_MD3_TRIANGLE_SIZE LM_VERTEX_MESH_TRIANGLE_SIZE     /* bytes */
#define LM_MD3_SHADER_SIZE LM_VERTEX_MESH_SHADER_SIZE         /* bytes */
#define LM_MD3_ST_SIZE LM_VERTEX_MESH_ST_SIZE                 /* bytes per vertex */
#define LM_MD3_XYZ_NORMAL_SIZE LM_VERTEX_MESH_VERTEX_SIZE     /* bytes per vertex and frame */

/* A surface of an MD3 document. */
typedef struct lm_md3_surface {
    int32_t ident;                  /* write LM_MD3_IDENT; readers ignore it */
    uint8_t name[LM_MD3_NAME_SIZE]; /* NUL, junk */
    int32_t flags;                  /* not used by engines */
    int32_t num_frames;             /* as in the file; readers use the document's num_frames */
    /* Vertices are per frame. */
    int32_t num_shaders, num_verts, num_triangles;
    /* Offsets from the start of the surface, as read. lm_md3_write keeps their order, but not their
     * values. */
    int32_t ofs_triangles, ofs_shaders, ofs_st, ofs_xyz_normals, ofs_end;

    const uint8_t *triangles;   /* num_triangles * 12 */
    const uint8_t *shaders;     /* num_shaders * 68: name, NUL, junk; index, junk in real files */
    const uint8_t *st;          /* num_verts * 8 */
    const uint8_t *xyz_normals; /* the document's num_frames * num_verts * 8, frame by frame */
} lm_md3_surface;

/* An MD3 document. */
typedef struct lm_md3 {
    uint8_t name[LM_MD3_NAME_SIZE]; /* of the file when it was created; NUL, junk */
    int32_t flags;                  /* not used by engines */
    /* Tags are per frame. Real files have 0 skins. */
    int32_t num_frames, num_tags, num_surfaces, num_skins;
    int32_t ofs_frames, ofs_tags, ofs_surfaces, ofs_end; /* as read */

    const uint8_t *frames; /* num_frames * 56 */
    /* Each frame repeats the names of the tags; the engines and lerpmesh use those of frame 0. */
    const uint8_t *tags;      /* num_frames * num_tags * 112, frame by frame */
    lm_md3_surface *surfaces; /* [num_surfaces] */
    const uint8_t *trailing;  /* bytes after ofs_end */
    size_t num_trailing;      /* bytes */
    struct lm_arena *owned;   /* memory that lm_md3_free releases; NULL in a document of your own */
} lm_md3;

/* Reads a file into a document without decoding it, and checks it as lm_load_memory does without
 * `repair`. Free the document with lm_md3_free. */
LM_API lm_md3 *lm_md3_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a document that lm_md3_read returned. */
LM_API void lm_md3_free(lm_md3 *md3);

/* Appends the document as a file. If the lumps of a file have no gaps between them, reading and
 * writing it reproduces its bytes. Rejects a document that lm_md3_read would reject, and a document
 * with a count but no lump for it (LM_CODE_BAD_ARGUMENT). The buffer is then unchanged. */
LM_WRITE_API bool lm_md3_write(const lm_md3 *md3, lm_buffer *out, lm_error *error);

/* Returns true if two documents have the same contents. Offsets are not compared. */
LM_WRITE_API bool lm_md3_equal(const lm_md3 *a, const lm_md3 *b);

#ifdef __cplusplus
}
#endif
#endif
