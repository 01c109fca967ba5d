#include "settings.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE 512
#define DEFAULT_CELL 128 /* of a contact sheet */
#define MAX_SIZE 16384
#define MAX_TURNTABLE 10000
#define DEFAULT_SAMPLES 8

/* ---- Words --------------------------------------------------------------------------------- */

typedef struct word {
    const char *name;
    int value;
} word;

static const word *find_word(const word *words, const char *name, size_t length) {
    for (; words->name; words++)
        if (strlen(words->name) == length && memcmp(words->name, name, length) == 0)
            return words;
    return NULL;
}

static bool read_shading(const tool_args *args, render_settings *s) {
    static const word shades[] = {{"studio", LM_GL_STUDIO}, {"lit", LM_GL_STUDIO},
                                  {"engine", LM_GL_ENGINE}, {"texture", LM_GL_TEXTURE},
                                  {"wire", LM_GL_WIRE},     {"normals", LM_GL_NORMALS},
                                  {"uv", LM_GL_UV},         {NULL, 0}};
    const char *text = tool_value(args, TOOL_SHADING);
    const word *found = find_word(shades, text ? text : "studio", strlen(text ? text : "studio"));
    if (!found)
        return tool_usage(
            args, "--shading is studio, engine, texture, normals, wire or uv, not \"%s\"", text);
    s->look.shade = (lm_gl_shade)found->value;
    return true;
}

static bool read_show(const tool_args *args, render_settings *s) {
    static const word things[] = {{"box", LM_GL_SHOW_BOX},
                                  {"grid", LM_GL_SHOW_GRID},
                                  {"axes", LM_GL_SHOW_AXES},
                                  {"tags", LM_GL_SHOW_TAGS},
                                  {"normals", LM_GL_SHOW_NORMALS},
                                  {"commands", LM_GL_SHOW_COMMANDS},
                                  {NULL, 0}};
    for (const char *text = tool_value(args, TOOL_SHOW); text && *text;) {
        size_t length = strcspn(text, ",");
        const word *found = find_word(things, text, length);
        if (!found)
            return tool_usage(
                args, "--show takes box, grid, axes, tags, normals and commands, not \"%.*s\"",
                (int)length, text);
        s->look.show |= (unsigned)found->value;
        text += length + (text[length] == ',');
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* Two whole numbers with `between` between them. */
static bool parse_pair(const char *text, char between, uint64_t max, uint32_t *a, uint32_t *b) {
    char first[16];
    const char *middle = strchr(text, between);
    uint64_t x, y;
    if (!middle || (size_t)(middle - text) >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(middle - text), text);
    if (!tool_parse_uint(first, max, &x) || !tool_parse_uint(middle + 1, max, &y))
        return false;
    *a = (uint32_t)x;
    *b = (uint32_t)y;
    return true;
}

static bool read_size(const tool_args *args, render_settings *s) {
    const char *text = tool_value(args, TOOL_SIZE);
    uint64_t side;
    s->look.width = s->look.height = s->sheet ? DEFAULT_CELL : DEFAULT_SIZE;
    if (!text)
        return true;
    if (tool_parse_uint(text, MAX_SIZE, &side))
        s->look.width = s->look.height = (uint32_t)side;
    else if (!parse_pair(text, 'x', MAX_SIZE, &s->look.width, &s->look.height))
        s->look.width = 0;
    if (s->look.width == 0 || s->look.height == 0)
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
    const char *text = tool_value(args, TOOL_VIEW);
    text = text ? text : "iso";
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(text, views[i].name) == 0) {
            s->look.azimuth = views[i].azimuth;
            s->look.elevation = views[i].elevation;
            return true;
        }
    char first[32];
    const char *comma = strchr(text, ',');
    double azimuth, elevation;
    snprintf(first, sizeof first, "%.*s", comma ? (int)(comma - text) : 0, text);
    if (!comma || comma - text >= (long)sizeof first || !tool_parse_double(first, &azimuth) ||
        !tool_parse_double(comma + 1, &elevation) || !(azimuth >= -360 && azimuth <= 360) ||
        !(elevation >= -90 && elevation <= 90))
        return tool_usage(args,
                          "--view is iso, front, left, right, back, top, or AZIMUTH,ELEVATION "
                          "in degrees, not \"%s\"",
                          text);
    s->look.azimuth = (float)azimuth;
    s->look.elevation = (float)elevation;
    return true;
}

static bool read_background(const tool_args *args, render_settings *s) {
    static const struct {
        const char *name, *hex;
    } names[] = {{"white", "ffffff"}, {"black", "000000"}, {"grey", "808080"}, {"gray", "808080"}};
    const char *text = tool_value(args, TOOL_BACKGROUND), *end = NULL;
    text = text ? text : "studio";
    const char *hex = text + (text[0] == '#');
    s->look.transparent = strcmp(text, "none") == 0;
    s->look.backdrop = strcmp(text, "studio") == 0;
    if (s->look.transparent || s->look.backdrop)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i].name) == 0)
            hex = names[i].hex;
    unsigned long rgb = strtoul(hex, (char **)&end, 16);
    if (strspn(hex, "0123456789abcdefABCDEF") != 6 || *end != '\0')
        return tool_usage(
            args, "--background is studio, none, white, black, grey or RRGGBB, not \"%s\"", text);
    for (int i = 0; i < 3; i++)
        s->look.background[i] = (float)(rgb >> (16 - 8 * i) & 255) / 255;
    s->look.background[3] = 1;
    return true;
}

