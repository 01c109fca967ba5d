#include "options.h"

#include <string.h>

typedef struct expansion {
    tool_args *args;
    tool_input *inputs;
    size_t count, capacity;
} expansion;

/* Adds copies of a path, of the part of it that the output keeps, and of the problem of what was
 * found, if any. The parts ".." of a member's name are resolved. */
static void add(expansion *e, const char *path, const char *tree, const lm_listed_path *found) {
    const lm_error *problem = found ? found->problem : NULL;
    lm_arena *arena = e->args->arena;
    const char *copy = lmi_arena_text(arena, path, strlen(path));
    lm_error *error = problem ? lmi_arena_zeros(arena, 1, sizeof *error) : NULL;
    char resolved[LM_PATH_SIZE];
    const bool has_parents = tree && strstr(tree, "..") && lmi_path_clean(tree, resolved);
    if (tree)
        tree = lmi_copy_text(arena, has_parents ? resolved : tree);
    if (error)
        *error = *problem;
    if (!copy || !lmi_arena_grow(arena, &e->inputs, &e->capacity, e->count + 1, sizeof *e->inputs))
        return;
    e->inputs[e->count++] = (tool_input){
        .path = copy,
        .tree = tree,
        .problem = error,
        .skipped = found && found->skipped,
        .player = found ? lmi_copy_text(arena, found->player) : NULL,
    };
}

/* Adds a player's folder instead of the player's body. */
static void add_player(expansion *e, const lm_listed_path *found) {
    const char *path = found->player ? found->player : found->path, *tree = found->tree;
    if (found->player) {
        const size_t above = (size_t)(found->tree - found->path);
        tree = above < strlen(path) ? path + above : lmi_vfs_base_name(e->args->vfs, path);
    }
    add(e, path, tree, found);
}

/* Returns how the command expands its inputs with these options. */
static tool_expand expands(const tool_args *args) {
    const tool_expand expand = args->command->expand;
    return expand == TOOL_EXPAND_FILES && tool_has(args, LM_OPTION_IMAGES) ? TOOL_EXPAND_FOLDERS
                                                                           : expand;
}

static bool may_be_player(const tool_args *args) {
    return args->command->expand == TOOL_EXPAND_PLAYERS ||
           args->command->expand == TOOL_EXPAND_IMPORTS;
}

static bool is_imported(const tool_args *args, const char *path) {
    static const char *const extensions[] = {".glb", ".gltf", ".iqm"};
    for (size_t i = 0; i < TOOL_COUNT_OF(extensions); i++)
        if (lmi_compare_letters(lmi_vfs_extension(args->vfs, path), extensions[i]) == 0)
            return true;
    return false;
}

/* Returns whether the only problem of an input is that it contains no models. */
static bool has_no_models(const lm_path_list *models, const char *input) {
    return models->num_paths == 1 && strcmp(models->paths[0].path, input) == 0;
}

/* If there is no model in a folder, an archive or a pattern, only problems: lists its glTF and IQM
 * files. A command that imports works on them, and reports the problems; for the others, that of
 * the input says what does. */
static bool list_imports(expansion *e, const char *input, const lm_path_list *models) {
    const tool_args *args = e->args;
    const bool imports = args->command->expand == TOOL_EXPAND_IMPORTS;
    const bool none = has_no_models(models, input);
    lm_path_list *list = lm_vfs_list(args->vfs, input, LM_LIST_FILES, NULL);
    lm_error hinted = {0};
    size_t count = 0;
    (void)lmi_arena_out_of_memory(args->arena, !list);
    for (uint32_t i = 0; list && i < list->num_paths; i++)
        if (is_imported(args, list->paths[i].path)) {
            count++;
            if (imports)
                add(e, list->paths[i].path, list->paths[i].tree, &list->paths[i]);
        }
    lm_path_list_free(list);
    for (uint32_t i = 0; count > 0 && imports && !none && i < models->num_paths; i++)
        add(e, models->paths[i].path, NULL, &models->paths[i]);
    if (count == 0 || (!imports && !none))
        return false;
    lm_fail_plain(&hinted, models->paths[0].problem->code,
                  "%s; lerpmesh convert makes models of its glTF and IQM files",
                  models->paths[0].problem->message);
    if (!imports)
        add(e, input, NULL, &(lm_listed_path){.problem = &hinted});
    return true;
}

