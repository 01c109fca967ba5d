/* The output of convert: glTF, OBJ, and the formats that are read; a player. */
#include "convert_settings.h"
#include "open.h"

#include <stdio.h>
#include <string.h>

static const char *const others[] = {"glb", "gltf", "obj"};
#define NUM_OTHERS 3u

/* Returns the name of format `index`, which is also its extension without the dot; NULL after the
 * last. */
static const char *name_of(uint32_t index) {
    const lm_format_info *info = index < NUM_OTHERS ? NULL : lm_format_at(index - NUM_OTHERS);
    return index < NUM_OTHERS ? others[index] : info ? info->extension : NULL;
}

/* Returns the index of a format; the index after the last if there is none. */
static uint32_t find_format(const char *name) {
    uint32_t i = 0;
    while (name_of(i) && !tool_same_text(name_of(i), name))
        i++;
    return i;
}

/* Writes "glb, gltf, obj, md2 and mdc" to `out`, each with `mark` in front. */
static const char *list_formats(char *out, size_t size, const char *mark, const char *last) {
    size_t at = 0;
    for (uint32_t i = 0; name_of(i) && at < size; i++) {
        const char *between = i == 0 ? "" : name_of(i + 1) ? ", " : last;
        at += (size_t)snprintf(out + at, size - at, "%s%s%s", between, mark, name_of(i));
    }
    return out;
}

/* Chooses the format by --format or the output's name, which must agree. */
static bool choose_format(const tool_args *args, const convert_settings *settings,
                          uint32_t *format) {
    char list[128];
    const char *name = tool_value(args, LM_OPTION_FORMAT);
    const char *path = settings->output.path;
    const char *extension = lm_vfs_extension(args->vfs, path);
    const uint32_t named = *extension ? find_format(extension + 1) : find_format("");
    *format = name ? find_format(name) : find_format("");
    if (name && !name_of(*format))
        return tool_usage(args, "there is no format \"%s\"; choose one of %s", name,
                          list_formats(list, sizeof list, "", " and "));
    if (settings->output.kind == TOOL_TO_FILE) {
        if (tool_same_text(extension, ".pk3"))
            return tool_usage(args, "%s: convert writes an archive only with --player", path);
        if (!name_of(named) && *extension)
            return tool_usage(args, "%s: lerpmesh does not write %s; it writes %s", path, extension,
                              list_formats(list, sizeof list, ".", " and "));
        if (!name_of(named))
            return tool_output_misnamed(&settings->output,
                                        list_formats(list, sizeof list, ".", " or "));
        if (name && named != *format)
            return tool_usage(args, "%s does not match --format %s", path, name);
        *format = named;
    }
    /* A folder called out.glb is probably a mistake. */
    if (!name_of(*format) && settings->output.kind == TOOL_TO_FOLDER && !name_of(named))
        *format = find_format("glb");
    if (!name_of(*format) && settings->output.kind == TOOL_TO_FOLDER)
        return tool_usage(args, "%s is a folder: end its name with / to write into it", path);
    return name_of(*format) || tool_usage(args, "choose the format: --format %s",
                                          list_formats(list, sizeof list, "", " or "));
}

/* ---- Players --------------------------------------------------------------------------------- */

/* Returns whether --player makes a whole player, named after the folder or the archive. */
static bool is_whole_player(const tool_args *args, const tool_output *output) {
    return tool_has(args, LM_OPTION_PLAYER) &&
           (output->kind == TOOL_TO_FOLDER ||
            (output->kind == TOOL_TO_FILE &&
             tool_same_text(lm_vfs_extension(args->vfs, output->path), ".pk3")));
}

static bool check_player(const tool_args *args) {
    const char *format = tool_value(args, LM_OPTION_FORMAT);
    if (args->num_inputs > 1)
        return tool_usage(
            args,
            "--player makes one player of one file, not of %zu: its lower body, upper "
            "body and head lie in one scene",
            args->num_inputs);
    return !format || tool_same_text(format, "md3") ||
           tool_usage(args, "--player writes a whole player as md3, not %s", format);
}

static bool read_format(const tool_args *args, convert_settings *settings) {
    uint32_t format = find_format("md3");
    tool_output *output = &settings->output;
    const bool player = is_whole_player(args, output);
    if (player ? !check_player(args) : !choose_format(args, settings, &format))
        return false;
    if (player)
        output->name = "lower";
    const char *name = name_of(format);
    const bool gltf = strcmp(name, "gltf") == 0;
    settings->obj = strcmp(name, "obj") == 0;
    settings->model = format < NUM_OTHERS ? NULL : lm_format_at(format - NUM_OTHERS);
    settings->convert->format = settings->model ? settings->model->name : name;
    if (gltf && output->kind == TOOL_TO_STDOUT)
        return tool_usage(args, "gltf has two files and cannot go to standard output; use glb");
    if (!settings->obj && tool_output_is_blocked(output))
        return false;
    settings->extension = output->extension = tool_format(args->memory, ".%s", name);
    output->companion = gltf ? ".bin" : settings->obj ? ".mtl" : NULL;
    return settings->extension != NULL;
}

bool convert_settings_read(const tool_args *args, convert_settings *settings) {
    *settings = (convert_settings){.args = args, .convert = &args->settings->options};
    if (args->num_inputs == 0)
        return true; /* there is no output either; that error is reported later */
    if (!tool_has(args, LM_OPTION_OUTPUT))
        return tool_usage(args, tool_has(args, LM_OPTION_PLAYER)
                                    ? "missing output: add -o NAME.pk3 or -o DIR/"
                                    : "missing output: add -o FILE.glb or -o DIR/");
    if (!tool_output_read(args, &settings->output) || !read_format(args, settings))
        return false;
    const tool_output *output = &settings->output;
    settings->convert->shares_folder = output->kind == TOOL_TO_FOLDER;
    settings->convert->path = output->kind == TOOL_TO_STDOUT ? NULL
                              : output->kind == TOOL_TO_FOLDER
                                  ? tool_format(args->memory, "%s/", output->path)
                                  : output->path;
    if (output->kind == TOOL_TO_FOLDER && !settings->convert->path)
        return false;
    return tool_open_options_read(args, &settings->convert->open);
}
