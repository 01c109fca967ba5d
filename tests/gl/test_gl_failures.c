/* Tests failures: each is reported, and no objects remain. */

#include "gl_support.h"

#include <epoxy/gl.h>

/* Checks that no object of any kind remains. */
static void expect_no_objects_left(void) {
    for (GLuint name = 1; name < 2000; name++)
        if (glIsBuffer(name) || glIsTexture(name) || glIsVertexArray(name) || glIsProgram(name) ||
            glIsShader(name) || glIsFramebuffer(name) || glIsRenderbuffer(name))
            fail_msg("object %u is left behind", name);
}

/* Makes, draws and frees one of each. Returns false with an error if something fails. */
static bool live(lm_error *error) {
    const uint8_t pixel[4] = {1, 2, 3, 4};
    const lm_gl_instance one[2] = {{.pose = {0, 1, 0.5f}}};
    lm_gl_view view = any_view();
    AT_END(free_model) handmade h;
    make_model(&h, 3, 1);
    lm_gl *gl = lm_gl_new(NULL, error);
    lm_gl_model *model = gl ? lm_gl_model_new(gl, &h.model, error) : NULL;
    lm_gl_target *target = model ? lm_gl_target_new(gl, 8, 8, 4, error) : NULL;
    lm_gl_texture *texture =
        target ? lm_gl_texture_new(gl, &(lm_gl_image){.width = 1, .height = 1, .pixels = pixel},
                                   LM_GL_FILTER_SMOOTH, error)
               : NULL;
    const lm_gl_style wire = {.shade = LM_GL_SHADE_WIRE}, lit = {.texture = texture};
    uint8_t pixels[8 * 8 * 4];
    bool lived = texture && lm_gl_begin(gl, target, 0, 0, NULL, error) &&
                 lm_gl_draw(model, &view, one, 1, &lit, error) &&
                 lm_gl_draw(model, &view, one, 1, &wire, error) &&
                 lm_gl_draw(model, &view, one, 2, &lit, error) &&
                 lmi_gl_draw_axes(gl, &view, NULL, 1, error) &&
                 lm_gl_target_read(target, pixels, error);
    lm_gl_texture_free(texture);
    lm_gl_target_free(target);
    lm_gl_model_free(model);
    lm_gl_free(gl);
    return lived;
}

static PFNGLGETERRORPROC real_get_error;
static unsigned errors_until_failure;

static GLenum failing_get_error(void) {
    if (errors_until_failure > 0 && --errors_until_failure == 0)
        return GL_OUT_OF_MEMORY;
    return real_get_error();
}

/* Objects for which memory may run out. */
static const char *const needs[] = {"the tables of normals",
                                    "the frames of a surface",
                                    "the triangles of a surface",
                                    "a framebuffer of this size",
                                    "a texture",
                                    "the frames of instances",
                                    "lines",
                                    "instances",
                                    "reading the image"};
#define NUM_NEEDS (sizeof needs / sizeof *needs)

static void count_need(const char *message, unsigned counts[NUM_NEEDS]) {
    char sentence[96];
    for (size_t i = 0; i < NUM_NEEDS; i++) {
        snprintf(sentence, sizeof sentence, "gl: not enough graphics memory for %s", needs[i]);
        if (strcmp(sentence, message) == 0) {
            counts[i]++;
            return;
        }
    }
    fail_msg("%s", message);
}

/* The driver runs out of memory at each check. */
GL_TEST(test_out_of_graphics_memory) {
    unsigned count = 0, counts[NUM_NEEDS] = {0};
    real_get_error = epoxy_glGetError;
    for (bool lived = false; !lived; count++) {
        lm_error error = {0};
        errors_until_failure = count + 1;
        epoxy_glGetError = failing_get_error;
        lived = live(&error);
        epoxy_glGetError = real_get_error;
        bool reached = errors_until_failure == 0;
        assert_true(count < 100);
        /* The first check clears the caller's errors. */
        assert_true(lived || error.code == LM_CODE_OUT_OF_MEMORY);
        if (!lived)
            count_need(error.message, counts);
        lived = lived && !reached;
        errors_until_failure = 0;
        world_close();
        world_open(false);
        expect_quiet();
    }
    printf("failed in %u places\n", count - 1);
    assert_true(count > 10);
    for (size_t i = 0; i < NUM_NEEDS; i++)
        if (counts[i] == 0)
            fail_msg("no memory for %s is not told", needs[i]);
}

