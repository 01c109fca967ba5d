/* Builds files of a few vertices from a shape. */
#include "elements.h"
#include "formats/mdl/mdl_write.h"
#include "formats/mds/mds_format.h"
#include "formats/write_document.h"
#include "support.h"

static uint8_t *lump_memory(int64_t count, size_t element) {
    uint8_t *data = calloc((size_t)count + 1, element);
    assert_non_null(data);
    return data;
}

/* ---- A small MD2 --------------------------------------------------------------------------- */

const md2_shape small_md2 = {2, 6, 9, 4, 3, false};

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

static void fill_md2_frames(const md2_shape *shape, int32_t framesize, uint8_t *frames) {
    chance c = chance_from(1);
    for (int32_t f = 0; f < shape->num_frames; f++, frames += framesize) {
        lm_md2_frame frame = {{0.5f, 0.25f, 0.125f + (float)f}, {(float)-f, 2.5f, -8}, {0}};
        snprintf(frame.name, sizeof frame.name, f < 2 ? "stand%02d" : "run%d", (int)f + 1);
        lmi_md2_put_frame(frames, &frame);
        for (int32_t v = 0; v < shape->num_xyz; v++) {
            lm_md2_vertex vertex = {
                {(uint8_t)chance_next(&c), (uint8_t)chance_next(&c), (uint8_t)chance_next(&c)},
                (uint8_t)chance_below(&c, LM_NUM_NORMALS_162)};
            lmi_md2_put_vertex(frames + 40 + 4 * v, &vertex);
        }
    }
}

static void fill_glcmds(const md2_shape *shape, uint8_t *glcmds) {
    for (int32_t i = 0; i < shape->num_tris; i++) {
        lm_md2_triangle t = shape_triangle(shape, i);
        lmi_md2_put_glcmd(glcmds, i % 2 ? 3 : -3);
        glcmds += 4;
        for (int32_t c = 0; c < 3; c++, glcmds += 12) {
            lm_md2_st st = shape_st(t.st[c]);
            lmi_md2_put_glcmd_float(glcmds, ((float)st.s + 0.5f) / 64);
            lmi_md2_put_glcmd_float(glcmds + 4, ((float)st.t + 0.5f) / 32);
            lmi_md2_put_glcmd(glcmds + 8, t.vertex[c]);
        }
    }
    lmi_md2_put_glcmd(glcmds, 0);
}

blob make_md2(const md2_shape *shape) {
    lm_error error;
    lm_buffer out = {0};
    int32_t num_glcmds = shape->no_gl ? 0 : 10 * shape->num_tris + 1;
    int32_t framesize = 40 + 4 * shape->num_xyz;
    AT_END(drop_bytes)
    uint8_t *skins = lump_memory(shape->num_skins, 64), *st = lump_memory(shape->num_st, 4);
    AT_END(drop_bytes)
    uint8_t *tris = lump_memory(shape->num_tris, 12), *glcmds = lump_memory(num_glcmds, 4);
    AT_END(drop_bytes) uint8_t *frames = lump_memory(shape->num_frames, (size_t)framesize);
    for (int32_t i = 0; i < shape->num_skins; i++)
        snprintf((char *)skins + 64 * i, 64, "players/test/skin%d.pcx", (int)i);
    for (int32_t i = 0; i < shape->num_st; i++) {
        lm_md2_st at = shape_st(i);
        lmi_md2_put_st(st + 4 * i, &at);
    }
    for (int32_t i = 0; i < shape->num_tris; i++) {
        lm_md2_triangle triangle = shape_triangle(shape, i);
        lmi_md2_put_triangle(tris + 12 * i, &triangle);
    }
    fill_md2_frames(shape, framesize, frames);
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
    assert_done(lmi_write_document(&lmi_md2_kind, &md2, &out, &error), error);
    return blob_from_buffer(&out);
}

/* ---- Shared by MDC and MD3 ----------------------------------------------------------------- */

/* The lumps of one surface. */
typedef struct surface_memory {
    uint8_t *triangles, *shaders, *st, *base, *comp, *base_table, *comp_table;
} surface_memory;

