#include "options.h"

#include "describe.h"
#include "internals.h"
#include "system.h"
#include "terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tool_option_info option_infos[TOOL_NUM_OPTIONS] = {
#define TOOL_OPTION_INFO(name, letter, text, value, help) \
    [TOOL_##name] = {letter, text, value, help},
    TOOL_OPTION_LIST(TOOL_OPTION_INFO)
#undef TOOL_OPTION_INFO
};

static const char *const option_words[TOOL_NUM_OPTIONS] = {
    [TOOL_AXES] = "gltf model",
    [TOOL_TOPOLOGY] = "triangles glcommands",
    [TOOL_NORMALS] = "stored computed auto",
    [TOOL_QUIRK] = "mdc-prinz",
    [TOOL_ALPHA] = "auto opaque mask blend",
    [TOOL_COMPRESS] = "meshopt",
    [TOOL_FOR] = "blender godot three unreal assimp",
    [TOOL_STRIPS] = "best fast none",
    [TOOL_UV_FORMAT] = "svg png",
    [TOOL_PACK_FORMAT] = "pak pk3",
    [TOOL_LODS] = "1 2",
    [TOOL_VAT] = "png exr",
};

const tool_option_info *tool_option_about(tool_option option) {
    return &option_infos[option];
}

const char *tool_option_words(tool_option option) {
    return option_words[option];
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
    lm_buffer_printf(&message, "\nlerpmesh %s --help-all lists the options.\n",
                     args->command->name);
    tool_write_error(&message);
    return false;
}

/* Return the command's option with that letter or name; TOOL_NO_OPTION if it has none. */
static tool_option find_letter(const tool_command *command, char letter) {
    const tool_option *option = command->options;
    while (*option && option_infos[*option].letter != letter)
        option++;
    return *option;
}

static tool_option find_name(const tool_command *command, const char *name, size_t length) {
    const tool_option *option = command->options;
    while (*option && !tool_is_word(name, length, option_infos[*option].name))
        option++;
    return *option;
}

static bool unknown_option(const tool_args *args, const char *argument) {
    char *word = tool_copy(args->memory, argument, strcspn(argument, "="));
    if (!word)
        return false;
    lm_guess guess = {.word = word + strspn(word, "-")};
    for (const tool_option *option = args->command->options; *option; option++)
        lm_guess_try(&guess, option_infos[*option].name);
    if (guess.best)
        return tool_usage(args, "there is no option %s; did you mean --%s?", word, guess.best);
    return tool_usage(args, "there is no option %s", word);
}

static void give(tool_args *args, tool_option option, const char *value) {
    args->given[args->num_given++] = (tool_given){option, value};
}

lm_code tool_code_of(const char *name, size_t length) {
    for (int code = 1; code < LM_NUM_CODES; code++)
        if (tool_is_word(name, length, lm_code_name((lm_code)code)))
            return (lm_code)code;
    return LM_CODE_OK;
}

const char *tool_wrong_code(const char *codes) {
    for (; tool_code_of(codes, strcspn(codes, ",")); codes++) {
        codes += strcspn(codes, ",");
        if (!*codes)
            return NULL;
    }
    return codes;
}

/* Returns true if a word can only be the value of an option whose value may be missing: a number,
 * or codes. */
static bool is_optional_value(const tool_option_info *info, const char *word) {
    return strcmp(info->value, "[CODES]") == 0
               ? !tool_wrong_code(word)
               : *word && strspn(word, "0123456789") == strlen(word);
}

