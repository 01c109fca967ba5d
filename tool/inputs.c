#include "inputs.h"

#include "paths.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

typedef struct expansion {
    tool_args *args;
    lm_listed_path *inputs;
    size_t count, capacity;
    bool failed; /* for want of memory */
} expansion;

static void add(expansion *e, const lm_listed_path *input) {
    if (e->count == e->capacity) {
        size_t capacity = e->capacity ? e->capacity * 2 : 64;
        lm_listed_path *grown = realloc(e->inputs, capacity * sizeof *grown);
        e->failed = e->failed || !grown;
        if (!grown)
            return;
        e->inputs = grown;
        e->capacity = capacity;
    }
    e->inputs[e->count++] = *input;
}

/* A player's folder in place of his body. */
static void add_whole(expansion *e, const lm_listed_path *found) {
    lm_listed_path input = *found;
    if (found->player) {
        const size_t above = (size_t)(found->tree - found->path);
        input.path = found->player;
        input.tree = above < strlen(found->player) ? found->player + above
                                                   : lm_disk_base_name(e->args->disk, input.path);
    }
    add(e, &input);
}

/* A member of an archive keeps its whole path below a folder. */
static void add_member(expansion *e, const lm_listed_path *found) {
    lm_listed_path input = *found;
    if (found->tree)
        input.tree = found->path + lm_disk_archive_length(e->args->disk, found->path) + 1;
    add(e, &input);
}

/* What the command's inputs may stand for, with these options. */
static tool_expand expands(const tool_args *args) {
    const tool_expand expand = args->command->expand;
    return expand == TOOL_EXPAND_FILES && tool_has(args, TOOL_PICTURES) ? TOOL_EXPAND_FOLDERS
                                                                        : expand;
}

/* Adds what a folder, an archive or a pattern stands for, on a sheet each player as a whole; the
 * list lives as long as the arguments. */
static void add_listed(expansion *e, const char *input) {
    tool_args *args = e->args;
    const bool files = expands(args) == TOOL_EXPAND_FILES;
    lm_path_list **grown =
        realloc((void *)args->lists, (args->num_lists + 1) * sizeof(lm_path_list *));
    args->lists = grown ? grown : args->lists;
    lm_path_list *list = !grown  ? NULL
                         : files ? lm_disk_files(args->disk, input)
                                 : lm_disk_models(args->disk, input);
    e->failed = e->failed || !list;
    if (!list)
        return;
    args->lists[args->num_lists++] = list;
    const bool whole = args->command->expand == TOOL_EXPAND_PLAYERS && tool_has(args, TOOL_SHEET);
    for (uint32_t i = 0; i < list->num_paths; i++)
        if (files)
            add_member(e, &list->paths[i]);
        else if (!whole)
            add(e, &list->paths[i]);
        else if (!list->paths[i].of_player)
            add_whole(e, &list->paths[i]);
}

/* A single folder that goes into one file is a player, not a tree of models; a sheet is one file
 * for either, and so may be what comes from an archive. */
static bool is_player(expansion *e, bool in_archive) {
    const tool_args *args = e->args;
    lm_error error;
    const char *out = tool_value(args, TOOL_OUTPUT);
    if (args->command->expand != TOOL_EXPAND_PLAYERS || args->num_inputs > 1)
        return false;
    if ((tool_has(args, TOOL_SHEET) || in_archive) &&
        !lm_disk_player(args->disk, args->inputs[0], NULL, 0, &error)) {
        e->failed = e->failed || error.code == LM_CODE_OUT_OF_MEMORY;
        return false;
    }
    return tool_has(args, TOOL_SHEET) || !out || !*out ||
           (out[strlen(out) - 1] != '/' && !lm_disk_is_folder(args->disk, out));
}

static void expand_one(expansion *e, const char *input) {
    bool standard = strcmp(input, "-") == 0;
    bool in_archive = !standard && lm_disk_archive_length(e->args->disk, input) > 0;
    const tool_expand expand = expands(e->args);
    bool walks = !standard && (expand == TOOL_EXPAND_FOLDERS || expand == TOOL_EXPAND_PLAYERS);
    bool folder = walks && lm_disk_is_folder(e->args->disk, input);
    bool archive = !standard && (walks || expand == TOOL_EXPAND_FILES) && lm_archive_is(input);
    bool many = in_archive || folder || archive;
    bool whole = in_archive || folder;
    if (many && !(whole && is_player(e, in_archive)))
        add_listed(e, input);
    else
        add(e, &(lm_listed_path){.path = input});
}

/* Puts the found into the arguments' arrays. */
static bool take(expansion *e) {
    tool_args *args = e->args;
    const char **inputs = (const char **)calloc(e->count + 1, sizeof *inputs);
    args->trees = (const char **)calloc(e->count + 1, sizeof *args->trees);
    args->problems = (const lm_error **)calloc(e->count + 1, sizeof(lm_error *));
    if (!inputs || !args->trees || !args->problems) {
        free((void *)inputs);
        return false;
    }
    for (size_t i = 0; i < e->count; i++) {
        inputs[i] = e->inputs[i].path;
        args->trees[i] = e->inputs[i].tree;
        args->problems[i] = e->inputs[i].problem;
    }
    free((void *)args->inputs);
    args->inputs = inputs;
    args->num_inputs = e->count;
    return true;
}

bool tool_inputs_expand(tool_args *args) {
    expansion e = {.args = args};
    if (args->command->expand == TOOL_EXPAND_NONE || args->num_inputs == 0)
        return true;
    for (size_t i = 0; i < args->num_inputs && !e.failed; i++)
        expand_one(&e, args->inputs[i]);
    bool taken = !e.failed && take(&e);
    free(e.inputs);
    return taken || tool_no_memory();
}

bool tool_inputs_check(const tool_args *args) {
    size_t standard = 0;
    for (size_t i = 0; i < args->num_inputs; i++)
        standard += strcmp(args->inputs[i], "-") == 0;
    return standard < 2 ||
           tool_usage(args, "standard input (-) is given %zu times, but it can be read only once",
                      standard);
}

bool tool_inputs_fits(const char *pattern, const char *path) {
    size_t length = strlen(pattern);
    while (length > 0 && pattern[length - 1] == '/')
        length--;
    return lm_path_match(pattern, path) ||
           (strncmp(pattern, path, length) == 0 && path[length] == '/');
}

bool tool_inputs_want(const tool_args *args, const char *path) {
    for (size_t i = 1; i < args->num_inputs; i++)
        if (tool_inputs_fits(args->inputs[i], path))
            return true;
    return args->num_inputs == 1;
}
