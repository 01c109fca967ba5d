#include "inputs.h"

#include "archives.h"
#include "output.h"
#include "pattern.h"
#include "player.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct expansion {
    tool_args *args;
    const char **inputs;
    const char **trees;
    lm_error **problems;
    size_t count, capacity;
    bool failed; /* for want of memory */
} expansion;

static char *joined(const char *a, const char *between, const char *b) {
    size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", a, between, b);
    return text;
}

static bool grow(expansion *e) {
    if (e->count < e->capacity)
        return true;
    size_t capacity = e->capacity ? e->capacity * 2 : 64;
    const char **inputs = realloc((void *)e->inputs, capacity * sizeof *inputs);
    if (inputs)
        e->inputs = inputs;
    const char **trees = realloc((void *)e->trees, capacity * sizeof *trees);
    if (trees)
        e->trees = trees;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    lm_error **problems = realloc((void *)e->problems, capacity * sizeof *problems);
    if (problems)
        e->problems = problems;
    bool grown = inputs && trees && problems;
    if (grown)
        e->capacity = capacity;
    return grown;
}

/* Adds an input, whose tree is the end of its path from `tree` on (0: none). False for want of
 * memory. */
static bool add(expansion *e, const char *path, size_t tree) {
    e->failed = e->failed || !grow(e);
    if (e->failed)
        return false;
    e->inputs[e->count] = path;
    e->problems[e->count] = NULL;
    e->trees[e->count++] = tree ? path + tree : NULL;
    return true;
}

/* The same with a path that was made for it, NULL if there was no memory: it is freed with the
 * arguments. */
static bool add_made(expansion *e, char *path, size_t tree) {
    tool_args *args = e->args;
    char **owned =
        path ? realloc((void *)args->owned, (args->num_owned + 1) * sizeof *owned) : NULL;
    if (!owned) {
        e->failed = true;
        free(path);
        return false;
    }
    args->owned = owned;
    args->owned[args->num_owned++] = path;
    return add(e, path, tree);
}

/* Keeps an input, of which there is only this to say. */
static void complain(expansion *e, const char *path, const lm_error *error) {
    if (!add_made(e, strdup(path), 0))
        return;
    lm_error *kept = malloc(sizeof *kept);
    if (kept)
        *kept = *error;
    e->problems[e->count - 1] = kept;
    e->failed = !kept;
}

static void complain_plainly(expansion *e, const char *path, const char *sentence) {
    lm_error error = {.code = LM_CODE_IO};
    snprintf(error.message, sizeof error.message, "%s", sentence);
    complain(e, path, &error);
}

bool tool_is_model_name(const char *path) {
    static const char *const extensions[] = {".md2", ".mdc", ".md3"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++)
        if (tool_same_text(dot, extensions[i]))
            return true;
    return false;
}

