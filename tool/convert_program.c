/* --for and --compress: the settings of glTF for the program that reads it. */
#include "convert.h"
#include "terminal.h"

typedef struct program {
    const char *name;
    float fps;               /* 0: the clips' own */
    const char *loop_suffix; /* of looping animations; NULL: none */
    bool quantize;
    bool reads_quantized, reads_compressed;
    const char *about;
} program;

/* In the order of the option's words. */
static const program programs[] = {
    {"Blender", 24, NULL, false, true, false,
     "24 fps, so that each frame is one of a new scene (in a scene of 10 fps: --fps 10)"},
    {"Godot", 0, "-loop", false, false, false,
     "looping animations end in -loop; plain floats; GLES 2 shows no blend shapes, so use GLES 3"},
    {"three.js", 0, NULL, true, true, true, "quantized, unless compressed for MeshoptDecoder"},
    {"Unreal", 0, NULL, false, false, false, "plain floats; not tested with Unreal"},
    {"Assimp", 0, NULL, false, false, false, "plain floats, because it misreads quantized files"},
};

static bool read_packer(const tool_args *args, convert_settings *settings) {
    unsigned number = 0;
    if (!tool_has(args, TOOL_COMPRESS))
        return true;
    if (!tool_known_word(args, TOOL_COMPRESS, &number))
        return false;
    if (tool_has(args, TOOL_QUANTIZE))
        return tool_usage(args, "--compress cannot be combined with --quantize");
#ifdef TOOL_HAVE_IMPORT
    settings->packer = lm_meshopt_packer();
#endif
    settings->compress = true;
    return true;
}

static bool apply(const tool_args *args, const program *p, convert_settings *settings) {
    if (tool_has(args, TOOL_QUANTIZE) && !p->reads_quantized)
        return tool_usage(args, "--quantize does not apply to --for %s, which misreads it",
                          tool_value(args, TOOL_FOR));
    if (settings->compress && !p->reads_compressed)
        return tool_usage(args, "--compress does not apply to --for %s, which cannot read it",
                          tool_value(args, TOOL_FOR));
    settings->program = p->name;
    settings->about = p->about;
    settings->loop_suffix = p->loop_suffix;
    settings->quantize = settings->quantize || (p->quantize && !settings->compress);
    if (settings->fps == 0 && !settings->has_frame)
        settings->fps = p->fps;
    return true;
}

bool convert_program_read(const tool_args *args, convert_settings *settings) {
    unsigned number = 0;
    settings->quantize = tool_has(args, TOOL_QUANTIZE);
    if (!read_packer(args, settings))
        return false;
    if (!tool_has(args, TOOL_FOR))
        return true;
    return tool_known_word(args, TOOL_FOR, &number) && apply(args, &programs[number], settings);
}

void convert_program_explain(const convert_settings *settings) {
    lm_buffer text = {0};
    if (!settings->program || tool_has(settings->args, TOOL_QUIET))
        return;
    lm_buffer_printf(&text, "lerpmesh: for %s: %s\n", settings->program, settings->about);
    tool_write_error(&text);
}
