/* Fills the table of OpenGL's functions. */
#include "gl_internal.h"

#include <string.h>

/* The function table from libepoxy, which resolves each function on its first call. */

#ifdef LM_GL_HAVE_EPOXY
#include <epoxy/gl.h>

#define GL_CALL_V(name, parameters, arguments)      \
    static void GL_CALL through_##name parameters { \
        epoxy_gl##name arguments;                   \
    }
#define GL_CALL_R(type, name, parameters, arguments) \
    static type GL_CALL through_##name parameters {  \
        return epoxy_gl##name arguments;             \
    }
GL_FUNCTIONS(GL_CALL_V, GL_CALL_R)

/* Fills the table with libepoxy. False: this build does not have it. */
static bool gl_load_epoxy(gl_api *api) {
#define GL_SET_V(name, parameters, arguments) .name = through_##name,
#define GL_SET_R(type, name, parameters, arguments) .name = through_##name,
    *api = (gl_api){GL_FUNCTIONS(GL_SET_V, GL_SET_R)};
    return true;
}

#else
static bool gl_load_epoxy(gl_api *api) {
    (void)api;
    return false;
}
#endif

static const struct {
    const char *name;
    size_t at; /* offset in the table */
} functions[] = {
#define GL_ENTRY_V(name, parameters, arguments) {"gl" #name, offsetof(gl_api, name)},
#define GL_ENTRY_R(type, name, parameters, arguments) {"gl" #name, offsetof(gl_api, name)},
    GL_FUNCTIONS(GL_ENTRY_V, GL_ENTRY_R)};

bool lmi_gl_load(gl_api *api, const lm_gl_options *options, lm_error *error) {
    if (options && !lmi_gl_sound_reserved(options->reserved, 4, error))
        return false;
    if (!options || !options->get_proc)
        return gl_load_epoxy(api) ||
               lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                             "gl: lerpmesh was built without libepoxy: set lm_gl_options.get_proc");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = options->get_proc(options->user, functions[i].name);
        /* The renderer works without this one, which OpenGL ES does not have. */
        if (!function && strcmp(functions[i].name, "glPrimitiveRestartIndex") != 0)
            return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver has no %s",
                                 functions[i].name);
        memcpy((char *)api + functions[i].at, &function, sizeof function);
    }
    return true;
}
