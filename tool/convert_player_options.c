/* --player: a model, or a whole player, by the name of the output. */
#include "convert.h"

#include <string.h>

/* The longest path that Quake III opens has 63 bytes; models/players/NAME/lower_default.skin is the
 * longest of a player. */
#define MAX_PLAYER_NAME 28

/* Reads the player's name: that of the folder or archive. */
static bool read_name(const tool_args *args, convert_settings *settings) {
    const char *path = settings->output.path;
    size_t end = strlen(path);
    if (settings->packs)
        end = (size_t)(lm_vfs_extension(args->vfs, path) - path);
    while (end > 0 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    const char *name = settings->player_name = tool_copy(args->memory, path + start, end - start);
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (!name)
        return false;
    return (*name && strspn(name, allowed) == strlen(name) && strlen(name) <= MAX_PLAYER_NAME) ||
           tool_usage(
               args,
               "--player names the player after %s, such as -o players/hero/ or -o hero.pk3: "
               "up to %d letters, digits, - and _, not \"%s\"",
               settings->packs ? "the archive" : "the folder", MAX_PLAYER_NAME, name);
}

bool convert_player_find(const tool_args *args, convert_settings *settings) {
    tool_output *output = &settings->output;
    const char *format = tool_value(args, TOOL_FORMAT);
    if (!tool_has(args, TOOL_PLAYER))
        return true;
    settings->player = LM_PLAYER_MODEL;
    settings->encoding.sidecar_clips = true;
    settings->packs = output->kind == TOOL_TO_FILE &&
                      tool_same_text(lm_vfs_extension(args->vfs, output->path), ".pk3");
    if (output->kind != TOOL_TO_FOLDER && !settings->packs)
        return true;
    settings->player = LM_PLAYER_QUAKE3;
    output->name = "lower";
    if (args->num_inputs > 1)
        return tool_usage(
            args,
            "--player makes one player of one file, not of %zu: its lower body, upper "
            "body and head lie in one scene",
            args->num_inputs);
    if (format && !tool_same_text(format, "md3"))
        return tool_usage(args, "--player writes a whole player as md3, not %s", format);
    return read_name(args, settings);
}

bool convert_player_read(const tool_args *args, convert_settings *settings) {
    const char *format = settings->model ? settings->model->name : "";
    if (!settings->player)
        return true;
    if (strcmp(format, "md2") == 0 && settings->encoding.engine == LM_ENGINE_QUAKE2 &&
        !settings->has_frame) {
        settings->player = LM_PLAYER_QUAKE2;
        return true;
    }
    if (strcmp(format, "md3") != 0 && strcmp(format, "mdc") != 0)
        return tool_usage(args, "--player applies only to .md3 and .mdc, and to .md2 with --engine "
                                "quake2");
    return settings->output.kind != TOOL_TO_STDOUT ||
           tool_usage(args, "--player writes several files, which need a folder: -o DIR/");
}
