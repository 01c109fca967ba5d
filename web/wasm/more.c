/* The second module, fetched on first use: the list of formats, checking, layout, drawing texture
 * coordinates, the command. convert.c is part of it too. */
#include "web.h"

#include "lerpmesh/check.h"
#include "lerpmesh/encode.h"
#include "lerpmesh/export.h"

#include "../../tool/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Formats ------------------------------------------------------------------------------- */

/* Lists the formats that can be read: [{"name", "extension", "game", "mime", "encoded"}]. Meshes
 * can be encoded in those that are `encoded`. */
bool WEB_EXPORT(web_formats)(void) {
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '[');
    for (uint32_t i = 0; lm_format_at(i); i++) {
        const lm_format_info *info = lm_format_at(i);
        uint32_t encoder = 0;
        while (lm_encoder_at(encoder) && lm_encoder_at(encoder) != info)
            encoder++;
        lmi_json_open(&json, NULL, '{');
        lmi_json_string(&json, "name", info->name);
        lmi_json_string(&json, "extension", info->extension);
        lmi_json_string(&json, "game", info->game);
        lmi_json_string(&json, "mime", info->mime);
        lmi_json_bool(&json, "encoded", lm_encoder_at(encoder) != NULL);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    return web_end();
}

/* ---- Checking ------------------------------------------------------------------------------ */

/* A report on a file, with the errors of the files around it. */
typedef struct checked {
    lm_report *report;
    lm_assets *around;       /* the files that the engine demands; NULL: none */
    lm_diagnostic *problems; /* errors of these files, then the report's problems */
    lm_report all;           /* `report` with `problems` */
} checked;

static void checked_free(checked *c) {
    free(c->problems);
    lm_assets_free(c->around);
    lm_report_free(c->report);
}

/* Puts the errors of the files around the model before the problems of its own file. A damaged
 * model has errors of its own. */
static bool add_errors(checked *c) {
    const lm_assets *around = c->around;
    uint32_t count = 0;
    if (!around->scene && (c->report->num_errors == 0 || web_error.code == LM_CODE_OUT_OF_MEMORY))
        return false; /* opening has set the error */
    c->problems =
        calloc((size_t)c->all.num_problems + around->num_diagnostics + 1, sizeof *c->problems);
    if (!c->problems)
        return lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    for (uint32_t i = 0; around->scene && i < around->num_diagnostics; i++)
        if (around->diagnostics[i].severity == LM_SEVERITY_ERROR) {
            c->problems[count] = around->diagnostics[i];
            c->problems[count++].location.section = NULL; /* it is in another file */
        }
    if (c->all.num_problems > 0)
        memcpy(c->problems + count, c->all.problems, c->all.num_problems * sizeof *c->problems);
    c->all.problems = c->problems;
    c->all.num_problems += count;
    c->all.num_errors += count;
    return true;
}

/* Checks a file, and the files around it that the engine demands, as the command does. Free the
 * result also after a failure. */
static bool check(lm_vfs *vfs, const char *path, const void *data, size_t size, const char *engine,
                  bool strict, checked *c) {
    const lm_check_options options = {
        .max_per_code = UINT32_MAX, .engine = lm_engine_by_name(engine), .strict = strict};
    const lm_given_file given = {.path = path, .data = data, .size = size};
    const lm_assets_options open = {.load = {.normals = LM_NORMALS_AUTO, .repair = true},
                                    .num_files = 1,
                                    .files = &given,
                                    .images = LM_IMAGES_FOUND,
                                    .engine = options.engine};
    *c = (checked){0};
    if (options.engine >= LM_NUM_ENGINES)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no engine \"%s\"", engine);
    c->report = lm_check_memory(data, size, &options, &web_error);
    if (!c->report)
        return false;
    c->all = *c->report;
    if (!lmi_engine_files_of(options.engine))
        return true;
    c->around = lm_assets_open(vfs, path, &open, &web_error);
    return c->around && add_errors(c);
}

/* Checks a file: {"format", "problems", "counts"} as in `lerpmesh check --json`. `engine` names the
 * game engine whose limits apply; "any" applies none. */
bool WEB_EXPORT(web_vfs_check)(lm_vfs *vfs, const char *path, const char *engine, bool strict) {
    lm_buffer file = {0};
    checked c;
    if (!lm_vfs_read(vfs, path, LM_MAX_ARCHIVE_MEMBER, &file, &web_error))
        return false;
    bool ok = check(vfs, path, file.data, file.size, engine, strict, &c);
    if (ok) {
        lm_json json = {.out = web_begin()};
        lmi_json_open(&json, NULL, '{');
        lmi_describe_report(&c.all, &json);
        lmi_json_close(&json);
        ok = web_end();
    }
    checked_free(&c);
    lm_buffer_free(&file);
    return ok;
}

/* Appends the locations of `count` problems, from number `first`, to the scene's marks. Returns the
 * first frame that one names, or LM_NO_FRAME. */
static uint32_t add_marks(web_scene *scene, const lm_report *report, uint32_t first,
                          uint32_t count) {
    const lm_model *model = web_model(scene, scene->marked_part);
    uint32_t frame = LM_NO_FRAME;
    for (uint32_t i = first; i < report->num_problems && i - first < count; i++) {
        uint32_t found;
        lm_diagnostic_locate(model, &report->problems[i], &scene->marks, &found, NULL);
        frame = frame == LM_NO_FRAME ? found : frame;
    }
    return frame;
}

