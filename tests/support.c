#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- Bytes --------------------------------------------------------------------------------- */

blob blob_copy(const void *data, size_t size) {
    blob b = {malloc(size ? size : 1), size};
    assert_non_null(b.data);
    if (size)
        memcpy(b.data, data, size);
    return b;
}

blob blob_from_buffer(lm_buffer *buffer) {
    assert_false(buffer->failed);
    blob b = blob_copy(buffer->data, buffer->size);
    lm_buffer_free(buffer);
    return b;
}

blob blob_read(const char *path) {
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0)
        fail_msg("cannot open %s", path);
    blob b = {malloc((size_t)info.st_size + 1), (size_t)info.st_size};
    assert_non_null(b.data);
    assert_int_equal(fread(b.data, 1, b.size + 1, file), b.size);
    fclose(file);
    blob exact = blob_copy(b.data, b.size);
    blob_free(&b);
    return exact;
}

void blob_free(blob *b) {
    free(b->data);
    *b = (blob){0};
}

uint32_t get32(const blob *b, size_t at) {
    assert_true(at + 4 <= b->size);
    return b->data[at] | (uint32_t)b->data[at + 1] << 8 | (uint32_t)b->data[at + 2] << 16 |
           (uint32_t)b->data[at + 3] << 24;
}

void put32(blob *b, size_t at, uint32_t value) {
    put16(b, at, value & 0xFFFF);
    put16(b, at + 2, value >> 16);
}

void put16(blob *b, size_t at, unsigned value) {
    assert_true(at + 2 <= b->size);
    b->data[at] = (uint8_t)value;
    b->data[at + 1] = (uint8_t)(value >> 8);
}

void put_real(blob *b, size_t at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put32(b, at, bits);
}

/* ---- Chance -------------------------------------------------------------------------------- */

chance chance_from(uint32_t seed) {
    return (chance){88172645463325252u ^ (uint64_t)seed << 20};
}

uint32_t chance_next(chance *c) {
    c->state ^= c->state << 13;
    c->state ^= c->state >> 7;
    c->state ^= c->state << 17;
    return (uint32_t)(c->state >> 32);
}

uint32_t chance_below(chance *c, uint32_t limit) {
    return (uint32_t)((uint64_t)chance_next(c) * limit >> 32);
}

float chance_real(chance *c, float low, float high) {
    return low + (high - low) * (float)(chance_next(c) >> 8) / 16777216.0f;
}

/* ---- Real files ---------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool same_content(const char *a, const char *b) {
    blob left = blob_read(a), right = blob_read(b);
    bool same = left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
    blob_free(&left);
    blob_free(&right);
    return same;
}

static void add_path(file_list *list, const char *path) {
    for (size_t i = 0; i < list->count; i++)
        if (same_content(list->paths[i], path))
            return;
    list->paths = realloc(list->paths, (list->count + 1) * sizeof *list->paths);
    assert_non_null(list->paths);
    list->paths[list->count] = strdup(path);
    assert_non_null(list->paths[list->count++]);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk_folder(file_list *list, const char *folder, const char *extension) {
    char path[4096];
    struct stat info;
    DIR *open = opendir(folder);
    if (!open)
        return;
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "broken") == 0 ||
            strcmp(entry->d_name, "invalid") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            walk_folder(list, path, extension);
        else if (ends_in(path, extension))
            add_path(list, path);
    }
    closedir(open);
}

file_list list_models(const char *extension) {
    static const char *const roots[] = {"LERPMESH_CORPUS", "ASSIMP_MODELS", "LERPMESH_SOURCE_DIR"};
    char path[4096];
    file_list list = {0};
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        const char *root = getenv(roots[i]);
        if (!root)
            continue;
        bool source = strcmp(roots[i], "LERPMESH_SOURCE_DIR") == 0;
        snprintf(path, sizeof path, "%s%s", root, source ? "/samples" : "");
        walk_folder(&list, path, extension);
    }
    if (list.count == 0)
        fail_msg("no %s below LERPMESH_CORPUS, ASSIMP_MODELS or samples/", extension);
    qsort(list.paths, list.count, sizeof *list.paths, by_name);
    return list;
}

void free_list(file_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (file_list){0};
}

void each_model(void (*visit)(const char *path, const blob *file)) {
    static const char *const extensions[] = {".md2", ".mdc", ".md3"};
    for (size_t e = 0; e < COUNT_OF(extensions); e++) {
        file_list list = list_models(extensions[e]);
        for (size_t i = 0; i < list.count; i++) {
            blob file = blob_read(list.paths[i]);
            visit(list.paths[i], &file);
            blob_free(&file);
        }
        free_list(&list);
    }
}

/* ---- A small MD2 --------------------------------------------------------------------------- */

