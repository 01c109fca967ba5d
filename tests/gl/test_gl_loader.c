/* Tests a loader function of the caller instead of libepoxy: the same image through its
 * functions. */

#include "gl_support.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define SIDE 64

typedef struct loader {
    unsigned asked;
    const char *missing; /* a function that it lacks; NULL: none */
} loader;

/* ---- A driver with another name ------------------------------------------------------------ */

static const char *renderer; /* the renderer's name; NULL: unchanged */
static unsigned num_anisotropic;

static const GLubyte *get_string(GLenum name) {
    return name == GL_RENDERER && renderer ? (const GLubyte *)renderer : glGetString(name);
}

static void set_parameter(GLenum target, GLenum name, GLint value) {
    num_anisotropic += name == GL_TEXTURE_MAX_ANISOTROPY && value > 1;
    glTexParameteri(target, name, value);
}

static void *get_watched(void *user, const char *name) {
    void (*function)(void) = eglGetProcAddress(name);
    void *out;
    if (strcmp(name, "glGetString") == 0)
        function = (void (*)(void))get_string;
    if (strcmp(name, "glTexParameteri") == 0)
        function = (void (*)(void))set_parameter;
    memcpy(&out, &function, sizeof out);
    return out;
}

static unsigned count_anisotropic(const char *name, lm_gl_filter filter) {
    static const uint8_t texels[16];
    lm_error error = {0};
    renderer = name;
    num_anisotropic = 0;
    lm_gl *gl = lm_gl_new(&(lm_gl_options){.get_proc = get_watched}, &error);
    lm_gl_texture *texture = lm_gl_texture_new(
        gl, &(lm_gl_image){.width = 2, .height = 2, .pixels = texels}, filter, &error);
    assert_true(gl && texture);
    lm_gl_texture_free(texture);
    lm_gl_free(gl);
    expect_quiet();
    return num_anisotropic;
}

/* Software renderers sample anisotropically by the texels below a pixel: half a minute for an image
 * that a script shrinks to a point. */
TEST(test_software_renderers_skip_anisotropy) {
    assert_int_equal(count_anisotropic("llvmpipe (LLVM 15.0.6, 256 bits)", LM_GL_FILTER_SMOOTH), 0);
    assert_int_equal(count_anisotropic("softpipe", LM_GL_FILTER_SMOOTH), 0);
    assert_int_equal(count_anisotropic("a graphics card", LM_GL_FILTER_PLAIN), 0);
    if (epoxy_has_gl_extension("GL_EXT_texture_filter_anisotropic"))
        assert_int_equal(count_anisotropic("a graphics card", LM_GL_FILTER_SMOOTH), 1);
}

/* ---- A loader ------------------------------------------------------------------------------ */

static void *get_proc(void *user, const char *name) {
    loader *l = user;
    l->asked++;
    assert_true(strncmp(name, "gl", 2) == 0);
    if (l->missing && strcmp(name, l->missing) == 0)
        return NULL;
    void (*function)(void) = eglGetProcAddress(name);
    void *out;
    memcpy(&out, &function, sizeof out);
    return out;
}

static void draw(lm_gl *gl, const lm_model *model, uint8_t *pixels) {
    lm_error error = {0};
    lm_vec3 min = {0, 0, 0}, max = {0, 0, 0};
    lm_gl_camera camera = {.azimuth = 30, .elevation = 20};
    const lm_pose pose = {0, 1, 0.5f};
    const lm_gl_instance one[1] = {{.pose = {3, 4, 0.5f}}};
    OWNED(lm_gl_target) *target = lm_gl_target_new(gl, SIDE, SIDE, 0, &error);
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(gl, model, &error);
    assert_true(target && drawn && lm_model_bounds(model, 0, 1, &min, &max) == LM_CODE_OK);
    const lm_gl_view view = fitted_view(&camera, min, max);
    if (!lm_gl_begin(gl, target, 0, 0, NULL, &error) ||
        !lm_gl_draw(drawn, &view, AT_ORIGIN(pose), 1, NULL, &error) ||
        !lm_gl_draw(drawn, &view, one, 1, &(lm_gl_style){.shade = LM_GL_SHADE_WIRE}, &error) ||
        !lmi_gl_draw_box(gl, &view, NULL, &min, &max, &error) ||
        !lm_gl_target_read(target, pixels, &error))
        fail_msg("%s", error.message);
}