/* GTK's own calls leave errors at times; they are not ours. */
GL_TEST(test_errors_of_the_caller) {
    const uint8_t pixel[4] = {1, 2, 3, 4};
    const lm_gl_instance one[2] = {{.pose = {0, 1, 0.5f}}};
    const lm_gl_style wire = {.shade = LM_GL_SHADE_WIRE};
    lm_gl_view view = any_view();
    uint8_t pixels[8 * 8 * 4];
    AT_END(free_model) handmade h;
    lm_error error = {0};
    make_model(&h, 3, 1);
    lm_gl *gl = lm_gl_new(NULL, &error);
    glDisable(GL_DEBUG_OUTPUT);
    glEnable(0);
    lm_gl_model *model = lm_gl_model_new(gl, &h.model, &error);
    glEnable(0);
    lm_gl_target *target = lm_gl_target_new(gl, 8, 8, 4, &error);
    glEnable(0);
    lm_gl_texture *texture = lm_gl_texture_new(
        gl, &(lm_gl_image){.width = 1, .height = 1, .pixels = pixel}, LM_GL_FILTER_SMOOTH, &error);
    glEnable(0);
    bool drawn = lm_gl_draw(model, &view, one, 1, &wire, &error);
    glEnable(0);
    drawn = drawn && lm_gl_draw(model, &view, one, 2, NULL, &error);
    glEnable(0);
    drawn = drawn && lmi_gl_draw_axes(gl, &view, NULL, 1, &error);
    glEnable(0);
    drawn = drawn && lm_gl_target_read(target, pixels, &error);
    glEnable(GL_DEBUG_OUTPUT);
    assert_string_equal(error.message, "");
    assert_true(drawn);
    lm_gl_texture_free(texture);
    lm_gl_target_free(target);
    lm_gl_model_free(model);
    lm_gl_free(gl);
}

static PFNGLGETSHADERIVPROC real_get_shader;
static PFNGLGETPROGRAMIVPROC real_get_program;
static unsigned links_until_failure, shaders_until_failure; /* 0: none fails */

static void fail_after_countdown(unsigned *until_failure, GLint *value) {
    if (*until_failure > 0 && --*until_failure == 0)
        *value = GL_FALSE;
}

static void failing_get_shader(GLuint shader, GLenum what, GLint *value) {
    real_get_shader(shader, what, value);
    assert_int_equal(what, GL_COMPILE_STATUS);
    fail_after_countdown(&shaders_until_failure, value);
}

static void failing_get_program(GLuint program, GLenum what, GLint *value) {
    real_get_program(program, what, value);
    if (what == GL_LINK_STATUS)
        fail_after_countdown(&links_until_failure, value);
}

/* libepoxy stores the driver's function when it is first called. */
static void find_get_shader(void) {
    GLint compiled;
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glDeleteShader(shader);
}

/* Rejects each program for its vertex shader, for its fragment shader, or at linking. Shaders of a
 * valid program are never queried. */
