#include "options.h"

#include "describe.h"
#include "guess.h"
#include "system.h"
#include "terminal.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tool_option_info option_infos[TOOL_NUM_OPTIONS] = {
#define TOOL_OPTION_INFO(name, letter, text, value, help) {letter, text, value, help},
    TOOL_OPTION_LIST(TOOL_OPTION_INFO)
#undef TOOL_OPTION_INFO
};

const tool_option_info *tool_option_about(tool_option option) {
    return &option_infos[option];
}

bool tool_usage(const tool_args *args, const char *sentence, ...) {
    char text[8192]; /* a sentence with two paths */
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    lm_buffer message = {0};
    lm_buffer_printf(&message, "lerpmesh %s: ", args->command->name);
    lm_text_harmless(&message, text);
    lm_buffer_printf(&message, "\nlerpmesh %s --help lists the options.\n", args->command->name);
    tool_write_error(&message);
    lm_buffer_free(&message);
    return false;
}

/* The command's option of that letter or that name; TOOL_NUM_OPTIONS if it has none. */
static tool_option find_letter(const tool_command *command, char letter) {
    for (size_t i = 0; i < command->num_options; i++)
        if (option_infos[command->options[i]].letter == letter)
            return command->options[i];
    return TOOL_NUM_OPTIONS;
}

static tool_option find_name(const tool_command *command, const char *name, size_t length) {
    for (size_t i = 0; i < command->num_options; i++) {
        const char *candidate = option_infos[command->options[i]].name;
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0)
            return command->options[i];
    }
    return TOOL_NUM_OPTIONS;
}

static bool unknown_option(const tool_args *args, const char *argument) {
    const tool_command *command = args->command;
    size_t length = strcspn(argument, "=");
    char *word = tool_copy(argument, length);
    if (!word)
        return tool_no_memory();
    lm_guess guess = {.word = word + strspn(word, "-")};
    for (size_t i = 0; i < command->num_options; i++)
        lm_guess_try(&guess, option_infos[command->options[i]].name);
    if (guess.best)
        tool_usage(args, "there is no option %s; did you mean --%s?", word, guess.best);
    else
        tool_usage(args, "there is no option %s", word);
    free(word);
    return false;
}

static void give(tool_args *args, tool_option option, const char *value) {
    args->given[args->num_given++] = (tool_given){option, value};
}

/* "--name", "--name=value" or "--name value". Moves `index` over what it took. */
static bool parse_long(tool_args *args, int argc, char **argv, int *index) {
    const char *argument = argv[*index];
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    tool_option option = find_name(args->command, name, length);
    if (option == TOOL_NUM_OPTIONS)
        return unknown_option(args, argument);
    const tool_option_info *info = &option_infos[option];
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (!info->value) {
        if (value)
            return tool_usage(args, "--%s takes no value", info->name);
    } else if (!value) {
        if (*index + 1 >= argc)
            return tool_usage(args, "--%s needs a value: --%s %s", info->name, info->name,
                              info->value);
        value = argv[++*index];
    }
    give(args, option, value);
    return true;
}

/* "-q", "-qv", "-j2" or "-j 2". */
static bool parse_letters(tool_args *args, int argc, char **argv, int *index) {
    for (const char *letter = argv[*index] + 1; *letter; letter++) {
        tool_option option = find_letter(args->command, *letter);
        if (option == TOOL_NUM_OPTIONS)
            return unknown_option(args, argv[*index]);
        if (!option_infos[option].value) {
            give(args, option, NULL);
            continue;
        }
        if (letter[1] != '\0') {
            give(args, option, letter + 1);
        } else {
            if (*index + 1 >= argc)
                return tool_usage(args, "-%c needs a value: -%c %s", *letter, *letter,
                                  option_infos[option].value);
            give(args, option, argv[++*index]);
        }
        return true;
    }
    return true;
}

bool tool_args_parse(const tool_command *command, int argc, char **argv, tool_args *args) {
    *args = (tool_args){.command = command};
    /* Every letter of an argument may be an option. */
    size_t most = 1;
    for (int i = 0; i < argc; i++)
        most += strlen(argv[i]) + 1;
    args->given = malloc(most * sizeof *args->given);
    args->inputs = malloc(((size_t)argc + 1) * sizeof *args->inputs);
    args->disk = lm_disk_new(NULL);
    if (!args->given || !args->inputs || !args->disk)
        return tool_no_memory();
    bool options = true;
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] == '\0')
            return tool_usage(args, "a file's name is empty");
        if (!options || argv[i][0] != '-' || argv[i][1] == '\0')
            args->inputs[args->num_inputs++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            options = false;
        else if (!(argv[i][1] == '-' ? parse_long(args, argc, argv, &i)
                                     : parse_letters(args, argc, argv, &i)))
            return false;
    }
    return true;
}

