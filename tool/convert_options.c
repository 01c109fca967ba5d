#include "convert_settings.h"
#include "open.h"

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
    settings->convert.still = tool_has(args, TOOL_FRAME);
    settings->convert.has_frames = text != NULL;
    if (text && !tool_parse_pair(text, '-', INT32_MAX, &settings->convert.first_frame,
                                 &settings->convert.last_frame))
        return tool_usage(args, "--frames takes A-B, such as 0-39, not \"%s\"", text);
    if (text && settings->convert.last_frame < settings->convert.first_frame)
        return tool_usage(args, "--frames %s ends before it begins", text);
    return tool_number(args, TOOL_FRAME, 0, INT32_MAX, &settings->convert.frame);
}

static bool read_numbers(const tool_args *args, convert_settings *settings) {
    double scale = 0, fps = 0;
    if (!tool_number(args, TOOL_SCALE, (double)FLT_MIN, (double)FLT_MAX, &scale) ||
        !tool_number(args, TOOL_FPS, MIN_FPS, MAX_FPS, &fps) ||
        !tool_max_output(args, &settings->convert.max_output))
        return false;
    settings->convert.scale = (float)scale;
    settings->convert.fps = (float)fps;
    return true;
}

static bool read_import_limits(const tool_args *args, convert_settings *settings) {
    const char *time = tool_value(args, TOOL_IMPORT_TIME);
    const char *memory = tool_value(args, TOOL_IMPORT_MEMORY);
    uint64_t seconds = LM_CONVERT_IMPORT_SECONDS, size = 0;
    if (time && (!tool_parse_uint(time, MAX_IMPORT_TIME, &seconds) || seconds == 0))
        return tool_usage(args,
                          "--import-time needs a whole number of seconds from 1 to %d, not "
                          "\"%s\"",
                          MAX_IMPORT_TIME, time);
    if (memory && (!tool_parse_size(memory, SIZE_MAX / 2, &size) || size == 0))
        return tool_usage(args, "--import-memory needs a size, such as 4G, not \"%s\"", memory);
    settings->convert.import_seconds = (unsigned)seconds;
    settings->convert.import_memory = (size_t)size;
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
    const unsigned kind = convert_embeds(settings) ? IN_MODEL | IN_SKINS
                          : has_image(settings)    ? IN_MODEL | IN_IMAGE
                          : settings->model        ? IN_MODEL
                          : settings->obj          ? IN_OBJ
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
        if (settings->obj)
            return tool_usage(args, "--%s does not apply to OBJ, which has one pose; use --frame F",
                              tool_option_about(animation[i].option)->name);
        if (settings->convert.still && !animation[i].still)
            return tool_usage(args, "--%s cannot be combined with --frame, which writes one pose",
                              tool_option_about(animation[i].option)->name);
    }
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++)
        if (settings->obj && settings->output.kind == TOOL_TO_STDOUT && tool_has(args, textures[i]))
            return tool_usage(
                args, "--%s does not apply to OBJ on standard output, which has no textures",
                tool_option_about(textures[i])->name);
    return true;
}

static bool read_lods(const tool_args *args, convert_settings *settings) {
    const char *decimate = tool_value(args, TOOL_DECIMATE), *lods = tool_value(args, TOOL_LODS);
    uint64_t number = 0;
    if (decimate) {
        const size_t length = strlen(decimate);
        const bool share = length > 0 && decimate[length - 1] == '%';
        const char *digits = tool_copy(args->memory, decimate, length - share);
        if (!digits || !tool_parse_uint(digits, share ? 100 : INT32_MAX, &number) || number == 0)
            return tool_usage(
                args,
                "--decimate takes a number or percentage of triangles, such as 500 or "
                "50%%, not \"%s\"",
                decimate);
        settings->convert.decimate = (uint32_t)number;
        settings->convert.decimate_percent = share;
    }
    if (lods) {
        if (!tool_parse_uint(lods, LM_CONVERT_MAX_LODS, &number) || number == 0)
            return tool_usage(args, "--lods must be 1 or 2, not \"%s\"", lods);
        settings->convert.lods = (uint32_t)number;
        if (settings->output.kind == TOOL_TO_STDOUT)
            return tool_usage(args,
                              "--lods writes files next to the model, which needs a file: -o FILE");
    }
    return true;
}

static bool read_grid(const tool_args *args, const convert_settings *settings) {
    if (!tool_has(args, TOOL_SHARED_GRID))
        return true;
    if (strcmp(settings->model->name, "md2") != 0)
        return tool_usage(args,
                          "--shared-grid does not apply to %s files; only MD2 has a grid to choose",
                          settings->extension + 1);
    if (settings->convert.decimate > 0 || settings->convert.lods > 0)
        return tool_usage(args,
                          "--shared-grid cannot be combined with --decimate and --lods, which "
                          "open cracks between the models");
    return true;
}

