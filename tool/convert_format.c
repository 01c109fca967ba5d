/* The output formats of convert: glTF, OBJ, and the formats that are read. */
#include "convert.h"

#include <stdio.h>
#include <string.h>

static const char *const others[] = {
    [CONVERT_GLB] = "glb", [CONVERT_GLTF] = "gltf", [CONVERT_OBJ] = "obj"};

/* Returns the name of format `index`, which is also its extension without the dot; NULL after the
 * last. */
static const char *name_of(uint32_t index) {
    const lm_format_info *info =
        index < CONVERT_MODEL ? NULL : lm_format_at(index - (uint32_t)CONVERT_MODEL);
    return index < CONVERT_MODEL ? others[index] : info ? info->extension : NULL;
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
    const char *name = tool_value(args, TOOL_FORMAT);
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
        *format = CONVERT_GLB;
    if (!name_of(*format) && settings->output.kind == TOOL_TO_FOLDER)
        return tool_usage(args, "%s is a folder: end its name with / to write into it", path);
    return name_of(*format) || tool_usage(args, "choose the format: --format %s",
                                          list_formats(list, sizeof list, "", " or "));
}

bool convert_format_read(const tool_args *args, convert_settings *settings) {
    uint32_t format = find_format("md3");
    if (!convert_player_find(args, settings) ||
        (settings->player != LM_PLAYER_QUAKE3 && !choose_format(args, settings, &format)))
        return false;
    settings->format = format < CONVERT_MODEL ? (convert_format)format : CONVERT_MODEL;
    if (settings->format == CONVERT_MODEL)
        settings->model = lm_format_at(format - (uint32_t)CONVERT_MODEL);
    if (settings->format == CONVERT_GLTF && settings->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args, "gltf has two files and cannot go to standard output; use glb");
    if (settings->format != CONVERT_OBJ && tool_output_is_blocked(&settings->output))
        return false;
    settings->extension = settings->output.extension =
        tool_format(args->memory, ".%s", name_of(format));
    settings->output.companion = settings->format == CONVERT_GLTF  ? ".bin"
                                 : settings->format == CONVERT_OBJ ? ".mtl"
                                                                   : NULL;
    return settings->extension != NULL;
}
