/* `lerpmesh render` in a build without the renderer. */
#include "render.h"

int render_run(const tool_args *args) {
    tool_usage(args, "this lerpmesh was built without its renderer, because LERPMESH_GL was off or "
                     "libepoxy was missing (Debian: libepoxy-dev and libegl-dev)");
    /* A wrong line is one with any renderer. */
    return args->num_inputs == 0 ? TOOL_USAGE : TOOL_FAILED;
}
