/* `lerpmesh render` in a build without the renderer. */
#include "render.h"

int render_run(const tool_args *args) {
    tool_usage(args, "this lerpmesh was built without its renderer, because LERPMESH_GL was off or "
                     "libepoxy was missing (Debian: libepoxy-dev and libegl-dev)");
    return TOOL_FAILED;
}
