#include "convert.h"

#include "text.h"

#include <float.h>
#include <string.h>

#define DEFAULT_MAX_OUTPUT ((uint64_t)1 << 31)
#define MIN_FPS 0.001
#define MAX_FPS 1000.0

static const struct {
    const char *name, *extension;
} formats[] = {
    [CONVERT_GLB] = {"glb", ".glb"},
    [CONVERT_GLTF] = {"gltf", ".gltf"},
    [CONVERT_OBJ] = {"obj", ".obj"},
};
#define NUM_FORMATS (sizeof formats / sizeof *formats)

static size_t format_of_extension(const char *extension) {
    size_t i = 0;
    while (i < NUM_FORMATS && !tool_same_text(formats[i].extension, extension))
        i++;
    return i;
}

static size_t format_of_name(const char *name) {
    size_t i = 0;
    while (i < NUM_FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    return i;
}

/* By --format, or by the output's name; both must agree. */
static bool read_format(const tool_args *args, convert_settings *settings) {
    const char *name = tool_value(args, TOOL_FORMAT);
    const char *path = settings->output.path;
    const char *extension = lm_disk_extension(args->disk, path);
    size_t format = name ? format_of_name(name) : NUM_FORMATS;
    if (name && format == NUM_FORMATS)
        return tool_usage(args, "there is no format \"%s\"; there are glb, gltf and obj", name);
    if (settings->output.kind == TOOL_TO_FILE) {
        size_t named = format_of_extension(extension);
        if (named == NUM_FORMATS && *extension)
            return tool_usage(args,
                              "%s: the format %s cannot be written; there are .glb, .gltf and .obj",
                              path, extension);
        if (named == NUM_FORMATS)
            return tool_usage(args, "%s: end the name with .glb, .gltf or .obj", path);
        if (name && named != format)
            return tool_usage(args, "%s does not fit --format %s", path, name);
        format = named;
    }
    /* A folder called out.glb was hardly meant to be one. */
    if (format == NUM_FORMATS && settings->output.kind == TOOL_TO_FOLDER &&
        format_of_extension(extension) == NUM_FORMATS)
        format = CONVERT_GLB;
    if (format == NUM_FORMATS && settings->output.kind == TOOL_TO_FOLDER)
        return tool_usage(args, "%s is a folder: end its name with / to write into it", path);
    if (format == NUM_FORMATS)
        return tool_usage(args, "choose a format: --format glb, gltf or obj");
    if (format == CONVERT_GLTF && settings->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args, "gltf is two files and cannot go to standard output; glb can");
    if (format != CONVERT_OBJ && tool_output_floods(&settings->output))
        return false;
    settings->format = (convert_format)format;
    settings->output.extension = formats[format].extension;
    settings->output.companion = format == CONVERT_GLTF  ? ".bin"
                                 : format == CONVERT_OBJ ? ".mtl"
                                                         : NULL;
    return true;
}

static bool read_output(const tool_args *args, convert_settings *settings) {
    if (!tool_has(args, TOOL_OUTPUT) && args->num_inputs > 0)
        return tool_usage(args, "say where to write: -o FILE.glb, or -o DIR/");
    return args->num_inputs == 0 ||
           (tool_output_read(args, &settings->output) && read_format(args, settings));
}

static bool read_frames(const tool_args *args, convert_settings *settings) {
    const char *text = tool_value(args, TOOL_FRAMES);
    settings->has_frame = tool_has(args, TOOL_FRAME);
    settings->has_frames = text != NULL;
    if (text) {
        char first[16];
        size_t length = strcspn(text, "-");
        uint64_t a, b;
        if (text[length] != '-' || length >= sizeof first)
            return tool_usage(args, "--frames takes A-B, such as 0-39, not \"%s\"", text);
        memcpy(first, text, length);
        first[length] = '\0';
        if (!tool_parse_uint(first, INT32_MAX, &a) ||
            !tool_parse_uint(text + length + 1, INT32_MAX, &b))
            return tool_usage(args, "--frames takes A-B, such as 0-39, not \"%s\"", text);
        if (b < a)
            return tool_usage(args, "--frames %s ends before it begins", text);
        settings->first_frame = (uint32_t)a;
        settings->last_frame = (uint32_t)b;
    }
    return tool_number(args, TOOL_FRAME, "frame", 0, INT32_MAX, &settings->frame);
}

static bool read_numbers(const tool_args *args, convert_settings *settings) {
    double scale = 0, fps = 0;
    const char *size = tool_value(args, TOOL_MAX_OUTPUT);
    settings->max_output = DEFAULT_MAX_OUTPUT;
    if (!tool_number(args, TOOL_SCALE, "scale", (double)FLT_MIN, (double)FLT_MAX, &scale) ||
        !tool_number(args, TOOL_FPS, "fps", MIN_FPS, MAX_FPS, &fps))
        return false;
    if (size &&
        (!tool_parse_size(size, SIZE_MAX / 2, &settings->max_output) || settings->max_output == 0))
        return tool_usage(args, "--max-output needs a size, such as 500M, not \"%s\"", size);
    settings->scale = (float)scale;
    settings->fps = (float)fps;
    return true;
}

static bool read_axes(const tool_args *args, lm_axes *axes) {
    const char *text = tool_value(args, TOOL_AXES);
    if (!text)
        *axes = LM_AXES_DEFAULT;
    else if (strcmp(text, "gltf") == 0)
        *axes = LM_AXES_GLTF;
    else if (strcmp(text, "model") == 0)
        *axes = LM_AXES_MODEL;
    else
        return tool_usage(args, "--axes is gltf or model, not \"%s\"", text);
    return true;
}

static bool check_textures(const tool_args *args, const convert_settings *settings) {
    static const struct {
        tool_option option;
        const char *name;
    } textures[] = {{TOOL_GAME, "game"},       {TOOL_SKIN, "skin"},
                    {TOOL_PALETTE, "palette"}, {TOOL_TRANSPARENT_255, "transparent-255"},
                    {TOOL_ALPHA, "alpha"},     {TOOL_UNLIT, "unlit"}};
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
        if (settings->format == CONVERT_OBJ && settings->output.kind == TOOL_TO_STDOUT &&
            tool_has(args, textures[i].option))
            return tool_usage(
                args,
                "--%s has no meaning for OBJ on standard output, which has no place for "
                "textures",
                textures[i].name);
    return true;
}

/* Options that would change nothing are mistakes. */
static bool check_sense(const tool_args *args, const convert_settings *settings) {
    static const struct {
        tool_option option;
        const char *name;
        bool still; /* has a meaning for a single pose */
    } animation[] = {
        {TOOL_FRAMES, "frames", false},    {TOOL_CLIPS, "clips", false},
        {TOOL_CLIP, "clip", false},        {TOOL_FPS, "fps", false},
        {TOOL_QUANTIZE, "quantize", true},
    };
    for (size_t i = 0; i < sizeof animation / sizeof *animation; i++) {
        if (!tool_has(args, animation[i].option))
            continue;
        if (settings->format == CONVERT_OBJ)
            return tool_usage(args, "--%s has no meaning for OBJ, which holds one pose: --frame F",
                              animation[i].name);
        if (settings->has_frame && !animation[i].still)
            return tool_usage(args, "--%s has no meaning with --frame, which is one pose",
                              animation[i].name);
    }
    return check_textures(args, settings);
}

bool convert_settings_read(const tool_args *args, convert_settings *settings) {
    *settings = (convert_settings){.args = args,
                                   .quantize = tool_has(args, TOOL_QUANTIZE),
                                   .unlit = tool_has(args, TOOL_UNLIT),
                                   .quiet = tool_has(args, TOOL_QUIET),
                                   .verbose = tool_has(args, TOOL_VERBOSE)};
    if (!tool_attachments_read(args, &settings->wishes) || !read_output(args, settings) ||
        !read_frames(args, settings) || !read_numbers(args, settings) ||
        !read_axes(args, &settings->axes) || !check_sense(args, settings) ||
        !tool_wishes_read(args, &settings->wishes))
        return false;
    lm_assets_options *options = &settings->wishes.options;
    if (settings->has_frame || settings->format == CONVERT_OBJ)
        options->clips = "none";
    bool bare = settings->format == CONVERT_OBJ && settings->output.kind == TOOL_TO_STDOUT;
    options->pictures = bare ? LM_PICTURES_NONE : LM_PICTURES_PORTABLE;
    return true;
}

void convert_settings_free(convert_settings *settings) {
    tool_output_free(&settings->output);
    tool_wishes_free(&settings->wishes);
}
