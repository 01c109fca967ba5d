#include "synthetic.h"

#include "core/bytes.h"
#include "support.h"

#include <limits.h>

/* ---- A model --------------------------------------------------------------------------------- */

enum {
    NUM_VERTICES = 5,
    KEY_SIZE = 8,
    POSE_SIZE = 12
};

/* The second triangle has no area. */
static const uint32_t triangles[] = {0, 1, 2, 2, 2, 1, 0, 3, 1, 4, 2, 3};
static const uint32_t file_vertices[NUM_VERTICES] = {0, 1, 2, 3, 3};
static const lm_vec2 st[NUM_VERTICES] = {{0, 0}, {1, 0.25f}, {0.5f, 1}, {0.125f, 0.75f}, {1, 1}};
static const lm_material material = {.name = "models/made"};
static const lm_material numbered = {.name = "models/made", .flags = 0x80000003u};

static void put_key(uint8_t *out, uint32_t pose) {
    for (int v = 0; v < NUM_VERTICES; v++, out += KEY_SIZE) {
        const int p = v == 0 ? 0 : (int)pose; /* the first vertex never moves */
        lmi_put_u16(out, (uint16_t)(640 * (v == 1) + 90 * v + 7 * p));
        lmi_put_u16(out + 2, (uint16_t)(500 * (v == 2) - 3 * p));
        lmi_put_u16(out + 4, (uint16_t)(400 * (v >= 3) - 2 * (p % 300)));
        out[6] = (uint8_t)(40 * v + 9 * p);
        out[7] = (uint8_t)(70 * v + 5 * p);
    }
}

static void put_tag(uint8_t *out, uint32_t frame) {
    const int values[] = {3 * (int)frame,  -(int)frame,       100,
                          50 * (int)frame, 9000 * (int)frame, -30 * (int)frame};
    for (unsigned i = 0; i < 6; i++)
        lmi_put_u16(out + 2 * i, (uint16_t)values[i]);
}

static lm_surface make_surface(const char *name, uint32_t num_keys, uint32_t period) {
    size_t stride = NUM_VERTICES * KEY_SIZE;
    uint8_t *keys = malloc(num_keys * stride);
    for (uint32_t i = 0; i < num_keys; i++)
        put_key(keys + i * stride, i % period);
    return (lm_surface){.name = name,
                        .num_vertices = NUM_VERTICES,
                        .num_file_vertices = 4,
                        .file_vertices = file_vertices,
                        .st = st,
                        .num_triangles = sizeof triangles / sizeof *triangles / 3,
                        .triangles = triangles,
                        .num_materials = 1,
                        .materials = &material,
                        .encoding = LM_VERTEX_S16,
                        .num_keys = num_keys,
                        .keys = keys,
                        .key_size = KEY_SIZE,
                        .key_stride = stride};
}

static void make_surfaces(lm_model *model, const synthetic_options *options) {
    lm_surface *surfaces = calloc(2, sizeof *surfaces);
    uint32_t period = options->period ? options->period : options->num_frames;
    surfaces[0] = make_surface(options->name ? options->name : "body", options->num_frames, period);
    surfaces[1] = make_surface("still", 1, 1);
    if (options->numbered)
        surfaces[1].materials = &numbered;
    surfaces[1].frame_keys = calloc(options->num_frames, sizeof(uint16_t));
    model->surfaces = surfaces;
    model->num_surfaces = 2;
}

static void make_frames(lm_model *model, uint32_t count) {
    lm_frame *frames = calloc(count, sizeof *frames);
    lm_tag *tag = calloc(1, sizeof *tag);
    uint8_t *poses = malloc((size_t)count * POSE_SIZE);
    for (uint32_t i = 0; i < count; i++) {
        const float step = 1.0f / 64;
        frames[i] = (lm_frame){.name = i % 2 ? "odd" : "even", .scale = {step, step, step}};
        put_tag(poses + (size_t)i * POSE_SIZE, i);
    }
    *tag = (lm_tag){"tag_\xE9nd", LM_TAG_S16, poses, POSE_SIZE};
    model->frames = frames;
    model->num_frames = count;
    model->tags = tag;
    model->num_tags = 1;
}