static void free_surfaces(surface_memory *surfaces, size_t count) {
    for (surface_memory *m = surfaces; m < surfaces + count; m++) {
        free(m->triangles);
        free(m->shaders);
        free(m->st);
        free(m->base);
        free(m->comp);
        free(m->base_table);
        free(m->comp_table);
    }
    free(surfaces);
}

/* Makes everything that the formats share. `num_base` counts the frames of 8 bytes per vertex. */
static surface_memory make_surface(int32_t index, int32_t num_triangles, int32_t num_shaders,
                                   int32_t num_vertices, int32_t num_base, chance *c) {
    surface_memory m = {.triangles = lump_memory(num_triangles, 12),
                        .shaders = lump_memory(num_shaders, 68),
                        .st = lump_memory(num_vertices, 8),
                        .base = lump_memory((int64_t)num_vertices * num_base, 8)};
    for (int32_t i = 0; i < num_triangles; i++)
        lmi_mdc_put_triangle(m.triangles + 12 * i,
                             (uint32_t[]){(uint32_t)(i % num_vertices),
                                          (uint32_t)((i + 1) % num_vertices),
                                          (uint32_t)((i + 2) % num_vertices)});
    for (int32_t i = 0; i < num_shaders; i++)
        snprintf((char *)m.shaders + 68 * i, 64, "models/test/part%d.tga", (int)(index + i));
    for (int32_t i = 0; i < num_vertices; i++)
        lmi_mdc_put_st(m.st + 8 * i, &(lm_vec2){chance_real(c, 0, 1), chance_real(c, 0, 1)});
    for (int32_t i = 0; i < num_base * num_vertices; i++) {
        lm_vertex_mesh_vertex v = {{0}, (uint16_t)chance_next(c)};
        for (int k = 0; k < 3; k++)
            v.v[k] = (int16_t)(chance_below(c, 1000) - 500);
        lmi_mdc_put_base_vertex(m.base + 8 * i, &v);
    }
    return m;
}

static uint8_t *make_frames(int32_t num_frames) {
    uint8_t *frames = lump_memory(num_frames, 56);
    for (int32_t f = 0; f < num_frames; f++) {
        float far = 30 + (float)f;
        lm_vertex_mesh_frame frame = {{-far, -far, -far}, {far, far, far}, {1, 2, 3}, 40, {0}};
        snprintf(frame.name, sizeof frame.name, "frame%d", (int)(f % 10000));
        lmi_mdc_put_frame(frames + 56 * f, &frame);
    }
    return frames;
}

/* ---- A small MDC --------------------------------------------------------------------------- */

const mdc_shape small_mdc = {4, 2, 2, 5, 3, 1, 2, 2, false};

static void fill_surface_tables(const mdc_shape *shape, const surface_memory *m) {
    for (int32_t f = 0; f < shape->num_frames; f++) {
        bool comp = shape->num_comp_frames > 0 && f % 3 != 1;
        lmi_mdc_put_frame_index(m->base_table + 2 * f,
                                shape->num_base_frames ? (f + 1) % shape->num_base_frames : 0);
        lmi_mdc_put_frame_index(m->comp_table + 2 * f,
                                comp ? f % shape->num_comp_frames : LM_MDC_NO_COMP_FRAME);
    }
}

static void fill_comp_vertices(const mdc_shape *shape, const surface_memory *m, chance *c) {
    for (int32_t i = 0; i < shape->num_comp_frames * shape->num_vertices; i++) {
        lm_mdc_comp_vertex v = {{0}, (uint8_t)chance_next(c)};
        for (int k = 0; k < 3; k++)
            v.v[k] = (uint8_t)chance_next(c);
        lmi_mdc_put_comp_vertex(m->comp + 4 * i, &v);
    }
}