/* Reports an input of compositions to a command that opens none. */
static bool refuse_compositions(expansion *e, const char *input, const lm_path_list *list) {
    lm_error error;
    if (tool_accepts(e->args, LM_OPTION_SKIN) || !list ||
        !lmi_vfs_is_script(e->args->vfs, list->paths[list->num_paths - 1].path))
        return false;
    lm_fail_plain(&error, LM_CODE_IO,
                  "there are only compositions of models, which this command does not open");
    add(e, input, NULL, &(lm_listed_path){.problem = &error});
    return true;
}

bool tool_inputs_gallery(const tool_args *args) {
    const char *out = tool_value(args, LM_OPTION_OUTPUT);
    return tool_accepts(args, LM_OPTION_SHEET) && out &&
           lmi_compare_letters(lmi_vfs_extension(args->vfs, out), ".html") == 0;
}

/* Returns whether the output is one page of all models, with each player as one. */
static bool is_page(const tool_args *args) {
    return tool_has(args, LM_OPTION_SHEET) || tool_inputs_gallery(args);
}

/* Adds the contents of a folder, an archive or a pattern; for a page, each player as one. */
static void add_listed(expansion *e, const char *input) {
    const tool_args *args = e->args;
    const bool files = expands(args) == TOOL_EXPAND_FILES;
    const bool as_player = may_be_player(args) && is_page(args);
    lm_path_list *list =
        lm_vfs_list(args->vfs, input, files ? LM_LIST_FILES : LM_LIST_MODELS, NULL);
    (void)lmi_arena_out_of_memory(args->arena, !list);
    const bool empty = list && list->paths[list->num_paths - 1].problem;
    const bool others = !files && empty && list_imports(e, input, list);
    const bool refused = !files && refuse_compositions(e, input, list);
    for (uint32_t i = 0; list && !others && !refused && i < list->num_paths; i++) {
        const lm_listed_path *found = &list->paths[i];
        const size_t archive = files ? lmi_vfs_archive_length(args->vfs, found->path) + 1 : 0;
        if (files) /* a member keeps its whole path in the archive below the output folder */
            add(e, found->path, found->tree ? found->path + archive : NULL, found);
        else if (!as_player)
            add(e, found->path, found->tree, found);
        else if (!found->of_player)
            add_player(e, found);
    }
    lm_path_list_free(list);
}

/* Returns whether the output is a player or a weapon. */
static bool makes_one(const tool_args *args) {
    return tool_has(args, LM_OPTION_PLAYER) || tool_has(args, LM_OPTION_WEAPON);
}

/* Returns whether a single folder with a single output file, or with --player or --weapon, is
 * opened as a player. For a page, or inside an archive, the folder must contain a player; else its
 * models are listed. */
static bool is_player(expansion *e, bool in_archive) {
    const tool_args *args = e->args;
    lm_error error;
    const char *out = tool_value(args, LM_OPTION_OUTPUT);
    if (!may_be_player(args) || args->num_inputs > 1)
        return false;
    if ((is_page(args) || in_archive) &&
        !lm_vfs_find_player(args->vfs, args->inputs[0].path, NULL, 0, &error)) {
        (void)lmi_ran_out(args->arena, &error);
        return false;
    }
    return is_page(args) || makes_one(args) || !out || !*out ||
           (out[strlen(out) - 1] != '/' && !lmi_vfs_is_folder(args->vfs, out));
}

/* Returns whether info shows a folder as one player: its body and what that wears. */
static bool is_dressed(const tool_args *args, const char *folder) {
    char body[LM_MESSAGE_SIZE];
    return args->command == &tool_info && !tool_has(args, LM_OPTION_CSV) &&
           lm_vfs_find_player(args->vfs, folder, body, sizeof body, NULL) &&
           lmi_compare_letters(lmi_vfs_extension(args->vfs, body), ".mds") == 0;
}

