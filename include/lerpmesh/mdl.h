/* lerpmesh/mdl.h - MDL, version 6: Quake's models, the file as it is.
 *
 *     #include <lerpmesh/mdl.h>
 *     #include <stdio.h>
 *
 *     // A file as it was, but that it turns around; false, and why on the way out, if that fails.
 *     bool rotate(const void *bytes, size_t size, lm_buffer *out) {
 *         lm_error error;
 *         lm_mdl *mdl = lm_mdl_read(bytes, size, NULL, &error);
 *         if (mdl)
 *             mdl->flags |= LM_MDL_ROTATES;
 *         bool ok = mdl && lm_mdl_write(mdl, out, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_mdl_free(mdl);
 *         return ok;
 *     }
 *
 * The parent of MD2: the same 162 normals and the same bytes for a vertex, but one scale for all
 * frames, skins inside the file, and skins and frames that may be groups which play by times of
 * their own. Nothing in the file has an offset: sections follow one another.
 *
 * A document is a plain struct of counts and pointers. After lm_mdl_read the pointers to bytes lead
 * into the bytes you gave, which must outlive the document; the arrays of skins and frames are the
 * document's. To edit, change what you like, point what you like at memory of your own, then
 * lm_mdl_write.
 */
#ifndef LERPMESH_MDL_H
#define LERPMESH_MDL_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MDL_IDENT 0x4F504449 /* "IDPO" */
#define LM_MDL_VERSION 6

/* Bytes of each element, by offset; numbers are little-endian.
 *     st        0 int32 onseam: if not 0, triangles that do not face the front use s + skinwidth /
 * 2; 4 int32 s, t: pixels of the skin, from its top left triangle  0 int32 facesfront; 4 int32
 * vertex[3], clockwise from outside time      0 float: when an element of a group ends, in seconds
 * from the group's start vertex    0 uint8 v[3]: position = v * scale + translate; 3 uint8: into
 * the 162 normals pose      0 vertex min, max: bounds; 8 char name[16]; 24 num_verts vertices */
#define LM_MDL_HEADER_SIZE 84
#define LM_MDL_ST_SIZE 12
#define LM_MDL_TRIANGLE_SIZE 16
#define LM_MDL_TIME_SIZE 4
#define LM_MDL_VERTEX_SIZE 4
#define LM_MDL_BOUNDS_SIZE 8 /* two packed vertices, their normals without a meaning */
#define LM_MDL_NAME_SIZE 16
#define LM_MDL_POSE_HEADER_SIZE 24 /* bounds, name; then num_verts vertices */

/* Some of the flags: what the game does with whatever looks like this. */
#define LM_MDL_ROTATES (1 << 3)
#define LM_MDL_HOLES (1 << 14) /* pixels with index 255 are transparent (later engines) */

/* A skin: a picture, or a group of pictures that play one after the other. */
typedef struct lm_mdl_skin {
    int32_t type;            /* 0: one picture, 1: a group */
    int32_t num_pictures;    /* 1 for type 0 */
    const uint8_t *times;    /* of a group: num_pictures floats, when each ends; else NULL */
    const uint8_t *pictures; /* num_pictures * skinwidth * skinheight: indices into the game's
                                palette, rows from the top */
} lm_mdl_skin;

/* What the game counts as a frame: a pose, or a group of poses that play by their own times. */
typedef struct lm_mdl_frame {
    int32_t type;          /* 0: one pose, 1: a group */
    int32_t num_poses;     /* 1 for type 0 */
    const uint8_t *bounds; /* of a group: 8 bytes; else NULL */
    const uint8_t *times;  /* of a group: num_poses floats, when each ends; else NULL */
    const uint8_t *poses;  /* num_poses * (24 + 4 * num_verts) */
} lm_mdl_frame;

typedef struct lm_mdl {
    lm_vec3 scale, translate; /* position = byte * scale + translate */
    float radius;             /* around the origin, of all frames */
    lm_vec3 eye;              /* where the eyes are; the game looks from elsewhere */
    int32_t num_skins, skinwidth, skinheight;
    int32_t num_verts, num_tris, num_frames;
    int32_t synctype; /* 0: groups play in step, 1: each thing starts at a random time */
    int32_t flags;
    float size; /* of triangles, on the average */

    lm_mdl_skin *skins;      /* [num_skins] */
    const uint8_t *st;       /* num_verts * 12 */
    const uint8_t *tris;     /* num_tris * 16 */
    lm_mdl_frame *frames;    /* [num_frames] */
    const uint8_t *trailing; /* bytes behind the last frame */
    size_t num_trailing;
    struct lm_arena *owned; /* the library's; NULL in a document of your own */
} lm_mdl;

/* Reads and checks a file without interpreting it, as lm_load_memory does without `repair`. Frees
 * with lm_mdl_free. */
LM_API lm_mdl *lm_mdl_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
LM_API void lm_mdl_free(lm_mdl *mdl);

/* Appends the document as a file: what lm_mdl_read read comes out as the same bytes. Checks what it
 * writes: a document that lm_mdl_read would refuse is refused, and `out` is as it was. */
LM_WRITE_API bool lm_mdl_write(const lm_mdl *mdl, lm_buffer *out, lm_error *error);

LM_WRITE_API bool lm_mdl_equal(const lm_mdl *a, const lm_mdl *b);

/* [256 * 3] red, green and blue of each index of a skin: Quake's palette, which its author gave to
 * the public domain. The last LM_MDL_FULLBRIGHTS shine where the game draws in software. */
#define LM_MDL_FULLBRIGHTS 32
LM_API const uint8_t *lm_mdl_palette(void);

#ifdef __cplusplus
}
#endif
#endif