static lm_mdc_surface make_mdc_surface(const mdc_shape *shape, int32_t index, surface_memory *m) {
    chance c = chance_from((uint32_t)index + 7);
    int32_t n = shape->num_vertices;
    *m = make_surface(index, shape->num_triangles, shape->num_shaders, n, shape->num_base_frames,
                      &c);
    m->comp = lump_memory((int64_t)n * shape->num_comp_frames, 4);
    m->base_table = lump_memory(shape->num_frames, 2);
    m->comp_table = lump_memory(shape->num_frames, 2);
    fill_comp_vertices(shape, m, &c);
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

static void fill_mdc_tags(const mdc_shape *shape, uint8_t *names, uint8_t *tags) {
    chance c = chance_from(3);
    for (int32_t t = 0; t < shape->num_tags; t++)
        snprintf((char *)names + 64 * t, 64, "tag_%d", (int)t);
    for (int32_t i = 0; i < shape->num_frames * shape->num_tags; i++) {
        lm_mdc_tag tag;
        for (int k = 0; k < 3; k++) {
            tag.position[k] = (int16_t)chance_next(&c);
            tag.angle[k] = (int16_t)chance_next(&c);
        }
        lmi_mdc_put_tag(tags + 12 * i, &tag);
    }
}

/* Removes both tables: an absent table has offset 0. The old tables remain as unused bytes. */
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
    AT_END(drop_bytes) uint8_t *frames = make_frames(shape->num_frames);
    AT_END(drop_bytes) uint8_t *names = lump_memory(shape->num_tags, 64);
    AT_END(drop_bytes)
    uint8_t *tags = lump_memory((int64_t)shape->num_frames * shape->num_tags, 12);
    size_t count = (size_t)shape->num_surfaces;
    AT_END(drop_bytes) lm_mdc_surface *surfaces = calloc(count + 1, sizeof *surfaces);
    surface_memory *memory = calloc(count + 1, sizeof *memory);
    assert_true(surfaces && memory);
    fill_mdc_tags(shape, names, tags);
    for (size_t s = 0; s < count; s++)
        surfaces[s] = make_mdc_surface(shape, (int32_t)s, &memory[s]);
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
    assert_done(lmi_write_document(&lmi_mdc_kind, &mdc, &out, &error), error);
    free_surfaces(memory, count);
    blob b = blob_from_buffer(&out);
    if (shape->no_tables)
        drop_tables(&b, shape->num_surfaces);
    return b;
}

/* ---- A small MD3 --------------------------------------------------------------------------- */

const md3_shape small_md3 = {4, 2, 2, 5, 3, 1};

static void fill_md3_tags(const md3_shape *shape, uint8_t *tags) {
    chance c = chance_from(5);
    for (int32_t i = 0; i < shape->num_frames * shape->num_tags; i++) {
        lm_md3_tag tag = {.origin = {(float)i, chance_real(&c, -50, 50), -1.5f}};
        snprintf((char *)tag.name, sizeof tag.name, "tag_%d", (int)(i % shape->num_tags));
        float turn = chance_real(&c, 0.5f, 2);
        tag.axis[0] = (lm_vec3){0, turn, 0};
        tag.axis[1] = (lm_vec3){-2, 0, 0.25f};
        tag.axis[2] = (lm_vec3){0.125f, 0, i % shape->num_tags % 2 ? -turn : turn};
        lmi_md3_put_tag(tags + 112 * i, &tag);
    }
}

static lm_md3_surface make_md3_surface(const md3_shape *shape, int32_t index, surface_memory *m) {
    chance c = chance_from((uint32_t)index + 9);
    int32_t n = shape->num_verts;
    *m = make_surface(index, shape->num_triangles, shape->num_shaders, n, shape->num_frames, &c);
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
    AT_END(drop_bytes) uint8_t *frames = make_frames(shape->num_frames);
    AT_END(drop_bytes)
    uint8_t *tags = lump_memory((int64_t)shape->num_frames * shape->num_tags, 112);
    size_t count = (size_t)shape->num_surfaces;
    AT_END(drop_bytes) lm_md3_surface *surfaces = calloc(count + 1, sizeof *surfaces);
    surface_memory *memory = calloc(count + 1, sizeof *memory);
    assert_true(surfaces && memory);
    fill_md3_tags(shape, tags);
    for (size_t s = 0; s < count; s++)
        surfaces[s] = make_md3_surface(shape, (int32_t)s, &memory[s]);
    lm_md3 md3 = {.name = "models/test/test.md3",
                  .flags = 5,
                  .num_frames = shape->num_frames,
                  .num_tags = shape->num_tags,
                  .num_surfaces = shape->num_surfaces,
                  .num_skins = 1,
                  .frames = frames,
                  .tags = tags,
                  .surfaces = surfaces};
    assert_done(lmi_write_document(&lmi_md3_kind, &md3, &out, &error), error);
    free_surfaces(memory, count);
    return blob_from_buffer(&out);
}