/* ---- Folders ----------------------------------------------------------------------------------
 */

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int compare_entries(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Links to folders are not followed, so that there are no circles. */
static bool is_real_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_regular(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void walk(expansion *e, const char *folder, size_t tree);

// NOLINTNEXTLINE(misc-no-recursion)
static void visit(expansion *e, const char *folder, const char *name, size_t tree) {
    size_t length = strlen(folder);
    char *path = joined(folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    if (!path) {
        e->failed = true;
    } else if (is_real_folder(path)) {
        walk(e, path, tree);
        free(path);
    } else if (tool_is_model_name(name) && is_regular(path)) {
        add_made(e, path, tree);
    } else {
        free(path);
    }
}

/* No deeper than a path can be long. */
// NOLINTNEXTLINE(misc-no-recursion)
static void walk(expansion *e, const char *folder, size_t tree) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_visible, compare_entries);
    if (count < 0) {
        complain_plainly(e, folder, strerror(errno));
        return;
    }
    for (int i = 0; i < count; i++) {
        if (!e->failed)
            visit(e, folder, entries[i]->d_name, tree);
        free(entries[i]);
    }
    free((void *)entries);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What could not be listed comes first, the models sorted as a whole: "a.md2" before "a/b.md2". */
static void add_folder(expansion *e, const char *folder) {
    size_t before = e->count, length = strlen(folder);
    size_t tree = length + (length > 0 && folder[length - 1] != '/');
    walk(e, folder, tree);
    size_t sound = before;
    for (size_t i = before; i < e->count; i++)
        if (e->problems[i]) {
            const char *path = e->inputs[i];
            e->inputs[i] = e->inputs[sound];
            e->inputs[sound] = path;
            lm_error *problem = e->problems[i];
            e->problems[i] = e->problems[sound];
            e->problems[sound++] = problem;
        }
    if (e->count > sound)
        qsort((void *)(e->inputs + sound), e->count - sound, sizeof *e->inputs, compare_paths);
    for (size_t i = before; i < e->count; i++)
        e->trees[i] = i < sound ? NULL : e->inputs[i] + tree;
    if (e->count == before && !e->failed)
        complain_plainly(e, folder, "there is no model in this folder (.md2, .mdc, .md3)");
}

/* ---- Archives ---------------------------------------------------------------------------------
 */

/* Whether a member is among those wanted: all below a folder ("" is the root), or by a pattern. */
static bool is_wanted(const char *path, const char *folder, const char *pattern) {
    size_t length = strlen(folder);
    if (!tool_is_model_name(path))
        return false;
    if (pattern)
        return tool_pattern_match(pattern, path);
    if (length == 0)
        return true;
    char *begin = strndup(path, length);
    bool same = begin && tool_same_text(begin, folder) && path[length] == '/';
    free(begin);
    return same;
}

/* Adds the members below a folder or of a pattern. Returns how many. */
static size_t add_members(expansion *e, const char *archive_path, const lm_archive *archive,
                          const char *folder, const char *pattern) {
    size_t before = e->count;
    size_t tree = strlen(archive_path) + 1 + strlen(folder) + (*folder != '\0');
    for (size_t i = 0; i < lm_archive_num_members(archive) && !e->failed; i++) {
        const lm_member *member = lm_archive_member(archive, i);
        if (is_wanted(member->path, folder, pattern))
            add_made(e, joined(archive_path, ":", member->path), tree);
    }
    return e->count - before;
}

static void add_from_archive(expansion *e, const char *input, size_t length) {
    lm_error error;
    lm_archive *archive = tool_archive(input, length, &error);
    const char *inside = input[length] ? input + length + 1 : "";
    char *path = strndup(input, length), *folder = strdup(inside);
    size_t end = folder ? strlen(folder) : 0;
    while (end > 0 && folder[end - 1] == '/')
        folder[--end] = '\0';
    if (!path || !folder)
        e->failed = true;
    else if (!archive)
        complain(e, path, &error);
    else if (*inside && lm_archive_find(archive, inside))
        add(e, input, 0);
    else if (tool_is_pattern(inside)) {
        if (add_members(e, path, archive, "", inside) == 0 && !e->failed)
            complain_plainly(e, input, "no model in the archive fits this pattern");
    } else if (add_members(e, path, archive, folder, NULL) == 0 && !e->failed)
        complain_plainly(e, input,
                         *inside ? "there is no such member, nor a folder with models"
                                 : "there is no model in this archive (.md2, .mdc, .md3)");
    free(path);
    free(folder);
}

/* ---- All of them ------------------------------------------------------------------------------
 */

/* Whether the files of a player lie in a folder, or in a folder of an archive. */
static bool holds_player(const char *folder) {
    tool_player player;
    tool_player_find(folder, &player);
    bool holds = player.kind != TOOL_PLAYER_NONE;
    tool_player_free(&player);
    return holds;
}

/* A single folder that goes into one file is a player, not a tree of models; a sheet is one file
 * for either, and so may be what comes from an archive. */
static bool is_player(const tool_args *args, bool in_archive) {
    const char *out = tool_value(args, TOOL_OUTPUT);
    if (args->command->expand != TOOL_EXPAND_PLAYERS || args->num_inputs > 1)
        return false;
    if ((tool_has(args, TOOL_SHEET) || in_archive) && !holds_player(args->inputs[0]))
        return false;
    return tool_has(args, TOOL_SHEET) || !out || !*out ||
           (out[strlen(out) - 1] != '/' && !tool_is_folder(out));
}

static void expand_one(expansion *e, const char *input) {
    size_t length = strcmp(input, "-") == 0 ? 0 : tool_archive_length(input);
    bool walks = e->args->command->expand >= TOOL_EXPAND_FOLDERS && strcmp(input, "-") != 0;
    if (length > 0 && is_player(e->args, true))
        add(e, input, 0);
    else if (length > 0)
        add_from_archive(e, input, length);
    else if (walks && tool_is_folder(input) && !is_player(e->args, false))
        add_folder(e, input);
    else if (walks && lm_archive_is(input))
        add_from_archive(e, input, strlen(input));
    else
        add(e, input, 0);
}

bool tool_inputs_expand(tool_args *args) {
    expansion e = {.args = args};
    if (args->command->expand == TOOL_EXPAND_NONE)
        return true;
    for (size_t i = 0; i < args->num_inputs && !e.failed; i++)
        expand_one(&e, args->inputs[i]);
    if (e.failed) {
        free((void *)e.inputs);
        free((void *)e.trees);
        for (size_t i = 0; i < e.count; i++)
            free(e.problems[i]);
        free((void *)e.problems);
        return tool_usage(args, "there is not enough memory");
    }
    if (args->num_inputs == 0)
        return true;
    free((void *)args->inputs);
    args->inputs = e.inputs;
    args->trees = e.trees;
    args->problems = e.problems;
    args->num_inputs = e.count;
    return true;
}
