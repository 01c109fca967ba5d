#include "baseline.h"

#include "lerpmesh/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lm_vec3 normals_162[] = {
#include "math/normals_162.inc"
};
static const lm_vec3 normals_256[] = {
#include "math/normals_256.inc"
};

static void give_up(const char *what) {
    fprintf(stderr, "lerpmesh-bench: plain reader: %s\n", what);
    exit(1);
}

static void *get_memory(size_t size) {
    void *memory = malloc(size);
    if (!memory && size)
        give_up("out of memory");
    return memory;
}

/* One of the two is set. */
typedef struct seed_source {
    FILE *file;
    const unsigned char *data;
    size_t at;
} seed_source;

static void seek(seed_source *source, int32_t offset) {
    if (source->file)
        fseek(source->file, offset, SEEK_SET);
    else
        source->at = (size_t)offset;
}

static void read_next(seed_source *source, void *out, size_t size) {
    if (source->file) {
        if (size && fread(out, size, 1, source->file) != 1)
            give_up("the file is cut off");
        return;
    }
    memcpy(out, source->data + source->at, size);
    source->at += size;
}

static void *load_lump(seed_source *source, int32_t offset, int32_t count, size_t element) {
    size_t size = (size_t)count * element;
    void *lump = get_memory(size);
    seek(source, offset);
    if (size)
        read_next(source, lump, size);
    return lump;
}

static void load_frames(seed_source *source, seed_model *model) {
    const int32_t *header = model->header;
    size_t count = (size_t)header[SEED_NUM_FRAMES];
    size_t size = (size_t)header[SEED_NUM_VERTICES] * sizeof(seed_vertex);
    model->frames = get_memory(count * sizeof *model->frames);
    seek(source, header[SEED_OFFSET_FRAMES]);
    for (size_t f = 0; f < count; f++) {
        seed_frame *frame = &model->frames[f];
        frame->verts = get_memory(size);
        read_next(source, frame->scale, sizeof frame->scale);
        read_next(source, frame->translate, sizeof frame->translate);
        read_next(source, frame->name, sizeof frame->name);
        read_next(source, frame->verts, size);
    }
}

static void read_all(seed_source *source, seed_model *model) {
    int32_t *header = model->header;
    read_next(source, header, sizeof model->header);
    model->skins = load_lump(source, header[SEED_OFFSET_SKINS], header[SEED_NUM_SKINS], 64);
    model->st = load_lump(source, header[SEED_OFFSET_ST], header[SEED_NUM_ST], 4);
    model->tris = load_lump(source, header[SEED_OFFSET_TRIS], header[SEED_NUM_TRIS], 12);
    model->glcmds = load_lump(source, header[SEED_OFFSET_GLCMDS], header[SEED_NUM_GLCMDS], 4);
    load_frames(source, model);
}

void seed_read_file(const char *path, seed_model *model) {
    seed_source source = {.file = fopen(path, "rb")};
    if (!source.file)
        give_up("the file cannot be opened");
    read_all(&source, model);
    fclose(source.file);
}

void seed_read_memory(const void *data, seed_model *model) {
    seed_source source = {.data = data};
    read_all(&source, model);
}

void seed_free(seed_model *model) {
    for (int32_t f = 0; f < model->header[SEED_NUM_FRAMES]; f++)
        free(model->frames[f].verts);
    free(model->frames);
    free(model->glcmds);
    free(model->tris);
    free(model->st);
    free(model->skins);
}

size_t seed_bytes(const seed_model *model, size_t *pieces) {
    const int32_t *header = model->header;
    size_t frames = (size_t)header[SEED_NUM_FRAMES];
    size_t vertices = (size_t)header[SEED_NUM_VERTICES];
    *pieces = 5 + frames;
    return (size_t)header[SEED_NUM_SKINS] * 64 + (size_t)header[SEED_NUM_ST] * 4 +
           (size_t)header[SEED_NUM_TRIS] * 12 + (size_t)header[SEED_NUM_GLCMDS] * 4 +
           frames * (sizeof(seed_frame) + vertices * sizeof(seed_vertex));
}

/* Plain, but reasonably fast: values stay in registers. Values that are stored by parts and loaded
 * as a whole double the time of gcc's loop, which would flatter the library in comparison. */
static inline void store_normalised(float *out, float x, float y, float z) {
    float length = sqrtf(x * x + y * y + z * z);
    float inverse = length > 0 ? 1 / length : 0;
    out[0] = x * inverse;
    out[1] = y * inverse;
    out[2] = z * inverse;
}

static inline float mix(float a, float b, float t) {
    return a + t * (b - a);
}

void seed_animate(const seed_frame *a, const seed_frame *b, uint32_t count, float t, float *out) {
    const seed_frame fa = *a, fb = *b;
    for (uint32_t i = 0; i < count; i++, out += 6) {
        const seed_vertex va = fa.verts[i], vb = fb.verts[i];
        const lm_vec3 na = normals_162[va.normal], nb = normals_162[vb.normal];
        out[0] = mix(fa.scale[0] * va.v[0] + fa.translate[0],
                     fb.scale[0] * vb.v[0] + fb.translate[0], t);
        out[1] = mix(fa.scale[1] * va.v[1] + fa.translate[1],
                     fb.scale[1] * vb.v[1] + fb.translate[1], t);
        out[2] = mix(fa.scale[2] * va.v[2] + fa.translate[2],
                     fb.scale[2] * vb.v[2] + fb.translate[2], t);
        store_normalised(out + 3, mix(na.x, nb.x, t), mix(na.y, nb.y, t), mix(na.z, nb.z, t));
    }
}

static float sines[256];

void engine_init(void) {
    for (int i = 0; i < 256; i++)
        sines[i] = (float)sin(i * 3.14159265358979323846 / 128);
}

static inline float engine_coordinate(const engine_frame *frame, uint32_t i, int c) {
    float base = (float)frame->base[i][c] * (1.0f / 64);
    return frame->comp ? base + ((float)frame->comp[i][c] - 127.0f) * 0.05f : base;
}

static inline lm_vec3 engine_normal(const engine_frame *frame, uint32_t i) {
    if (frame->comp)
        return normals_256[frame->comp[i][3]];
    unsigned angles = (uint16_t)frame->base[i][3];
    unsigned rho = angles & 255, sigma = angles >> 8;
    return (lm_vec3){sines[(sigma + 64) & 255] * sines[rho], sines[sigma] * sines[rho],
                     sines[(rho + 64) & 255]};
}

void engine_animate(const engine_frame *a, const engine_frame *b, uint32_t count, float t,
                    float *out) {
    const engine_frame fa = *a, fb = *b;
    for (uint32_t i = 0; i < count; i++, out += 8) {
        const lm_vec3 na = engine_normal(&fa, i), nb = engine_normal(&fb, i);
        out[0] = mix(engine_coordinate(&fa, i, 0), engine_coordinate(&fb, i, 0), t);
        out[1] = mix(engine_coordinate(&fa, i, 1), engine_coordinate(&fb, i, 1), t);
        out[2] = mix(engine_coordinate(&fa, i, 2), engine_coordinate(&fb, i, 2), t);
        out[3] = 0;
        store_normalised(out + 4, mix(na.x, nb.x, t), mix(na.y, nb.y, t), mix(na.z, nb.z, t));
        out[7] = 0;
    }
}