size_t surface_start(const blob *b, int32_t surface) {
    bool mdc = b->data[3] == 'C', mds = b->data[3] == 'W';
    size_t start = get32(b, mdc   ? MDC_AT_OFS_SURFACES
                            : mds ? MDS_AT_OFS_SURFACES
                                  : MD3_AT_OFS_SURFACES);
    for (int32_t s = 0; s < surface; s++)
        start += get32(b, start + (mdc   ? SURFACE_AT_OFS_END
                                   : mds ? MDS_SURFACE_AT_OFS_END
                                         : MD3_SURFACE_AT_OFS_END));
    return start;
}

size_t surface_lump(const blob *b, int32_t surface, size_t at) {
    size_t start = surface_start(b, surface);
    return start + get32(b, start + at);
}

/* ---- A small MDL --------------------------------------------------------------------------- */

enum {
    MDL_VERTS = 6,
    MDL_TRIS = 4,
    MDL_POSES = 3,
    MDL_RAPO_ST = 5,
    MDL_POSE = 24 + 4 * MDL_VERTS
};

static void fill_mdl_pose(chance *c, const char *name, uint8_t *out) {
    lm_mdl_pose pose = {{{255, 255, 255}, 0}, {{0, 0, 0}, 0}, {0}};
    snprintf(pose.name, sizeof pose.name, "%s", name);
    for (int32_t v = 0; v < MDL_VERTS; v++) {
        lm_mdl_vertex vertex = {{0}, (uint8_t)chance_below(c, LM_NUM_NORMALS_162)};
        for (int i = 0; i < 3; i++) {
            const uint8_t at = vertex.v[i] = (uint8_t)chance_next(c);
            pose.min.v[i] = at < pose.min.v[i] ? at : pose.min.v[i];
            pose.max.v[i] = at > pose.max.v[i] ? at : pose.max.v[i];
        }
        lmi_mdl_put_vertex(out + 24 + 4 * v, &vertex);
    }
    lmi_mdl_put_pose(out, &pose);
}

static void fill_mdl_lists(int32_t num_st, uint8_t *st, uint8_t *tris) {
    for (int32_t v = 0; v < (num_st ? num_st : MDL_VERTS); v++)
        lmi_mdl_put_st(st + 12 * v, &(lm_mdl_st){v % 2 ? 32 : 0, v, v % 4});
    for (int32_t t = 0; t < MDL_TRIS; t++)
        lmi_mdl_put_triangle(&(lm_mdl){.num_st = num_st}, tris + 16 * t,
                             &(lm_mdl_triangle){t % 2 ? 0 : 16,
                                                {t, t + 1, (t + 2) % MDL_VERTS},
                                                {t % MDL_RAPO_ST, 2, (t + 1) % MDL_RAPO_ST}});
}

