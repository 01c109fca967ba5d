/* Tests contexts without a window on drivers with fewer features than Mesa's: the fallbacks, the
 * error in the end, and that no context stays open. Contexts do not depend on each other. */

#include "lerpmesh/gl.h"
#include "testing.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

/* ---- A driver that fails ------------------------------------------------------------------- */

typedef struct faults {
    bool surfaceless, devices, desktop, config, contexts, current;
} faults;

static faults broken;
static int num_contexts; /* open ones */

static PFNEGLGETPLATFORMDISPLAYEXTPROC real_get_display;
static PFNEGLBINDAPIPROC real_bind_api;
static PFNEGLCHOOSECONFIGPROC real_choose_config;
static PFNEGLCREATECONTEXTPROC real_create_context;
static PFNEGLDESTROYCONTEXTPROC real_destroy_context;
static PFNEGLMAKECURRENTPROC real_make_current;

static EGLDisplay EGLAPIENTRY get_display(EGLenum platform, void *native, const EGLint *wanted) {
    const bool fails = platform == EGL_PLATFORM_DEVICE_EXT ? broken.devices : broken.surfaceless;
    return fails ? EGL_NO_DISPLAY : real_get_display(platform, native, wanted);
}

static EGLBoolean EGLAPIENTRY bind_api(EGLenum api) {
    return broken.desktop && api == EGL_OPENGL_API ? EGL_FALSE : real_bind_api(api);
}

static EGLBoolean EGLAPIENTRY choose_config(EGLDisplay display, const EGLint *wanted,
                                            EGLConfig *configs, EGLint size, EGLint *count) {
    *count = 0;
    return broken.config || real_choose_config(display, wanted, configs, size, count);
}

static EGLContext EGLAPIENTRY create_context(EGLDisplay display, EGLConfig config, EGLContext share,
                                             const EGLint *wanted) {
    EGLContext made =
        broken.contexts ? EGL_NO_CONTEXT : real_create_context(display, config, share, wanted);
    num_contexts += made != EGL_NO_CONTEXT;
    return made;
}

static EGLBoolean EGLAPIENTRY destroy_context(EGLDisplay display, EGLContext context) {
    num_contexts--;
    return real_destroy_context(display, context);
}

static EGLBoolean EGLAPIENTRY make_current(EGLDisplay display, EGLSurface draw, EGLSurface read,
                                           EGLContext context) {
    return broken.current && context != EGL_NO_CONTEXT
               ? EGL_FALSE
               : real_make_current(display, draw, read, context);
}

#define STAND_IN(function, name) (real_##function = epoxy_egl##name, epoxy_egl##name = (function))

/* libepoxy finds each function when it is first called, and then replaces the stand-in. */
static void stand_in(void) {
    lm_error error;
    lm_gl_headless_free(lm_gl_headless_new(NULL, &error));
    STAND_IN(get_display, GetPlatformDisplayEXT);
    STAND_IN(bind_api, BindAPI);
    STAND_IN(choose_config, ChooseConfig);
    STAND_IN(create_context, CreateContext);
    STAND_IN(destroy_context, DestroyContext);
    STAND_IN(make_current, MakeCurrent);
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* Expects a context that draws nevertheless; `es` is true for OpenGL ES. */
static void expect_context(faults some, const lm_gl_headless_options *options, bool es) {
    lm_error error = {0};
    broken = some;
    lm_gl_headless *made = lm_gl_headless_new(options, &error);
    assert_done(made, error);
    assert_int_equal(num_contexts, 1);
    assert_int_equal(epoxy_is_desktop_gl(), !es);
    lm_gl *gl = lm_gl_new(NULL, &error);
    assert_done(gl, error);
    lm_gl_free(gl);
    lm_gl_headless_free(made);
    assert_int_equal(num_contexts, 0);
    broken = (faults){false};
}

static void expect_rejection(faults some, const lm_gl_headless_options *options,
                             const char *words) {
    lm_error error = {0};
    broken = some;
    assert_null(lm_gl_headless_new(options, &error));
    assert_int_equal(error.code, LM_CODE_GRAPHICS);
    if (!strstr(error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
    assert_int_equal(num_contexts, 0);
    broken = (faults){false};
}

TEST(next_candidate) {
    expect_context((faults){false}, NULL, false);
    expect_context((faults){.devices = true}, NULL, false);
    expect_context((faults){.surfaceless = true}, NULL, false);
    expect_context((faults){.desktop = true}, NULL, true);
    expect_context((faults){.desktop = true}, &(lm_gl_headless_options){.es = true}, true);
    expect_context((faults){false}, &(lm_gl_headless_options){.compatibility = true}, false);
}

TEST(final_error) {
    expect_rejection((faults){.surfaceless = true, .devices = true}, NULL, "no graphics driver");
    expect_rejection((faults){.config = true}, NULL, "neither OpenGL 3.3 nor OpenGL ES 3.0");
    expect_rejection((faults){.contexts = true}, NULL, "neither OpenGL 3.3 nor OpenGL ES 3.0");
    expect_rejection((faults){.current = true}, NULL, "without a window (EGL error 0x");
    /* Requests for OpenGL only fail with OpenGL ES. */
    expect_rejection((faults){.desktop = true}, &(lm_gl_headless_options){.compatibility = true},
                     "neither");
}

/* A context outlives another one of the same display. */
TEST(two_contexts) {
    lm_error error;
    lm_gl_headless *first = lm_gl_headless_new(NULL, &error);
    EGLDisplay display = eglGetCurrentDisplay();
    EGLContext context = eglGetCurrentContext();
    assert_non_null(first);
    lm_gl_headless_free(lm_gl_headless_new(NULL, &error));
    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    lm_gl *gl = lm_gl_new(NULL, &error);
    assert_non_null(gl);
    lm_gl_free(gl);
    lm_gl_headless_free(first);
    assert_int_equal(num_contexts, 0);
}

int main(void) {
    stand_in();
    return run_test_list();
}
