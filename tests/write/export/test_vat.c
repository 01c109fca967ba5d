/* Tests vertex-animation textures of meshes from memory. tests/tool/test_vat.py reads those of
 * files back. */
#include "support.h"
#include "synthetic.h"

typedef struct files {
    lm_buffer glb, info, pixels;
    lm_vat_result result;
    lm_error error;
} files;

static bool write(const lm_mesh *mesh, const lm_vat_options *options, files *f) {
    *f = (files){0};
    return lm_vat_write(mesh, options, &f->glb, &f->info, &f->pixels, &f->result, &f->error);
}

static void free_files(files *f) {
    lm_buffer_free(&f->glb);
    lm_buffer_free(&f->info);
    lm_buffer_free(&f->pixels);
}

/* Expects that writing fails, and leaves no output. */
static void expect(const lm_mesh *mesh, const lm_vat_options *options, lm_code code,
                   const char *part) {
    AT_END(free_files) files f;
    assert_false(write(mesh, options, &f));
    assert_int_equal(f.error.code, code);
    if (!strstr(f.error.message, part))
        fail_msg("%s", f.error.message);
    assert_true(f.glb.size == 0 && f.info.size == 0 && f.pixels.size == 0);
}

/* Reads three numbers after a key of the JSON. */
static void read_numbers(const files *f, const char *key, double out[3]) {
    char text[4096] = "";
    assert_true(f->info.size < sizeof text);
    memcpy(text, f->info.data, f->info.size);
    char *at = strstr(text, key);
    assert_non_null(at);
    at = strchr(at, '[');
    for (int i = 0; i < 3; i++)
        out[i] = strtod(at + 1, &at);
}

/* Without welding, the vertices of a strip of separate corners keep their order. */
static void make_separate(synthetic_mesh *m) {
    make_mesh(m);
    m->surface.st_triangles = NULL;
    m->surface.num_st = 0;
    m->surface.st = NULL;
    for (uint32_t i = 0; i < MESH_VERTICES; i++)
        m->triangles[i] = i;
    m->surface.num_triangles = MESH_VERTICES / 3;
}