static blob make_variant(int32_t width, int32_t num_images, int32_t num_st) {
    static const float ends[] = {0.1f, 0.4f, 0.5f};
    uint8_t st[12 * MDL_VERTS], tris[16 * MDL_TRIS], poses[5][MDL_POSE], times[4 * MDL_POSES];
    const uint8_t bounds[8] = {0, 0, 0, 0, 255, 255, 255, 0};
    AT_END(drop_bytes) uint8_t *pixels = lump_memory((int64_t)width * 4, (size_t)num_images);
    AT_END(drop_bytes) uint8_t *skin_times = lump_memory(num_images, 4);
    lm_error error;
    lm_buffer out = {0};
    chance c = chance_from(7);
    static const char *const names[] = {"stand1", "flame1", "flame2", "flame3", "run1"};
    for (size_t i = 0; i < 5; i++)
        fill_mdl_pose(&c, names[i], poses[i]);
    for (int32_t i = 0; i < width * 4 * num_images; i++)
        pixels[i] = (uint8_t)chance_next(&c);
    for (int32_t i = 0; i < MDL_POSES; i++)
        lmi_mdl_put_time(times + 4 * i, ends[i]);
    for (int32_t i = 0; i < num_images; i++)
        lmi_mdl_put_time(skin_times + 4 * i, 0.75f * (float)(i + 1));
    fill_mdl_lists(num_st, st, tris);
    lm_mdl_skin skins[] = {{0, 1, NULL, pixels}, {1, num_images, skin_times, pixels}};
    lm_mdl_frame frames[] = {{0, 1, NULL, NULL, poses[0]},
                             {1, MDL_POSES, bounds, times, poses[1]},
                             {0, 1, NULL, NULL, poses[4]}};
    const lm_mdl mdl = {.scale = {0.5f, 0.25f, -0.125f},
                        .translate = {-10, 20, 30.5f},
                        .radius = 77,
                        .eye = {1, 2, 3},
                        .num_skins = 2,
                        .skinwidth = width,
                        .skinheight = 4,
                        .num_verts = MDL_VERTS,
                        .num_tris = MDL_TRIS,
                        .num_frames = 3,
                        .synctype = 1,
                        .flags = LM_MDL_ROTATES,
                        .size = 9.5f,
                        .num_st = num_st,
                        .skins = skins,
                        .st = st,
                        .tris = tris,
                        .frames = frames};
    assert_done(lmi_mdl_put(&mdl, &out, &error), error);
    return blob_from_buffer(&out);
}

blob make_mdl_of(int32_t width, int32_t num_images) {
    return make_variant(width, num_images, 0);
}

blob make_mdl(void) {
    return make_mdl_of(8, 2);
}

blob make_rapo(void) {
    return make_variant(8, 2, MDL_RAPO_ST);
}

/* ---- A small MDS --------------------------------------------------------------------------- */

#define MDS_BONES 4
#define MDS_FRAMES 3
#define MDS_TAGS 2
#define MDS_VERTS 5
#define MDS_TRIS 3
#define MDS_WEIGHTS 9 /* of 1, 2, 3, 1 and 2 */

/* The lumps of a surface. */
typedef struct mds_memory {
    uint8_t verts[MDS_VERTS * 32 + MDS_WEIGHTS * 20], tris[MDS_TRIS * 12], collapse[MDS_VERTS * 4],
        references[MDS_BONES * 4];
} mds_memory;

static void put_reals(uint8_t *at, size_t count, chance *c, float low, float high) {
    for (size_t i = 0; i < count; i++)
        lmi_put_f32(at + 4 * i, chance_real(c, low, high));
}

static lm_mds_surface make_mds_surface(int32_t index, mds_memory *m) {
    chance c = chance_from((uint32_t)index + 40);
    uint8_t *at = m->verts;
    for (uint32_t v = 0; v < MDS_VERTS; v++) {
        const uint32_t count = v % 3 + 1;
        put_reals(at, 3, &c, -1, 1);
        put_reals(at + 12, 2, &c, 0, 1);
        lmi_put_u32(at + 20, count);
        lmi_put_u32(at + 24, 0);
        lmi_put_f32(at + 28, 0);
        at += 32;
        for (uint32_t w = 0; w < count; w++, at += 20) {
            lmi_put_u32(at, (v + w + (uint32_t)index) % MDS_BONES);
            lmi_put_f32(at + 4, 1.0f / (float)count);
            put_reals(at + 8, 3, &c, -8, 8);
        }
        lmi_put_u32(m->collapse + (size_t)4 * v, v > 0 ? v - 1 : 0);
    }
    for (uint32_t i = 0; i < MDS_TRIS; i++)
        for (uint32_t k = 0; k < 3; k++)
            lmi_put_u32(m->tris + (size_t)12 * i + (size_t)4 * k, i + k);
    for (uint32_t b = 0; b < MDS_BONES; b++)
        lmi_put_u32(m->references + (size_t)4 * b, b);
    lm_mds_surface s = {.ident = LM_MDS_SURFACE_IDENT,
                        .shader = "models/test/skin.tga",
                        .min_lod = 3,
                        .num_verts = MDS_VERTS,
                        .num_triangles = MDS_TRIS,
                        .num_bone_references = MDS_BONES,
                        .weights_size = MDS_WEIGHTS * 20,
                        .verts = m->verts,
                        .triangles = m->tris,
                        .collapse_map = m->collapse,
                        .bone_references = m->references};
    snprintf((char *)s.name, sizeof s.name, "part%d", (int)index);
    return s;
}

