/* Prints completion scripts for shells, generated from the same tables as --help. */
#include "commands.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

/* ---- Values of options ----------------------------------------------------------------------- */

/* Returns whether an option's value is a path. */
static bool takes_path(tool_option option) {
    static const char *const paths[] = {"OUT", "FILE", "DIR", "MODEL", "TAG=MODEL", "PATH"};
    const char *value = tool_option_about(option)->value;
    for (size_t i = 0; value && i < TOOL_COUNT_OF(paths); i++)
        if (strcmp(paths[i], value) == 0)
            return true;
    return false;
}

static void list_engines(lm_buffer *out) {
    for (int i = 0; i < LM_NUM_ENGINES; i++)
        lm_buffer_printf(out, "%s%s", i > 0 ? " " : "", lm_engine_name((lm_engine)i));
}

/* Appends the possible values of an option, separated by spaces; nothing if they are not a fixed
 * list. */
static void list_words(tool_option option, lm_buffer *out) {
    const char *words = tool_option_words(option);
    if (option == TOOL_ENGINE)
        list_engines(out);
    if (option == TOOL_FORMAT) {
        lm_buffer_text(out, "glb gltf obj");
        for (uint32_t i = 0; i < lm_format_count(); i++)
            lm_buffer_printf(out, " %s", lm_format_at(i)->extension);
    }
    lm_buffer_text(out, words ? words : "");
}

/* ---- bash ----------------------------------------------------------------------------------- */

/* Appends the names of all commands: "a b c". */
static void list_commands(lm_buffer *out) {
    for (size_t i = 0; tool_commands[i]; i++)
        lm_buffer_printf(out, "%s ", tool_commands[i]->name);
    lm_buffer_text(out, "help version");
}

/* Appends the cases for the values of a command's options. */
static void bash_values(const tool_command *command, lm_buffer *out) {
    for (const tool_option *option = command->options; *option; option++) {
        const tool_option_info *info = tool_option_about(*option);
        if (!info->value)
            continue;
        lm_buffer_printf(out, "    %s:--%s", command->name, info->name);
        if (info->letter)
            lm_buffer_printf(out, "|%s:-%c", command->name, info->letter);
        lm_buffer_printf(out, ") words=\"");
        list_words(*option, out);
        lm_buffer_printf(out, "\" files=%d ;;\n", takes_path(*option));
    }
}

static void bash_options(const tool_command *command, lm_buffer *out) {
    lm_buffer_printf(out, "    %s) options=\"", command->name);
    for (const tool_option *option = command->options; *option; option++) {
        const tool_option_info *info = tool_option_about(*option);
        if (info->letter)
            lm_buffer_printf(out, "-%c ", info->letter);
        lm_buffer_printf(out, "--%s ", info->name);
    }
    lm_buffer_printf(out, "\" files=1 ;;\n");
}

