#include "render.h"

#include "options.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE 512
#define DEFAULT_CELL 128    /* for a contact sheet */
#define DEFAULT_PICTURE 256 /* for a gallery */
#define MAX_SIZE 16384
#define DEFAULT_SAMPLES 8

/* ---- Words --------------------------------------------------------------------------------- */

static bool read_shading(const tool_args *args, render_settings *s) {
    static const lm_gl_shade shades[] = {LM_GL_SHADE_STUDIO,  LM_GL_SHADE_ENGINE,
                                         LM_GL_SHADE_TEXTURE, LM_GL_SHADE_NORMALS,
                                         LM_GL_SHADE_WIRE,    LM_GL_SHADE_UV};
    const char *text = tool_value(args, LM_OPTION_SHADING);
    unsigned shade = 0;
    if (text && strcmp(text, "lit") != 0 && !tool_word(args, LM_OPTION_SHADING, &shade))
        return false;
    s->drawing.shade = shades[shade];
    return true;
}

static bool read_show(const tool_args *args, render_settings *s) {
    static const char names[] = "box grid axes tags normals commands";
    static const unsigned flags[] = {LM_GL_SHOW_BOX,  LM_GL_SHOW_GRID,    LM_GL_SHOW_AXES,
                                     LM_GL_SHOW_TAGS, LM_GL_SHOW_NORMALS, LM_GL_SHOW_COMMANDS};
    unsigned i;
    for (const char *text = tool_value(args, LM_OPTION_SHOW); text && *text;) {
        const size_t length = strcspn(text, ",");
        if (!lmi_word_in(names, text, length, &i))
            return tool_usage(
                args, "--show takes box, grid, axes, tags, normals and commands, not \"%.*s\"",
                (int)length, text);
        s->drawing.show |= flags[i];
        text += length + (text[length] == ',');
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------- */

static bool read_size(const tool_args *args, render_settings *s) {
    const char *text = tool_value(args, LM_OPTION_SIZE);
    uint64_t side;
    s->drawing.width = s->drawing.height = s->sheet     ? DEFAULT_CELL
                                           : s->gallery ? DEFAULT_PICTURE
                                                        : DEFAULT_SIZE;
    if (!text)
        return true;
    if (lmi_parse_uint(text, MAX_SIZE, &side))
        s->drawing.width = s->drawing.height = (uint32_t)side;
    else if (!lmi_parse_pair(text, 'x', MAX_SIZE, &s->drawing.width, &s->drawing.height))
        s->drawing.width = 0;
    if (s->drawing.width == 0 || s->drawing.height == 0)
        return tool_usage(args,
                          "--size takes WxH, such as 640x480, with sides from 1 to %d, not \"%s\"",
                          MAX_SIZE, text);
    return true;
}

static bool read_view(const tool_args *args, render_settings *s) {
    static const struct {
        const char *name;
        float azimuth, elevation;
    } views[] = {{"iso", 40, 20},   {"front", 0, 0},  {"left", 90, 0}, {"side", 90, 0},
                 {"right", -90, 0}, {"back", 180, 0}, {"top", 0, 90}};
    const char *text = tool_value(args, LM_OPTION_VIEW);
    text = text ? text : "iso";
    s->drawing.eye = strcmp(text, "eye") == 0;
    if (s->drawing.eye)
        return true;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(text, views[i].name) == 0) {
            s->drawing.azimuth = views[i].azimuth;
            s->drawing.elevation = views[i].elevation;
            return true;
        }
    double angles[2];
    if (!lmi_read_decimals(text, strlen(text), 2, angles) ||
        !(angles[0] >= -360 && angles[0] <= 360) || !(angles[1] >= -90 && angles[1] <= 90))
        return tool_usage(args,
                          "--view must be iso, front, left, right, back, top, eye, or "
                          "AZIMUTH,ELEVATION in degrees, not \"%s\"",
                          text);
    s->drawing.azimuth = (float)angles[0];
    s->drawing.elevation = (float)angles[1];
    return true;
}

static bool read_background(const tool_args *args, render_settings *s) {
    static const struct {
        const char *name, *hex;
    } names[] = {{"white", "ffffff"}, {"black", "000000"}, {"grey", "808080"}, {"gray", "808080"}};
    const char *text = tool_value(args, LM_OPTION_BACKGROUND), *end = NULL;
    text = text ? text : "studio";
    const char *hex = text + (text[0] == '#');
    s->drawing.transparent = strcmp(text, "none") == 0;
    s->drawing.background.gradient = strcmp(text, "studio") == 0;
    if (s->drawing.transparent || s->drawing.background.gradient)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i].name) == 0)
            hex = names[i].hex;
    unsigned long rgb = strtoul(hex, (char **)&end, 16);
    if (strspn(hex, "0123456789abcdefABCDEF") != 6 || *end != '\0')
        return tool_usage(
            args, "--background must be studio, none, white, black, grey or RRGGBB, not \"%s\"",
            text);
    for (int i = 0; i < 3; i++)
        s->drawing.background.color[i] = (float)(rgb >> (16 - 8 * i) & 255) / 255;
    s->drawing.background.color[3] = 1;
    return true;
}