const md2_shape small_md2 = {2, 6, 9, 4, 3, false};

static uint8_t *lump_memory(int64_t count, size_t element) {
    uint8_t *data = calloc((size_t)count + 1, element);
    assert_non_null(data);
    return data;
}

static lm_md2_triangle shape_triangle(const md2_shape *shape, int32_t index) {
    lm_md2_triangle t;
    for (int32_t c = 0; c < 3; c++) {
        t.vertex[c] = (uint16_t)((index + c) % shape->num_xyz);
        t.st[c] = (uint16_t)((2 * index + c) % shape->num_st);
    }
    return t;
}

static lm_md2_st shape_st(int32_t index) {
    return (lm_md2_st){(int16_t)(index * 7 % 64), (int16_t)(index * 5 % 32)};
}

static void fill_frames(const md2_shape *shape, int32_t framesize, uint8_t *frames) {
    chance c = chance_from(1);
    for (int32_t f = 0; f < shape->num_frames; f++, frames += framesize) {
        lm_md2_frame frame = {{0.5f, 0.25f, 0.125f + (float)f}, {(float)-f, 2.5f, -8}, {0}};
        snprintf(frame.name, sizeof frame.name, f < 2 ? "stand%02d" : "run%d", (int)f + 1);
        lm_md2_put_frame(frames, &frame);
        for (int32_t v = 0; v < shape->num_xyz; v++) {
            lm_md2_vertex vertex = {
                {(uint8_t)chance_next(&c), (uint8_t)chance_next(&c), (uint8_t)chance_next(&c)},
                (uint8_t)chance_below(&c, LM_NUM_NORMALS_162)};
            lm_md2_put_vertex(frames + 40 + 4 * v, vertex);
        }
    }
}

static void fill_glcmds(const md2_shape *shape, uint8_t *glcmds) {
    for (int32_t i = 0; i < shape->num_tris; i++) {
        lm_md2_triangle t = shape_triangle(shape, i);
        lm_md2_put_glcmd(glcmds, i % 2 ? 3 : -3);
        glcmds += 4;
        for (int32_t c = 0; c < 3; c++, glcmds += 12) {
            lm_md2_st st = shape_st(t.st[c]);
            lm_md2_put_glcmd_float(glcmds, ((float)st.s + 0.5f) / 64);
            lm_md2_put_glcmd_float(glcmds + 4, ((float)st.t + 0.5f) / 32);
            lm_md2_put_glcmd(glcmds + 8, t.vertex[c]);
        }
    }
    lm_md2_put_glcmd(glcmds, 0);
}

blob make_md2(const md2_shape *shape) {
    lm_error error;
    lm_buffer out = {0};
    int32_t num_glcmds = shape->no_gl ? 0 : 10 * shape->num_tris + 1;
    int32_t framesize = 40 + 4 * shape->num_xyz;
    uint8_t *skins = lump_memory(shape->num_skins, 64), *st = lump_memory(shape->num_st, 4);
    uint8_t *tris = lump_memory(shape->num_tris, 12), *glcmds = lump_memory(num_glcmds, 4);
    uint8_t *frames = lump_memory(shape->num_frames, (size_t)framesize);
    for (int32_t i = 0; i < shape->num_skins; i++)
        snprintf((char *)skins + 64 * i, 64, "players/test/skin%d.pcx", (int)i);
    for (int32_t i = 0; i < shape->num_st; i++)
        lm_md2_put_st(st + 4 * i, shape_st(i));
    for (int32_t i = 0; i < shape->num_tris; i++) {
        lm_md2_triangle triangle = shape_triangle(shape, i);
        lm_md2_put_triangle(tris + 12 * i, &triangle);
    }
    fill_frames(shape, framesize, frames);
    if (!shape->no_gl)
        fill_glcmds(shape, glcmds);
    lm_md2 md2 = {.skinwidth = 64,
                  .skinheight = 32,
                  .framesize = framesize,
                  .num_skins = shape->num_skins,
                  .num_xyz = shape->num_xyz,
                  .num_st = shape->num_st,
                  .num_tris = shape->num_tris,
                  .num_glcmds = num_glcmds,
                  .num_frames = shape->num_frames,
                  .skins = skins,
                  .st = st,
                  .tris = tris,
                  .frames = frames,
                  .glcmds = glcmds};
    if (!lm_md2_write(&md2, &out, &error))
        fail_msg("%s", error.message);
    free(skins);
    free(st);
    free(tris);
    free(glcmds);
    free(frames);
    return blob_from_buffer(&out);
}