TEST(test_any_loader_draws_the_same_image) {
    static uint8_t ours[4 * SIDE * SIDE], theirs[4 * SIDE * SIDE], nothing[4 * SIDE * SIDE];
    loader l = {0};
    lm_error error = {0};
    OWNED(lm_model) *model = load(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    lm_gl *gl = lm_gl_new(&(lm_gl_options){.get_proc = get_proc, .user = &l}, &error);
    assert_done(gl, error);
    unsigned asked = l.asked;
    assert_in_range(asked, 60, 200);
    draw(world.gl, model, ours);
    draw(gl, model, theirs);
    assert_int_equal(l.asked, asked); /* only by lm_gl_new */
    assert_memory_equal(ours, theirs, sizeof ours);
    assert_memory_not_equal(ours, nothing, sizeof ours);
    assert_string_equal(lm_gl_driver(gl), lm_gl_driver(world.gl));
    lm_gl_free(gl);
    expect_quiet();
}

TEST(test_missing_functions) {
    loader l = {.missing = "glDrawElements"};
    lm_error error = {0};
    const lm_gl_options options = {.get_proc = get_proc, .user = &l};
    assert_null(lm_gl_new(&options, &error));
    assert_int_equal(error.code, LM_CODE_GRAPHICS);
    assert_non_null(strstr(error.message, "glDrawElements"));
    expect_quiet();
}

static void expect_reserved(bool done, lm_error *error) {
    assert_false(done);
    assert_int_equal(error->code, LM_CODE_BAD_ARGUMENT);
    assert_string_equal(error->message, "gl: reserved must be 0");
    *error = (lm_error){.code = LM_CODE_OK};
}

/* Sets a word of a struct's `reserved`, and back. */
#define WITH_RESERVED(word, call)  \
    (word) = (uint64_t)1 << 63;    \
    expect_reserved(call, &error); \
    (word) = 0

TEST(test_reserved_members) {
    static const uint8_t pixel[4];
    lm_error error = {0};
    double fill;
    OWNED(lm_model) *model = load(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    OWNED(lm_gl_scene) *drawn = lm_gl_scene_new(world.gl, &scene, &error);
    OWNED(lm_gl_model) *uploaded = lm_gl_model_new(world.gl, model, &error);
    assert_true(drawn && uploaded);
    for (size_t i = 0; i < 4; i++) {
        lm_gl_options reserved = {0};
        lm_gl_headless_options reserved_headless = {0};
        lm_gl_environment environment = {0};
        lm_gl_box extent = {0};
        lm_gl_render_options reserved_render = {.environment = &environment, .extent = &extent};
        lm_gl_style reserved_style = {.environment = &environment};
        lm_gl_view view = {0};
        lm_gl_camera camera = {0};
        lm_gl_background background = {0};
        lm_gl_image image = {.width = 1, .height = 1, .pixels = pixel};
        lm_gl_instance one = {0};
        lm_gl_scene_instance whole = {0};
        WITH_RESERVED(reserved.reserved[i], lm_gl_new(&reserved, &error) != NULL);
        WITH_RESERVED(reserved_headless.reserved[i],
                      lm_gl_headless_new(&reserved_headless, &error) != NULL);
        WITH_RESERVED(background.reserved[i],
                      lm_gl_begin(world.gl, NULL, 1, 1, &background, &error));
        WITH_RESERVED(image.reserved[i],
                      lm_gl_texture_new(world.gl, &image, LM_GL_FILTER_PLAIN, &error) != NULL);
        WITH_RESERVED(reserved_style.reserved[i],
                      lm_gl_draw(uploaded, &view, &one, 1, &reserved_style, &error));
        WITH_RESERVED(view.reserved[i], lm_gl_draw(uploaded, &view, &one, 1, NULL, &error));
        WITH_RESERVED(view.reserved[i],
                      lm_gl_draw_lines(world.gl, &view, NULL, 0, LM_GL_LINE_THIN, &error));
        WITH_RESERVED(view.reserved[i], lm_gl_scene_draw(drawn, &view, &whole, 1, NULL, &error));
        WITH_RESERVED(view.reserved[i],
                      lm_gl_scene_fill(drawn, &view, &whole, 9, 9, NULL, &fill, &error));
        WITH_RESERVED(one.reserved[i % 2], lm_gl_draw(uploaded, &view, &one, 1, NULL, &error));
        WITH_RESERVED(whole.reserved[i % 2],
                      lm_gl_scene_draw(drawn, &view, &whole, 1, NULL, &error));
        WITH_RESERVED(reserved_render.reserved[i],
                      lm_gl_scene_draw(drawn, &view, &whole, 1, &reserved_render, &error));
        WITH_RESERVED(extent.reserved[i],
                      lm_gl_scene_draw(drawn, &view, &whole, 1, &reserved_render, &error));
        WITH_RESERVED(environment.reserved[i],
                      lm_gl_scene_draw(drawn, &view, &whole, 1, &reserved_render, &error));
        WITH_RESERVED(environment.reserved[i],
                      lm_gl_draw(uploaded, &view, &one, 1, &reserved_style, &error));
        WITH_RESERVED(camera.reserved[i],
                      lm_gl_scene_fit(drawn, &whole, 1, NULL, &camera, NULL, &error));
    }
    expect_quiet();
}

static void expect_array(bool done, const lm_error *error, const char *member) {
    assert_false(done);
    assert_int_equal(error->code, LM_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error->message, member));
}

TEST(test_arrays_that_are_null) {
    const lm_gl_view view = {0};
    const lm_gl_style style = {.num_textures = 1};
    const lm_gl_instance one = {0};
    lm_gl_camera camera = {0};
    lm_error error = {0};
    OWNED(lm_model) *model = load(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    OWNED(lm_gl_scene) *drawn = lm_gl_scene_new(world.gl, &scene, &error);
    OWNED(lm_gl_model) *uploaded = lm_gl_model_new(world.gl, model, &error);
    expect_array(lm_gl_draw(uploaded, &view, NULL, 1, NULL, &error), &error, "instances is NULL");
    expect_array(lm_gl_draw(uploaded, &view, &one, 1, &style, &error), &error, "textures is NULL");
    expect_array(lm_gl_scene_draw(drawn, &view, NULL, 1, NULL, &error), &error, "instances is");
    expect_array(lm_gl_scene_fit(drawn, NULL, 1, NULL, &camera, NULL, &error), &error, "instances");
    for (int k = 0; k < 2; k++)
        expect_array(lm_gl_draw_lines(world.gl, &view, NULL, 1,
                                      k ? LM_GL_LINE_BONE : LM_GL_LINE_THIN, &error),
                     &error, "lines is NULL");
    expect_quiet();
}

TEST_GROUP(open_world, close_world)