void tool_args_free(tool_args *args) {
    free(args->given);
    free((void *)args->inputs);
    free((void *)args->trees);
    for (size_t i = 0; i < args->num_lists; i++)
        lm_path_list_free(args->lists[i]);
    free((void *)args->lists);
    free((void *)args->problems);
    lm_disk_free(args->disk);
}

bool tool_takes(const tool_args *args, tool_option option) {
    size_t i = 0;
    while (i < args->command->num_options && args->command->options[i] != option)
        i++;
    return i < args->command->num_options;
}

bool tool_has(const tool_args *args, tool_option option) {
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == option)
            return true;
    return false;
}

const char *tool_value(const tool_args *args, tool_option option) {
    for (size_t i = args->num_given; i > 0; i--)
        if (args->given[i - 1].option == option)
            return args->given[i - 1].value;
    return NULL;
}

bool tool_number(const tool_args *args, tool_option option, double min, double max, double *value) {
    const char *text = tool_value(args, option), *name = option_infos[option].name;
    if (!text)
        return true;
    if (!tool_parse_double(text, value))
        return tool_usage(args, "--%s needs a number, not \"%s\"", name, text);
    if (*value <= 0 && min > 0)
        return tool_usage(args, "--%s must be greater than 0", name);
    if (*value < min)
        return tool_usage(args, "--%s must be at least %g", name, min);
    return *value <= max || tool_usage(args, "--%s must be at most %g", name, max);
}

bool tool_engine(const tool_args *args, lm_engine *engine) {
    const char *name = tool_value(args, TOOL_ENGINE);
    if (!name)
        return true;
    *engine = lm_engine_by_name(name);
    if (*engine != LM_NUM_ENGINES)
        return true;
    lm_guess guess = {.word = name};
    for (int i = 0; i < LM_NUM_ENGINES; i++)
        lm_guess_try(&guess, lm_engine_name((lm_engine)i));
    if (guess.best)
        return tool_usage(args, "there is no engine \"%s\"; did you mean %s?", name, guess.best);
    return tool_usage(args, "there is no engine \"%s\"; there is" LM_ENGINE_LIST(TOOL_ENGINE_TEXT),
                      name);
}

bool tool_strips(const tool_args *args, lm_strips *strips) {
    const char *text = tool_value(args, TOOL_STRIPS);
    if (!text || strcmp(text, "best") == 0)
        *strips = LM_STRIPS_BEST;
    else if (strcmp(text, "fast") == 0)
        *strips = LM_STRIPS_FAST;
    else if (strcmp(text, "none") == 0)
        *strips = LM_STRIPS_NONE;
    else
        return tool_usage(args, "--strips is best, fast or none, not \"%s\"", text);
    return true;
}

bool tool_max_input(const tool_args *args, size_t *max_input) {
    const char *text = tool_value(args, TOOL_MAX_INPUT);
    uint64_t size = 0;
    *max_input = 0;
    if (text && (!tool_parse_size(text, INT32_MAX, &size) || size == 0))
        return tool_usage(args, "--max-input needs a size below 2G, such as 64M, not \"%s\"", text);
    *max_input = (size_t)size;
    return true;
}

#define MAX_JOBS 256
#define MAX_DEFAULT_JOBS 16 /* each may hold a model and its export */

bool tool_jobs(const tool_args *args, unsigned *jobs) {
    const char *text = tool_value(args, TOOL_JOBS);
    uint64_t count;
    if (text) {
        if (!tool_parse_uint(text, MAX_JOBS, &count) || count == 0)
            return tool_usage(args, "-j needs a whole number from 1 to %d, not \"%s\"", MAX_JOBS,
                              text);
    } else {
        unsigned processors = tool_system_processors();
        count = processors > MAX_DEFAULT_JOBS ? MAX_DEFAULT_JOBS : processors;
    }
    *jobs = (unsigned)(count < args->num_inputs ? count : args->num_inputs);
    return true;
}

static void help_option(lm_buffer *out, const tool_option_info *info) {
    char names[40];
    if (info->letter)
        snprintf(names, sizeof names, "-%c, --%s %s", info->letter, info->name,
                 info->value ? info->value : "");
    else
        snprintf(names, sizeof names, "    --%s %s", info->name, info->value ? info->value : "");
    lm_buffer_printf(out, "  %-22s %s\n", names, info->help);
}

int tool_help(const tool_command *command) {
    lm_buffer page = {0};
    lm_buffer_printf(&page, "Usage: lerpmesh %s %s\n\n%s\n\nOptions:\n", command->name,
                     command->usage, command->about);
    for (size_t i = 0; i < command->num_options; i++)
        help_option(&page, &option_infos[command->options[i]]);
    lm_buffer_printf(&page, "\nExamples:\n%s", command->examples);
    bool written = tool_write_result(&page);
    lm_buffer_free(&page);
    return written ? TOOL_DONE : TOOL_FAILED;
}
