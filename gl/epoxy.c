/* The function table from libepoxy, which resolves each function on its first call. */
#include "gl_internal.h"

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

bool lm_gl_load_epoxy(gl_api *api) {
#define GL_SET_V(name, parameters, arguments) .name = through_##name,
#define GL_SET_R(type, name, parameters, arguments) .name = through_##name,
    *api = (gl_api){GL_FUNCTIONS(GL_SET_V, GL_SET_R)};
    return true;
}

#else
bool lm_gl_load_epoxy(gl_api *api) {
    (void)api;
    return false;
}
#endif