/* ---- A small MDC --------------------------------------------------------------------------- */

const mdc_shape small_mdc = {4, 2, 2, 5, 3, 1, 2, 2, false};

/* The lumps of one surface, in one piece of memory. */
typedef struct surface_memory {
    uint8_t *triangles, *shaders, *st, *base, *comp, *base_table, *comp_table;
} surface_memory;

static void fill_surface_tables(const mdc_shape *shape, const surface_memory *m) {
    for (int32_t f = 0; f < shape->num_frames; f++) {
        bool comp = shape->num_comp_frames > 0 && f % 3 != 1;
        lm_mdc_put_frame_index(m->base_table + 2 * f,
                               shape->num_base_frames ? (f + 1) % shape->num_base_frames : 0);
        lm_mdc_put_frame_index(m->comp_table + 2 * f,
                               comp ? f % shape->num_comp_frames : LM_MDC_NO_COMP_FRAME);
    }
}

static void fill_surface_vertices(const mdc_shape *shape, const surface_memory *m, chance *c) {
    for (int32_t i = 0; i < shape->num_base_frames * shape->num_vertices; i++) {
        lm_mdc_base_vertex v = {{0}, (uint16_t)chance_next(c)};
        for (int k = 0; k < 3; k++)
            v.v[k] = (int16_t)(chance_below(c, 1000) - 500);
        lm_mdc_put_base_vertex(m->base + 8 * i, v);
    }
    for (int32_t i = 0; i < shape->num_comp_frames * shape->num_vertices; i++) {
        lm_mdc_comp_vertex v = {{0}, (uint8_t)chance_next(c)};
        for (int k = 0; k < 3; k++)
            v.v[k] = (uint8_t)chance_next(c);
        lm_mdc_put_comp_vertex(m->comp + 4 * i, v);
    }
}

static lm_mdc_surface fill_surface(const mdc_shape *shape, int32_t index, surface_memory *m) {
    chance c = chance_from((uint32_t)index + 7);
    int32_t n = shape->num_vertices;
    *m = (surface_memory){lump_memory(shape->num_triangles, 12),
                          lump_memory(shape->num_shaders, 68),
                          lump_memory(n, 8),
                          lump_memory((int64_t)n * shape->num_base_frames, 8),
                          lump_memory((int64_t)n * shape->num_comp_frames, 4),
                          lump_memory(shape->num_frames, 2),
                          lump_memory(shape->num_frames, 2)};
    for (int32_t i = 0; i < shape->num_triangles; i++)
        lm_mdc_put_triangle(
            m->triangles + 12 * i,
            (uint32_t[]){(uint32_t)(i % n), (uint32_t)((i + 1) % n), (uint32_t)((i + 2) % n)});
    for (int32_t i = 0; i < shape->num_shaders; i++)
        snprintf((char *)m->shaders + 68 * i, 64, "models/test/part%d.tga", (int)(index + i));
    for (int32_t i = 0; i < n; i++)
        lm_mdc_put_st(m->st + 8 * i, (lm_vec2){chance_real(&c, 0, 1), chance_real(&c, 0, 1)});
    fill_surface_vertices(shape, m, &c);
    fill_surface_tables(shape, m);
    lm_mdc_surface s = {.ident = LM_MDC_SURFACE_IDENT,
                        .flags = index,
                        .num_comp_frames = shape->num_comp_frames,
                        .num_base_frames = shape->num_base_frames,
                        .num_shaders = shape->num_shaders,
                        .num_vertices = n,
                        .num_triangles = shape->num_triangles,
                        .triangles = m->triangles,
                        .shaders = m->shaders,
                        .st = m->st,
                        .base_vertices = m->base,
                        .comp_vertices = m->comp,
                        .frame_base_frames = m->base_table,
                        .frame_comp_frames = m->comp_table};
    snprintf((char *)s.name, sizeof s.name, "part%d", (int)index);
    return s;
}

