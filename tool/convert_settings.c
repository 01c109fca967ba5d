#include "convert.h"

#include <float.h>
#include <string.h>

#define MAX_IMPORT_TIME 86400
#define MIN_FPS 0.001
#define MAX_FPS 1000.0

static bool read_output(const tool_args *args, convert_settings *settings) {
    if (!tool_has(args, TOOL_OUTPUT) && args->num_inputs > 0)
        return tool_usage(args, tool_has(args, TOOL_PLAYER)
                                    ? "missing output: add -o NAME.pk3 or -o DIR/"
                                    : "missing output: add -o FILE.glb or -o DIR/");
    return args->num_inputs == 0 ||
           (tool_output_read(args, &settings->output) && convert_format_read(args, settings));
}

static bool read_frames(const tool_args *args, convert_settings *settings) {
    const char *text = tool_value(args, TOOL_FRAMES);
    settings->has_frame = tool_has(args, TOOL_FRAME);
    settings->has_frames = text != NULL;
    if (text &&
        !tool_parse_pair(text, '-', INT32_MAX, &settings->first_frame, &settings->last_frame))
        return tool_usage(args, "--frames takes A-B, such as 0-39, not \"%s\"", text);
    if (text && settings->last_frame < settings->first_frame)
        return tool_usage(args, "--frames %s ends before it begins", text);
    return tool_number(args, TOOL_FRAME, 0, INT32_MAX, &settings->frame);
}

static bool read_numbers(const tool_args *args, convert_settings *settings) {
    double scale = 0, fps = 0;
    if (!tool_number(args, TOOL_SCALE, (double)FLT_MIN, (double)FLT_MAX, &scale) ||
        !tool_number(args, TOOL_FPS, MIN_FPS, MAX_FPS, &fps) ||
        !tool_max_output(args, &settings->max_output))
        return false;
    settings->scale = (float)scale;
    settings->fps = (float)fps;
    return true;
}

static bool read_import_limits(const tool_args *args, convert_settings *settings) {
    const char *time = tool_value(args, TOOL_IMPORT_TIME);
    const char *memory = tool_value(args, TOOL_IMPORT_MEMORY);
    uint64_t seconds = CONVERT_IMPORT_TIME, size = 0;
    if (time && (!tool_parse_uint(time, MAX_IMPORT_TIME, &seconds) || seconds == 0))
        return tool_usage(args,
                          "--import-time needs a whole number of seconds from 1 to %d, not "
                          "\"%s\"",
                          MAX_IMPORT_TIME, time);
    if (memory && (!tool_parse_size(memory, SIZE_MAX / 2, &size) || size == 0))
        return tool_usage(args, "--import-memory needs a size, such as 4G, not \"%s\"", memory);
    settings->import_time = (unsigned)seconds;
    settings->import_memory = (size_t)size;
    return true;
}

static bool read_axes(const tool_args *args, lm_axes *axes) {
    static const lm_axes known[] = {LM_AXES_GLTF, LM_AXES_MODEL};
    unsigned number = 0;
    if (!tool_known_word(args, TOOL_AXES, &number))
        return false;
    *axes = tool_has(args, TOOL_AXES) ? known[number] : LM_AXES_DEFAULT;
    return true;
}

enum {
    IN_GLTF = 1,
    IN_OBJ = 2,
    IN_MODEL = 4,
    IN_SKINS = 8, /* models with embedded skins */
    IN_IMAGE = 16 /* models with one skin, in a file of its own */
};

/* Returns whether the model has one skin, in a file next to it. */
static bool has_image(const convert_settings *settings) {
    return convert_has_sidecar(settings) && !convert_embeds(settings) &&
           lm_compose_needs_pixels(settings->model);
}