/* Parses "--name", "--name=value" or "--name value". Moves `index` to the last argument used. */
static bool parse_long(tool_args *args, int argc, char **argv, int *index) {
    const char *argument = argv[*index];
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    tool_option option = find_name(args->command, name, length);
    if (!option)
        return unknown_option(args, argument);
    const tool_option_info *info = &option_infos[option];
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (!info->value && value)
        return tool_usage(args, "--%s takes no value", info->name);
    if (info->value && info->value[0] == '[') {
        const char *next = *index + 1 < argc ? argv[*index + 1] : "";
        if (!value && is_optional_value(info, next))
            value = argv[++*index];
    } else if (info->value && !value) {
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
        tool_option option = find_letter(args->command, *letter);
        if (!option)
            return unknown_option(args, argv[*index]);
        if (!option_infos[option].value) {
            give(args, option, NULL);
            continue;
        }
        if (letter[1] == '\0' && *index + 1 >= argc)
            return tool_usage(args, "-%c needs a value: -%c %s", *letter, *letter,
                              option_infos[option].value);
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
    args->given = tool_alloc(args->memory, max, sizeof *args->given);
    args->inputs = tool_alloc(args->memory, (size_t)argc + 1, sizeof *args->inputs);
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

bool tool_accepts(const tool_args *args, tool_option option) {
    const tool_option *taken = args->command->options;
    while (*taken && *taken != option)
        taken++;
    return *taken != TOOL_NO_OPTION;
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

const char *tool_next_value(const tool_args *args, tool_option option, size_t *at) {
    while (*at < args->num_given)
        if (args->given[(*at)++].option == option)
            return args->given[*at - 1].value;
    return NULL;
}

const char **tool_values(const tool_args *args, tool_option option, uint32_t *count) {
    const char **values = tool_alloc(args->memory, args->num_given + 1, sizeof *values);
    *count = 0;
    for (size_t at = 0; values && (values[*count] = tool_next_value(args, option, &at));)
        ++*count;
    return values;
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
    return tool_usage(
        args, "there is no engine \"%s\"; choose one of:" LM_ENGINE_LIST(TOOL_ENGINE_TEXT), name);
}

bool tool_word(const tool_args *args, tool_option option, const char *words, unsigned *number) {
    const char *text = tool_value(args, option);
    lm_buffer list = {0};
    unsigned i = 0;
    for (size_t length; text && *words; words += length + (words[length] == ' '), i++) {
        length = strcspn(words, " ");
        if (tool_is_word(words, length, text)) {
            *number = i;
            lm_buffer_free(&list);
            return true;
        }
        const char *between = i == 0 ? "" : words[length] ? ", " : " or ";
        lm_buffer_printf(&list, "%s%.*s", between, (int)length, words);
    }
    const char *known = text ? tool_take_text(args->memory, &list) : NULL;
    return !text || (known && tool_usage(args, "--%s must be %s, not \"%s\"",
                                         option_infos[option].name, known, text));
}

bool tool_known_word(const tool_args *args, tool_option option, unsigned *number) {
    return tool_word(args, option, option_words[option], number);
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

#define DEFAULT_MAX_OUTPUT ((uint64_t)1 << 31)

bool tool_max_output(const tool_args *args, uint64_t *max_output) {
    const char *text = tool_value(args, TOOL_MAX_OUTPUT);
    *max_output = DEFAULT_MAX_OUTPUT;
    return !text || (tool_parse_size(text, SIZE_MAX / 2, max_output) && *max_output > 0) ||
           tool_usage(args, "--max-output needs a size, such as 500M, not \"%s\"", text);
}

#define MAX_JOBS 256
#define MAX_DEFAULT_JOBS 16 /* each job may hold a model and its export */

bool tool_jobs(const tool_args *args, unsigned *jobs) {
    const char *text = tool_value(args, TOOL_JOBS);
    uint64_t count = tool_system_processors();
    if (count > MAX_DEFAULT_JOBS)
        count = MAX_DEFAULT_JOBS;
    if (text && (!tool_parse_uint(text, MAX_JOBS, &count) || count == 0))
        return tool_usage(args, "-j needs a whole number from 1 to %d, not \"%s\"", MAX_JOBS, text);
    *jobs = (unsigned)(count < args->num_inputs ? count : args->num_inputs);
    return true;
}

/* Returns the length of "--name VALUE". */
static size_t names_length(const tool_option_info *info) {
    return strlen("--") + strlen(info->name) + (info->value ? 1 + strlen(info->value) : 0);
}

/* `width`: the names_length of the longest option. */
static void help_option(lm_buffer *out, const tool_option_info *info, size_t width) {
    if (info->letter)
        lm_buffer_printf(out, "  -%c, ", info->letter);
    else
        lm_buffer_text(out, "      ");
    lm_buffer_printf(out, "--%s%s%s%*s  %s\n", info->name, info->value ? " " : "",
                     info->value ? info->value : "", (int)(width - names_length(info)), "",
                     info->help);
}

/* Appends all options in groups. */
static void help_groups(lm_buffer *page, const tool_command *command, size_t width) {
    const tool_args args = {.command = command};
    const char *title = NULL;
    for (tool_option option = TOOL_NO_OPTION + 1; option < TOOL_NUM_OPTIONS; option++) {
        const tool_option_info *info = &option_infos[option];
        if (!info->name) {
            title = info->help;
        } else if (tool_accepts(&args, option)) {
            if (title)
                lm_buffer_printf(page, "\n%s:\n", title);
            title = NULL;
            help_option(page, info, width);
        }
    }
}

/* Appends the most important options. Returns whether there are others than those of the help. */
static bool help_main(lm_buffer *page, const tool_command *command, size_t width) {
    const tool_option *option = command->options;
    if (*option != TOOL_HELP)
        lm_buffer_text(page, "\nOptions:\n");
    for (int i = 0; i < TOOL_MAX_HELP_OPTIONS && *option != TOOL_HELP; i++, option++)
        help_option(page, &option_infos[*option], width);
    return *option != TOOL_HELP;
}

int tool_help(const tool_command *command, bool all) {
    lm_buffer page = {0};
    size_t width = 0;
    int count = 0;
    for (const tool_option *option = command->options; *option; option++, count++) {
        const size_t length = names_length(&option_infos[*option]);
        width = length > width ? length : width;
    }
    lm_buffer_printf(&page, "Usage: lerpmesh %s %s\n\n%s\n", command->name, command->usage,
                     command->about);
    bool more = false;
    if (all)
        help_groups(&page, command, width);
    else
        more = help_main(&page, command, width);
    lm_buffer_printf(&page, "\nExamples:\n%s\n", command->examples);
    if (more)
        lm_buffer_printf(&page, "All %d options: lerpmesh %s --help-all\n", count, command->name);
    lm_buffer_printf(&page, "Manual: man lerpmesh-%s\n", command->name);
    return tool_print(&page);
}
