/* The baseline of the comparisons, written plainly from the formats' descriptions. It checks
 * nothing, so it is only given files that the library accepted. It needs a little-endian machine,
 * as it reads into arrays of numbers. */
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

/* Reads a model plainly: one allocation and one fread per lump, one allocation and four freads per
 * frame. Exits if the file cannot be opened or is cut off. */
void seed_read_file(const char *path, seed_model *model);
/* The same calls with memcpy instead of fread. */
void seed_read_memory(const void *data, seed_model *model);
void seed_free(seed_model *model);
/* Returns the bytes that it allocated, and the number of blocks. */
size_t seed_bytes(const seed_model *model, size_t *pieces);

/* The baseline loop: decodes two frames, blends positions and table normals, normalises. Six floats
 * per vertex. */
void seed_animate(const seed_frame *a, const seed_frame *b, uint32_t count, float t, float *out);

/* A frame of an MDC surface as engines store it. */
typedef struct engine_frame {
    const int16_t (*base)[4];
    const uint8_t (*comp)[4]; /* NULL: the base frame alone */
} engine_frame;

/* A plain loop as engines have for MDC, one vertex at a time. It decodes the base and the
 * compressed frame, looks up normals in tables of sines and of 256 directions, blends and
 * normalises. Eight floats per vertex: position, 0, normal, 0. Call engine_init once before. */
void engine_init(void);
void engine_animate(const engine_frame *a, const engine_frame *b, uint32_t count, float t,
                    float *out);

#endif
