/* Whatever loads can be drawn; whatever fails says so; nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gl_support.h"

#include <epoxy/gl.h>
#include <math.h>

static gl_world world;

/* ---- Models by hand ------------------------------------------------------------------------ */

/* An MD2-like model of one surface and two frames, with all its memory. */
typedef struct handmade {
    lm_model model;
    lm_surface surface;
    lm_frame frames[2];
    uint8_t *keys;
    lm_vec2 *st;
    uint32_t *triangles, *file_vertices;
} handmade;

/* Vertices on a spiral, triangles over neighbours. */
static void make_model(handmade *h, uint32_t num_vertices, uint32_t num_triangles) {
    *h = (handmade){.keys = malloc((size_t)num_vertices * 8 + 1),
                    .st = calloc(num_vertices + (size_t)1, sizeof(lm_vec2)),
                    .triangles = malloc(((size_t)num_triangles * 3 + 1) * sizeof(uint32_t)),
                    .file_vertices = malloc((num_vertices + (size_t)1) * sizeof(uint32_t))};
    assert_true(h->keys && h->st && h->triangles && h->file_vertices);
    for (uint32_t i = 0; i < num_vertices; i++)
        h->file_vertices[i] = i;
    for (size_t i = 0; i < (size_t)num_vertices * 2; i++) {
        uint8_t *key = h->keys + 4 * i;
        key[0] = (uint8_t)(i * 7);
        key[1] = (uint8_t)(i * 13);
        key[2] = (uint8_t)(i * 29);
        key[3] = (uint8_t)(i % 162);
    }
    for (size_t i = 0; i < (size_t)num_triangles * 3; i++)
        h->triangles[i] = (uint32_t)((i / 3 + i % 3) % (num_vertices ? num_vertices : 1));
    for (int i = 0; i < 2; i++)
        h->frames[i] = (lm_frame){.name = "", .max = {255, 255, 255}, .scale = {1, 1, 1}};
    h->surface = (lm_surface){.name = "",
                              .num_vertices = num_vertices,
                              .num_file_vertices = num_vertices,
                              .file_vertices = h->file_vertices,
                              .st = h->st,
                              .num_triangles = num_triangles,
                              .triangles = h->triangles,
                              .num_keys = 2,
                              .keys = h->keys,
                              .key_size = 4,
                              .key_stride = (size_t)num_vertices * 4};
    h->model = (lm_model){.format = "md2",
                          .name = "",
                          .num_frames = 2,
                          .frames = h->frames,
                          .num_surfaces = 1,
                          .surfaces = &h->surface};
}

static void free_model(handmade *h) {
    free(h->keys);
    free(h->st);
    free(h->triangles);
    free(h->file_vertices);
}

static lm_gl_view any_view(void) {
    lm_gl_camera camera = {.azimuth = 30, .elevation = 10};
    lm_gl_camera_fit(&camera, (lm_vec3){0, 0, 0}, (lm_vec3){255, 255, 255}, 1, 1);
    return lm_gl_camera_view(&camera, 1);
}

/* Every way to draw a model works, and asks nothing wrong of the driver. */
static void draw_all_ways(const lm_model *model) {
    const lm_gl_shade shades[] = {LM_GL_LIT, LM_GL_TEXTURE, LM_GL_NORMALS, LM_GL_WIRE, LM_GL_UV};
    const lm_gl_instance crowd[2] = {{LM_GL_IDENTITY, {0, 1, 0.5f}}, {LM_GL_IDENTITY, {1, 1, 0}}};
    lm_error error = {0};
    lm_gl_view view = any_view();
    lm_gl_model *drawn = lm_gl_model_new(world.gl, model, &error);
    if (!drawn)
        fail_msg("%s", error.message);
    for (int i = 0; i < 5; i++)
        for (int alpha = 0; alpha < 4; alpha++) {
            lm_gl_style style = {.shade = shades[i], .alpha = (lm_gl_alpha)alpha};
            if (!lm_gl_draw(drawn, &view, NULL, (lm_pose){0, 1, 0.25f}, &style, &error) ||
                !lm_gl_draw_crowd(drawn, &view, crowd, 2, &style, &error))
                fail_msg("%s", error.message);
        }
    assert_true(lm_gl_draw_crowd(drawn, &view, NULL, 0, NULL, &error));
    assert_true(lm_gl_draw_tags(drawn, &view, NULL, (lm_pose){0, 1, 0}, 1, &error));
    lm_gl_model_free(drawn);
    expect_quiet();
}