static bool read_frames(const tool_args *args, render_settings *s) {
    const char *text = tool_value(args, TOOL_FRAMES);
    s->has_frames = text != NULL;
    if (text && (!parse_pair(text, '-', INT32_MAX, &s->first_frame, &s->last_frame) ||
                 s->last_frame < s->first_frame))
        return tool_usage(args, "--frames takes A-B, such as 0-39, not \"%s\"", text);
    s->has_frame = tool_has(args, TOOL_FRAME);
    s->has_time = tool_has(args, TOOL_TIME);
    s->clip = tool_value(args, TOOL_PLAYED);
    if (s->has_time && !s->clip)
        return tool_usage(args, "--time counts from the start of a clip; name it with --clip");
    if (s->has_frame + s->has_frames + (s->clip != NULL) > 1)
        return tool_usage(args, "--frame, --frames and --clip cannot be combined");
    return tool_number(args, TOOL_FRAME, 0, INT32_MAX, &s->frame) &&
           tool_number(args, TOOL_TIME, -1e6, 1e6, &s->time) &&
           tool_number(args, TOOL_RATE, 0.1, 1000, &s->rate);
}

static bool read_counts(const tool_args *args, render_settings *s) {
    double zoom = 1, samples = DEFAULT_SAMPLES, turntable = 0;
    if (!tool_number(args, TOOL_ZOOM, 0.01, 100, &zoom) ||
        !tool_number(args, TOOL_SAMPLES, 1, LM_GL_MAX_SAMPLES, &samples) ||
        !tool_number(args, TOOL_TURNTABLE, 2, MAX_TURNTABLE, &turntable))
        return false;
    s->look.zoom = (float)zoom;
    s->look.samples = (uint32_t)samples;
    s->turntable = (uint32_t)turntable;
    return true;
}

/* ---- Output -------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *end) {
    size_t length = strlen(path), end_length = strlen(end);
    return length >= end_length && tool_same_text(path + length - end_length, end);
}

/* The format that a file's name says; -1: none. */
static int named_format(const render_settings *s) {
    const char *path = s->output.kind == TOOL_TO_FILE ? s->output.path : "";
    return ends_with(path, ".webp") ? RENDER_WEBP : ends_with(path, ".png") ? RENDER_PNG : -1;
}

static bool read_format(const tool_args *args, render_settings *s) {
    static const word formats[] = {
        {"png", RENDER_PNG}, {"webp", RENDER_WEBP}, {"raw", RENDER_RAW}, {NULL, 0}};
    const int named = named_format(s);
    const char *text = tool_value(args, TOOL_PICTURE_FORMAT);
    const char *path = s->output.path;
    const word *found = text ? find_word(formats, text, strlen(text)) : NULL;
    if (text && !found)
        return tool_usage(args, "--format is png, webp or raw, not \"%s\"", text);
    if (found && named >= 0 && named != found->value)
        return tool_usage(args,
                          "%s does not fit --format %s: give it another name, or leave --format "
                          "out",
                          path, text);
    s->format = found        ? (render_format)found->value
                : named >= 0 ? (render_format)named
                             : RENDER_PNG;
    if (!found && s->output.kind == TOOL_TO_FILE && named < 0)
        return tool_usage(args, "%s: end the name with .png or .webp, or say --format raw", path);
    s->output.extension = s->format == RENDER_PNG    ? ".png"
                          : s->format == RENDER_WEBP ? ".webp"
                                                     : ".rgba";
    return true;
}

