#include "options.h"

#include "describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tool_usage(const tool_args *args, const char *sentence, ...) {
    char text[8192]; /* a sentence with two paths */
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    lm_buffer message = {0};
    lm_buffer_printf(&message, "lerpmesh %s: ", args->command->name);
    lmi_text_harmless(&message, text);
    lm_buffer_printf(&message, "\nlerpmesh %s --help-all lists the options.\n",
                     args->command->name);
    tool_write_error(&message);
    return false;
}

lm_option_id tool_next_option(const tool_command *command, lm_option_id option) {
    int next = (int)option;
    while (++next < LM_NUM_OPTIONS)
        if (lmi_option_is_of((lm_option_id)next, command->name))
            return (lm_option_id)next;
    return LM_NO_OPTION;
}

/* Returns the command's option with that letter; LM_NO_OPTION: it has none. */
static lm_option_id find_letter(const tool_command *command, char letter) {
    lm_option_id option = tool_next_option(command, LM_NO_OPTION);
    while (option && lmi_option_about(option)->letter != letter)
        option = tool_next_option(command, option);
    return option;
}

static bool unknown_option(const tool_args *args, const char *argument) {
    char *word = lmi_arena_text(args->arena, argument, strcspn(argument, "="));
    if (!word)
        return false;
    lm_guess guess = {.word = word + strspn(word, "-")};
    for (lm_option_id option = LM_NO_OPTION; (option = tool_next_option(args->command, option));)
        lmi_guess_try(&guess, lmi_option_about(option)->name);
    if (guess.best)
        return tool_usage(args, "there is no option %s; did you mean --%s?", word, guess.best);
    return tool_usage(args, "there is no option %s", word);
}

static void give(tool_args *args, lm_option_id option, const char *value) {
    args->given[args->num_given++] = (tool_given){option, value};
}

/* Parses "--name", "--name=value" or "--name value". Moves `index` to the last argument used. A
 * value that may be missing follows an equals sign: the next argument may be a file. */
static bool parse_long(tool_args *args, int argc, char **argv, int *index) {
    const char *argument = argv[*index];
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    lm_option_id option = lmi_option_find(args->command->name, name, length);
    if (!option)
        return unknown_option(args, argument);
    const lm_option *info = lmi_option_about(option);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (!info->value && value)
        return tool_usage(args, "--%s takes no value", info->name);
    if (info->value && info->value[0] != '[' && !value) {
        if (*index + 1 >= argc)
            return tool_usage(args, "--%s needs a value: --%s %s", info->name, info->name,
                              info->value);
        value = argv[++*index];
    }
    give(args, option, value);
    return true;
}

/* Parses "-q", "-qv", "-j2" or "-j 2". */
static bool parse_letters(tool_args *args, int argc, char **argv, int *index) {
    for (const char *letter = argv[*index] + 1; *letter; letter++) {
        lm_option_id option = find_letter(args->command, *letter);
        if (!option)
            return unknown_option(args, argv[*index]);
        if (!lmi_option_about(option)->value) {
            give(args, option, NULL);
            continue;
        }
        if (letter[1] == '\0' && *index + 1 >= argc)
            return tool_usage(args, "-%c needs a value: -%c %s", *letter, *letter,
                              lmi_option_about(option)->value);
        give(args, option, letter[1] != '\0' ? letter + 1 : argv[++*index]);
        return true;
    }
    return true;
}

bool tool_args_parse(int argc, char **argv, tool_args *args) {
    /* An upper bound: each letter of an argument can be an option. */
    size_t max = 1;
    for (int i = 0; i < argc; i++)
        max += strlen(argv[i]) + 1;
    args->given = lmi_arena_zeros(args->arena, max, sizeof *args->given);
    args->inputs = lmi_arena_zeros(args->arena, (size_t)argc + 1, sizeof *args->inputs);
    if (!args->given || !args->inputs)
        return false;
    bool options = true;
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] == '\0')
            return tool_usage(args, "a file name is empty");
        if (!options || argv[i][0] != '-' || argv[i][1] == '\0')
            args->inputs[args->num_inputs++].path = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            options = false;
        else if (!(argv[i][1] == '-' ? parse_long(args, argc, argv, &i)
                                     : parse_letters(args, argc, argv, &i)))
            return false;
    }
    return true;
}

bool tool_accepts(const tool_args *args, lm_option_id option) {
    return lmi_option_is_of(option, args->command->name);
}

bool tool_has(const tool_args *args, lm_option_id option) {
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == option)
            return true;
    return false;
}

const char *tool_value(const tool_args *args, lm_option_id option) {
    for (size_t i = args->num_given; i > 0; i--)
        if (args->given[i - 1].option == option)
            return args->given[i - 1].value;
    return NULL;
}

const char *tool_next_value(const tool_args *args, lm_option_id option, size_t *at) {
    while (*at < args->num_given)
        if (args->given[(*at)++].option == option)
            return args->given[*at - 1].value;
    return NULL;
}

/* Reports a wrong value. Returns false. */
static bool wrong_value(const tool_args *args, const lm_error *error) {
    return !lmi_ran_out(args->arena, error) && tool_usage(args, "%s", error->message);
}