/* Reports a folder with models, but without a player, and the options for them. */
static bool refuse_folder(expansion *e, const char *input) {
    lm_error error, hinted;
    const bool converts = e->args->command->expand == TOOL_EXPAND_IMPORTS;
    if (makes_one(e->args) || lm_vfs_find_player(e->args->vfs, input, NULL, 0, &error) ||
        lmi_ran_out(e->args->arena, &error))
        return false;
    lm_path_list *list = lm_vfs_list(e->args->vfs, input, LM_LIST_MODELS, NULL);
    (void)lmi_arena_out_of_memory(e->args->arena, !list);
    const bool has_models = list && !list->paths[list->num_paths - 1].problem;
    lm_path_list_free(list);
    if (!has_models)
        return false;
    lm_fail_plain(&hinted, error.code,
                  "%s: no body.mds, lower.md3, lower.mdc, tris.md2, or v_NAME_hand and v_NAME; %s",
                  error.message,
                  converts ? "convert all its models with -o DIR/"
                  : tool_accepts(e->args, LM_OPTION_SHEET)
                      ? "draw all its models with -o DIR/, or on one page with --sheet or "
                        "-o NAME.html"
                      : "draw all its models with -o DIR/");
    add(e, input, NULL, &(lm_listed_path){.problem = &hinted});
    return true;
}

/* Adds the files of the weapon or of the player with a skin that a path names, each of which is
 * checked or examined. */
static bool add_files(expansion *e, const char *input) {
    const tool_args *args = e->args;
    const char **files = NULL;
    uint32_t count = 0;
    if (args->command != &tool_check && args->command != &tool_examine)
        return false;
    count = lmi_weapon_files(args->vfs, input, args->arena, &files);
    if (count == 0)
        count = lmi_skin_files(args->vfs, input, args->settings->options.open.max_input,
                               args->arena, &files);
    for (uint32_t i = 0; i < count; i++)
        add(e, files[i], NULL, &(lm_listed_path){.player = i == 0 ? input : NULL});
    return count > 0;
}

/* Returns whether a path in an archive leads to no file, but names a model that the game opens
 * under another extension. */
static bool names_other(const expansion *e, const char *input, bool in_archive) {
    return in_archive && !lmi_vfs_is_file(e->args->vfs, input) &&
           lmi_vfs_is_weapon(e->args->vfs, input, false, e->args->arena);
}

static void expand_one(expansion *e, const char *input) {
    bool standard = strcmp(input, "-") == 0;
    bool in_archive = !standard && lmi_vfs_archive_length(e->args->vfs, input) > 0;
    const tool_expand expand = expands(e->args);
    bool walks = !standard && (expand == TOOL_EXPAND_FOLDERS || may_be_player(e->args));
    bool folder = walks && lmi_vfs_is_folder(e->args->vfs, input);
    bool archive = !standard && (walks || expand == TOOL_EXPAND_FILES) && lm_archive_is(input);
    bool inside = in_archive || folder;
    bool listed = (inside || archive) &&
                  !(inside && (is_player(e, in_archive) || is_dressed(e->args, input) ||
                               names_other(e, input, in_archive)));
    if (expand != TOOL_EXPAND_FILES && lmi_vfs_is_script(e->args->vfs, input))
        listed = true;
    if (add_files(e, input))
        return;
    if (listed)
        add_listed(e, input);
    else if (!folder || !refuse_folder(e, input))
        add(e, input, NULL, NULL);
}

bool tool_inputs_expand(tool_args *args) {
    expansion e = {.args = args};
    if (args->command->expand == TOOL_EXPAND_NONE || args->num_inputs == 0)
        return true;
    for (size_t i = 0; i < args->num_inputs && !lmi_arena_failed(args->arena); i++)
        expand_one(&e, args->inputs[i].path);
    args->inputs = e.inputs;
    args->num_inputs = e.count;
    return !lmi_arena_failed(args->arena);
}

bool tool_inputs_check(const tool_args *args) {
    size_t standard = 0;
    for (size_t i = 0; i < args->num_inputs; i++)
        standard += strcmp(args->inputs[i].path, "-") == 0;
    return standard < 2 ||
           tool_usage(args, "standard input (-) is given %zu times, but it can be read only once",
                      standard);
}

bool tool_inputs_match(const char *pattern, const char *path) {
    size_t length = strlen(pattern);
    while (length > 0 && pattern[length - 1] == '/')
        length--;
    return lmi_path_match(pattern, path) ||
           (strncmp(pattern, path, length) == 0 && path[length] == '/');
}

bool tool_inputs_select(const tool_args *args, const char *path) {
    for (size_t i = 1; i < args->num_inputs; i++)
        if (tool_inputs_match(args->inputs[i].path, path))
            return true;
    return args->num_inputs == 1;
}