TEST(pixels_are_the_remapped_offsets) {
    synthetic_mesh m;
    AT_END(free_files) files f;
    double min[3], max[3];
    make_separate(&m);
    assert_true(write(&m.mesh, &(lm_vat_options){.scale = 2, .separate_normals = true}, &f));
    assert_int_equal(f.result.num_vertices, MESH_VERTICES);
    assert_int_equal(f.result.width, MESH_VERTICES);
    assert_int_equal(f.result.height, MESH_FRAMES);
    assert_int_equal(f.result.num_images, 2);
    const size_t count = 3 * (size_t)MESH_VERTICES * MESH_FRAMES;
    assert_int_equal(f.pixels.size, 2 * count * sizeof(float));
    const float *rgb = (const float *)(const void *)f.pixels.data, *normals = rgb + count;
    read_numbers(&f, "\"Min\"", min);
    read_numbers(&f, "\"Max\"", max);
    for (size_t i = 0; i < count / 3; i++) {
        const float *p = m.positions + 3 * i, *base = m.positions + 3 * (i % MESH_VERTICES);
        const float *n = m.normals + 3 * i;
        const double length = sqrt((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
        /* Blender's axes: x is the model's y, y is its -x. */
        const double wanted[3] = {2.0 * (double)(p[1] - base[1]), -2.0 * (double)(p[0] - base[0]),
                                  2.0 * (double)(p[2] - base[2])};
        const double normal[3] = {(double)n[1], -(double)n[0], (double)n[2]};
        for (int k = 0; k < 3; k++) {
            const double value = (double)rgb[3 * i + (size_t)k];
            assert_true(value >= 0 && value <= 1);
            assert_true(fabs(min[k] + value * (max[k] - min[k]) - wanted[k]) < 1e-4);
            assert_true(fabs(2 * (double)normals[3 * i + (size_t)k] - 1 - normal[k] / length) <
                        1e-6);
        }
    }
}

TEST(equal_vertices_are_welded) {
    synthetic_mesh m;
    AT_END(free_files) files f;
    make_separate(&m);
    for (size_t i = 0; i < MESH_FRAMES; i++) /* vertex 5 becomes vertex 0 in all frames but one */
        for (size_t k = 0; k < 3; k++) {
            float *p = m.positions + 3 * MESH_VERTICES * i, *n = m.normals + 3 * MESH_VERTICES * i;
            p[15 + k] = p[k];
            n[15 + k] = n[k];
        }
    m.positions[3 * (MESH_VERTICES * (MESH_FRAMES - 1) + 5)] += 1;
    assert_true(write(&m.mesh, NULL, &f));
    assert_int_equal(f.result.num_vertices, MESH_VERTICES);
    free_files(&f);
    m.positions[3 * (MESH_VERTICES * (MESH_FRAMES - 1) + 5)] -= 1;
    assert_true(write(&m.mesh, NULL, &f));
    assert_int_equal(f.result.num_vertices, MESH_VERTICES - 1);
    free_files(&f);
    m.triangles[3] = 0; /* 0, 4, 5: two corners are equal now */
    assert_true(write(&m.mesh, NULL, &f));
    assert_int_equal(f.result.num_vertices, 4);
}

TEST(meshes_without_triangles_are_written) {
    synthetic_mesh m;
    AT_END(free_files) files f;
    make_mesh(&m);
    m.surface.num_triangles = 0;
    assert_true(write(&m.mesh, NULL, &f));
    assert_int_equal(f.result.num_vertices, 0);
    assert_int_equal(f.result.num_primitives, 0);
    assert_int_equal(f.result.width, 1);
    assert_true(f.result.max_error == 0);
    free_files(&f);
    m.mesh.num_surfaces = 0;
    assert_true(write(&m.mesh, NULL, &f));
}

/* Returns the `framerate` of the first clip. */
static double rate_of_first(const lm_mesh *mesh) {
    AT_END(free_files) files f;
    char text[4096] = "";
    assert_true(write(mesh, NULL, &f));
    assert_true(f.info.size < sizeof text);
    memcpy(text, f.info.data, f.info.size);
    return strtod(strstr(text, "\"framerate\":") + 12, NULL);
}

/* Frames of different durations get their mean rate. */
TEST(clips_keep_their_duration) {
    static const float times[] = {0, 0.5f, 1, 2, 3, 4};
    synthetic_mesh m;
    make_mesh(&m);
    assert_true(rate_of_first(&m.mesh) == 10);
    m.clips[0].times = times; /* 5 frames */
    m.clips[0].loop_frames = 5;
    assert_true(fabs(rate_of_first(&m.mesh) - 5.0 / 4) < 1e-6);
    m.clips[0].loop_frames = 0; /* the last frame stays */
    assert_true(fabs(rate_of_first(&m.mesh) - 4.0 / 3) < 1e-6);
}

TEST(bad_input_is_rejected) {
    synthetic_mesh m;
    static const uint8_t pixel[4];
    static const lm_scene_texture raw = {.name = "raw", .pixels = pixel, .width = 1, .height = 1};
    static const lm_scene_material wrong = {.name = "wrong", .texture = 1};
    make_mesh(&m);
    expect(&m.mesh, &(lm_vat_options){.scale = 1e38f}, LM_CODE_NOT_FINITE, "too large");
    expect(&m.mesh, &(lm_vat_options){.num_textures = 1}, LM_CODE_BAD_ARGUMENT, "NULL");
    expect(&m.mesh, &(lm_vat_options){.num_textures = 1, .textures = &raw}, LM_CODE_BAD_ARGUMENT,
           "has only pixels");
    expect(&m.mesh, &(lm_vat_options){.materials = &wrong}, LM_CODE_BAD_ARGUMENT,
           "the material of surface 0 is invalid");
    m.triangles[4] = MESH_VERTICES;
    expect(&m.mesh, NULL, LM_CODE_VERTEX_INDEX, "uses vertex");
    make_mesh(&m);
    m.surface.normals = NULL;
    expect(&m.mesh, NULL, LM_CODE_BAD_ARGUMENT, "surface 0 has no normals");
}

/* A mesh of more rows than a texture has: hostile counts are rejected before memory is allocated.
 */
TEST(too_many_rows_are_rejected) {
    enum {
        FRAMES = LM_MAX_VAT_SIZE / 2
    };
    static float positions[3 * (FRAMES + 1)], normals[3 * (FRAMES + 1)];
    static const uint32_t triangle[3];
    static lm_clip clips[3] = {{.name = "a", .count = 1, .fps = 10, .backwards = true},
                               {.name = "b", .count = FRAMES, .fps = 10, .backwards = true},
                               {.name = "c", .count = FRAMES, .fps = 10, .backwards = true}};
    for (size_t i = 0; i < 3 * (size_t)(FRAMES + 1); i++)
        normals[i] = 1;
    const lm_mesh_surface surface = MESH_SURFACE(1, positions, 1, triangle, .normals = normals);
    lm_mesh mesh = {.num_frames = FRAMES, .num_surfaces = 1, .surfaces = &surface, .clips = clips};
    const lm_vat_options apart = {.separate_normals = true};
    files f;
    assert_true(write(&mesh, NULL, &f));
    assert_int_equal(f.result.height, LM_MAX_VAT_SIZE);
    free_files(&f);
    mesh.num_clips = 1;
    expect(&mesh, NULL, LM_CODE_LIMIT, "8194 rows; the maximum is 8192");
    assert_true(write(&mesh, &apart, &f));
    assert_int_equal(f.result.num_rows, FRAMES + 1);
    free_files(&f);
    mesh.num_clips = 3;
    expect(&mesh, &apart, LM_CODE_LIMIT, "12289 frames are more than the 8192 rows");
}
