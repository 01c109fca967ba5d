/* Fills the table of OpenGL's functions. */
#include "gl_internal.h"

#include <string.h>

static const struct {
    const char *name;
    size_t at; /* offset in the table */
} functions[] = {
#define GL_ENTRY_V(name, parameters, arguments) {"gl" #name, offsetof(gl_api, name)},
#define GL_ENTRY_R(type, name, parameters, arguments) {"gl" #name, offsetof(gl_api, name)},
    GL_FUNCTIONS(GL_ENTRY_V, GL_ENTRY_R)};

/* Returns whether the renderer works without a function: OpenGL ES does not have this one. */
static bool is_optional(const char *name) {
    return strcmp(name, "glPrimitiveRestartIndex") == 0;
}

bool lm_gl_load(gl_api *api, const lm_gl_options *options, lm_error *error) {
    if (options && !lm_gl_sound_reserved(options->reserved, error))
        return false;
    if (!options || !options->get_proc)
        return lm_gl_load_epoxy(api) ||
               lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                             "gl: lerpmesh was built without libepoxy: set lm_gl_options.get_proc");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = options->get_proc(options->user, functions[i].name);
        if (!function && !is_optional(functions[i].name))
            return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver has no %s",
                                 functions[i].name);
        memcpy((char *)api + functions[i].at, &function, sizeof function);
    }
    return true;
}