static bool read_frames(const tool_args *args, render_settings *s) {
    const lm_convert_options *given = &args->settings->options;
    s->has_frames = given->num_frames > 0;
    s->first_frame = given->first_frame;
    s->last_frame = given->first_frame + given->num_frames - 1;
    s->frame = given->frame;
    s->has_frame = given->still;
    s->has_time = tool_has(args, LM_OPTION_TIME);
    s->clip = tool_value(args, LM_OPTION_PLAY_CLIP);
    if (s->has_time && !s->clip)
        return tool_usage(args, "--time counts from the start of a clip; name it with --clip");
    if ((s->has_frame || s->has_frames) && s->clip)
        return tool_usage(args, "--frames and --clip cannot be combined");
    return tool_number(args, LM_OPTION_TIME, &s->time) &&
           tool_number(args, LM_OPTION_RATE, &s->rate);
}

static bool read_counts(const tool_args *args, render_settings *s) {
    double zoom = 1, samples = DEFAULT_SAMPLES, turntable = 0, bones = 0;
    s->skeleton = tool_has(args, LM_OPTION_DRAW_SKELETON);
    if (!tool_number(args, LM_OPTION_DRAW_SKELETON, &bones) ||
        !tool_number(args, LM_OPTION_ZOOM, &zoom) ||
        !tool_number(args, LM_OPTION_SAMPLES, &samples) ||
        !tool_number(args, LM_OPTION_TURNTABLE, &turntable) ||
        !tool_number(args, LM_OPTION_MAX_FILL, &s->drawing.max_fill))
        return false;
    s->drawing.zoom = (float)zoom;
    s->drawing.samples = (uint32_t)samples;
    s->turntable = (uint32_t)turntable;
    s->max_bones = (uint32_t)bones;
    return true;
}

/* ---- Output -------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *end) {
    size_t length = strlen(path), end_length = strlen(end);
    return length >= end_length && lmi_compare_letters(path + length - end_length, end) == 0;
}

static bool read_format(const tool_args *args, render_settings *s) {
    static const char *const extensions[] = {".png", ".webp", ".rgba"};
    const char *path = s->output.path, *text = tool_value(args, LM_OPTION_IMAGE_FORMAT);
    const bool file = s->output.kind == TOOL_TO_FILE;
    const bool named = file && (ends_with(path, ".webp") || ends_with(path, ".png"));
    const unsigned by_name = named && ends_with(path, ".webp") ? RENDER_WEBP : RENDER_PNG;
    unsigned format = by_name;
    if (!tool_word(args, LM_OPTION_IMAGE_FORMAT, &format))
        return false;
    if (named && format != by_name)
        return tool_usage(args, "%s does not match --format %s: change the name, or omit --format",
                          path, text);
    if (!text && file && !named)
        return tool_output_misnamed(&s->output, ".png, .webp or .html, or use --format raw");
    s->format = (render_format)format;
    s->output.extension = extensions[format];
    return true;
}

/* Puts a gallery's pictures into the folder NAME_files next to NAME.html. */
static bool place_pictures(const tool_args *args, render_settings *s) {
    const char *path = s->output.path, *name = lmi_vfs_base_name(args->vfs, path);
    if (s->output.kind == TOOL_TO_FOLDER)
        return tool_usage(args, "%s is a folder; name the page in it: %s/index.html", path, path);
    const char *folder = lmi_arena_text(args->arena, path, (size_t)(name - path));
    const char *numbered = lmi_arena_printf(args->arena, "%.*s_files/",
                                            (int)(lmi_vfs_extension(args->vfs, name) - name), name);
    s->pictures = (tool_output){.args = args,
                                .kind = TOOL_TO_FOLDER,
                                .path = name == path ? "./" : folder,
                                .extension = ".png",
                                .numbered = numbered};
    return folder && numbered;
}

