/* Compares loading with the plain reader of D. Henry's description, with Assimp, which loads one
 * frame, and with the lower bound: read() into existing memory. */
#include "lerpmesh/load.h"
#include "harness.h"
#include "lerpmesh/files.h"
#include "lerpmesh/md2.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef BENCH_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif

/* ---- The plain reader, for little-endian machines ------------------------------------------ */

typedef struct plain_vertex {
    uint8_t v[3], normal;
} plain_vertex;

typedef struct plain_frame {
    float scale[3], translate[3];
    char name[16];
    plain_vertex *vertices;
} plain_frame;

typedef struct plain_model {
    struct {
        int32_t ident, version, skinwidth, skinheight, framesize, num_skins, num_vertices, num_st,
            num_tris, num_glcmds, num_frames, offset_skins, offset_st, offset_tris, offset_frames,
            offset_glcmds, offset_end;
    } header;
    void *skins, *st, *tris, *glcmds;
    plain_frame *frames;
} plain_model;

static void read_next(FILE *file, void *out, size_t size) {
    if (size && fread(out, size, 1, file) != 1) {
        fprintf(stderr, "lerpmesh-bench: plain reader: the file is cut off\n");
        exit(1);
    }
}

static void *load_lump(FILE *file, int32_t offset, int32_t count, size_t element) {
    const size_t size = (size_t)count * element;
    void *lump = malloc(size);
    fseek(file, offset, SEEK_SET);
    read_next(file, lump, size);
    return lump;
}

/* Reads an MD2 as the description does: one malloc and fread per lump, one malloc and four freads
 * per frame. It checks nothing, so it is only given files that the library accepted. */
static void plain_read(const char *path, plain_model *model) {
    FILE *file = fopen(path, "rb");
    if (!file)
        exit(1);
    read_next(file, &model->header, sizeof model->header);
    model->skins = load_lump(file, model->header.offset_skins, model->header.num_skins, 64);
    model->st = load_lump(file, model->header.offset_st, model->header.num_st, 4);
    model->tris = load_lump(file, model->header.offset_tris, model->header.num_tris, 12);
    model->glcmds = load_lump(file, model->header.offset_glcmds, model->header.num_glcmds, 4);
    const size_t count = (size_t)model->header.num_frames;
    const size_t size = (size_t)model->header.num_vertices * sizeof(plain_vertex);
    model->frames = calloc(count, sizeof *model->frames);
    fseek(file, model->header.offset_frames, SEEK_SET);
    for (size_t f = 0; f < count; f++) {
        plain_frame *frame = &model->frames[f];
        frame->vertices = malloc(size);
        read_next(file, frame->scale, sizeof frame->scale);
        read_next(file, frame->translate, sizeof frame->translate);
        read_next(file, frame->name, sizeof frame->name);
        read_next(file, frame->vertices, size);
    }
    fclose(file);
}

static void plain_free(plain_model *model) {
    for (int32_t f = 0; f < model->header.num_frames; f++)
        free(model->frames[f].vertices);
    free(model->frames);
    free(model->glcmds);
    free(model->tris);
    free(model->st);
    free(model->skins);
}

/* ---- Contenders ---------------------------------------------------------------------------- */

/* Files that one run loads in sequence. */
typedef struct load_set {
    const bench_file **files;
    size_t count, bytes;
    uint8_t *scratch; /* large enough for any one of them */
} load_set;

static void must(bool done, const char *path) {
    if (!done) {
        fprintf(stderr, "lerpmesh-bench: %s cannot be loaded any more\n", path);
        exit(1);
    }
}

static void run_plain(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        plain_model model;
        plain_read(set->files[i]->path, &model);
        plain_free(&model);
    }
}

static void run_read(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        const int descriptor = open(set->files[i]->path, O_RDONLY);
        const ssize_t got = read(descriptor, set->scratch, set->files[i]->size);
        must(got == (ssize_t)set->files[i]->size, set->files[i]->path);
        close(descriptor);
    }
}

static void run_load_memory(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        lm_model *model = lm_load_memory(set->files[i]->data, set->files[i]->size, NULL, NULL);
        must(model != NULL, set->files[i]->path);
        lm_model_free(model);
    }
}

static void run_load_file(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++) {
        lm_model *model = lm_load_file(set->files[i]->path, NULL, NULL);
        must(model != NULL, set->files[i]->path);
        lm_model_free(model);
    }
}