/* Rejects options that the output format does not support. */
static bool check_models(const tool_args *args, const convert_settings *settings) {
    const struct {
        tool_option option;
        unsigned where;
    } kinds[] = {
        {TOOL_ENGINE, IN_MODEL},
        {TOOL_MAX_ERROR, tool_has(args, TOOL_COMPRESS) ? IN_MODEL | IN_GLTF : IN_MODEL},
        {TOOL_STRIPS, IN_MODEL},
        {TOOL_SMOOTH, IN_MODEL},
        {TOOL_SHARED_GRID, IN_MODEL},
        {TOOL_HD, IN_MODEL},
        {TOOL_SMALLEST, IN_MODEL},
        {TOOL_STABILITY, IN_MODEL},
        {TOOL_TAG, IN_MODEL},
        {TOOL_LOOP, IN_MODEL},
        {TOOL_ONCE, IN_MODEL},
        {TOOL_DECIMATE, IN_MODEL},
        {TOOL_LODS, IN_MODEL},
        {TOOL_PLAYER, IN_MODEL},
        {TOOL_SKIN_PATH, IN_MODEL},
        {TOOL_QUANTIZE, IN_GLTF | IN_OBJ},
        {TOOL_FOR, IN_GLTF},
        {TOOL_COMPRESS, IN_GLTF},
        {TOOL_UNLIT, IN_GLTF},
        {TOOL_VAT, IN_GLTF},
        {TOOL_VNRM, IN_GLTF},
        {TOOL_AXES, IN_GLTF | IN_OBJ},
        {TOOL_ALPHA, IN_GLTF | IN_OBJ},
        {TOOL_PALETTE, IN_GLTF | IN_OBJ | IN_SKINS | IN_IMAGE},
        {TOOL_TRANSPARENT_255, IN_GLTF | IN_OBJ | IN_SKINS},
        {TOOL_SKIN, IN_GLTF | IN_OBJ | IN_SKINS},
    };
    const unsigned kind = convert_embeds(settings)            ? IN_MODEL | IN_SKINS
                          : has_image(settings)               ? IN_MODEL | IN_IMAGE
                          : settings->format == CONVERT_MODEL ? IN_MODEL
                          : settings->format == CONVERT_OBJ   ? IN_OBJ
                                                              : IN_GLTF;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tool_has(args, kinds[i].option) && !(kinds[i].where & kind))
            return tool_usage(args, "--%s does not apply to %s files",
                              tool_option_about(kinds[i].option)->name, settings->extension + 1);
    return true;
}

static bool read_encoding(const tool_args *args, lm_encode_options *options) {
    double stability = 0;
    unsigned strips = LM_STRIPS_BEST;
    if (!tool_engine(args, &options->engine) || !tool_known_word(args, TOOL_STRIPS, &strips) ||
        !tool_number(args, TOOL_MAX_ERROR, (double)FLT_MIN, (double)FLT_MAX, &options->max_error) ||
        !tool_number(args, TOOL_STABILITY, (double)FLT_MIN, 1e6, &stability))
        return false;
    options->strips = (lm_strips)strips;
    options->stability = (float)stability;
    options->smooth = tool_has(args, TOOL_SMOOTH);
    options->high_precision = tool_has(args, TOOL_HD);
    options->smallest = tool_has(args, TOOL_SMALLEST);
    return true;
}

/* Rejects options that would have no effect. */
static bool check_sense(const tool_args *args, const convert_settings *settings) {
    static const tool_option textures[] = {TOOL_GAME, TOOL_SKIN, TOOL_PALETTE, TOOL_TRANSPARENT_255,
                                           TOOL_ALPHA};
    static const struct {
        tool_option option;
        bool still; /* also valid for a single pose */
    } animation[] = {
        {TOOL_FRAMES, false}, {TOOL_CLIPS, false},   {TOOL_CLIP, false},
        {TOOL_FPS, false},    {TOOL_QUANTIZE, true},
    };
    for (size_t i = 0; i < sizeof animation / sizeof *animation; i++) {
        if (!tool_has(args, animation[i].option))
            continue;
        if (settings->format == CONVERT_OBJ)
            return tool_usage(args, "--%s does not apply to OBJ, which has one pose; use --frame F",
                              tool_option_about(animation[i].option)->name);
        if (settings->has_frame && !animation[i].still)
            return tool_usage(args, "--%s cannot be combined with --frame, which writes one pose",
                              tool_option_about(animation[i].option)->name);
    }
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
        if (settings->format == CONVERT_OBJ && settings->output.kind == TOOL_TO_STDOUT &&
            tool_has(args, textures[i]))
            return tool_usage(
                args, "--%s does not apply to OBJ on standard output, which has no textures",
                tool_option_about(textures[i])->name);
    return true;
}

