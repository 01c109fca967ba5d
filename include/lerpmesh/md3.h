/* lerpmesh/md3.h - MD3, version 15: the file's own structure.
 *
 *     #include <lerpmesh/md3.h>
 *     #include <stdio.h>
 *
 *     // Prints the names of the surfaces. On failure, prints the reason.
 *     bool print_surfaces(const void *data, size_t size) {
 *         lm_error error;
 *         lm_md3 *md3 = lm_md3_read(data, size, NULL, &error);
 *         if (!md3)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (int32_t i = 0; i < md3->num_surfaces; i++)
 *             printf("%.64s\n", (const char *)md3->surfaces[i].name);
 *         lm_md3_free(md3);
 *         return true;
 *     }
 *
 * Source: public knowledge about Quake III's format (docs/reference/formats.md). MDC is its
 * successor.
 *
 * As with MD2, lumps are bytes: they point into the bytes that you passed, which must outlive the
 * document. To change a file, use lm_edit_document of lerpmesh/edit.h, and point a lump or
 * `surfaces` at your own memory.
 *
 * Freeing a document releases the memory that the library allocated, even if `surfaces` and the
 * lumps point elsewhere by then. It never releases your own memory.
 */
#ifndef LERPMESH_MD3_H
#define LERPMESH_MD3_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MD3_IDENT 0x33504449 /* "IDP3": of the file, and of each surface */
#define LM_MD3_VERSION 15       /* the number after the identifier */

/* The elements in the file: offset in bytes, type and name. Numbers are little-endian.
 *     frame     0 float min[3]; 12 float max[3]: bounds; 24 float origin[3]; 36 float radius;
 *               40 char name[16]
 *     triangle  0 uint32 vertex[3], clockwise from outside
 *     shader    0 char name[64]; 64 int32: index
 *     st        0 float s, t: 0 to 1 across the texture, from its top left
 *     vertex    0 int16 position[3]: 1/64 unit per step; 6 uint8 rho, sigma: the normal's angles
 *               (lm_normal_from_angles)
 *     tag       0 char name[64]; 64 float origin[3]; 76 float axes[3][3]: forward, left, up */
#define LM_MD3_HEADER_SIZE 108
#define LM_MD3_NAME_SIZE 64            /* bytes */
#define LM_MD3_FRAME_SIZE 56           /* bytes */
#define LM_MD3_FRAME_NAME_SIZE 16      /* bytes */
#define LM_MD3_TAG_SIZE 112            /* bytes per tag and frame */
#define LM_MD3_SURFACE_HEADER_SIZE 108 /* bytes */
#define LM_MD3_TRIANGLE_SIZE 12        /* bytes */
#define LM_MD3_SHADER_SIZE 68          /* bytes */
#define LM_MD3_ST_SIZE 8               /* bytes per vertex */
#define LM_MD3_XYZ_NORMAL_SIZE 8       /* bytes per vertex and frame */

/* A surface of an MD3 document. */
typedef struct lm_md3_surface {
    int32_t ident;                  /* write LM_MD3_IDENT; readers ignore it */
    uint8_t name[LM_MD3_NAME_SIZE]; /* NUL, junk */
    int32_t flags;                  /* not used by engines */
    int32_t num_frames;             /* as in the file; readers use the document's num_frames */
    /* Vertices are per frame. */
    int32_t num_shaders, num_verts, num_triangles;
    /* Offsets from the start of the surface, as read. lm_edit_write keeps their order, but not
     * their values. */
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
} lm_md3;

/* Reads a file into a document without decoding it, and checks it as lm_load_memory does without
 * `repair`. Free the document with lm_md3_free. */
LM_API lm_md3 *lm_md3_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a document that lm_md3_read returned. */
LM_API void lm_md3_free(lm_md3 *md3);

#ifdef __cplusplus
}
#endif
#endif
