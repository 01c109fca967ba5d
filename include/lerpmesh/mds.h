/* lerpmesh/mds.h - MDS, version 4: the file's own structure.
 *
 *     #include <lerpmesh/mds.h>
 *     #include <stdio.h>
 *
 *     // Prints the names of the bones. On failure, prints the reason.
 *     bool print_bones(const void *data, size_t size) {
 *         lm_error error;
 *         lm_mds *mds = lm_mds_read(data, size, NULL, &error);
 *         if (!mds)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (int32_t i = 0; i < mds->num_bones; i++)
 *             printf("%.64s\n", (const char *)mds->bones + i * LM_MDS_BONE_SIZE);
 *         lm_mds_free(mds);
 *         return true;
 *     }
 *
 * Source: the published source of Return to Castle Wolfenstein: qfiles.h, tr_model.c and
 * tr_animation.c. docs/reference/formats/mds.md describes how the engine uses the numbers.
 *
 * Lumps are bytes: they point into the bytes that you passed, which must outlive the document. To
 * change a file, use lm_edit_document of lerpmesh/edit.h, and point a lump or `surfaces` at your
 * own memory. Freeing a document releases the memory that the library allocated, never your own.
 */
#ifndef LERPMESH_MDS_H
#define LERPMESH_MDS_H

#include "lerpmesh/load.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_MDS_IDENT 0x5753444d /* "MDSW" */
#define LM_MDS_VERSION 4        /* the number after the identifier */
#define LM_MDS_SURFACE_IDENT 8  /* in the real file that was examined; readers ignore it */

/* The elements in the file: offset in bytes, type and name. Numbers are little-endian.
 *     frame        0 float min[3]; 12 float max[3]: bounds; 24 float origin[3]; 36 float radius;
 *                  40 float parentOffset[3]: position of the root bones; 52 the bones' poses
 *     bone's pose  0 int16 angles[4]: pitch, yaw, roll, unused; 8 int16 ofsAngles[2]: pitch and yaw
 *                  of the direction from the parent; 360/65536 degrees per step
 *     bone         0 char name[64]; 64 int32: parent, an earlier bone, or -1; 68 float torsoWeight;
 *                  72 float parentDist; 76 int32 flags: LM_BONE_TAG
 *     tag          0 char name[64]; 64 float torsoWeight: unused, the bone's counts; 68 int32: bone
 *     vertex       0 float normal[3], in the space of the first weight's bone; 12 float st[2]: 0 to
 *                  1 from the top left; 20 int32 numWeights; 24 int32 fixedParent; 28 float
 *                  fixedDist: both unused; 32 the weights
 *     weight       0 int32: bone; 4 float: weight; 8 float offset[3] in the bone's space
 *     triangle     0 int32 vertex[3], clockwise from outside
 *     collapse     0 int32: the vertex that replaces this one in lower details
 *     reference    0 int32: a bone that the surface uses; parents first */
#define LM_MDS_HEADER_SIZE 120
#define LM_MDS_NAME_SIZE 64            /* bytes */
#define LM_MDS_FRAME_SIZE 52           /* bytes, without the bones' poses */
#define LM_MDS_BONE_POSE_SIZE 12       /* bytes per bone and frame */
#define LM_MDS_BONE_SIZE 80            /* bytes */
#define LM_MDS_TAG_SIZE 72             /* bytes */
#define LM_MDS_SURFACE_HEADER_SIZE 176 /* bytes */
#define LM_MDS_VERTEX_SIZE 32          /* bytes, without its weights */
#define LM_MDS_WEIGHT_SIZE 20          /* bytes per weight */
#define LM_MDS_TRIANGLE_SIZE 12        /* bytes */
#define LM_MDS_INDEX_SIZE 4            /* bytes, in the collapse map and the bone references */

/* A surface of an MDS document. */
typedef struct lm_mds_surface {
    int32_t ident;                    /* write LM_MDS_SURFACE_IDENT */
    uint8_t name[LM_MDS_NAME_SIZE];   /* NUL, junk */
    uint8_t shader[LM_MDS_NAME_SIZE]; /* may be empty: a .skin file decides; NUL, junk */
    int32_t shader_index;             /* for the engine at run time */
    int32_t min_lod;                  /* the smallest number of vertices drawn at a distance */
    int32_t num_verts, num_triangles, num_bone_references; /* items of the arrays below */
    /* Offsets from the start of the surface, as read; ofs_header is that of the file's header, so
     * it is negative. lm_edit_write keeps their order, but not their values. */
    int32_t ofs_header, ofs_verts, ofs_triangles, ofs_collapse_map, ofs_bone_references, ofs_end;
    int32_t weights_size; /* bytes of all weights in `verts` */

    const uint8_t *verts;           /* num_verts * 32 + weights_size */
    const uint8_t *triangles;       /* num_triangles * 12 */
    const uint8_t *collapse_map;    /* num_verts * 4 */
    const uint8_t *bone_references; /* num_bone_references * 4 */
} lm_mds_surface;

/* An MDS document. */
typedef struct lm_mds {
    uint8_t name[LM_MDS_NAME_SIZE];          /* of the file when it was created; NUL, junk */
    float lod_scale, lod_bias;               /* how fast the detail falls with the distance */
    int32_t num_frames, num_bones;           /* at most LM_MAX_BONES bones */
    int32_t torso_parent;                    /* the bone about which the torso turns */
    int32_t num_surfaces, num_tags;          /* tags are bones */
    int32_t ofs_frames, ofs_bones;           /* as read */
    int32_t ofs_surfaces, ofs_tags, ofs_end; /* the same */
    int32_t frame_size;                      /* bytes: 52 + 12 * num_bones */

    const uint8_t *frames;    /* num_frames * frame_size */
    const uint8_t *bones;     /* num_bones * 80 */
    const uint8_t *tags;      /* num_tags * 72 */
    lm_mds_surface *surfaces; /* [num_surfaces] */
    const uint8_t *trailing;  /* bytes after ofs_end */
    size_t num_trailing;      /* bytes */
} lm_mds;

/* Reads a file into a document without decoding it, and checks it as lm_load_memory does without
 * `repair`. Free the document with lm_mds_free. */
LM_API lm_mds *lm_mds_read(const void *data, size_t size, const lm_memory *memory, lm_error *error);
/* Frees a document that lm_mds_read returned. */
LM_API void lm_mds_free(lm_mds *mds);

#ifdef __cplusplus
}
#endif
#endif
