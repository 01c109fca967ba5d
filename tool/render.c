/* The `render` command: its options. The implementation is in render/, if the renderer is built. */
#include "commands.h"

const tool_command tool_render = {
    .name = "render",
    .usage = "[options] FILE|DIR|ARCHIVE... -o OUT",
    .summary = "draw pictures, animations and contact sheets",
    .about =
        "Draws a model without a window. OUT is a .png, an animated .webp, or numbered\n"
        "pictures (out-{frame:04}.png); a folder (DIR/) takes several files. -o - with\n"
        "--format raw writes red, green, blue, alpha of each picture, for ffmpeg.\n"
        "A .png shows one pose; the others play --clip, --frames, or what the model does at\n"
        "rest (where it stands still, all frames). Skins: beside the model and in --game.\n"
        "--sheet: of one model each clip's first, middle and last frame; of several thumbnails.",
    .options = {TOOL_OUTPUT,  TOOL_IMAGE_FORMAT, TOOL_FORCE,      TOOL_SIZE,
                TOOL_FRAME,   TOOL_PLAYED,       TOOL_TIME,       TOOL_FRAMES,
                TOOL_RATE,    TOOL_TURNTABLE,    TOOL_SHEET,      TOOL_ATTACH,
                TOOL_WITH,    TOOL_SKIN,         TOOL_PALETTE,    TOOL_TRANSPARENT_255,
                TOOL_ALPHA,   TOOL_GAME,         TOOL_VIEW,       TOOL_ZOOM,
                TOOL_SHADING, TOOL_SHOW,         TOOL_BACKGROUND, TOOL_SAMPLES,
                TOOL_CLIPS,   TOOL_TOPOLOGY,     TOOL_NORMALS,    TOOL_QUIRK,
                TOOL_REPAIR,  TOOL_QUIET,        TOOL_VERBOSE,    TOOL_SKIP_EXISTING,
                TOOL_SYNC,    TOOL_MAX_INPUT,    TOOL_HELP},
    .expand = TOOL_EXPAND_PLAYERS,
    .examples = "  lerpmesh render tris.md2 -o tris.png\n"
                "  lerpmesh render tris.md2 --clip run -o run.webp --background none\n"
                "  lerpmesh render tris.md2 --turntable 36 -o turn-{frame:02}.png\n"
                "  lerpmesh render tris.md2 --sheet -o clips.png\n"
                "  lerpmesh render pak0.pk3 --sheet -o thumbnails.png\n",
    .run = render_run,
};
