/* What we are compared against, written from the formats' descriptions: the plain way. Nothing here
 * checks anything, so it is only ever given files that the library has accepted. Little-endian
 * machines only, as reading into arrays of numbers is.
 */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "lerpmesh/model.h"

/* The header of D. Henry's description, in its order: 17 integers. */
enum {
    SEED_FRAMESIZE = 4,
    SEED_NUM_SKINS,
    SEED_NUM_VERTICES,
    SEED_NUM_ST,
    SEED_NUM_TRIS,
    SEED_NUM_GLCMDS,
    SEED_NUM_FRAMES,
    SEED_OFFSET_SKINS,
    SEED_OFFSET_ST,
    SEED_OFFSET_TRIS,
    SEED_OFFSET_FRAMES,
    SEED_OFFSET_GLCMDS,
    SEED_HEADER_INTS = 17
};

typedef struct seed_vertex {
    unsigned char v[3], normal;
} seed_vertex;

typedef struct seed_frame {
    float scale[3], translate[3];
    char name[16];
    seed_vertex *verts;
} seed_frame;

typedef struct seed_model {
    int32_t header[SEED_HEADER_INTS];
    char (*skins)[64];
    int16_t (*st)[2];
    uint16_t (*tris)[6];
    int32_t *glcmds;
    seed_frame *frames;
} seed_model;

/* The plain reader: one allocation and one fread a lump, one allocation and four freads a frame.
 * Exits if the file cannot be opened or is cut off. */
void seed_read_file(const char *path, seed_model *model);
/* The same calls, with memcpy in place of fread. */
void seed_read_memory(const void *data, seed_model *model);
void seed_free(seed_model *model);
/* The bytes that it allocated, and in how many pieces. */
size_t seed_bytes(const seed_model *model, size_t *pieces);

/* The seed loop: decodes two frames, mixes positions and table normals, normalises. Six floats a
 * vertex. */
void seed_animate(const seed_frame *a, const seed_frame *b, uint32_t count, float t, float *out);

/* A frame of an MDC surface as engines hold it. */
typedef struct engine_frame {
    const int16_t (*base)[4];
    const uint8_t (*comp)[4]; /* NULL: the base frame as it is */
} engine_frame;

/* A plain loop of the kind that engines have for MDC: a vertex at a time, decoded from the base and
 * the compressed frame, normals by tables of sines and of 256 directions, mixed and normalised.
 * Eight floats a vertex: position, 0, normal, 0. Call engine_init once before. */
void engine_init(void);
void engine_animate(const engine_frame *a, const engine_frame *b, uint32_t count, float t,
                    float *out);

#endif
