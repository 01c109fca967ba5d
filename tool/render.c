/* The `render` command: its options. The implementation is in render/, if the renderer is built. */
#include "options.h"

#ifndef TOOL_HAVE_RENDERER /* `render` and `compare --image` in a build without it */

#include "image/studio.h"

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

#endif

const tool_command tool_render = {
    .name = "render",
    .usage = "[options] FILE|DIR|ARCHIVE... -o OUT",
    .summary = "draw images, animations, contact sheets and galleries",
    .about =
        "Draws a model without a window. OUT is a .png, an animated .webp, or numbered images\n"
        "(out-{frame:04}.png); -o DIR/ takes several files. -o - with --format raw writes red,\n"
        "green, blue and alpha of each image, for ffmpeg. A .png shows one pose; the others play\n"
        "--clip, --frames or the idle clip (all frames, if that clip does not move). Skins come\n"
        "from the model's folder and from --game. --sheet draws each clip's first, middle and\n"
        "last frame, or thumbnails of several models. An OUT named NAME.html is a gallery: a page\n"
        "with a picture and the facts of each model; the pictures go to NAME_files/ next to it.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_SIZE, LM_OPTION_FRAMES, LM_OPTION_PLAY_CLIP,
              LM_OPTION_SHEET, LM_OPTION_TURNTABLE, LM_OPTION_VIEW, LM_OPTION_SHADING,
              LM_OPTION_BACKGROUND, LM_OPTION_SKIN, LM_OPTION_GAME, LM_OPTION_FORCE},
    .expand = TOOL_EXPAND_PLAYERS,
    .examples = "  lerpmesh render tris.md2 -o tris.png\n"
                "  lerpmesh render tris.md2 --clip run -o run.webp --background none\n"
                "  lerpmesh render tris.md2 --turntable 36 -o turn-{frame:02}.png\n"
                "  lerpmesh render tris.md2 --skeleton -o skeleton.png\n"
                "  lerpmesh render tris.md2 --sheet -o clips.png\n"
                "  lerpmesh render pak0.pk3 --sheet -o thumbnails.png\n"
                "  lerpmesh render pak0.pk3 -o gallery/index.html\n",
    .run = render_run,
};