bool tool_settings_read(tool_args *args) {
    lm_error error;
    args->settings = lm_convert_settings_new(args->vfs, "--", NULL);
    (void)lmi_arena_out_of_memory(args->arena, !args->settings);
    for (size_t i = 0; args->settings && i < args->num_given; i++)
        if (lmi_option_is_set(args->given[i].option) &&
            !lmi_convert_set_option(args->settings, args->given[i].option, args->given[i].value,
                                    &error))
            return wrong_value(args, &error);
    if (args->settings && !tool_has(args, LM_OPTION_MAX_OUTPUT))
        lmi_parse_size(lmi_option_about(LM_OPTION_MAX_OUTPUT)->standard, UINT64_MAX,
                       &args->settings->options.max_output);
    return args->settings != NULL;
}

bool tool_number(const tool_args *args, lm_option_id option, double *value) {
    const char *text = tool_value(args, option);
    lm_error error;
    return !text || lmi_option_number(option, "--", text, value, &error) ||
           wrong_value(args, &error);
}

bool tool_word(const tool_args *args, lm_option_id option, unsigned *number) {
    const char *text = tool_value(args, option);
    lm_error error;
    return !text || lmi_option_word(option, "--", text, number, &error) ||
           wrong_value(args, &error);
}

#define MAX_JOBS 256
#define MAX_DEFAULT_JOBS 16 /* each job may hold a model and its export */

bool tool_jobs(const tool_args *args, unsigned *jobs) {
    const char *text = tool_value(args, LM_OPTION_JOBS);
    uint64_t count = tool_system_processors();
    if (count > MAX_DEFAULT_JOBS)
        count = MAX_DEFAULT_JOBS;
    if (text && (!lmi_parse_uint(text, MAX_JOBS, &count) || count == 0))
        return tool_usage(args, "--jobs needs a whole number from 1 to %d, not \"%s\"", MAX_JOBS,
                          text);
    *jobs = (unsigned)(count < args->num_inputs ? count : args->num_inputs);
    return true;
}

/* Returns the length of "--name VALUE", and of "--name[=VALUE]". */
static size_t names_length(const lm_option *info) {
    return strlen("--") + strlen(info->name) + (info->value ? 1 + strlen(info->value) : 0);
}

/* Appends a text and a line break. Lines begin at column `indent`, the first of which is there
 * already, and have at most 80 columns. */
static void wrap(lm_buffer *out, const char *text, size_t indent) {
    for (size_t column = indent; *text; text += strspn(text, " \n")) {
        const size_t length = strcspn(text, " \n");
        if (column > indent && column + 1 + length > 80) {
            lm_buffer_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            lm_buffer_text(out, " ");
            column++;
        }
        lm_buffer_append(out, text, length);
        column += length;
        text += length;
    }
    lm_buffer_text(out, "\n");
}

/* `width`: the names_length of the longest option. */
static void help_option(lm_buffer *out, const lm_option *info, size_t width) {
    if (info->letter)
        lm_buffer_printf(out, "  -%c, ", info->letter);
    else
        lm_buffer_text(out, "      ");
    const char *value = info->value ? info->value : "";
    const bool optional = value[0] == '[';
    lm_buffer_printf(out, "--%s%s%s%*s  ", info->name,
                     optional ? "[="
                     : *value ? " "
                              : "",
                     value + optional, (int)(width - names_length(info)), "");
    wrap(out, info->help, strlen("  -o, ") + width + strlen("  "));
}

/* Appends the options in groups, but for the last one, which only the manual has. */
static void help_groups(lm_buffer *page, const tool_command *command, size_t width) {
    const char *title = NULL;
    for (int i = LM_NO_OPTION + 1; i < LM_OPTION_GROUP_RARE; i++) {
        const lm_option *info = lmi_option_about((lm_option_id)i);
        if (!info->name) {
            title = info->help;
        } else if (lmi_option_is_of((lm_option_id)i, command->name)) {
            if (title)
                lm_buffer_printf(page, "\n%s:\n", title);
            title = NULL;
            help_option(page, info, width);
        }
    }
}

int tool_help(const tool_command *command, bool all) {
    lm_buffer page = {0};
    size_t width = 0;
    int count = 0, rare = 0, shown = 0;
    for (lm_option_id i = LM_NO_OPTION; (i = tool_next_option(command, i));) {
        count += i < LM_OPTION_GROUP_RARE;
        rare += i > LM_OPTION_GROUP_RARE;
        const size_t length = names_length(lmi_option_about(i));
        width = length > width ? length : width;
    }
    lm_buffer_printf(&page, "Usage: lerpmesh %s %s\n\n", command->name, command->usage);
    wrap(&page, command->about, 0);
    if (!all && command->usual[0])
        lm_buffer_text(&page, "\nOptions:\n");
    if (all)
        help_groups(&page, command, width);
    else
        for (; shown < TOOL_MAX_HELP_OPTIONS && command->usual[shown]; shown++)
            help_option(&page, lmi_option_about(command->usual[shown]), width);
    const bool more = !all && shown + 2 < count; /* --help and --help-all */
    lm_buffer_printf(&page, "\nExamples:\n%s\n", command->examples);
    if (more)
        lm_buffer_printf(&page, "All %d options: lerpmesh %s --help-all\n", count, command->name);
    lm_buffer_printf(&page, "Manual: man lerpmesh-%s", command->name);
    if (all && rare > 0)
        lm_buffer_printf(&page, ", which has %s",
                         lmi_count_nouns((uint32_t)rare, "more options").text);
    lm_buffer_text(&page, "\n");
    return tool_print(&page);
}