static void free_surface(surface_memory *m) {
    free(m->triangles);
    free(m->shaders);
    free(m->st);
    free(m->base);
    free(m->comp);
    free(m->base_table);
    free(m->comp_table);
}

static void fill_mdc_frames(const mdc_shape *shape, uint8_t *frames, uint8_t *names,
                            uint8_t *tags) {
    chance c = chance_from(3);
    for (int32_t f = 0; f < shape->num_frames; f++) {
        float far = 30 + (float)f;
        lm_mdc_frame frame = {{-far, -far, -far}, {far, far, far}, {1, 2, 3}, 40, {0}};
        snprintf(frame.name, sizeof frame.name, "frame%d", (int)(f % 10000));
        lm_mdc_put_frame(frames + 56 * f, &frame);
    }
    for (int32_t t = 0; t < shape->num_tags; t++)
        snprintf((char *)names + 64 * t, 64, "tag_%d", (int)t);
    for (int32_t i = 0; i < shape->num_frames * shape->num_tags; i++) {
        lm_mdc_tag tag;
        for (int k = 0; k < 3; k++) {
            tag.position[k] = (int16_t)chance_next(&c);
            tag.angle[k] = (int16_t)chance_next(&c);
        }
        lm_mdc_put_tag(tags + 12 * i, &tag);
    }
}

/* An absent table has offset 0. The table that a writer put there stays behind as slack. */
static void drop_tables(blob *b, int32_t num_surfaces) {
    for (int32_t s = 0; s < num_surfaces; s++) {
        size_t start = surface_start(b, s);
        put32(b, start + SURFACE_AT_OFS_BASE_TABLE, 0);
        put32(b, start + SURFACE_AT_OFS_COMP_TABLE, 0);
    }
}

blob make_mdc(const mdc_shape *shape) {
    lm_error error;
    lm_buffer out = {0};
    uint8_t *frames = lump_memory(shape->num_frames, 56), *names = lump_memory(shape->num_tags, 64);
    uint8_t *tags = lump_memory((int64_t)shape->num_frames * shape->num_tags, 12);
    size_t count = (size_t)shape->num_surfaces;
    lm_mdc_surface *surfaces = calloc(count + 1, sizeof *surfaces);
    surface_memory *memory = calloc(count + 1, sizeof *memory);
    assert_true(surfaces && memory);
    fill_mdc_frames(shape, frames, names, tags);
    for (size_t s = 0; s < count; s++)
        surfaces[s] = fill_surface(shape, (int32_t)s, &memory[s]);
    lm_mdc mdc = {.name = "models/test/test.mdc",
                  .flags = 5,
                  .num_frames = shape->num_frames,
                  .num_tags = shape->num_tags,
                  .num_surfaces = shape->num_surfaces,
                  .num_skins = 1,
                  .frames = frames,
                  .tag_names = names,
                  .tags = tags,
                  .surfaces = surfaces};
    if (!lm_mdc_write(&mdc, &out, &error))
        fail_msg("%s", error.message);
    for (size_t s = 0; s < count; s++)
        free_surface(&memory[s]);
    free(memory);
    free(surfaces);
    free(frames);
    free(names);
    free(tags);
    blob b = blob_from_buffer(&out);
    if (shape->no_tables)
        drop_tables(&b, shape->num_surfaces);
    return b;
}

/* ---- A small MD3 --------------------------------------------------------------------------- */

const md3_shape small_md3 = {4, 2, 2, 5, 3, 1};

static void fill_md3_frames(const md3_shape *shape, uint8_t *frames, uint8_t *tags) {
    chance c = chance_from(5);
    for (int32_t f = 0; f < shape->num_frames; f++) {
        float far = 30 + (float)f;
        lm_md3_frame frame = {{-far, -far, -far}, {far, far, far}, {1, 2, 3}, 40, {0}};
        snprintf(frame.name, sizeof frame.name, "frame%d", (int)(f % 10000));
        lm_md3_put_frame(frames + 56 * f, &frame);
    }
    for (int32_t i = 0; i < shape->num_frames * shape->num_tags; i++) {
        lm_md3_tag tag = {.origin = {(float)i, chance_real(&c, -50, 50), -1.5f}};
        snprintf((char *)tag.name, sizeof tag.name, "tag_%d", (int)(i % shape->num_tags));
        float turn = chance_real(&c, 0.5f, 2);
        tag.axis[0] = (lm_vec3){0, turn, 0};
        tag.axis[1] = (lm_vec3){-2, 0, 0.25f};
        tag.axis[2] = (lm_vec3){0.125f, 0, i % shape->num_tags % 2 ? -turn : turn};
        lm_md3_put_tag(tags + 112 * i, &tag);
    }
}