static bool read_output(const tool_args *args, render_settings *s) {
    if (args->num_inputs == 0)
        return true;
    if (!tool_has(args, LM_OPTION_OUTPUT))
        return tool_usage(args, "missing output: add -o FILE.png or -o DIR/");
    /* A page of several inputs is one file. */
    tool_args single = *args;
    if (s->sheet || s->gallery)
        single.num_inputs = 0;
    if (!tool_output_read(&single, &s->output))
        return false;
    s->output.args = args;
    s->output.skip_existing = s->output.skip_existing && !s->sheet && !s->gallery;
    if (s->gallery ? !place_pictures(args, s) : !read_format(args, s))
        return false;
    if (s->output.before && (s->gallery || s->format != RENDER_PNG))
        return tool_usage(args, "%s: only PNG files are numbered", s->output.path);
    return s->gallery || !tool_output_is_blocked(&s->output);
}

static bool check_sense(const tool_args *args, const render_settings *s) {
    if (s->gallery && (s->sheet || s->clip || s->has_frame || s->has_frames || s->turntable ||
                       tool_has(args, LM_OPTION_IMAGE_FORMAT)))
        return tool_usage(args, "a gallery (.html) shows one PNG of each model: omit --sheet, "
                                "--format, frames, clips and --turntable");
    if (s->sheet && (render_is_animated(s) || s->output.kind == TOOL_TO_FOLDER || s->clip ||
                     s->has_frame || s->has_frames || s->turntable))
        return tool_usage(args,
                          "--sheet draws whole models on one page: name one PNG, and omit frames, "
                          "clips and --turntable");
    const char *several = s->turntable                     ? "turntable"
                          : s->has_frames                  ? "frames A-B"
                          : tool_has(args, LM_OPTION_RATE) ? "rate"
                                                           : NULL;
    if (several && !render_is_animated(s))
        return tool_usage(args, "--%s needs several images: write .webp or out-{frame:04}.png",
                          several);
    if (s->turntable && s->drawing.eye)
        return tool_usage(args, "--turntable draws the model from all around: omit --view eye");
    if (s->output.before && args->num_inputs > 1)
        return tool_usage(args, "numbered images need one model, not %zu", args->num_inputs);
    return true;
}

/* Returns the limit of a texture's pixels, so that untrusted files cost a thumbnail little. The
 * limit is 16 times the image's size in each direction, but at least 4096 x 4096, which real
 * textures have. */
static uint64_t max_texels(const render_settings *s) {
    const uint64_t max = (uint64_t)s->drawing.width * s->drawing.height * 256;
    if (max >= LM_MAX_IMAGE_PIXELS)
        return 0; /* the default limit */
    return max < LM_IMAGE_PLAIN_PIXELS ? LM_IMAGE_PLAIN_PIXELS : max;
}

bool render_is_animated(const render_settings *s) {
    return s->output.before || s->format != RENDER_PNG;
}

bool render_settings_read(const tool_args *args, render_settings *s) {
    *s = (render_settings){.sheet = tool_has(args, LM_OPTION_SHEET),
                           .gallery = tool_inputs_gallery(args)};
    const bool read = read_output(args, s) && read_size(args, s) && read_view(args, s) &&
                      read_background(args, s) && read_shading(args, s) && read_show(args, s) &&
                      read_frames(args, s) && read_counts(args, s) && check_sense(args, s) &&
                      tool_open_options_read(args, &s->options);
    s->options.max_pixels = max_texels(s);
    return read;
}
