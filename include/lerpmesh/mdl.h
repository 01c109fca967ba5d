/* lerpmesh/mdl.h - MDL: the file's own structure, for Quake's and Hexen II's models.
 *
 *     #include <lerpmesh/mdl.h>
 *     #include <stdio.h>
 *
 *     // Prints the number of poses of each frame. On failure, prints the reason.
 *     bool print_poses(const void *data, size_t size) {
 *         lm_error error;
 *         lm_mdl *mdl = lm_mdl_read(data, size, NULL, &error);
 *         if (!mdl)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (int32_t i = 0; i < mdl->num_frames; i++)
 *             printf("%ld\n", (long)mdl->frames[i].num_poses);
 *         lm_mdl_free(mdl);
 *         return true;
 *     }
 *
 * There are two variants: IDPO, version 6, of Quake and Hexen II, and RAPO, version 50, of Hexen
 * II: Portal of Praevus. A RAPO has a number of texture coordinates of its own.
 *
 * MDL is the predecessor of MD2. It has the same 162 normals and the same bytes per vertex, but one
 * scale for all frames. Skins are inside the file. Skins and frames may be groups that play by
 * their own times. The file has no offsets: sections follow one another.
 *
 * A document is a plain struct of counts and pointers. The pointers to bytes point into the bytes
 * that you passed, which must outlive the document. The document owns its arrays of skins and
 * frames. To change a file, use lm_edit_document of lerpmesh/edit.h: change its members, or point
 * them at your own memory, and call lm_edit_write.
 */
#ifndef LERPMESH_MDL_H
#define LERPMESH_MDL_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MDL_IDENT 0x4F504449      /* "IDPO" */
#define LM_MDL_VERSION 6             /* the number after the identifier */
#define LM_MDL_RAPO_IDENT 0x4F504152 /* "RAPO" */
#define LM_MDL_RAPO_VERSION 50       /* its number after the identifier */

/* The elements in the file: offset in bytes, type and name. Numbers are little-endian.
 *     st        0 int32 onseam: if not 0, triangles that do not face the front use
 *               s + skinwidth / 2; 4 int32 s, t: pixels of the skin, from its top left
 *     triangle  0 int32 facesfront; 4 int32 vertex[3], clockwise from outside. RAPO: 4 uint16
 *               vertex[3]; 10 uint16 st[3]
 *     time      0 float: end of an element of a group, in seconds from the group's start
 *     vertex    0 uint8 v[3]: position = v * scale + translate; 3 uint8: into the 162 normals
 *     pose      0 vertex min, max: bounds; 8 char name[16]; 24 num_verts vertices */
#define LM_MDL_HEADER_SIZE 84
#define LM_MDL_RAPO_HEADER_SIZE 88 /* num_st follows size */
#define LM_MDL_ST_SIZE 12          /* bytes per texture coordinate */
#define LM_MDL_TRIANGLE_SIZE 16    /* bytes */
#define LM_MDL_TIME_SIZE 4         /* bytes */
#define LM_MDL_VERTEX_SIZE 4       /* bytes per vertex and pose */
#define LM_MDL_BOUNDS_SIZE 8       /* two packed vertices; their normals have no meaning */
#define LM_MDL_NAME_SIZE 16        /* bytes */
#define LM_MDL_POSE_HEADER_SIZE 24 /* bounds, name; then num_verts vertices */

/* Two of the flags. LM_MDL_ROTATES is an effect that the game adds to entities with this model. */
#define LM_MDL_ROTATES (1 << 3)
#define LM_MDL_TRANSPARENT_255                                         \
    (1 << 14) /* pixels with index 255 are transparent (later engines) \
               */

/* A skin: an image, or a group of images that play one after another. */
typedef struct lm_mdl_skin {
    int32_t type;          /* 0: one image, 1: a group */
    int32_t num_images;    /* 1 for type 0 */
    const uint8_t *times;  /* of a group: num_images floats, the end of each; otherwise NULL */
    const uint8_t *images; /* num_images * skinwidth * skinheight: indices into the game's
                                palette, rows from the top */
} lm_mdl_skin;

/* A frame in the game's sense: a pose, or a group of poses that play by their own times. */
typedef struct lm_mdl_frame {
    int32_t type;          /* 0: one pose, 1: a group */
    int32_t num_poses;     /* 1 for type 0 */
    const uint8_t *bounds; /* of a group: 8 bytes; otherwise NULL */
    const uint8_t *times;  /* of a group: num_poses floats, the end of each; otherwise NULL */
    const uint8_t *poses;  /* num_poses * (24 + 4 * num_verts) */
} lm_mdl_frame;

/* An MDL document. */
typedef struct lm_mdl {
    lm_vec3 scale, translate; /* position = byte * scale + translate */
    float radius;             /* of a sphere about the origin that contains all frames */
    lm_vec3 eye;              /* position of the eyes; the game does not use it for its view */
    int32_t num_skins, skinwidth, skinheight; /* sizes in pixels, of every image */
    int32_t num_verts, num_tris, num_frames;  /* vertices: per pose */
    int32_t synctype; /* 0: groups play in step, 1: each entity starts at a random time */
    int32_t flags;    /* LM_MDL_ROTATES, LM_MDL_TRANSPARENT_255, ... */
    float size;       /* average size of a triangle */
    int32_t num_st;   /* > 0: RAPO, with so many texture coordinates; 0: IDPO, one per vertex */

    lm_mdl_skin *skins;      /* [num_skins] */
    const uint8_t *st;       /* num_verts * 12; RAPO: num_st * 12 */
    const uint8_t *tris;     /* num_tris * 16 */
    lm_mdl_frame *frames;    /* [num_frames] */
    const uint8_t *trailing; /* bytes after the last frame */
    size_t num_trailing;     /* bytes */
} lm_mdl;

/* Reads a file into a document without decoding it, and checks it as lm_load_memory does without
 * `repair`. Free the document with lm_mdl_free. */
LM_API lm_mdl *lm_mdl_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a document that lm_mdl_read returned. */
LM_API void lm_mdl_free(lm_mdl *mdl);

#ifdef __cplusplus
}
#endif
#endif