static lm_md3_surface fill_md3_surface(const md3_shape *shape, int32_t index, surface_memory *m) {
    chance c = chance_from((uint32_t)index + 9);
    int32_t n = shape->num_verts;
    *m = (surface_memory){lump_memory(shape->num_triangles, 12),
                          lump_memory(shape->num_shaders, 68),
                          lump_memory(n, 8),
                          lump_memory((int64_t)n * shape->num_frames, 8),
                          NULL,
                          NULL,
                          NULL};
    for (int32_t i = 0; i < shape->num_triangles; i++)
        lm_md3_put_triangle(
            m->triangles + 12 * i,
            (uint32_t[]){(uint32_t)(i % n), (uint32_t)((i + 1) % n), (uint32_t)((i + 2) % n)});
    for (int32_t i = 0; i < shape->num_shaders; i++)
        snprintf((char *)m->shaders + 68 * i, 64, "models/test/part%d.tga", (int)(index + i));
    for (int32_t i = 0; i < n; i++)
        lm_md3_put_st(m->st + 8 * i, (lm_vec2){chance_real(&c, 0, 1), chance_real(&c, 0, 1)});
    for (int32_t i = 0; i < n * shape->num_frames; i++) {
        lm_md3_xyz_normal v = {{0}, (uint16_t)chance_next(&c)};
        for (int k = 0; k < 3; k++)
            v.v[k] = (int16_t)(chance_below(&c, 1000) - 500);
        lm_md3_put_xyz_normal(m->base + 8 * i, v);
    }
    lm_md3_surface s = {.ident = LM_MD3_IDENT,
                        .flags = index,
                        .num_frames = shape->num_frames,
                        .num_shaders = shape->num_shaders,
                        .num_verts = n,
                        .num_triangles = shape->num_triangles,
                        .triangles = m->triangles,
                        .shaders = m->shaders,
                        .st = m->st,
                        .xyz_normals = m->base};
    snprintf((char *)s.name, sizeof s.name, "part%d", (int)index);
    return s;
}

blob make_md3(const md3_shape *shape) {
    lm_error error;
    lm_buffer out = {0};
    uint8_t *frames = lump_memory(shape->num_frames, 56);
    uint8_t *tags = lump_memory((int64_t)shape->num_frames * shape->num_tags, 112);
    size_t count = (size_t)shape->num_surfaces;
    lm_md3_surface *surfaces = calloc(count + 1, sizeof *surfaces);
    surface_memory *memory = calloc(count + 1, sizeof *memory);
    assert_true(surfaces && memory);
    fill_md3_frames(shape, frames, tags);
    for (size_t s = 0; s < count; s++)
        surfaces[s] = fill_md3_surface(shape, (int32_t)s, &memory[s]);
    lm_md3 md3 = {.name = "models/test/test.md3",
                  .flags = 5,
                  .num_frames = shape->num_frames,
                  .num_tags = shape->num_tags,
                  .num_surfaces = shape->num_surfaces,
                  .num_skins = 1,
                  .frames = frames,
                  .tags = tags,
                  .surfaces = surfaces};
    if (!lm_md3_write(&md3, &out, &error))
        fail_msg("%s", error.message);
    for (size_t s = 0; s < count; s++)
        free_surface(&memory[s]);
    free(memory);
    free(surfaces);
    free(frames);
    free(tags);
    return blob_from_buffer(&out);
}

size_t surface_start(const blob *b, int32_t surface) {
    bool mdc = b->data[3] == 'C';
    size_t start = get32(b, mdc ? MDC_AT_OFS_SURFACES : MD3_AT_OFS_SURFACES);
    for (int32_t s = 0; s < surface; s++)
        start += get32(b, start + (mdc ? SURFACE_AT_OFS_END : MD3_SURFACE_AT_OFS_END));
    return start;
}

size_t surface_lump(const blob *b, int32_t surface, size_t at) {
    size_t start = surface_start(b, surface);
    return start + get32(b, start + at);
}

/* ---- Memory that fails --------------------------------------------------------------------- */