static bool read_vat(const tool_args *args, convert_settings *settings) {
    static const tool_option others[] = {TOOL_FRAME, TOOL_AXES, TOOL_QUANTIZE};
    unsigned format = 0;
    if (tool_has(args, TOOL_VNRM) && !tool_has(args, TOOL_VAT))
        return tool_usage(args, "--vnrm needs --vat");
    if (!tool_has(args, TOOL_VAT))
        return true;
    if (!tool_known_word(args, TOOL_VAT, &format))
        return false;
    if (strcmp(settings->convert.format, "glb") != 0 || settings->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args, "--vat writes several files; name the first: -o FILE.glb");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(args, others[i]))
            return tool_usage(args, "--%s cannot be combined with --vat",
                              tool_option_about(others[i])->name);
    settings->convert.vat = format == 0 ? LM_CONVERT_VAT_PNG : LM_CONVERT_VAT_EXR;
    settings->convert.vat_normals = tool_has(args, TOOL_VNRM);
    return true;
}

/* Reads a number of joints or shapes from 1 to `most`. */
static bool read_number(const tool_args *args, tool_option option, const char *things,
                        unsigned most, uint32_t *out) {
    const char *value = tool_value(args, option);
    uint64_t number = 0;
    if (!value)
        return true;
    if (!tool_parse_uint(value, most, &number) || number == 0)
        return tool_usage(args, "--%s takes a number of %s up to %u, not \"%s\"",
                          tool_option_about(option)->name, things, most, value);
    *out = (uint32_t)number;
    return true;
}

/* Returns whether frames are added between those of the input. */
static bool resamples(const convert_settings *settings) {
    return settings->convert.fps > 0 && (settings->model || settings->convert.vat);
}

static bool read_skeleton(const tool_args *args, convert_settings *settings) {
    static const tool_option others[] = {TOOL_COMPRESS, TOOL_FRAME, TOOL_VAT};
    if (!tool_has(args, TOOL_SKELETON))
        return !tool_has(args, TOOL_CORRECTIVES) ||
               tool_usage(args, "--correctives needs --skeleton");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tool_has(args, others[i]) && !(others[i] == TOOL_VAT && resamples(settings)))
            return tool_usage(args, "--%s cannot be combined with --skeleton",
                              tool_option_about(others[i])->name);
    if ((settings->model || settings->obj) && !resamples(settings))
        return tool_usage(args, "--skeleton applies to glTF, and with --fps to other models");
    settings->convert.skeleton = true;
    return read_number(args, TOOL_SKELETON, "joints", LM_MAX_SKELETON_BONES,
                       &settings->convert.max_bones) &&
           read_number(args, TOOL_CORRECTIVES, "corrective shapes", LM_MAX_SKELETON_CORRECTIVES,
                       &settings->convert.max_correctives);
}

static bool read_folder(const tool_args *args, convert_settings *settings) {
    const char *folder = settings->convert.skin_path = tool_value(args, TOOL_SKIN_PATH);
    if (!folder)
        return true;
    if (convert_embeds(settings))
        return tool_usage(args, "--skin-path does not apply to %s files, which embed their skins",
                          settings->extension + 1);
    if (settings->convert.player == LM_PLAYER_QUAKE3)
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
    settings->convert.palette = palette;
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
            convert_program_read(args, settings) && read_lods(args, settings) &&
            read_grid(args, settings) && convert_player_read(args, settings) &&
            read_vat(args, settings) && read_skeleton(args, settings) &&
            read_folder(args, settings));
}

/* Reads the clips to write, and the options of imports. */
static bool read_lists(const tool_args *args, lm_convert_options *convert) {
    const char *value;
    lm_import_tag *tags = tool_alloc(args->memory, args->num_given + 1, sizeof *tags);
    convert->clips = tool_values(args, TOOL_CLIP, &convert->num_clips);
    convert->shared_grids = tool_values(args, TOOL_SHARED_GRID, &convert->num_shared_grids);
    convert->loops = tool_values(args, TOOL_LOOP, &convert->num_loops);
    convert->onces = tool_values(args, TOOL_ONCE, &convert->num_onces);
    convert->tags = tags;
    if (!tags || !convert->clips || !convert->shared_grids || !convert->loops || !convert->onces)
        return false;
    for (size_t at = 0; (value = tool_next_value(args, TOOL_TAG, &at));) {
        char *name = tool_copy(args->memory, value, strlen(value));
        char *equals = name ? strchr(name, '=') : NULL;
        if (!name)
            return false;
        if (!equals || equals == name || equals[1] == '\0')
            return tool_usage(args, "--tag takes NAME=NODE, such as tag_weapon=Hand.R, not \"%s\"",
                              value);
        *equals = '\0';
        tags[convert->num_tags++] = (lm_import_tag){name, equals + 1};
    }
    return true;
}

bool convert_settings_read(const tool_args *args, convert_settings *settings) {
    *settings = (convert_settings){.args = args};
    lm_convert_options *convert = &settings->convert;
    if (!tool_attachments_read(args, &convert->open) || !read_output(args, settings) ||
        !read_frames(args, settings) || !read_numbers(args, settings) ||
        !read_import_limits(args, settings) || !read_axes(args, &convert->axes) ||
        !read_encoding(args, &convert->encode) || !read_rest(args, settings) ||
        !tool_open_options_read(args, &convert->open) || !read_palette(args, settings) ||
        !read_lists(args, convert))
        return false;
    convert->shares_folder = settings->output.kind == TOOL_TO_FOLDER;
    convert->unlit = tool_has(args, TOOL_UNLIT);
    convert->option_prefix = "--";
    return true;
}