static bool read_folder(const tool_args *args, convert_settings *settings) {
    const char *folder = settings->skin_path = tool_value(args, TOOL_SKIN_PATH);
    if (!folder)
        return true;
    if (convert_embeds(settings))
        return tool_usage(args, "--skin-path does not apply to %s files, which embed their skins",
                          settings->extension + 1);
    if (settings->player == LM_PLAYER_QUAKE3)
        return tool_usage(args, "--skin-path does not apply to a whole player, whose images lie in "
                                "models/players/NAME");
    if (settings->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args,
                          "--skin-path applies to images next to the model, which needs a file: -o "
                          "FILE");
    if (*folder == '/' || strpbrk(folder, "\\:\"") || strstr(folder, ".."))
        return tool_usage(args,
                          "--skin-path takes a folder of the game, such as models/robot, not "
                          "\"%s\"",
                          folder);
    return strlen(folder) <= LM_MAX_COMPOSED_FOLDER ||
           tool_usage(args, "--skin-path has %zu bytes; the maximum is %u", strlen(folder),
                      LM_MAX_COMPOSED_FOLDER);
}

/* Reads --palette for the images to write. */
static bool read_palette(const tool_args *args, convert_settings *settings) {
    const char *path = tool_value(args, TOOL_PALETTE);
    lm_file file = {0};
    lm_error error = {.code = LM_CODE_OK};
    if (!path || !has_image(settings))
        return true;
    lm_palette *palette = tool_alloc(args->memory, 1, sizeof *palette);
    settings->palette = palette;
    const bool read = palette && lm_vfs_read(args->vfs, path, 0, &file, &error) &&
                      lm_palette_read(file.data, file.size, palette, &error);
    lm_file_free(&file);
    if (read || !palette)
        return read;
    return error.code == LM_CODE_OUT_OF_MEMORY ? tool_no_memory()
                                               : tool_usage(args, "--palette %s", error.message);
}

/* Reads the options that depend on the output. Without an input there is no output; that error is
 * reported later. */
static bool read_rest(const tool_args *args, convert_settings *settings) {
    return args->num_inputs == 0 ||
           (check_sense(args, settings) && check_models(args, settings) &&
            convert_program_read(args, settings) && convert_lods_read(args, settings) &&
            convert_grid_read(args, settings) && convert_player_read(args, settings) &&
            convert_vat_read(args, settings) && convert_skeleton_read(args, settings) &&
            read_folder(args, settings));
}

bool convert_settings_read(const tool_args *args, convert_settings *settings) {
    *settings = (convert_settings){.args = args};
    lm_assets_options *options = &settings->options;
    if (!tool_attachments_read(args, options) || !read_output(args, settings) ||
        !read_frames(args, settings) || !read_numbers(args, settings) ||
        !read_import_limits(args, settings) || !read_axes(args, &settings->axes) ||
        !read_encoding(args, &settings->encoding) || !read_rest(args, settings) ||
        !tool_open_options_read(args, options) || !read_palette(args, settings))
        return false;
    if (settings->has_frame || settings->format == CONVERT_OBJ)
        options->clips = "none";
    const bool model = settings->format == CONVERT_MODEL;
    const bool packs = convert_has_sidecar(settings) &&
                       (settings->player || lm_compose_needs_pixels(settings->model));
    const bool bare =
        model || (settings->format == CONVERT_OBJ && settings->output.kind == TOOL_TO_STDOUT);
    options->images = packs ? LM_IMAGES_PIXELS : bare ? LM_IMAGES_NONE : LM_IMAGES_PORTABLE;
    return true;
}