#ifdef BENCH_ASSIMP
static void run_assimp(void *context) {
    const load_set *set = context;
    for (size_t i = 0; i < set->count; i++)
        aiReleaseImport(aiImportFile(set->files[i]->path, 0));
}

/* Returns whether Assimp finds as many triangles as the library does. */
static bool assimp_agrees(const bench_file *file) {
    uint32_t theirs = 0, ours = 0;
    const struct aiScene *scene = aiImportFile(file->path, 0);
    for (unsigned i = 0; scene && i < scene->mNumMeshes; i++)
        theirs += scene->mMeshes[i]->mNumFaces;
    for (uint32_t i = 0; i < file->model->num_surfaces; i++)
        ours += file->model->surfaces[i].num_triangles;
    aiReleaseImport(scene);
    return theirs == ours;
}
#endif

/* Checks that the plain reader and the document have the same vertices and triangles. The plain
 * reader cannot read files with a larger framesize. */
static bool plain_agrees(const bench_file *file) {
    plain_model plain = {.frames = NULL};
    lm_md2 *md2 = lm_md2_read(file->data, file->size, NULL, NULL);
    bool same = md2 && md2->framesize == LM_MD2_FRAME_HEADER_SIZE + 4 * md2->num_xyz;
    if (same) {
        plain_read(file->path, &plain);
        same = memcmp(plain.tris, md2->tris, (size_t)md2->num_tris * 12) == 0;
        for (int32_t f = 0; f < md2->num_frames && same; f++)
            same =
                plain.frames[f].vertices &&
                memcmp(plain.frames[f].vertices,
                       md2->frames + (size_t)f * (size_t)md2->framesize + LM_MD2_FRAME_HEADER_SIZE,
                       (size_t)md2->num_xyz * 4) == 0;
        plain_free(&plain);
    }
    lm_md2_free(md2);
    return same;
}

static void compare(load_set *set, const char *format, const char *subject) {
    bench_contender contenders[5];
    unsigned count = 0;
    if (strcmp(format, "md2") == 0) {
        for (size_t i = 0; i < set->count; i++)
            if (!bench_require(plain_agrees(set->files[i]), set->files[i]->path))
                return;
        contenders[count++] = (bench_contender){"plain reader, file (fread)", run_plain, set, 1e3};
    }
    contenders[count++] = (bench_contender){"open, read(), close alone", run_read, set, 1e3};
    contenders[count++] = (bench_contender){"lm_load_memory", run_load_memory, set, 1e3};
    contenders[count++] = (bench_contender){"lm_load_file", run_load_file, set, 1e3};
#ifdef BENCH_ASSIMP
    bool known = true;
    for (size_t i = 0; i < set->count; i++)
        known = known && assimp_agrees(set->files[i]);
    if (known)
        contenders[count++] = (bench_contender){"Assimp, its first frame", run_assimp, set, 1e3};
#endif
    bench_compare(subject, "us a load", CLOCK_THREAD_CPUTIME_ID, contenders, count);
}

/* Measures files that are not small one by one, then all of them. */
static void load_format(const bench_corpus *corpus, const char *format) {
    char subject[256];
    size_t largest = 0;
    load_set all = {.files = bench_alloc(corpus->count * sizeof(const bench_file *))};
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (strcmp(file->model->format, format) != 0)
            continue;
        all.files[all.count++] = file;
        all.bytes += file->size;
        largest = file->size > largest ? file->size : largest;
    }
    all.scratch = bench_alloc(largest);
    for (size_t i = 0; i < all.count; i++) {
        load_set one = {&all.files[i], 1, all.files[i]->size, all.scratch};
        snprintf(subject, sizeof subject, "load %s, %zu bytes", all.files[i]->name, one.bytes);
        if (one.bytes > 100000)
            compare(&one, format, subject);
    }
    snprintf(subject, sizeof subject, "load all %zu %s files, %zu bytes", all.count, format,
             all.bytes);
    if (all.count)
        compare(&all, format, subject);
    free(all.scratch);
    free(all.files);
}

void bench_load(const bench_corpus *corpus) {
    for (uint32_t i = 0; lm_format_at(i); i++)
        load_format(corpus, lm_format_at(i)->name);
}