static void complete_bash(lm_buffer *out) {
    lm_buffer_text(out, "# bash completion for lerpmesh; made by: lerpmesh completions bash\n"
                        "_lerpmesh() {\n"
                        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                        "  local words= options= files=\n"
                        "  COMPREPLY=()\n"
                        "  if [[ $cur == = ]]; then cur=\n"
                        "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                        "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"");
    list_commands(out);
    lm_buffer_text(out, "\" -- \"$cur\"))\n    return\n  fi\n"
                        "  case ${COMP_WORDS[1]}:$prev in\n    help:help) words=\"");
    list_commands(out);
    lm_buffer_text(out, "\" files=0 ;;\n    completions:completions) words=\"bash zsh fish\" ;;\n");
    for (size_t i = 0; tool_commands[i]; i++)
        bash_values(tool_commands[i], out);
    lm_buffer_text(out, "  esac\n  [[ -n $files ]] || case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; tool_commands[i]; i++)
        bash_options(tool_commands[i], out);
    lm_buffer_text(out, "  esac\n"
                        "  if [[ -n $words && $cur != -* ]]; then COMPREPLY=($(compgen -W "
                        "\"$words\" -- \"$cur\"))\n"
                        "  elif [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- "
                        "\"$cur\"))\n"
                        "  elif [[ $files == 1 ]]; then compopt -o default 2>/dev/null; fi\n"
                        "}\n"
                        "complete -F _lerpmesh lerpmesh\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

/* Appends single-quoted text, with the special characters of the shell's tables escaped. */
static void quote(lm_buffer *out, const char *text, const char *special) {
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            lm_buffer_text(out, "'\\''");
        else
            lm_buffer_printf(out, "%s%c", strchr(special, *c) ? "\\" : "", *c);
}

static void zsh_option(tool_option option, lm_buffer *out) {
    const tool_option_info *info = tool_option_about(option);
    lm_buffer words = {0};
    list_words(option, &words);
    for (int letter = info->letter ? 0 : 1; letter < 2; letter++) {
        if (letter == 0)
            lm_buffer_printf(out, " \\\n        '*-%c", info->letter);
        else
            lm_buffer_printf(out, " \\\n        '*--%s", info->name);
        lm_buffer_text(out, info->value ? letter == 0 ? "+[" : "=[" : "[");
        quote(out, info->help, "[]:\\");
        lm_buffer_text(out, "]");
        if (info->value) {
            lm_buffer_text(out, ":");
            quote(out, info->value, ":\\");
            lm_buffer_text(out, ":");
        }
        if (info->value && words.size > 0)
            lm_buffer_printf(out, "(%.*s)", (int)words.size, (const char *)words.data);
        else if (takes_path(option))
            lm_buffer_text(out, "_files");
        lm_buffer_text(out, "'");
    }
    lm_buffer_free(&words);
}

static void complete_zsh(lm_buffer *out) {
    lm_buffer_text(out, "#compdef lerpmesh\n# made by: lerpmesh completions zsh\n"
                        "_lerpmesh() {\n  local -a commands=(\n");
    for (size_t i = 0; tool_commands[i]; i++) {
        lm_buffer_printf(out, "    '%s:", tool_commands[i]->name);
        quote(out, tool_commands[i]->summary, ":\\");
        lm_buffer_text(out, "'\n");
    }
    lm_buffer_text(out, "    'help:show how a command is used'\n    'version:show the version'\n"
                        "  )\n  if ((CURRENT == 2)); then\n"
                        "    _describe command commands\n    return\n  fi\n"
                        "  shift words\n  ((CURRENT--))\n  case $words[1] in\n"
                        "    help) _describe command commands ;;\n");
    for (size_t i = 0; tool_commands[i]; i++) {
        lm_buffer_printf(out, "    %s) _arguments -s", tool_commands[i]->name);
        for (const tool_option *option = tool_commands[i]->options; *option; option++)
            zsh_option(*option, out);
        lm_buffer_printf(out, " \\\n        '*:%s' ;;\n",
                         tool_commands[i] == &tool_completions ? "shell:(bash zsh fish)"
                                                               : "file:_files");
    }
    lm_buffer_text(out, "  esac\n}\n_lerpmesh \"$@\"\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

static void fish_quote(lm_buffer *out, const char *text) {
    lm_buffer_text(out, "'");
    for (const char *c = text; *c; c++)
        lm_buffer_printf(out, "%s%c", *c == '\'' || *c == '\\' ? "\\" : "", *c);
    lm_buffer_text(out, "'");
}

static void fish_option(const tool_command *command, tool_option option, lm_buffer *out) {
    const tool_option_info *info = tool_option_about(option);
    lm_buffer words = {0};
    list_words(option, &words);
    lm_buffer_printf(out, "complete -c lerpmesh -n '__fish_seen_subcommand_from %s' -l %s",
                     command->name, info->name);
    if (info->letter)
        lm_buffer_printf(out, " -s %c", info->letter);
    if (info->value && words.size > 0)
        lm_buffer_printf(out, " -x -a '%.*s'", (int)words.size, (const char *)words.data);
    else if (info->value)
        lm_buffer_text(out, takes_path(option) ? " -r -F" : " -x");
    lm_buffer_text(out, " -d ");
    fish_quote(out, info->help);
    lm_buffer_text(out, "\n");
    lm_buffer_free(&words);
}

static void complete_fish(lm_buffer *out) {
    lm_buffer_text(out, "# fish completion for lerpmesh; made by: lerpmesh completions fish\n");
    for (size_t i = 0; tool_commands[i]; i++) {
        lm_buffer_printf(out, "complete -c lerpmesh -n __fish_use_subcommand -f -a %s -d ",
                         tool_commands[i]->name);
        fish_quote(out, tool_commands[i]->summary);
        lm_buffer_text(out, "\n");
        for (const tool_option *option = tool_commands[i]->options; *option; option++)
            fish_option(tool_commands[i], *option, out);
    }
    lm_buffer_text(out, "complete -c lerpmesh -n __fish_use_subcommand -f -a 'help version'\n"
                        "complete -c lerpmesh -n '__fish_seen_subcommand_from help' -f -a '");
    list_commands(out);
    lm_buffer_text(out, "'\ncomplete -c lerpmesh -n '__fish_seen_subcommand_from completions' -f "
                        "-a 'bash zsh fish'\n");
}

/* ---- The command ---------------------------------------------------------------------------- */

static int run_completions(const tool_args *args) {
    static const struct {
        const char *shell;
        void (*write)(lm_buffer *out);
    } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    lm_buffer out = {0};
    for (size_t i = 0; args->num_inputs == 1 && i < TOOL_COUNT_OF(shells); i++)
        if (strcmp(args->inputs[0].path, shells[i].shell) == 0) {
            shells[i].write(&out);
            return tool_print(&out);
        }
    tool_usage(args, "say for which shell: bash, zsh or fish");
    return TOOL_USAGE;
}

const tool_command tool_completions = {
    .name = "completions",
    .usage = "bash|zsh|fish",
    .summary = "print a script by which a shell completes commands and options",
    .about = "Prints what bash, zsh or fish need to complete command lines of lerpmesh: commands,\n"
             "options and the words that they take. make install puts it where shells look.",
    .options = {TOOL_HELP},
    .expand = TOOL_EXPAND_NONE,
    .examples = "  source <(lerpmesh completions bash)\n"
                "  lerpmesh completions zsh > ~/.zfunc/_lerpmesh\n",
    .run = run_completions,
};
