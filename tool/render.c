/* The `render` command: its options. The implementation is in render/, if the renderer is built. */
#include "commands.h"

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
    .options = {TOOL_OUTPUT,       TOOL_SIZE,          TOOL_FRAME,    TOOL_PLAY_CLIP,
                TOOL_SHEET,        TOOL_TURNTABLE,     TOOL_VIEW,     TOOL_SHADING,
                TOOL_BACKGROUND,   TOOL_SKIN,          TOOL_GAME,     TOOL_FORCE,
                TOOL_IMAGE_FORMAT, TOOL_TIME,          TOOL_FRAMES,   TOOL_RATE,
                TOOL_ATTACH,       TOOL_WITH,          TOOL_PALETTE,  TOOL_TRANSPARENT_255,
                TOOL_ALPHA,        TOOL_ZOOM,          TOOL_SHOW,     TOOL_DRAW_SKELETON,
                TOOL_SAMPLES,      TOOL_CLIPS,         TOOL_TOPOLOGY, TOOL_NORMALS,
                TOOL_QUIRK,        TOOL_REPAIR,        TOOL_STRICT,   TOOL_QUIET,
                TOOL_VERBOSE,      TOOL_SKIP_EXISTING, TOOL_SYNC,     TOOL_MAX_INPUT,
                TOOL_MAX_FILL,     TOOL_HELP,          TOOL_HELP_ALL},
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
