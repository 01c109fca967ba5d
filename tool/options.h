/* The command line. The parser, --help, completions and the manual use the rows of
 * convert/options.inc. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include "convert_options.h"
#include "internals.h"
#include "lerpmesh/check.h"
#include "terminal.h"

typedef struct tool_args tool_args;

/* The kinds of input that a command expands. */
typedef enum tool_expand {
    TOOL_EXPAND_NONE,    /* none: inputs are not expanded */
    TOOL_EXPAND_MEMBERS, /* members of archives, by name or pattern */
    TOOL_EXPAND_FOLDERS, /* also all models in a folder or an archive */
    TOOL_EXPAND_PLAYERS, /* the same, but a single folder may be opened as a player */
    TOOL_EXPAND_IMPORTS, /* the same, and if there are no models, all glTF and IQM files */
    TOOL_EXPAND_FILES    /* files of any kind in archives; with --images like FOLDERS */
} tool_expand;

#define TOOL_MAX_HELP_OPTIONS 12

typedef struct tool_command {
    const char *name;
    const char *usage;   /* the text after the name */
    const char *summary; /* one line */
    const char *about;   /* paragraphs, wrapped by hand */
    /* What --help shows, terminated by LM_NO_OPTION; --help-all shows all options. */
    lm_option_id usual[TOOL_MAX_HELP_OPTIONS + 1];
    tool_expand expand;
    const char *examples; /* lines, indented */
    int (*run)(const tool_args *args);
} tool_command;

typedef struct tool_given {
    lm_option_id option;
    const char *value;
} tool_given;

typedef struct tool_input {
    const char *path;
    const char *tree; /* the part of its path that its output keeps below a folder. NULL: it was
                         named itself, and keeps the last part of its path */
    const lm_error *problem; /* why it cannot be read; NULL: no problem */
    bool skipped;            /* the problem is only a warning */
    const char *player;      /* the player's folder or skin, of whose files it is the first */
} tool_input;

struct tool_args {
    const tool_command *command;
    size_t num_given;
    tool_given *given; /* options in the order given */
    size_t num_inputs;
    tool_input *inputs;
    lm_vfs *vfs;
    lm_arena *arena;               /* for the whole command */
    lm_convert_settings *settings; /* the options that set members of lm_convert_options */
};

/* Parses the arguments after the command's name into `args`, whose command, vfs and arena are set.
 * Reports mistakes, with the most similar word, and returns false. */
bool tool_args_parse(int argc, char **argv, tool_args *args);

/* Returns the command's first option after one; LM_NO_OPTION after the last. */
lm_option_id tool_next_option(const tool_command *command, lm_option_id option);
/* Returns whether the command takes an option. */
bool tool_accepts(const tool_args *args, lm_option_id option);
bool tool_has(const tool_args *args, lm_option_id option);
/* Returns the last value given; NULL: none. */
const char *tool_value(const tool_args *args, lm_option_id option);
/* Returns the next value of an option that may be repeated, from index `at` on, which starts at 0.
 * NULL after the last. */
const char *tool_next_value(const tool_args *args, lm_option_id option, size_t *at);

/* Reports a wrong command line on standard error: "lerpmesh COMMAND: SENTENCE", and a pointer to
 * the help. Returns false. */
bool tool_usage(const tool_args *args, const char *sentence, ...) LM_PRINTF(2, 3);

/* Reads the options that set members of args->settings. Call it once. */
bool tool_settings_read(tool_args *args);

/* Read the value of an option by its row; keep `value` if the option is not given. `number` is the
 * index of the word. */
bool tool_number(const tool_args *args, lm_option_id option, double *value);
bool tool_word(const tool_args *args, lm_option_id option, unsigned *number);

/* Reads -j: at least 1, and at most the number of inputs. */
bool tool_jobs(const tool_args *args, unsigned *jobs);

/* Prints the help of a command to standard output, with its most important options or with all.
 * Returns an exit code. */
int tool_help(const tool_command *command, bool all);

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* Replaces args->inputs by their files, sorted by path per argument. An argument without any files
 * is kept, with the reason. Fails if there is no memory. */
bool tool_inputs_expand(tool_args *args);
/* Returns whether the output is a page of HTML, which shows each model. */
bool tool_inputs_gallery(const tool_args *args);

/* Reports standard input if it is given twice, and returns false: it can be read only once. */
bool tool_inputs_check(const tool_args *args);

/* Returns whether a pattern matches a path. The name of a folder matches everything in it. */
bool tool_inputs_match(const char *pattern, const char *path);
/* Returns whether one of the inputs after the first, which are patterns, matches; true if there are
 * none. */
bool tool_inputs_select(const tool_args *args, const char *path);

/* ---- The commands, one file each ------------------------------------------------------------- */

extern const tool_command tool_info;
extern const tool_command tool_examine;
extern const tool_command tool_uv;
extern const tool_command tool_check;
extern const tool_command tool_convert;
extern const tool_command tool_edit;
extern const tool_command tool_optimize;
extern const tool_command tool_compare;
extern const tool_command tool_render;
extern const tool_command tool_ls;
extern const tool_command tool_extract;
extern const tool_command tool_pack;
extern const tool_command tool_formats;
extern const tool_command tool_completions;

/* All commands, in the order of the help, terminated by NULL. */
extern const tool_command *const tool_commands[];

/* Runs `lerpmesh render`. In a build without the renderer, reports what is missing. */
int render_run(const tool_args *args);

#define TOOL_COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
