/* lerpmesh/md2.h - MD2, version 8: the file's own structure, for editors and converters.
 *
 *     #include <lerpmesh/md2.h>
 *     #include <stdio.h>
 *
 *     // Prints the skin paths. On failure, prints the reason.
 *     bool print_skins(const void *data, size_t size) {
 *         lm_error error;
 *         lm_md2 *md2 = lm_md2_read(data, size, NULL, &error);
 *         if (!md2)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (int32_t i = 0; i < md2->num_skins; i++)
 *             printf("%.64s\n", (const char *)md2->skins + i * LM_MD2_SKIN_SIZE);
 *         lm_md2_free(md2);
 *         return true;
 *     }
 *
 * Source: D. Henry, "MD2 file format (Quake 2's models)". Field names are those of its header; if
 * the engine's differ, its shorter ones are used (num_xyz, ofs_st).
 *
 * A document is a plain struct of counts and lumps. Lumps are the bytes of the file: they point
 * into the bytes that you passed, which must outlive the document. To change a file, open it with
 * lm_edit_open of lerpmesh/edit.h. lm_edit_document returns its document. Point a lump at your own
 * memory, set its count, and call lm_edit_write.
 *
 * Freeing a document releases the memory that the library allocated, never the memory that you
 * assigned to members. You may copy the struct; the copy is valid until the original is freed.
 */
#ifndef LERPMESH_MD2_H
#define LERPMESH_MD2_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MD2_IDENT 0x32504449 /* "IDP2" */
#define LM_MD2_VERSION 8        /* the number after the identifier */

/* The elements in the file: offset in bytes, type and name. Numbers are little-endian.
 *     skin        0 char path[64]
 *     st          0 int16 s, t: pixels of the skin, from its top left
 *     triangle    0 uint16 vertex[3], clockwise from outside; 6 uint16 st[3]
 *     frame       0 float scale[3]; 12 float translate[3]; 24 char name[16]; 40 num_xyz vertices
 *     vertex      0 uint8 v[3]: position = v * scale + translate; 3 uint8: into the 162 normals
 *     GL command  int32 n: a strip of n vertices if n > 0, a fan of -n if n < 0, the end if n = 0;
 *                 for each vertex: float s, t: 0 to 1 across the skin; int32 vertex */
#define LM_MD2_HEADER_SIZE 68
#define LM_MD2_SKIN_SIZE 64         /* bytes per path */
#define LM_MD2_ST_SIZE 4            /* bytes per texture coordinate */
#define LM_MD2_TRIANGLE_SIZE 12     /* bytes */
#define LM_MD2_FRAME_HEADER_SIZE 40 /* scale, translate, name; then num_xyz vertices */
#define LM_MD2_FRAME_NAME_SIZE 16   /* bytes, with the NUL if there is one */
#define LM_MD2_VERTEX_SIZE 4        /* bytes per vertex and frame */
#define LM_MD2_GL_COMMAND_SIZE 4    /* bytes per integer or float */

/* An MD2 document. */
typedef struct lm_md2 {
    /* Pixels: the divisors of s and t. */
    int32_t skinwidth, skinheight;
    int32_t framesize; /* bytes per frame, >= 40 + 4 * num_xyz. Further bytes are kept:
                          high-precision files store 3 signed low bytes per vertex there. */
    /* Elements of the lumps: skin paths, vertices per frame, texture coordinates, triangles,
     * integers of the GL commands, frames. */
    int32_t num_skins, num_xyz, num_st, num_tris, num_glcmds, num_frames;
    /* Offsets of the lumps in the file that was read. lm_edit_write keeps their order, but not
     * their values. If all are 0, the order is that of the header: skins, st, tris, frames, glcmds.
     */
    int32_t ofs_skins, ofs_st, ofs_tris, ofs_frames, ofs_glcmds, ofs_end;

    const uint8_t *skins;    /* num_skins * 64: path, NUL, junk */
    const uint8_t *st;       /* num_st * 4 */
    const uint8_t *tris;     /* num_tris * 12 */
    const uint8_t *frames;   /* num_frames * framesize */
    const uint8_t *glcmds;   /* num_glcmds * 4 */
    const uint8_t *trailing; /* bytes after ofs_end */
    size_t num_trailing;     /* bytes */
} lm_md2;

/* Reads a file into a document without decoding it. As in lm_load_memory without `repair`, every
 * lump must lie inside the file and every index must be in range. Free the document with
 * lm_md2_free. */
LM_API lm_md2 *lm_md2_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a document that lm_md2_read returned. */
LM_API void lm_md2_free(lm_md2 *md2);

#ifdef __cplusplus
}
#endif
#endif