/* The bounds contain every vertex. */
static void fill_mds_frame(uint8_t *at, chance *c) {
    for (size_t i = 0; i < 6; i++)
        lmi_put_f32(at + 4 * i, i < 3 ? -60 : 60);
    put_reals(at + 24, 3, c, -2, 2);
    lmi_put_f32(at + 36, 104);
    put_reals(at + 40, 3, c, -10, 10);
    for (size_t i = 0; i < MDS_BONES * 6; i++)
        lmi_put_u16(at + 52 + 2 * i, (uint16_t)chance_next(c));
}

blob make_mds(void) {
    static const struct {
        const char *name;
        int32_t parent, flags;
        float weight, distance;
    } known[MDS_BONES] = {{"root", -1, 0, 0, 1},
                          {"spine", 0, 0, 0.5f, 6},
                          {"tag_head", 1, 1, 1, 9},
                          {"leg", 0, 0, 0, 7}};
    lm_error error;
    lm_buffer out = {0};
    chance c = chance_from(77);
    uint8_t frames[MDS_FRAMES * MDS_FRAME], bones[MDS_BONES * 80] = {0}, tags[MDS_TAGS * 72] = {0};
    mds_memory memory[2];
    lm_mds_surface surfaces[] = {make_mds_surface(0, &memory[0]), make_mds_surface(1, &memory[1])};
    for (size_t f = 0; f < MDS_FRAMES; f++)
        fill_mds_frame(frames + f * MDS_FRAME, &c);
    for (size_t b = 0; b < MDS_BONES; b++) {
        snprintf((char *)bones + 80 * b, 64, "%s", known[b].name);
        lmi_put_s32(bones + 80 * b + 64, known[b].parent);
        lmi_put_f32(bones + 80 * b + 68, known[b].weight);
        lmi_put_f32(bones + 80 * b + 72, known[b].distance);
        lmi_put_s32(bones + 80 * b + 76, known[b].flags);
    }
    for (size_t t = 0; t < MDS_TAGS; t++) {
        snprintf((char *)tags + 72 * t, 64, "%s", t ? "tag_leg" : "tag_head");
        lmi_put_f32(tags + 72 * t + 64, t ? 0 : 1);
        lmi_put_u32(tags + 72 * t + 68, t ? 3 : 2);
    }
    const lm_mds mds = {.name = "test.mds",
                        .lod_scale = 1,
                        .num_frames = MDS_FRAMES,
                        .num_bones = MDS_BONES,
                        .torso_parent = 1,
                        .num_surfaces = 2,
                        .num_tags = MDS_TAGS,
                        .frame_size = MDS_FRAME,
                        .frames = frames,
                        .bones = bones,
                        .tags = tags,
                        .surfaces = surfaces};
    assert_done(lmi_write_document(&lmi_mds_kind, &mds, &out, &error), error);
    return blob_from_buffer(&out);
}

void each_small_model(void (*visit)(const char *format, const blob *file)) {
    blob files[] = {make_md2(&small_md2), make_mdc(&small_mdc), make_md3(&small_md3),
                    make_mdl(),           make_rapo(),          make_mds()};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        visit(lm_format_of(files[i].data, files[i].size), &files[i]);
        blob_free(&files[i]);
    }
}