/* Stands in front of each block, which keeps malloc's alignment. */
typedef union block_head {
    size_t size;
    max_align_t align;
} block_head;

static void *counted_alloc(void *user, size_t size) {
    counted *counts = user;
    if (++counts->calls == counts->fail_at)
        return NULL;
    block_head *head = malloc(sizeof *head + size);
    assert_non_null(head);
    head->size = size;
    memset(head + 1, 0xA5, size); /* what nobody wrote is seen */
    counts->live_blocks++;
    counts->live_bytes += size;
    if (counts->live_bytes > counts->most_bytes)
        counts->most_bytes = counts->live_bytes;
    return head + 1;
}

static void counted_free(void *user, void *pointer, size_t size) {
    counted *counts = user;
    if (!pointer)
        return;
    block_head *head = (block_head *)pointer - 1;
    if (head->size != size)
        fail_msg("a block of %zu bytes is released as one of %zu", head->size, size);
    counts->live_blocks--;
    counts->live_bytes -= size;
    memset(pointer, 0x5A, size);
    free(head);
}

static void *counted_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    void *grown = counted_alloc(user, new_size);
    if (grown && pointer)
        memcpy(grown, pointer, old_size < new_size ? old_size : new_size);
    if (grown)
        counted_free(user, pointer, old_size);
    return grown;
}

lm_allocator counting_allocator(counted *counts) {
    return (lm_allocator){counted_alloc, counted_realloc, counted_free, counts};
}

void assert_all_released(const counted *counts) {
    assert_int_equal(counts->live_blocks, 0);
    assert_int_equal(counts->live_bytes, 0);
}

/* ---- Promises ------------------------------------------------------------------------------ */

void assert_error_told(const lm_error *error) {
    assert_true(error->code > LM_CODE_OK && error->code < LM_NUM_CODES);
    size_t length = strnlen(error->message, sizeof error->message);
    assert_in_range(length, 8, sizeof error->message - 1);
    assert_in_range(strnlen(error->section, sizeof error->section), 0, sizeof error->section - 1);
    assert_null(strchr(error->message, '\n'));
}

static void assert_finite_vec(lm_vec3 v) {
    assert_true(isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
}

static void assert_frames_valid(const lm_model *model) {
    assert_true(model->num_frames >= 1);
    assert_non_null(model->frames);
    for (uint32_t f = 0; f < model->num_frames; f++) {
        const lm_frame *frame = &model->frames[f];
        assert_in_range(strlen(frame->name), 0, 16);
        assert_finite_vec(frame->min);
        assert_finite_vec(frame->max);
        assert_finite_vec(frame->origin);
        assert_finite_vec(frame->scale);
        assert_finite_vec(frame->translate);
        assert_true(isfinite(frame->radius));
        assert_true(frame->min.x <= frame->max.x && frame->min.y <= frame->max.y &&
                    frame->min.z <= frame->max.z);
    }
}

/* Reads every byte, for the sanitizer to see. */
static void touch(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        (void)((const volatile uint8_t *)bytes)[i];
}

static void assert_keys_valid(const lm_model *model, const lm_surface *s) {
    size_t key_size = s->encoding == LM_VERTEX_U8 ? 4 : 8;
    assert_int_equal(s->key_size, key_size);
    assert_true(s->key_stride >= s->num_file_vertices * key_size);
    for (uint32_t f = 0; f < model->num_frames && s->num_vertices > 0; f++) {
        uint32_t key = s->frame_keys ? s->frame_keys[f] : f;
        uint32_t delta = s->frame_deltas ? s->frame_deltas[f] : LM_NO_DELTA;
        if (key >= s->num_keys || (delta != LM_NO_DELTA && delta >= s->num_deltas))
            fail_msg("frame %u uses key %u of %u, delta %u of %u", f, key, s->num_keys, delta,
                     s->num_deltas);
        const uint8_t *row = s->keys + key * s->key_stride;
        touch(row, s->num_file_vertices * key_size);
        if (delta != LM_NO_DELTA)
            touch(s->deltas + delta * s->delta_stride, (size_t)4 * s->num_file_vertices);
        for (uint32_t v = 0; v < s->num_file_vertices && s->encoding == LM_VERTEX_U8; v++)
            if (row[4 * (size_t)v + 3] >= LM_NUM_NORMALS_162)
                fail_msg("frame %u vertex %u has normal %u", f, v, row[4 * (size_t)v + 3]);
    }
}

static void assert_surface_valid(const lm_model *model, const lm_surface *s) {
    assert_non_null(s->name);
    assert_true(s->num_vertices >= s->num_file_vertices);
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        assert_true(s->file_vertices[v] < s->num_file_vertices);
        assert_true(v >= s->num_file_vertices || s->file_vertices[v] == v);
        assert_true(isfinite(s->st[v].x) && isfinite(s->st[v].y));
    }
    for (size_t i = 0; i < (size_t)3 * s->num_triangles; i++)
        if (s->triangles[i] >= s->num_vertices)
            fail_msg("corner %zu uses vertex %u of %u", i, s->triangles[i], s->num_vertices);
    for (uint32_t m = 0; m < s->num_materials; m++)
        assert_in_range(strlen(s->materials[m].name), 0, 64);
    assert_keys_valid(model, s);
}

