/* lerpmesh/md2.h - MD2, version 8: the file as it is, for editors, converters and the curious.
 *
 *     #include <lerpmesh/md2.h>
 *     #include <stdio.h>
 *
 *     // Writes the file with one skin, whose path has 64 bytes. Prints why if that fails.
 *     bool put_skin(const void *bytes, size_t size, const uint8_t *path, lm_buffer *out) {
 *         lm_error error;
 *         lm_md2 *md2 = lm_md2_read(bytes, size, NULL, &error);
 *         if (md2) {
 *             md2->skins = path;
 *             md2->num_skins = 1;
 *         }
 *         bool ok = md2 && lm_md2_write(md2, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_md2_free(md2);
 *         return ok;
 *     }
 *
 * Source: D. Henry, "MD2 file format (Quake 2's models)"; field names are its header's and, where
 * they differ, the shorter ones of the engine (num_xyz, ofs_st).
 *
 * A document is a plain struct of counts and lumps. Lumps are the file's bytes: after lm_md2_read
 * they point into the bytes you gave, which must outlive the document. To change a lump, point it
 * at memory of your own (and set its count), then call lm_md2_write; lerpmesh/edit.h changes names,
 * frames and more. To make a document from nothing, start from {0}.
 *
 * The document owns itself until lm_md2_free, and never what you point its members at. A copy of
 * the struct is a document too, as long as the first one is not freed.
 */
#ifndef LERPMESH_MD2_H
#define LERPMESH_MD2_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MD2_IDENT 0x32504449 /* "IDP2" */
#define LM_MD2_VERSION 8

/* Bytes of each element, by offset; numbers are little-endian.
 *     skin        0 char path[64]
 *     st          0 int16 s, t: pixels of the skin, from its top left
 *     triangle    0 uint16 vertex[3], clockwise from outside; 6 uint16 st[3]
 *     frame       0 float scale[3]; 12 float translate[3]; 24 char name[16]; 40 num_xyz vertices
 *     vertex      0 uint8 v[3]: position = v * scale + translate; 3 uint8: into the 162 normals
 *     GL command  int32 n: a strip of n corners, or a fan of -n; each has float s, t: 0 to 1 across
 *                 the skin, and int32 vertex; 0 ends the list */
#define LM_MD2_HEADER_SIZE 68
#define LM_MD2_SKIN_SIZE 64
#define LM_MD2_ST_SIZE 4
#define LM_MD2_TRIANGLE_SIZE 12
#define LM_MD2_FRAME_HEADER_SIZE 40 /* scale, translate, name; then num_xyz vertices */
#define LM_MD2_FRAME_NAME_SIZE 16
#define LM_MD2_VERTEX_SIZE 4
#define LM_MD2_GL_COMMAND_SIZE 4

typedef struct lm_md2 {
    int32_t skinwidth, skinheight;
    int32_t framesize; /* bytes a frame, >= 40 + 4 * num_xyz; what is more is kept (high-precision
                          files have 3 signed low bytes a vertex there) */
    int32_t num_skins, num_xyz, num_st, num_tris, num_glcmds, num_frames;
    /* Where lm_md2_read found the lumps. lm_md2_write keeps their order, not their values; all 0:
     * the order of the header, skins, st, tris, frames, glcmds. */
    int32_t ofs_skins, ofs_st, ofs_tris, ofs_frames, ofs_glcmds, ofs_end;

    const uint8_t *skins;    /* num_skins * 64: path, NUL, junk */
    const uint8_t *st;       /* num_st * 4 */
    const uint8_t *tris;     /* num_tris * 12 */
    const uint8_t *frames;   /* num_frames * framesize */
    const uint8_t *glcmds;   /* num_glcmds * 4 */
    const uint8_t *trailing; /* bytes behind ofs_end */
    size_t num_trailing;
    struct lm_arena *owned; /* what lm_md2_free releases; NULL in a document of your own */
} lm_md2;

/* Reads and checks a file without interpreting it: every lump inside the file, every index in
 * range, as lm_load_memory does without `repair`. Frees with lm_md2_free. */
LM_API lm_md2 *lm_md2_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
LM_API void lm_md2_free(lm_md2 *md2);

/* Appends the document as a file. A file whose lumps follow each other without gaps comes out as
 * the same bytes. Checks what it writes: a document that lm_md2_read would refuse is refused, and
 * one with a count but no lump for it (LM_CODE_BAD_ARGUMENT); the buffer is then as it was. */
LM_WRITE_API bool lm_md2_write(const lm_md2 *md2, lm_buffer *out, lm_error *error);

/* The same content, wherever it lies in the file: offsets are not compared. */
LM_WRITE_API bool lm_md2_equal(const lm_md2 *a, const lm_md2 *b);

#ifdef __cplusplus
}
#endif
#endif