/* Marks the locations of `count` problems on the model, from number `first` in web_vfs_check's
 * list, until the next call; 0 clears the marks. Result: {"frame": the first frame that a problem
 * names, or -1, "triangles": the number of marked ones, "marks": [surface and three vertices of
 * each, ...]}. */
bool WEB_EXPORT(web_mark)(lm_vfs *vfs, web_scene *scene, uint32_t part, const char *engine,
                          bool strict, uint32_t first, uint32_t count) {
    const lm_asset *asset = web_model(scene, part) ? &scene->assets->assets[part] : NULL;
    uint32_t frame = LM_NO_FRAME;
    checked c = {0};
    const bool ok = asset && (count == 0 || check(vfs, asset->path, asset->data, asset->size,
                                                  engine, strict, &c));
    if (ok) {
        scene->marks.size = 0;
        scene->marked_part = part;
        frame = add_marks(scene, &c.all, first, count);
    }
    checked_free(&c);
    if (!ok)
        return false;
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '{');
    lmi_json_integer(&json, "frame", frame == LM_NO_FRAME ? -1 : (int64_t)frame);
    lmi_json_integer(&json, "triangles",
                     (int64_t)(scene->marks.size / sizeof(lm_diagnostic_triangle)));
    lmi_json_open(&json, "marks", '[');
    for (size_t i = 0; i < scene->marks.size; i += sizeof(uint32_t)) {
        uint32_t number;
        memcpy(&number, scene->marks.data + i, sizeof number);
        lmi_json_integer(&json, NULL, number);
    }
    lmi_json_close(&json);
    lmi_json_close(&json);
    return web_end();
}

/* ---- Layout -------------------------------------------------------------------------------- */

/* Describes the layout of a file, as `lerpmesh examine --json` prints it. */
bool WEB_EXPORT(web_layout)(const void *data, size_t size) {
    lm_layout *layout = lm_layout_memory(data, size, NULL, &web_error);
    if (!layout)
        return false;
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '{');
    lmi_describe_layout(layout, &json);
    lmi_json_close(&json);
    lm_layout_free(layout);
    return web_end();
}

/* Writes a lump of a file as a text table. */
bool WEB_EXPORT(web_layout_table)(const void *data, size_t size, const char *lump) {
    return lm_layout_table(data, size, lump, web_begin(), &web_error);
}

/* ---- Images -------------------------------------------------------------------------------- */

/* Encodes RGBA pixels, `size` bytes, as PNG. */
bool WEB_EXPORT(web_png)(const uint8_t *pixels, size_t size, uint32_t width, uint32_t height) {
    if ((uint64_t)width * height > size / 4)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT,
                             "%u x %u pixels need %" PRIu64 " bytes, but there are %zu", width,
                             height, (uint64_t)width * height * 4, size);
    return lm_pixels_write(pixels, width, height, LM_PIXELS_PNG, NULL, web_begin(), &web_error);
}

/* Draws the texture coordinates of a part's surface over its texture, in web_image's layout. */
bool WEB_EXPORT(web_uv)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_model *model = web_model(scene, part);
    if (!web_surface_of(scene, part, surface))
        return false;
    const lm_scene_part *scene_part = &scene->assets->scene->parts[part];
    const uint32_t texture = scene_part->num_skins > 0
                                 ? scene_part->skins[scene_part->skin].materials[surface].texture
                                 : LM_NO_TEXTURE;
    bool *drawn = calloc(model->num_surfaces, sizeof *drawn);
    const lm_uv_options options = {
        .pixels = true,
        .skin = texture == LM_NO_TEXTURE ? NULL : &scene->assets->scene->textures[texture],
        .surfaces = drawn};
    lm_uv_result size = {0};
    const size_t head = 2 * sizeof size.width; /* bytes of width and height */
    lm_buffer_append(web_begin(), &size, head);
    if (drawn)
        drawn[surface] = true;
    const bool ok = drawn && lm_uv_write(model, &options, &web_result, &size, &web_error);
    if (ok)
        memcpy(web_result.data, &size, head);
    free(drawn);
    return ok;
}

/* ---- The command's system calls, which Node provides (web/lib/command.js) -------------------- */

#define SYSTEM(name) WEB_IMPORT("system", #name) int name
SYSTEM(system_write)(int stream, const void *data, size_t size); /* 0, or -errno */
SYSTEM(system_is_terminal)(int stream);
WEB_IMPORT("system", "system_seconds") double system_seconds(void);

int main(int argc, char **argv);

/* Runs the command and returns its exit status. */
int WEB_EXPORT(web_main)(void) {
    return main(0, NULL);
}

void tool_system_begin(void) {}

bool tool_system_write(int stream, const void *data, size_t size) {
    const int result = system_write(stream, data, size);
    if (result < 0)
        errno = -result;
    return result >= 0;
}

bool tool_system_is_terminal(int stream) {
    return system_is_terminal(stream) > 0;
}

double tool_system_seconds(void) {
    return system_seconds();
}

unsigned tool_system_processors(void) {
    return 1;
}