lm_model *make_model(const synthetic_options *options) {
    lm_model *model = calloc(1, sizeof *model);
    lm_clip *all = calloc(1, sizeof *all);
    *all = (lm_clip){
        .name = "all", .count = options->num_frames, .fps = 10, .loop_frames = options->num_frames};
    model->format = "made";
    model->name = "";
    make_frames(model, options->num_frames);
    if (!options->no_surfaces)
        make_surfaces(model, options);
    model->clips = all;
    model->num_clips = 1;
    return model;
}

void free_synthetic_model(lm_model *model) {
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        free((void *)model->surfaces[i].keys);
        free((void *)model->surfaces[i].frame_keys);
    }
    free((void *)model->surfaces);
    free((void *)model->frames);
    free((void *)model->tags[0].poses);
    free((void *)model->tags);
    free((void *)model->clips);
    free(model);
}

/* ---- A mesh ---------------------------------------------------------------------------------- */

static void make_tag(synthetic_mesh *m, int t, const char *name) {
    m->tags[t] = (lm_mesh_tag){.name = name, .poses = m->poses[t]};
    for (int f = 0; f < MESH_FRAMES; f++) {
        const double a = 0.2 * f + t;
        const float c = (float)cos(a), s = (float)sin(a);
        m->poses[t][f] =
            (lm_transform){{(float)f, (float)t, 1.5f}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    }
}

void make_mesh(synthetic_mesh *m) {
    static const uint32_t corners[MESH_TRIANGLES * 3] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    chance c = chance_from(7);
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < COUNT_OF(m->positions); i++) {
        m->positions[i] = chance_real(&c, -30, 30);
        m->normals[i] = chance_real(&c, -1, 1);
    }
    for (size_t i = 0; i < COUNT_OF(m->st); i++)
        m->st[i] = chance_real(&c, 0, 1);
    memcpy(m->triangles, corners, sizeof corners);
    memcpy(m->st_triangles, corners, sizeof corners);
    m->st_triangles[9] = MESH_VERTICES;
    m->material = (lm_material){.name = "models/made/made.tga"};
    m->surface = (lm_mesh_surface){.name = "made",
                                   .num_vertices = MESH_VERTICES,
                                   .positions = m->positions,
                                   .normals = m->normals,
                                   .num_st = MESH_VERTICES + 1,
                                   .st = m->st,
                                   .num_triangles = MESH_TRIANGLES,
                                   .triangles = m->triangles,
                                   .st_triangles = m->st_triangles,
                                   .num_materials = 1,
                                   .materials = &m->material};
    make_tag(m, 0, "tag_head");
    make_tag(m, 1, "tag_weapon");
    m->clips[0] = (lm_clip){.name = "stand", .first = 0, .count = 5, .fps = 10};
    m->clips[1] = (lm_clip){.name = "run", .first = 5, .count = 6, .fps = 10};
    m->skin = "models/made/skin.pcx";
    m->mesh = MESH_OF(MESH_FRAMES, 1, &m->surface, .name = "made", .num_tags = 2, .tags = m->tags,
                      .num_clips = 2, .clips = m->clips, .num_skins = 1, .skins = &m->skin,
                      .skin_width = 256, .skin_height = 128);
}

/* ---- A packer -------------------------------------------------------------------------------- */

int copy_packer_calls = INT_MAX;

static size_t copy(const void *from, size_t size, void *out, size_t room) {
    if (!out)
        return size;
    if (copy_packer_calls-- <= 0 || room < size)
        return 0;
    memcpy(out, from, size);
    return size;
}

static size_t copy_elements(const void *elements, size_t count, size_t stride, void *out,
                            size_t room) {
    return copy(elements, count * stride, out, room);
}

static size_t copy_indices(const uint32_t *indices, size_t count, void *out, size_t room) {
    return copy(indices, count * sizeof *indices, out, room);
}

const lm_gltf_packer copy_packer = {.pack_elements = copy_elements, .pack_indices = copy_indices};
