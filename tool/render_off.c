/* `lerpmesh render` and `compare --image` in a build without the renderer. */
#include "commands.h"
#include "image/difference.h"

#ifdef __wasm__
#define WITHOUT                                                                               \
    "node has no OpenGL: draw on the page or with lerpmesh/stage in a browser, or build the " \
    "command itself (make install)"
#else
#define WITHOUT                                                                                  \
    "this lerpmesh was built without its renderer, because LERPMESH_GL was off or libepoxy was " \
    "missing (Debian: libepoxy-dev and libegl-dev)"
#endif

int render_run(const tool_args *args) {
    tool_usage(args, WITHOUT);
    /* A missing input is wrong usage in any build. */
    return args->num_inputs == 0 ? TOOL_USAGE : TOOL_FAILED;
}

bool difference_draw(const difference_models *models, lm_buffer *png, coarse_image *coarse,
                     lm_error *error) {
    (void)coarse;
    (void)models;
    (void)png;
    return lm_fail_plain(error, LM_CODE_NOT_BUILT_IN, WITHOUT);
}
