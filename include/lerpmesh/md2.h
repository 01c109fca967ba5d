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
 * frames and more. To make a document from nothing, start from {0}. Get and put functions convert
 * one element; they do not check the index.
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

/* Bytes of each element. */
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
    struct lm_owned *owned; /* what lm_md2_free releases; NULL in a document of your own */
} lm_md2;

typedef struct lm_md2_st {
    int16_t s, t; /* pixels of the skin, from its top left */
} lm_md2_st;

typedef struct lm_md2_triangle {
    uint16_t vertex[3];
    uint16_t st[3];
} lm_md2_triangle;

typedef struct lm_md2_vertex {
    uint8_t v[3];
    uint8_t normal; /* into lm_normals_162 */
} lm_md2_vertex;

typedef struct lm_md2_frame {
    lm_vec3 scale, translate;
    char name[LM_MD2_FRAME_NAME_SIZE]; /* all 16 bytes */
} lm_md2_frame;

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

LM_API void lm_md2_get_st(const lm_md2 *md2, int32_t index, lm_md2_st *out);
LM_API void lm_md2_get_triangle(const lm_md2 *md2, int32_t index, lm_md2_triangle *out);
LM_API void lm_md2_get_frame(const lm_md2 *md2, int32_t frame, lm_md2_frame *out);
LM_API void lm_md2_get_vertex(const lm_md2 *md2, int32_t frame, int32_t vertex, lm_md2_vertex *out);
LM_API int32_t lm_md2_get_glcmd(const lm_md2 *md2, int32_t index); /* floats: by their bits */

/* For those who make lumps: each writes one element's bytes at `out`. */
LM_API void lm_md2_put_st(uint8_t *out, const lm_md2_st *st);
LM_API void lm_md2_put_triangle(uint8_t *out, const lm_md2_triangle *triangle);
LM_API void lm_md2_put_frame(uint8_t *out, const lm_md2_frame *frame); /* its 40 bytes */
LM_API void lm_md2_put_vertex(uint8_t *out, const lm_md2_vertex *vertex);
LM_API void lm_md2_put_glcmd(uint8_t *out, int32_t value);
LM_API void lm_md2_put_glcmd_float(uint8_t *out, float value);

#ifdef __cplusplus
}
#endif
#endif