/* Clips made from names hold every frame exactly once, in order. */
static void assert_clips_valid(const lm_model *model) {
    uint32_t next = 0;
    assert_true(model->num_clips >= 1);
    for (uint32_t i = 0; i < model->num_clips; i++) {
        const lm_clip *clip = &model->clips[i];
        assert_non_null(clip->name);
        assert_int_equal(clip->first, next);
        assert_true(clip->count >= 1 && clip->count <= model->num_frames - clip->first);
        assert_true(clip->fps > 0 && isfinite(clip->fps));
        assert_true(clip->loop_frames <= clip->count);
        next += clip->count;
    }
    assert_int_equal(next, model->num_frames);
}

static void assert_gl_valid(const lm_model *model) {
    const lm_gl_commands *gl = &model->gl_commands;
    uint32_t vertices = 0, triangles = 0, fans = 0;
    for (uint32_t p = 0; p < gl->num_primitives; p++) {
        assert_int_equal(gl->primitives[p].first, vertices);
        assert_true(gl->primitives[p].count >= 1);
        vertices += gl->primitives[p].count;
        triangles += gl->primitives[p].count >= 3 ? gl->primitives[p].count - 2 : 0;
        fans += gl->primitives[p].fan;
    }
    assert_int_equal(gl->num_vertices, vertices);
    assert_int_equal(gl->num_triangles, triangles);
    assert_int_equal(gl->num_fans, fans);
    assert_int_equal(gl->num_fans + gl->num_strips, gl->num_primitives);
    for (uint32_t v = 0; v < gl->num_vertices; v++) {
        const lm_surface *s = &model->surfaces[0];
        assert_true(gl->vertices[v].vertex < s->num_file_vertices);
        assert_true(isfinite(gl->vertices[v].s) && isfinite(gl->vertices[v].t));
        if (gl->drawn) {
            assert_true(gl->drawn[v] < s->num_vertices);
            assert_int_equal(s->file_vertices[gl->drawn[v]], gl->vertices[v].vertex);
        }
    }
}

static void assert_tags_valid(const lm_model *model) {
    for (uint32_t t = 0; t < model->num_tags; t++) {
        assert_in_range(strlen(model->tags[t].name), 0, 64);
        for (uint32_t f = 0; f < model->num_frames; f++)
            touch(model->tags[t].poses + f * model->tags[t].pose_stride,
                  model->tags[t].encoding == LM_TAG_AXES ? 48 : 12);
    }
}

static void assert_warnings_valid(const lm_model *model) {
    bool seen[LM_NUM_CODES] = {false};
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_model_warning *w = &model->warnings[i];
        assert_true(w->code > LM_CODE_OK && w->code < LM_NUM_CODES);
        assert_false(seen[w->code]);
        seen[w->code] = true;
        assert_true(w->count >= 1);
        assert_true(strlen(w->message) > 8);
    }
}

void assert_model_valid(const lm_model *model) {
    assert_non_null(model);
    assert_non_null(model->name);
    assert_true(strcmp(model->format, "md2") == 0 || strcmp(model->format, "mdc") == 0 ||
                strcmp(model->format, "md3") == 0);
    assert_frames_valid(model);
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        assert_surface_valid(model, &model->surfaces[s]);
    for (uint32_t i = 0; i < model->num_skins; i++)
        assert_in_range(strlen(model->skins[i]), 0, 64);
    assert_clips_valid(model);
    assert_gl_valid(model);
    assert_tags_valid(model);
    assert_warnings_valid(model);
    assert_true(isfinite(model->delta_scale));
}
