/* A context without a window, created with EGL. */
#include "gl_internal.h"

#ifdef LM_GL_HAVE_EPOXY
#include <epoxy/egl.h>

#include <dlfcn.h>
#include <stdlib.h>

struct lm_gl_headless {
    EGLDisplay display;
    EGLContext context;
};

#define MAX_DEVICES 16

/* libepoxy exits the process if libEGL is missing, so check first. */
static bool has_egl(lm_error *error) {
    void *library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return lm_fail_plain(error, LM_CODE_GRAPHICS,
                             "gl: libEGL.so.1 is missing; it comes with a graphics driver "
                             "(Debian: libegl1 and libgl1-mesa-dri)");
    dlclose(library);
    return true;
}

static EGLDisplay initialized(EGLenum platform, void *native) {
    EGLDisplay display = eglGetPlatformDisplayEXT(platform, native, NULL);
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display
                                                                           : EGL_NO_DISPLAY;
}

static EGLDisplay device_display(void) {
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_base") ||
        !eglQueryDevicesEXT(MAX_DEVICES, devices, &count))
        return EGL_NO_DISPLAY;
    EGLDisplay display = EGL_NO_DISPLAY;
    for (EGLint i = 0; i < count && display == EGL_NO_DISPLAY; i++)
        display = initialized(EGL_PLATFORM_DEVICE_EXT, devices[i]);
    return display;
}

static EGLDisplay open_display(void) {
    EGLDisplay display = EGL_NO_DISPLAY;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
        return EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        display = initialized(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
    return display != EGL_NO_DISPLAY ? display : device_display();
}

static EGLContext make_context(EGLDisplay display, bool es, bool compatibility, bool debug) {
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,
        3,
        EGL_CONTEXT_MINOR_VERSION,
        es ? 0 : 3,
        EGL_CONTEXT_OPENGL_DEBUG,
        debug ? EGL_TRUE : EGL_FALSE,
        es ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK,
        compatibility ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                      : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
        EGL_NONE,
    };
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
                             es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return EGL_NO_CONTEXT;
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

static bool make_current(lm_gl_headless *h, const lm_gl_headless_options *options,
                         lm_error *error) {
    h->display = open_display();
    if (h->display == EGL_NO_DISPLAY)
        return lm_fail_plain(error, LM_CODE_GRAPHICS,
                             "gl: no graphics driver can draw without a window "
                             "(Debian: libgl1-mesa-dri has one that needs no graphics card)");
    if (!options->es)
        h->context = make_context(h->display, false, options->compatibility, options->debug);
    if (h->context == EGL_NO_CONTEXT && !options->compatibility)
        h->context = make_context(h->display, true, false, options->debug);
    if (h->context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, h->context))
        return lm_fail_plain(error, LM_CODE_GRAPHICS,
                             "gl: the graphics driver has neither OpenGL 3.3 nor OpenGL ES 3.0 "
                             "without a window (EGL error 0x%04x; Debian: libgl1-mesa-dri)",
                             (unsigned)eglGetError());
    return true;
}

lm_gl_headless *lm_gl_headless_new(const lm_gl_headless_options *options, lm_error *error) {
    const lm_gl_headless_options plain = {0};
    if ((options && !lmi_gl_sound_reserved(options->reserved, 4, error)) || !has_egl(error))
        return NULL;
    lm_gl_headless *h = calloc(1, sizeof *h);
    if (!h) {
        lmi_gl_no_memory(error);
        return NULL;
    }
    *h = (lm_gl_headless){EGL_NO_DISPLAY, EGL_NO_CONTEXT};
    if (make_current(h, options ? options : &plain, error))
        return h;
    lm_gl_headless_free(h);
    return NULL;
}

void lm_gl_headless_free(lm_gl_headless *h) {
    if (!h)
        return;
    if (h->display != EGL_NO_DISPLAY) { /* which stays initialized: other contexts share it */
        eglMakeCurrent(h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (h->context != EGL_NO_CONTEXT)
            eglDestroyContext(h->display, h->context);
    }
    free(h);
}

#else
lm_gl_headless *lm_gl_headless_new(const lm_gl_headless_options *options, lm_error *error) {
    (void)options;
    lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                  "gl: lerpmesh was built without libepoxy, so it cannot use EGL");
    return NULL;
}

void lm_gl_headless_free(lm_gl_headless *headless) {
    (void)headless;
}
#endif