/* "{frame}" or "{frame:04}". */
static bool read_numbering(const tool_args *args, render_settings *s) {
    const char *path = s->output.path, *brace = strstr(path, "{frame"), *end;
    uint64_t digits = 1;
    char number[8];
    if (!brace)
        return true;
    end = strchr(brace, '}');
    if (end && brace[6] == ':' && end - brace - 7 > 0 && end - brace - 7 < (long)sizeof number) {
        snprintf(number, sizeof number, "%.*s", (int)(end - brace - 7), brace + 7);
        if (!tool_parse_uint(number, 9, &digits))
            end = NULL;
    } else if (brace[6] != '}') {
        end = NULL;
    }
    if (!end)
        return tool_usage(args, "%s: number the pictures with {frame} or {frame:04}", path);
    if (s->format != RENDER_PNG || s->output.kind != TOOL_TO_FILE)
        return tool_usage(args, "%s: only PNG files are numbered", path);
    s->numbered = true;
    s->digits = (unsigned)digits;
    lm_buffer_append(&s->before, path, (size_t)(brace - path));
    lm_buffer_append(&s->before, "", 1);
    lm_buffer_append(&s->behind, end + 1, strlen(end + 1) + 1);
    return !s->before.failed && !s->behind.failed;
}

static bool read_output(const tool_args *args, render_settings *s) {
    if (args->num_inputs == 0)
        return true;
    if (!tool_has(args, TOOL_OUTPUT))
        return tool_usage(args, "say where to write: -o FILE.png, or -o DIR/");
    /* A sheet of several inputs is one picture. */
    tool_args single = *args;
    if (s->sheet)
        single.num_inputs = 1;
    if (!tool_output_read(s->sheet ? &single : args, &s->output))
        return false;
    s->output.args = args;
    return read_format(args, s) && read_numbering(args, s) && !tool_output_floods(&s->output);
}

static bool check_sense(const tool_args *args, const render_settings *s) {
    if (s->sheet && (render_is_animated(s) || s->output.kind == TOOL_TO_FOLDER || s->clip ||
                     s->has_frame || s->has_frames || s->turntable))
        return tool_usage(args, "--sheet is one picture of whole models: it goes into one PNG and "
                                "takes no frames");
    if (s->turntable && !render_is_animated(s))
        return tool_usage(args,
                          "--turntable is several pictures: write .webp or out-{frame:04}.png");
    if (s->has_frames && !render_is_animated(s))
        return tool_usage(args, "--frames is several pictures: write .webp or out-{frame:04}.png");
    if (s->numbered && args->num_inputs > 1)
        return tool_usage(args, "numbered pictures are of one model, not of %zu", args->num_inputs);
    return true;
}

/* A picture wears no finer textures than it can show, so that a stranger's file costs a thumbnail
 * little: 16 times as many pixels each way, and 4096 x 4096 always, which real ones have. */
static uint64_t most_texels(const render_settings *s) {
    const uint64_t most = (uint64_t)s->look.width * s->look.height * 256;
    if (most >= LM_IMAGE_MAX_PIXELS)
        return 0; /* as it comes */
    return most < LM_IMAGE_PLAIN_PIXELS ? LM_IMAGE_PLAIN_PIXELS : most;
}

bool render_is_animated(const render_settings *s) {
    return s->numbered || s->format != RENDER_PNG;
}

bool render_settings_read(const tool_args *args, render_settings *s) {
    *s = (render_settings){.args = args,
                           .sheet = tool_has(args, TOOL_SHEET),
                           .quiet = tool_has(args, TOOL_QUIET),
                           .verbose = tool_has(args, TOOL_VERBOSE)};
    const bool read = read_output(args, s) && read_size(args, s) && read_view(args, s) &&
                      read_background(args, s) && read_shading(args, s) && read_show(args, s) &&
                      read_frames(args, s) && read_counts(args, s) && check_sense(args, s) &&
                      tool_attachments_read(args, &s->wishes) && tool_wishes_read(args, &s->wishes);
    s->wishes.options.max_pixels = most_texels(s);
    return read;
}

void render_settings_free(render_settings *s) {
    tool_output_free(&s->output);
    tool_wishes_free(&s->wishes);
    lm_buffer_free(&s->before);
    lm_buffer_free(&s->behind);
}