GL_TEST(test_rejected_shaders) {
    static const char *const culprits[] = {"program", "vertex shader", "fragment shader"};
    find_get_shader();
    real_get_shader = epoxy_glGetShaderiv;
    real_get_program = epoxy_glGetProgramiv;
    for (unsigned culprit = 0; culprit < 3; culprit++) {
        unsigned count = 0;
        for (bool lived = false; !lived; count++) {
            char expected[64];
            lm_error error = {0};
            links_until_failure = count + 1;
            shaders_until_failure = culprit;
            epoxy_glGetShaderiv = failing_get_shader;
            epoxy_glGetProgramiv = failing_get_program;
            lived = live(&error);
            epoxy_glGetShaderiv = real_get_shader;
            epoxy_glGetProgramiv = real_get_program;
            assert_true(count < 100);
            snprintf(expected, sizeof expected, "gl: the driver rejects a %s:", culprits[culprit]);
            assert_true(lived || error.code == LM_CODE_GRAPHICS);
            assert_true(lived || strncmp(error.message, expected, strlen(expected)) == 0);
            assert_int_equal(shaders_until_failure, lived ? culprit : 0);
            expect_quiet();
        }
        assert_true(count > 3);
    }
}

TEST(test_all_objects_are_freed) {
    lm_error error = {0};
    for (int es = 0; es <= 1; es++) {
        lm_gl_headless *other =
            lm_gl_headless_new(&(lm_gl_headless_options){.es = es == 1, .debug = true}, &error);
        assert_done(other, error);
        assert_done(live(&error), error);
        expect_no_objects_left();
        assert_int_equal(glGetError(), GL_NO_ERROR);
        lm_gl_headless_free(other);
    }
}

/* After the context is lost, nothing calls the driver any more; a new context works. */
TEST(test_lost_context) {
    lm_error error = {0};
    AT_END(free_model) handmade h;
    make_model(&h, 3, 1);
    lm_gl_headless *doomed = lm_gl_headless_new(NULL, &error);
    lm_gl *gl = lm_gl_new(NULL, &error);
    lm_gl_model *model = lm_gl_model_new(gl, &h.model, &error);
    lm_gl_target *target = lm_gl_target_new(gl, 8, 8, 0, &error);
    assert_true(doomed && gl && model && target);
    lm_gl_view view = any_view();
    lm_gl_headless_free(doomed);
    lm_gl_context_lost(gl);
    assert_false(lm_gl_draw(model, &view, AT_ORIGIN({0, 0, 0}), 1, NULL, &error));
    assert_int_equal(error.code, LM_CODE_GRAPHICS);
    assert_string_equal(error.message, "gl: the context was lost");
    assert_false(lm_gl_begin(gl, target, 0, 0, NULL, &error));
    assert_int_equal(error.code, LM_CODE_GRAPHICS);
    uint8_t pixels[8 * 8 * 4];
    assert_false(lm_gl_target_read(target, pixels, NULL));
    assert_null(lm_gl_model_new(gl, &h.model, NULL));
    lm_gl_target_free(target);
    lm_gl_model_free(model);
    lm_gl_free(gl);
    doomed = lm_gl_headless_new(NULL, &error);
    assert_true(live(&error));
    lm_gl_headless_free(doomed);
}

GL_TEST(test_bad_poses) {
    const lm_pose bad[] = {{2, 0, 0}, {0, 2, 0}, {0, 0, -0.1f}, {0, 0, 1.1f}, {0, 0, NAN}};
    lm_error error = {0};
    AT_END(free_model) handmade h;
    make_model(&h, 3, 1);
    lm_gl_view view = any_view();
    OWNED(lm_gl_model) *model = lm_gl_model_new(world.gl, &h.model, &error);
    assert_non_null(model);
    for (int i = 0; i < 5; i++) {
        const lm_gl_instance two[2] = {{.pose = {0, 0, 0}}, {.pose = bad[i]}};
        error = (lm_error){0};
        assert_false(lm_gl_draw(model, &view, AT_ORIGIN(bad[i]), 1, NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_string_equal(
            error.message,
            "gl: the pose of instance 0 is not valid for the model, which has 2 frames");
        assert_false(lm_gl_draw(model, &view, two, 2, NULL, &error));
        assert_string_equal(
            error.message,
            "gl: the pose of instance 1 is not valid for the model, which has 2 frames");
    }
}
