/* OpenGL for gl/: imports of WebGL 2, which web/lib/graphics.js implements under OpenGL ES names.
 */
#include "graphics.h"

#include "../../gl/gl_api.h"

#include <string.h>

#define IMPORT_V(name, parameters, arguments) WEB_IMPORT("gl", #name) void web_gl##name parameters;
#define IMPORT_R(type, name, parameters, arguments) \
    WEB_IMPORT("gl", #name) type web_gl##name parameters;
GL_FUNCTIONS(IMPORT_V, IMPORT_R)

typedef void (*any_function)(void);

static const struct {
    const char *name;
    any_function function;
} functions[] = {
#define ENTRY_V(name, parameters, arguments) {"gl" #name, (any_function)web_gl##name},
#define ENTRY_R(type, name, parameters, arguments) {"gl" #name, (any_function)web_gl##name},
    GL_FUNCTIONS(ENTRY_V, ENTRY_R)};

void *web_get_proc(void *user, const char *name) {
    (void)user;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return (void *)functions[i].function;
    return NULL;
}