static void test_small_models(void **state) {
    (void)state;
    const uint32_t sizes[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        handmade h;
        make_model(&h, sizes[i][0], sizes[i][1]);
        draw_all_ways(&h.model);
        h.model.num_surfaces = 0;
        draw_all_ways(&h.model);
        free_model(&h);
    }
}

/* Indices on both sides of what two bytes hold. */
static void test_index_sizes(void **state) {
    (void)state;
    const uint32_t counts[] = {65535, 65536, 65537};
    for (int i = 0; i < 3; i++) {
        handmade h;
        make_model(&h, counts[i], counts[i]);
        draw_all_ways(&h.model);
        free_model(&h);
    }
}

static void test_two_million_triangles(void **state) {
    (void)state;
    lm_error error = {0};
    handmade h;
    make_model(&h, 1000000, 2000000);
    lm_gl_view view = any_view();
    lm_gl_model *drawn = lm_gl_model_new(world.gl, &h.model, &error);
    if (!drawn || !lm_gl_draw(drawn, &view, NULL, (lm_pose){0, 1, 0.5f}, NULL, &error))
        fail_msg("%s", error.message);
    glFinish();
    lm_gl_model_free(drawn);
    free_model(&h);
    expect_quiet();
}

static void test_skins_of_any_size(void **state) {
    (void)state;
    const uint32_t sizes[][2] = {{1, 1},     {16384, 1}, {1, 16384}, {3, 5},
                                 {40000, 2}, {2, 40000}, {257, 100}};
    handmade h;
    make_model(&h, 3, 1);
    lm_error error = {0};
    lm_gl_view view = any_view();
    lm_gl_model *drawn = lm_gl_model_new(world.gl, &h.model, &error);
    assert_non_null(drawn);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes * 2; i++) {
        const uint32_t *size = sizes[i / 2];
        uint8_t *pixels = calloc((size_t)size[0] * size[1], 4);
        assert_non_null(pixels);
        const lm_gl_image image = {size[0], size[1], pixels};
        lm_gl_skin *skin =
            lm_gl_skin_new(world.gl, &image, i % 2 ? LM_GL_PIXELS : LM_GL_SMOOTH, &error);
        free(pixels);
        if (!skin)
            fail_msg("%u x %u: %s", size[0], size[1], error.message);
        const lm_gl_style style = {.skin = skin};
        assert_true(lm_gl_draw(drawn, &view, NULL, (lm_pose){0, 0, 0}, &style, &error));
        lm_gl_skin_free(skin);
    }
    assert_null(lm_gl_skin_new(world.gl, &(lm_gl_image){0, 1, NULL}, LM_GL_SMOOTH, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    lm_gl_model_free(drawn);
    free_model(&h);
    expect_quiet();
}

/* The mean of a checkerboard is grey on every level below the first. */
static void test_mipmaps(void **state) {
    (void)state;
    uint8_t pixels[16 * 8 * 4], level[8 * 4 * 4];
    lm_error error = {0};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (i / 4 + i / 64) % 2 ? 255 : 0;
    lm_gl_skin *skin =
        lm_gl_skin_new(world.gl, &(lm_gl_image){16, 8, pixels}, LM_GL_SMOOTH, &error);
    assert_non_null(skin);
    const GLint widths[] = {16, 8, 4, 2, 1}, heights[] = {8, 4, 2, 1, 1};
    for (GLint i = 0; i < 5; i++) {
        GLint width = 0, height = 0;
        glGetTexLevelParameteriv(GL_TEXTURE_2D, i, GL_TEXTURE_WIDTH, &width);
        glGetTexLevelParameteriv(GL_TEXTURE_2D, i, GL_TEXTURE_HEIGHT, &height);
        assert_int_equal(width, widths[i]);
        assert_int_equal(height, heights[i]);
        if (i == 0)
            continue;
        glGetTexImage(GL_TEXTURE_2D, i, GL_RGBA, GL_UNSIGNED_BYTE, level);
        for (GLint p = 0; p < width * height * 4; p++)
            assert_int_equal(level[p], 128);
    }
    lm_gl_skin_free(skin);
    expect_quiet();
}

/* ---- Cameras ------------------------------------------------------------------------------- */

static bool is_finite_view(const lm_gl_view *view) {
    bool finite = true;
    for (int i = 0; i < 16; i++)
        finite = finite && isfinite(view->matrix[i]);
    return finite;
}

static void clip_of(const lm_gl_view *view, lm_vec3 p, double clip[4]) {
    const float *m = view->matrix;
    for (int i = 0; i < 4; i++)
        clip[i] = (double)m[i] * (double)p.x + (double)m[4 + i] * (double)p.y +
                  (double)m[8 + i] * (double)p.z + (double)m[12 + i];
}

static void test_odd_cameras(void **state) {
    (void)state;
    const float values[] = {0, 1e-30f, 1, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++)
            for (size_t k = 0; k < 8; k++) {
                lm_gl_camera camera = {.azimuth = values[k], .field_of_view = values[i]};
                lm_gl_camera_fit(&camera, (lm_vec3){values[i], values[j], 0},
                                 (lm_vec3){values[k], values[i], values[j]}, values[j], values[k]);
                lm_gl_view view = lm_gl_camera_view(&camera, values[j]);
                assert_true(is_finite_view(&view));
            }
}

/* All corners are in the picture, and one at least is at its edge. */
static void test_camera_just_fits(void **state) {
    (void)state;
    const lm_vec3 min = {-10, -3, -24}, max = {14, 5, 32};
    for (int azimuth = 0; azimuth < 360; azimuth += 30)
        for (int elevation = -90; elevation <= 90; elevation += 30)
            for (int wide = 0; wide < 2; wide++) {
                lm_gl_camera camera = {.azimuth = (float)azimuth, .elevation = (float)elevation};
                float aspect = wide ? 2.5f : 0.5f;
                double edge = 0;
                lm_gl_camera_fit(&camera, min, max, aspect, 1);
                lm_gl_view view = lm_gl_camera_view(&camera, aspect);
                for (int c = 0; c < 8; c++) {
                    double clip[4];
                    clip_of(&view,
                            (lm_vec3){c & 1 ? max.x : min.x, c & 2 ? max.y : min.y,
                                      c & 4 ? max.z : min.z},
                            clip);
                    assert_true(clip[3] > 0 && fabs(clip[2]) <= clip[3] * 1.0001);
                    edge = fmax(edge, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
                }
                assert_true(edge > 0.999 && edge < 1.001);
            }
}

/* From the front +y, the model's left, is on the right of the picture, and +z is up. */
static void test_front_faces_us(void **state) {
    (void)state;
    double origin[4], left[4], up[4], nose[4];
    lm_gl_camera camera = {0};
    lm_gl_camera_fit(&camera, (lm_vec3){-1, -1, -1}, (lm_vec3){1, 1, 1}, 1, 1);
    lm_gl_view view = lm_gl_camera_view(&camera, 1);
    clip_of(&view, (lm_vec3){0, 0, 0}, origin);
    clip_of(&view, (lm_vec3){0, 1, 0}, left);
    clip_of(&view, (lm_vec3){0, 0, 1}, up);
    clip_of(&view, (lm_vec3){1, 0, 0}, nose);
    assert_true(left[0] > origin[0] && fabs(left[1]) < 1e-6);
    assert_true(up[1] > origin[1] && fabs(up[0]) < 1e-6);
    assert_true(nose[3] < origin[3]); /* nearer */
}

static void test_attaching(void **state) {
    (void)state;
    const lm_gl_transform parent = {{1, 2, 3}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    const lm_tag_pose tag = {{10, 0, 0}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, {0, 0, 0}};
    lm_gl_transform t = lm_gl_attach(&parent, &tag);
    /* The tag is 10 ahead of a parent that looks along +y. */
    assert_true(t.origin.x == 1 && t.origin.y == 12 && t.origin.z == 3);
    assert_true(t.axis[0].z == 1 && t.axis[1].x == -1 && t.axis[2].y == -1);
    t = lm_gl_attach(NULL, &tag);
    assert_true(t.origin.x == 10 && t.axis[0].z == 1);
}

/* ---- Sizes --------------------------------------------------------------------------------- */

static void test_pictures_of_any_size(void **state) {
    (void)state;
    const float grey[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    lm_error error = {0};
    uint8_t pixels[4 * 3 * 5];
    assert_null(lm_gl_target_new(world.gl, 0, 5, 0, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_null(lm_gl_target_new(world.gl, 5, 1u << 30, 4, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    for (uint32_t samples = 0; samples < 70; samples += 23) {
        lm_gl_target *target = lm_gl_target_new(world.gl, 3, 5, samples, &error);
        if (!target)
            fail_msg("%s", error.message);
        lm_gl_target_begin(target, grey);
        assert_true(lm_gl_target_read(target, pixels, &error));
        /* Half transparent, and as light as it goes: divided by its alpha. */
        for (size_t i = 0; i < 15; i++)
            assert_true(pixels[4 * i] == 255 && pixels[4 * i + 3] == 128);
        lm_gl_target_free(target);
    }
    lm_gl_target_begin(world.target, grey);
    lm_gl_clear(world.gl, 0, 0, grey);
    handmade h;
    make_model(&h, 3, 1);
    draw_all_ways(&h.model);
    free_model(&h);
    lm_gl_target_begin(world.target, grey);
}

static void test_lines(void **state) {
    (void)state;
    lm_error error = {0};
    lm_gl_view view = any_view();
    const lm_gl_point points[3] = {
        {{0, 0, 0}, {255, 0, 0, 255}}, {{1, 1, 1}, {0, 0, 0, 0}}, {{2, 2, 2}, {0, 0, 0, 0}}};
    assert_true(lm_gl_draw_lines(world.gl, &view, NULL, 0, &error));
    assert_true(lm_gl_draw_lines(world.gl, &view, points, 1, &error));
    assert_true(lm_gl_draw_lines(world.gl, &view, points, 3, &error));
    const float sizes[] = {0, 1e-40f, 1, 1e20f, INFINITY, NAN};
    for (int i = 0; i < 6; i++)
        assert_true(lm_gl_draw_grid(world.gl, &view, (lm_vec3){sizes[i], 0, 0}, sizes[i], &error));
    expect_quiet();
}

/* ---- Failures ------------------------------------------------------------------------------ */

/* No object of any kind is left. */
static void expect_nothing_left(void) {
    for (GLuint name = 1; name < 2000; name++)
        if (glIsBuffer(name) || glIsTexture(name) || glIsVertexArray(name) || glIsProgram(name) ||
            glIsShader(name) || glIsFramebuffer(name) || glIsRenderbuffer(name))
            fail_msg("object %u is left behind", name);
}

/* A life: makes, draws and frees one of each. False and a sentence if something fails. */
static bool live(lm_error *error) {
    const uint8_t pixel[4] = {1, 2, 3, 4};
    const lm_gl_instance one = {LM_GL_IDENTITY, {0, 1, 0.5f}};
    float positions[9];
    lm_gl_view view = any_view();
    handmade h;
    make_model(&h, 3, 1);
    lm_gl *gl = lm_gl_new(error);
    lm_gl_model *model = gl ? lm_gl_model_new(gl, &h.model, error) : NULL;
    lm_gl_target *target = model ? lm_gl_target_new(gl, 8, 8, 4, error) : NULL;
    lm_gl_skin *skin =
        target ? lm_gl_skin_new(gl, &(lm_gl_image){1, 1, pixel}, LM_GL_SMOOTH, error) : NULL;
    const lm_gl_style wire = {.shade = LM_GL_WIRE}, lit = {.skin = skin};
    uint8_t pixels[8 * 8 * 4];
    if (target)
        lm_gl_target_begin(target, (const float[4]){0, 0, 0, 0});
    bool lived = skin && lm_gl_draw(model, &view, NULL, one.pose, &lit, error) &&
                 lm_gl_draw(model, &view, NULL, one.pose, &wire, error) &&
                 lm_gl_draw_crowd(model, &view, &one, 1, &lit, error) &&
                 lm_gl_draw_axes(gl, &view, NULL, 1, error) &&
                 lm_gl_capture(model, 0, one.pose, false, positions, NULL, error) &&
                 lm_gl_target_read(target, pixels, error);
    lm_gl_skin_free(skin);
    lm_gl_target_free(target);
    lm_gl_model_free(model);
    lm_gl_free(gl);
    free_model(&h);
    return lived;
}

static PFNGLGETERRORPROC real_get_error;
static unsigned errors_until_failure;

static GLenum failing_get_error(void) {
    if (errors_until_failure > 0 && --errors_until_failure == 0)
        return GL_OUT_OF_MEMORY;
    return real_get_error();
}

/* The driver is out of memory at each place where we ask. */
static void test_out_of_graphics_memory(void **state) {
    (void)state;
    unsigned count = 0;
    real_get_error = epoxy_glGetError;
    for (bool lived = false; !lived; count++) {
        lm_error error = {0};
        errors_until_failure = count + 1;
        epoxy_glGetError = failing_get_error;
        lived = live(&error);
        epoxy_glGetError = real_get_error;
        bool reached = errors_until_failure == 0;
        assert_true(count < 100);
        /* The first question clears the caller's errors. */
        assert_true(lived || error.code == LM_CODE_OUT_OF_MEMORY);
        assert_true(lived || strlen(error.message) > 10);
        lived = lived && !reached;
        errors_until_failure = 0;
        world_close(&world);
        world = world_open(false);
        expect_quiet();
    }
    printf("failed in %u places\n", count - 1);
    assert_true(count > 10);
}

static PFNGLGETSHADERIVPROC real_get_shader;
static PFNGLGETPROGRAMIVPROC real_get_program;
static unsigned compiles_until_failure;

static void fail_in_time(GLint *value) {
    if (compiles_until_failure > 0 && --compiles_until_failure == 0)
        *value = GL_FALSE;
}

static void failing_get_shader(GLuint shader, GLenum what, GLint *value) {
    real_get_shader(shader, what, value);
    if (what == GL_COMPILE_STATUS)
        fail_in_time(value);
}

static void failing_get_program(GLuint program, GLenum what, GLint *value) {
    real_get_program(program, what, value);
    if (what == GL_LINK_STATUS)
        fail_in_time(value);
}

static void test_refused_shaders(void **state) {
    (void)state;
    unsigned count = 0;
    real_get_shader = epoxy_glGetShaderiv;
    real_get_program = epoxy_glGetProgramiv;
    for (bool lived = false; !lived; count++) {
        lm_error error = {0};
        compiles_until_failure = count + 1;
        epoxy_glGetShaderiv = failing_get_shader;
        epoxy_glGetProgramiv = failing_get_program;
        lived = live(&error);
        epoxy_glGetShaderiv = real_get_shader;
        epoxy_glGetProgramiv = real_get_program;
        assert_true(count < 100);
        assert_true(lived || error.code == LM_CODE_GRAPHICS);
        expect_quiet();
    }
    assert_true(count > 10);
}

static void test_nothing_is_left(void **state) {
    (void)state;
    lm_error error = {0};
    for (int es = 0; es <= 1; es++) {
        lm_gl_headless *other =
            lm_gl_headless_new(&(lm_gl_headless_options){.es = es == 1, .debug = true}, &error);
        if (!other)
            fail_msg("%s", error.message);
        if (!live(&error))
            fail_msg("%s", error.message);
        expect_nothing_left();
        assert_int_equal(glGetError(), GL_NO_ERROR);
        lm_gl_headless_free(other);
    }
}

/* After the context is gone nothing calls it any more, and a new one works. */
static void test_lost_context(void **state) {
    (void)state;
    lm_error error = {0};
    handmade h;
    make_model(&h, 3, 1);
    lm_gl_headless *doomed = lm_gl_headless_new(NULL, &error);
    lm_gl *gl = lm_gl_new(&error);
    lm_gl_model *model = lm_gl_model_new(gl, &h.model, &error);
    lm_gl_target *target = lm_gl_target_new(gl, 8, 8, 0, &error);
    assert_true(doomed && gl && model && target);
    lm_gl_view view = any_view();
    lm_gl_headless_free(doomed);
    lm_gl_abandon(gl);
    assert_false(lm_gl_draw(model, &view, NULL, (lm_pose){0, 0, 0}, NULL, &error));
    assert_int_equal(error.code, LM_CODE_GRAPHICS);
    lm_gl_target_begin(target, (const float[4]){0, 0, 0, 0});
    uint8_t pixels[8 * 8 * 4];
    assert_false(lm_gl_target_read(target, pixels, NULL));
    assert_null(lm_gl_model_new(gl, &h.model, NULL));
    lm_gl_target_free(target);
    lm_gl_model_free(model);
    lm_gl_free(gl);
    doomed = lm_gl_headless_new(NULL, &error);
    assert_true(live(&error));
    lm_gl_headless_free(doomed);
    free_model(&h);
}

static void test_bad_poses(void **state) {
    (void)state;
    const lm_pose bad[] = {{2, 0, 0}, {0, 2, 0}, {0, 0, -0.1f}, {0, 0, 1.1f}, {0, 0, NAN}};
    lm_error error = {0};
    handmade h;
    make_model(&h, 3, 1);
    lm_gl_view view = any_view();
    lm_gl_model *model = lm_gl_model_new(world.gl, &h.model, &error);
    assert_non_null(model);
    for (int i = 0; i < 5; i++) {
        const lm_gl_instance crowd[2] = {{LM_GL_IDENTITY, {0, 0, 0}}, {LM_GL_IDENTITY, bad[i]}};
        error = (lm_error){0};
        assert_false(lm_gl_draw(model, &view, NULL, bad[i], NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_false(lm_gl_draw_crowd(model, &view, crowd, 2, NULL, NULL));
    }
    lm_gl_model_free(model);
    free_model(&h);
}

/* ---------------------------------------------------------------------------------------------- */

static int open_world(void **state) {
    (void)state;
    world = world_open(false);
    return 0;
}

static int close_world(void **state) {
    (void)state;
    world_close(&world);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_small_models),
        TEST(test_index_sizes),
        TEST(test_two_million_triangles),
        TEST(test_skins_of_any_size),
        TEST(test_mipmaps),
        TEST(test_pictures_of_any_size),
        TEST(test_lines),
        TEST(test_out_of_graphics_memory),
        TEST(test_refused_shaders),
        TEST(test_bad_poses),
        cmocka_unit_test(test_odd_cameras),
        cmocka_unit_test(test_camera_just_fits),
        cmocka_unit_test(test_front_faces_us),
        cmocka_unit_test(test_attaching),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_lost_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
