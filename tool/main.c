/* lerpmesh: reads, checks and converts keyframe meshes. This file runs the commands. */
#include "describe.h"
#include "lerpmesh/load.h"
#include "options.h"

#include <ctype.h>
#include <string.h>

const tool_command *const tool_commands[] = {
    &tool_info,    &tool_examine,  &tool_uv,      &tool_check,       &tool_convert,
    &tool_edit,    &tool_optimize, &tool_compare, &tool_render,      &tool_ls,
    &tool_extract, &tool_pack,     &tool_formats, &tool_completions, NULL};

static const tool_command *find_command(const char *name) {
    for (size_t i = 0; tool_commands[i]; i++)
        if (strcmp(tool_commands[i]->name, name) == 0)
            return tool_commands[i];
    return NULL;
}

/* Appends a format with its game: "MD2 (Quake II)". */
static void add_format(lm_buffer *text, const lm_format_info *info) {
    for (const char *c = info->name; *c; c++)
        lm_buffer_printf(text, "%c", toupper((unsigned char)*c));
    lm_buffer_printf(text, " (%s)", info->game);
}

/* Appends a text, wrapped between words. */
static void wrap(lm_buffer *page, const char *text) {
    const size_t width = 79;
    while (strlen(text) > width) {
        size_t end = width;
        while (end > 0 && text[end] != ' ')
            end--;
        lm_buffer_printf(page, "%.*s\n", (int)end, text);
        text += end + 1;
    }
    lm_buffer_printf(page, "%s\n", text);
}

static void summary(lm_buffer *page) {
    lm_buffer text = {0};
    lm_buffer_text(&text, "Reads, checks, draws, edits and converts the keyframe meshes ");
    for (uint32_t i = 0; lm_format_at(i); i++) {
        lm_buffer_text(&text, i == 0 ? "" : lm_format_at(i + 1) ? ", " : " and ");
        add_format(&text, lm_format_at(i));
    }
    lm_buffer_text(&text, ". Converts them to each other, to animated glTF and OBJ, and from "
                          "glTF, FBX, Collada, OBJ and others.");
    lm_buffer_append(&text, "", 1);
    if (!text.failed)
        wrap(page, (const char *)text.data);
    lm_buffer_free(&text);
}

static int print_overview(void) {
    lm_buffer page = {0};
    lm_buffer_text(&page, "Usage: lerpmesh COMMAND [options] FILES...\n\n");
    summary(&page);
    lm_buffer_text(&page, "\nCommands:\n");
    for (size_t i = 0; tool_commands[i]; i++)
        lm_buffer_printf(&page, "  %-11s %s\n", tool_commands[i]->name, tool_commands[i]->summary);
    lm_buffer_text(
        &page, "  help        show this page, or the help of a command (lerpmesh help convert)\n"
               "  version     show the version\n"
               "\nExamples:\n"
               "  lerpmesh info tris.md2                format, clips, skins and textures\n"
               "  lerpmesh convert tris.md2 -o out.glb  animated glTF\n"
               "  lerpmesh convert pak0.pk3 -o out/     all models of an archive\n"
               "\nlerpmesh-viewer shows models in a window.\n"
               "The file name - means standard input or output. Exit codes: 0 success, 1 an\n"
               "input or an output failed (the others were still processed), 2 wrong usage.\n");
    return tool_print(&page);
}

static int unknown_command(const char *word) {
    lm_guess guess = {.word = word};
    for (size_t i = 0; tool_commands[i]; i++)
        lmi_guess_try(&guess, tool_commands[i]->name);
    lmi_guess_try(&guess, "help");
    lmi_guess_try(&guess, "version");
    lm_buffer message = {0};
    lm_buffer_text(&message, "lerpmesh: there is no command ");
    lmi_text_harmless(&message, word);
    if (strcmp(word, "view") == 0 || strcmp(word, "viewer") == 0)
        lm_buffer_text(&message, "; the viewer is a program of its own: lerpmesh-viewer");
    else if (strpbrk(word, "./:"))
        lm_buffer_text(&message, "; lerpmesh info describes a file, lerpmesh-viewer shows it");
    else if (guess.best)
        lm_buffer_printf(&message, "; did you mean %s?", guess.best);
    lm_buffer_text(&message, "\nlerpmesh help lists the commands.\n");
    tool_write_error(&message);
    return TOOL_USAGE;
}

static int run(const tool_command *command, int argc, char **argv) {
    tool_args args = {
        .command = command, .vfs = lm_vfs_new(NULL, NULL), .arena = lmi_arena_new(NULL)};
    int status = TOOL_USAGE;
    if (args.vfs && args.arena && tool_args_parse(argc, argv, &args))
        status = tool_has(&args, LM_OPTION_HELP_ALL) ? tool_help(command, true)
                 : tool_has(&args, LM_OPTION_HELP)   ? tool_help(command, false)
                 : !tool_settings_read(&args)        ? TOOL_USAGE
                 : tool_inputs_expand(&args)         ? command->run(&args)
                                                     : TOOL_FAILED;
    if (!args.vfs || !args.arena || lmi_arena_failed(args.arena))
        tool_no_memory();
    lm_convert_settings_free(args.settings);
    lmi_arena_delete(args.arena);
    lm_vfs_free(args.vfs);
    return status;
}

static int help(int argc, char **argv) {
    if (argc == 0 || argv[0][0] == '-' || strcmp(argv[0], "help") == 0 ||
        strcmp(argv[0], "version") == 0)
        return print_overview();
    const tool_command *command = find_command(argv[0]);
    const char *how = argc > 1 ? argv[1] : "";
    if (command && strcmp(how, "--json") == 0) {
        lm_buffer page = {0};
        lm_options_json(command->name, false, &page);
        lm_buffer_text(&page, "\n");
        return tool_print(&page);
    }
    return command ? tool_help(command, strcmp(how, "--help-all") == 0) : unknown_command(argv[0]);
}

static int run_command(int argc, char **argv) {
    if (argc < 2) {
        lm_buffer message = {0};
        lm_buffer_text(&message, "lerpmesh: missing command, for example: lerpmesh info FILE\n"
                                 "lerpmesh help lists the commands.\n");
        tool_write_error(&message);
        return TOOL_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_overview();
    if (strcmp(name, "version") == 0 || strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        lm_buffer page = {0};
        lm_buffer_printf(&page, "lerpmesh %s\n", lm_version());
        return tool_print(&page);
    }
    const tool_command *command = find_command(name);
    return command ? run(command, argc - 2, argv + 2) : unknown_command(name);
}

int main(int argc, char **argv) {
    tool_system_begin();
    lmi_utf8_arguments(&argc, &argv);
    int status = run_command(argc, argv);
    return tool_ran_out_of_memory() ? TOOL_FAILED : status;
}
