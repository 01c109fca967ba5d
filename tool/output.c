#include "output.h"

#include "describe.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

/* ---- Owners --------------------------------------------------------------------------------- */

struct tool_owners {
    lm_arena *arena;
    lm_names names, files; /* `number` is the input; `files` has paths, guarded by `lock` */
    size_t num_inputs, *first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

tool_owners *tool_owners_make(lm_arena *arena, size_t num_inputs) {
    tool_owners *owners = lmi_arena_zeros(arena, 1, sizeof *owners);
    size_t *first = lmi_arena_zeros(arena, num_inputs + 1, sizeof *first);
    if (!owners || !first)
        return NULL;
    *owners = (tool_owners){
        .arena = arena, .names = {.arena = arena}, .files = {.arena = arena}, .first = first};
    return owners;
}

/* Makes an input the owner of a name that has no owner yet. Returns the name's entry; NULL if there
 * is no memory. */
static const lm_name *own(lm_arena *arena, lm_names *names, const char *name, size_t input) {
    const lm_name *known = lmi_names_find(names, name);
    const char *copy = known ? NULL : lmi_arena_text(arena, name, strlen(name));
    lm_name *added = copy ? lmi_names_put(names, copy) : NULL;
    if (added)
        added->number = (uint32_t)input;
    return known ? known : added;
}

bool tool_owners_add_name(tool_owners *owners, const char *name) {
    const size_t input = owners->num_inputs++;
    const lm_name *owned = own(owners->arena, &owners->names, name, input);
    owners->first[input] = owned ? owned->number : input;
    return owned != NULL;
}

bool tool_owners_find_name(const tool_owners *owners, const char *name, size_t length,
                           size_t *input) {
    const lm_name *owned = lmi_names_find_part(&owners->names, name, length);
    if (owned)
        *input = owned->number;
    return owned != NULL;
}

/* Makes an input the owner of a file that has no owner yet. Fails if there is no memory. This and
 * find_owner may be called from several threads. */
static bool add_owner(tool_owners *owners, const char *path, size_t input) {
    pthread_mutex_lock(&lock);
    const bool added = own(owners->arena, &owners->files, path, input) != NULL;
    pthread_mutex_unlock(&lock);
    return added;
}

/* Finds a file's owner. Returns false if it has none. */
static bool find_owner(tool_owners *owners, const char *path, size_t *input) {
    pthread_mutex_lock(&lock);
    const lm_name *owned = lmi_names_find(&owners->files, path);
    if (owned)
        *input = owned->number;
    pthread_mutex_unlock(&lock);
    return owned != NULL;
}

/* ---- Options -------------------------------------------------------------------------------- */

static bool ends_with_slash(const char *path) {
    size_t length = strlen(path);
    return length > 0 && path[length - 1] == '/';
}

static bool exists(const char *path) {
    lm_path_identity about;
    lmi_path_identify(path, &about);
    return about.kind != LM_PATH_NOTHING;
}

/* Rejects several inputs for one file. An input that does not exist may be a part of an option's
 * value, or of the name of another input. */
static bool fail_inputs(const tool_args *args) {
    for (size_t i = 0; i < args->num_inputs; i++) {
        const char *path = args->inputs[i].path;
        if (strcmp(path, "-") != 0 && lmi_vfs_archive_length(args->vfs, path) == 0 &&
            !exists(path) && !lm_vfs_find_player(args->vfs, path, NULL, 0, NULL) &&
            !lmi_vfs_is_weapon(args->vfs, path, false, args->arena))
            return tool_usage(args, "%s: there is no such file", path);
    }
    const char *page = tool_accepts(args, LM_OPTION_SHEET)
                           ? ", draw one page of all: --sheet or -o NAME.html"
                           : "";
    size_t first = 0;
    while (first < args->num_inputs &&
           (args->inputs[first].problem || !lmi_path_is_clean(args->inputs[first].tree)))
        first++;
    if (first < args->num_inputs)
        return tool_usage(args,
                          "%zu inputs cannot go into one file; name a folder: -o DIR/%s, or name "
                          "one input, such as %s",
                          args->num_inputs, page, args->inputs[first].path);
    return tool_usage(args, "%zu inputs cannot go into one file; name a folder: -o DIR/%s",
                      args->num_inputs, page);
}

/* Finds the start of a word in braces, such as {frame} or {frame:04}, also of one without a word or
 * an end; NULL: there is none. */
static const char *find_word(const char *path) {
    const char *brace = strchr(path, '{');
    while (brace && !(brace[1] == '}' || (brace[1] >= 'a' && brace[1] <= 'z')))
        brace = strchr(brace + 1, '{');
    return brace;
}

/* Parses the number in the name of the file. Folders are not numbered, and keep their names if they
 * exist. */
static bool read_numbering(tool_output *output) {
    const tool_args *args = output->args;
    const char *path = output->path, *name = lmi_vfs_base_name(args->vfs, path);
    const char *word = output->kind == TOOL_TO_STDOUT ? NULL : find_word(path);
    uint64_t digits = 1;
    if (word && output->kind == TOOL_TO_FILE && word < name) {
        const char *folder = lmi_arena_text(args->arena, path, (size_t)(name - path));
        if (!folder)
            return false;
        word = lmi_vfs_is_folder(args->vfs, folder) ? find_word(name) : word;
    }
    if (!word || lmi_vfs_is_folder(args->vfs, path))
        return true;
    if (output->kind == TOOL_TO_FOLDER || word < name)
        return tool_usage(args, "%s: {frame} numbers files, not folders", path);
    const char *end = strncmp(word, "{frame", 6) == 0 ? strchr(word, '}') : NULL;
    if (end && word[6] == ':') {
        const char *number = lmi_arena_text(args->arena, word + 7, (size_t)(end - word - 7));
        if (!number || !lmi_parse_uint(number, 9, &digits))
            end = NULL;
    } else if (end && end > word + 6) {
        end = NULL;
    }
    if (!end || find_word(end))
        return tool_usage(args, "%s: number the files with {frame} or {frame:04}", path);
    if (!tool_accepts(args, LM_OPTION_FRAMES))
        return tool_usage(args, "%s: only files of convert and render are numbered", path);
    output->before = lmi_arena_text(args->arena, path, (size_t)(word - path));
    output->after = end + 1;
    output->digits = (unsigned)digits;
    return output->before != NULL;
}

const char *tool_output_numbered(const tool_output *output, uint32_t number, lm_arena *arena) {
    return lmi_arena_printf(arena, "%s%0*u%s", output->before, (int)output->digits, number,
                            output->after);
}

/* Returns the length of the archive's path in that of a file in it, also of a new archive. */
static size_t archive_length(lm_vfs *vfs, const char *path) {
    const size_t known = lmi_vfs_archive_length(vfs, path);
    const char *pk3 = strstr(path, ".pk3:"), *colon = pk3 ? pk3 : strstr(path, ".pak:");
    return known > 0 || !colon || exists(path) ? known : (size_t)(colon - path) + 4;
}

bool tool_output_read(const tool_args *args, tool_output *output) {
    const char *path = tool_value(args, LM_OPTION_OUTPUT);
    *output = (tool_output){.args = args, .path = path ? path : "-", .kind = TOOL_TO_FILE};
    output->force = tool_has(args, LM_OPTION_FORCE);
    output->skip_existing = tool_has(args, LM_OPTION_SKIP_EXISTING);
    if (output->force && output->skip_existing)
        return tool_usage(args, "--force and --skip-existing cannot be combined");
    if (output->path[0] == '\0')
        return tool_usage(args, "-o needs a name");
    const size_t archive = archive_length(args->vfs, output->path);
    if (archive > 0)
        return tool_usage(args,
                          "%s is in an archive, into which no files are written: write a folder, "
                          "then lerpmesh pack DIR -o %.*s",
                          output->path, (int)archive, output->path);
    if (strcmp(output->path, "-") == 0)
        output->kind = TOOL_TO_STDOUT;
    else if (ends_with_slash(output->path) || lmi_vfs_is_folder(args->vfs, output->path))
        output->kind = TOOL_TO_FOLDER;
    if (output->kind == TOOL_TO_STDOUT && tool_has(args, LM_OPTION_JSON))
        return tool_usage(args, "the output and --json cannot both go to standard output: add "
                                "-o OUT");
    if (!read_numbering(output))
        return false;
    const bool is_new = output->kind == TOOL_TO_FILE &&
                        !*lmi_vfs_extension(args->vfs, output->path) && !exists(output->path);
    /* A file that was found alone in a folder is written as one of several. */
    const bool is_found = args->num_inputs > 0 && args->inputs[0].tree && is_new;
    if ((args->num_inputs < 2 && !is_found) || output->kind == TOOL_TO_FOLDER)
        return true;
    if (!is_new)
        return fail_inputs(args);
    output->kind = TOOL_TO_FOLDER;
    return true;
}

bool tool_output_misnamed(const tool_output *output, const char *endings) {
    const char *path = output->path;
    if (*lmi_vfs_extension(output->args->vfs, path))
        return tool_usage(output->args, "%s: end the name with %s", path, endings);
    return tool_usage(output->args, "%s: end the name with %s; or with a slash for a folder: %s/",
                      path, endings, path);
}

/* ---- Names in a folder ---------------------------------------------------------------------- */

/* How an input names its output below the folder: each way tells more inputs apart. */
typedef enum naming {
    BY_STEM,      /* its tree if it has one, else the last part of its path, without extension */
    BY_NAME,      /* the same with its extension: book_md3 */
    BY_PATH,      /* its path below the folder that all inputs share, without extension */
    BY_WHOLE_PATH /* with its extension */
} naming;
#define NUM_NAMINGS 4

/* Returns the length of the folders, with the archive, that the paths of all inputs share. */
static size_t shared_length(const tool_args *args) {
    const char *first = args->inputs[0].path;
    const size_t archive = lmi_vfs_archive_length(args->vfs, first);
    size_t length = strlen(first);
    for (size_t i = 1; i < args->num_inputs; i++) {
        size_t same = 0;
        while (same < length && first[same] == args->inputs[i].path[same])
            same++;
        length = same;
    }
    while (length > 0 && first[length - 1] != '/' && !(archive > 0 && length == archive + 1))
        length--;
    return length;
}

/* Returns an input's path below the shared folder, with a member of an archive as a file in a
 * folder. NULL: it leads out of that folder, or there is no memory. */
static const char *path_below(const tool_output *output, size_t input, lm_arena *arena) {
    const char *path = output->args->inputs[input].path;
    const size_t archive = lmi_vfs_archive_length(output->args->vfs, path);
    lm_buffer text = {0};
    bool leads_out = false;
    for (const char *at = path + output->shared, *end; *at; at = *end ? end + 1 : end) {
        for (end = at; *end && *end != '/' && !(archive > 0 && end == path + archive);)
            end++;
        const size_t length = (size_t)(end - at);
        leads_out = leads_out || (length == 2 && memcmp(at, "..", 2) == 0);
        if (length == 0 || (length == 1 && *at == '.'))
            continue;
        lm_buffer_append(&text, "/", text.size > 0);
        lm_buffer_append(&text, at, length);
    }
    const char *below = tool_take_text(arena, &text);
    return leads_out ? NULL : below;
}

/* Returns the name of an input's output, and its length. "stdin" for standard input. */
static const char *stem(const tool_output *output, size_t input, naming way, lm_arena *arena,
                        size_t *length) {
    lm_vfs *vfs = output->args->vfs;
    if (output->name) {
        *length = strlen(output->name);
        return output->name;
    }
    const char *tree = output->args->inputs[input].tree, *given = output->args->inputs[input].path;
    const char *below = way < BY_PATH ? NULL : path_below(output, input, arena);
    const char *whole = below ? below : tree;
    const char *path = whole ? whole : strcmp(given, "-") == 0 ? "stdin" : given;
    const char *last = lmi_vfs_stem(vfs, path, length), *name = whole ? whole : last;
    const bool full = output->full_names || way == BY_NAME || way == BY_WHOLE_PATH;
    *length = full ? strlen(name) : *length + (size_t)(last - name);
    return name;
}

/* Returns the name with control characters escaped. An input that cannot be read gets a name that
 * no other output has. */
static const char *make_name(const tool_output *output, size_t input, naming way, lm_arena *arena) {
    size_t length;
    lm_buffer name = {0};
    if (output->args->inputs[input].problem)
        return lmi_arena_printf(arena, "/%zu", input);
    if (output->numbered)
        return lmi_arena_printf(arena, "%s%04zu", output->numbered, input + 1);
    size_t plain;
    const char *text = stem(output, input, way, arena, &length);
    const char *last = lmi_vfs_stem(output->args->vfs, text, &plain);
    plain += (size_t)(last - text);
    const bool joined = !output->full_names && length > plain;
    lmi_text_path(&name, text, joined ? plain : length);
    if (joined) {
        lm_buffer_text(&name, "_");
        lmi_text_path(&name, text + plain + 1, length - plain - 1);
    }
    return tool_take_text(arena, &name);
}

/* Of inputs with one name, that which a game opens for all of them keeps it. `made`: how often each
 * name occurs. */
static void name_opened(tool_output *output, const char **names, const lm_names *made,
                        lm_arena *arena) {
    const tool_args *args = output->args;
    const char **games = lmi_arena_zeros(arena, args->num_inputs, sizeof *games);
    lm_names opened = {.arena = arena};
    for (size_t i = 0; games && i < args->num_inputs && !lmi_arena_failed(arena); i++) {
        if (names[i] && lmi_names_find(made, names[i])->number > 1)
            games[i] = lmi_vfs_game_model(args->vfs, args->inputs[i].path, arena);
        lm_name *game = games[i] ? lmi_names_put(&opened, games[i]) : NULL;
        if (game)
            game->number++;
    }
    for (size_t i = 0; games && i < args->num_inputs && !lmi_arena_failed(arena); i++)
        if (games[i] && strcmp(games[i], args->inputs[i].path) == 0 &&
            lmi_names_find(&opened, games[i])->number == lmi_names_find(made, names[i])->number)
            output->names[i] = names[i];
}

/* Returns whether an input cannot have a name because another has it. `own`: its own one in this
 * way, in which the names were `made`. */
static bool is_taken(const char *name, const char *own, const lm_names *taken,
                     const lm_names *made) {
    return lmi_names_find(taken, name) || (name != own && lmi_names_find(made, name));
}

/* Names the inputs that no way has named, and whose name differs from all others. The last way
 * numbers those whose name an input has that a shorter one tells apart. */
static void name_by(tool_output *output, naming way, lm_names *taken, lm_arena *arena) {
    const size_t count = output->args->num_inputs;
    lm_names made = {.arena = arena};
    const char **names = lmi_arena_zeros(arena, count, sizeof *names);
    for (size_t i = 0; names && i < count; i++) {
        names[i] = output->names[i] ? NULL : make_name(output, i, way, arena);
        lm_name *name = names[i] ? lmi_names_put(&made, names[i]) : NULL;
        if (name)
            name->number++;
    }
    for (size_t i = 0; names && i < count && !lmi_arena_failed(arena); i++) {
        const char *name = names[i];
        if (!name || lmi_names_find(&made, name)->number > 1)
            continue;
        for (unsigned n = 2; way == BY_WHOLE_PATH && name && is_taken(name, names[i], taken, &made);
             n++)
            name = lmi_arena_printf(arena, "%s_%u", names[i], n);
        if (name && !lmi_names_find(taken, name)) {
            output->names[i] = name;
            output->renamed[i] = way != BY_STEM;
        }
    }
    if (way == BY_STEM && names)
        name_opened(output, names, &made, arena);
    for (size_t i = 0; names && i < count && !lmi_arena_failed(arena); i++)
        if (output->names[i])
            (void)lmi_names_put(taken, output->names[i]);
}

/* Names the outputs of all inputs, whatever their order. Inputs that no way tells apart keep their
 * first name. */
static bool name_outputs(tool_output *output) {
    lm_arena *arena = output->args->arena;
    const size_t count = output->args->num_inputs;
    lm_names taken = {.arena = arena};
    output->names = lmi_arena_zeros(arena, count, sizeof *output->names);
    output->renamed = lmi_arena_zeros(arena, count, sizeof *output->renamed);
    if (!output->names || !output->renamed)
        return false;
    output->shared = shared_length(output->args);
    for (naming way = BY_STEM; way < NUM_NAMINGS; way++)
        name_by(output, way, &taken, arena);
    for (size_t i = 0; i < count; i++)
        if (!output->names[i])
            output->names[i] = make_name(output, i, BY_STEM, arena);
    return !lmi_arena_failed(arena);
}

/* Identifies a file by its device and number, which links share; anything else by its index. */
static const char *name_file(const tool_output *output, size_t input, lm_arena *arena) {
    lm_path_identity identity;
    lmi_path_identify(output->args->inputs[input].path, &identity);
    return identity.kind == LM_PATH_FILE
               ? lmi_arena_printf(arena, "%" PRIu64 ":%" PRIu64, (uint64_t)identity.device,
                                  (uint64_t)identity.number)
               : lmi_arena_printf(arena, "%zu", input);
}

int tool_output_prepare(tool_output *output) {
    const tool_args *args = output->args;
    if (output->kind != TOOL_TO_FOLDER && output->kind != TOOL_TO_INPUT)
        return TOOL_DONE;
    output->owners = tool_owners_make(args->arena, args->num_inputs);
    if (output->kind == TOOL_TO_FOLDER && !name_outputs(output))
        return TOOL_FAILED;
    for (size_t i = 0; output->owners && i < args->num_inputs; i++) {
        const char *name = output->names ? output->names[i] : name_file(output, i, args->arena);
        if (!name || !tool_owners_add_name(output->owners, name))
            return TOOL_FAILED;
    }
    return output->owners ? TOOL_DONE : TOOL_FAILED;
}

/* Returns the path of the job's file; NULL if there is no memory. */
static char *build_own_path(tool_job *job, const tool_output *output) {
    const char *path = output->path;
    if (output->kind != TOOL_TO_FOLDER)
        return lmi_arena_text(job->arena, path, strlen(path));
    return lmi_arena_printf(job->arena, "%s%s%s%s", path, ends_with_slash(path) ? "" : "/",
                            output->names[job->index], output->extension);
}

/* Returns whether an input is that file. A member of an archive counts as its archive. */
static bool is_input_file(lm_vfs *vfs, const char *input, const lm_path_identity *file) {
    char archive[4096]; /* no system opens a longer path */
    size_t length = lmi_vfs_archive_length(vfs, input);
    if (length >= sizeof archive)
        return false;
    memcpy(archive, input, length);
    archive[length] = '\0';
    lm_path_identity identity;
    lmi_path_identify(length > 0 ? archive : input, &identity);
    return lmi_path_is_same(&identity, file);
}

static bool is_an_input(const tool_args *args, const lm_path_identity *file) {
    for (size_t i = 0; i < args->num_inputs; i++)
        if (is_input_file(args->vfs, args->inputs[i].path, file))
            return true;
    return false;
}

/* Returns the end of a path that the user did not name: below the output folder, or the name of a
 * file next to the output. NULL: the user named the file. */
static const char *find_below(const tool_job *job, const char *path) {
    const tool_output *output = job->output;
    if (output && output->kind == TOOL_TO_FOLDER)
        return path + strlen(output->path) + !ends_with_slash(output->path);
    return output && output->kind == TOOL_TO_FILE && strcmp(path, output->path) == 0
               ? NULL
               : lmi_vfs_base_name(job->vfs, path);
}

/* Returns whether writing `path` overwrites nothing that the user did not name. `own`: it is the
 * job's output, not a file next to it. Conflicts between outputs of this batch are left to
 * tool_output_write_all. */
static bool may_write(tool_job *job, const tool_output *output, const char *path, bool own) {
    size_t owner;
    lm_path_identity identity;
    const bool is_link = find_below(job, path) && lmi_os_is_link(path);
    lmi_path_identify(path, &identity);
    if (identity.kind == LM_PATH_NOTHING && !is_link)
        return true;
    if (is_an_input(output->args, &identity))
        return tool_fail_code(job, LM_CODE_IO, "the output %s is also an input", path);
    if (identity.kind == LM_PATH_FOLDER && !is_link)
        return tool_fail_code(job, LM_CODE_IO, "the output %s is a folder", path);
    if (identity.kind == LM_PATH_OTHER && !is_link && find_below(job, path))
        return tool_fail_code(job, LM_CODE_IO, "the output %s is a pipe, socket or device", path);
    const bool skips = own && tool_accepts(output->args, LM_OPTION_SKIP_EXISTING);
    return (own && output->kind != TOOL_TO_FOLDER) || output->force ||
           (output->owners && find_owner(output->owners, path, &owner)) ||
           tool_fail_code(job, LM_CODE_IO, "%s exists; --force replaces it%s", path,
                          skips ? ", --skip-existing skips it" : "");
}

/* Returns the earlier input with the same output name; NULL: there is none. */
static const char *earlier_of_same_name(const tool_job *job, const tool_output *output) {
    const size_t first = output->owners ? output->owners->first[job->index] : job->index;
    return first < job->index ? output->args->inputs[first].path : NULL;
}

static bool fail_owned(tool_job *job, const char *path, const char *input) {
    return !lmi_arena_failed(job->arena) &&
           tool_fail_code(job, LM_CODE_IO, "not written: %s is also the output of %s", path,
                          tool_shown_path(input));
}

/* Returns whether a path is an input's output or its companion. */
static bool is_output_of(const tool_output *output, const char *path, size_t *input) {
    const char *const extensions[2] = {output->extension, output->companion};
    const size_t whole = strlen(path),
                 folder = strlen(output->path) + !ends_with_slash(output->path);
    for (int i = 0; i < 2 && output->owners && extensions[i]; i++) {
        const size_t length = strlen(extensions[i]);
        if (length + folder <= whole && strcmp(path + whole - length, extensions[i]) == 0 &&
            tool_owners_find_name(output->owners, path + folder, whole - length - folder, input))
            return true;
    }
    return false;
}

bool tool_output_is_blocked(const tool_output *output) {
    return output->kind == TOOL_TO_STDOUT && tool_system_is_terminal(TOOL_STDOUT) &&
           !tool_usage(output->args, "lerpmesh writes no binary output to a terminal: name a file "
                                     "with -o, or redirect it");
}

bool tool_output_keeps(const tool_output *output, const char *path) {
    lm_path_identity identity;
    if (!output->skip_existing)
        return false;
    lmi_path_identify(path, &identity);
    return identity.kind == LM_PATH_FILE && !is_an_input(output->args, &identity);
}

void tool_output_note_kept(tool_job *job, uint32_t kept) {
    if (kept > 0)
        tool_warn(job, "skipped: %s",
                  lmi_count_words(kept, "existing {file stays|files stay}").text);
}

bool tool_output_skips(tool_job *job, const tool_output *output) {
    if (output->before || earlier_of_same_name(job, output) ||
        (output->kind != TOOL_TO_FILE && output->kind != TOOL_TO_FOLDER))
        return false;
    const char *path = build_own_path(job, output);
    job->skipped = path && tool_output_keeps(output, path);
    if (job->skipped && !job->brief)
        tool_warn(job, "skipped: %s exists", path);
    return job->skipped;
}

/* Reports that a file's name differs from the input's. The sentences about several inputs are
 * constant, so that a batch shows them for some files only. */
static void report_name(tool_job *job, const tool_output *output, const char *path) {
    size_t length;
    if (output->kind != TOOL_TO_FOLDER || output->numbered)
        return;
    const char *text = stem(output, job->index, BY_STEM, job->arena, &length);
    lm_buffer escaped = {0};
    lmi_text_path(&escaped, text, length);
    if (!escaped.failed && escaped.size != length)
        tool_warn(
            job,
            "written as %s: control characters, invisible ones, and bytes that are not UTF-8, "
            "become %%NN",
            path);
    lm_buffer_free(&escaped);
    if (!output->renamed[job->index])
        return;
    const char *opened = lmi_vfs_game_model(job->vfs, job->path, job->arena);
    if (opened && strcmp(opened, job->path) != 0)
        tool_warn(job, "the game opens the .mdc of the same name instead, which keeps the name; "
                       "this one's output is called after its extension, too");
    else
        tool_note(job, "written as %s, because another input has the same name", path);
}

char *tool_output_name(tool_job *job, const tool_output *output) {
    char *path = build_own_path(job, output);
    const char *earlier = earlier_of_same_name(job, output);
    if (!path)
        return NULL;
    report_name(job, output, path);
    if (!earlier)
        return path;
    fail_owned(job, path, earlier);
    return NULL;
}

/* Returns the path of the file itself; for a link, its target, so that the link stays. */
static const char *name_in_place(tool_job *job, const tool_output *output) {
    const char *earlier = earlier_of_same_name(job, output);
    lm_buffer path = {0};
    if (strcmp(job->path, "-") == 0 || lmi_vfs_archive_length(job->vfs, job->path) > 0) {
        tool_fail_code(job, LM_CODE_BAD_ARGUMENT,
                       "standard input and files in archives cannot be replaced in place; use -o");
        return NULL;
    }
    if (earlier) {
        tool_fail_code(job, LM_CODE_IO, "not written: it is the same file as %s", earlier);
        return NULL;
    }
    lmi_path_follow(job->path, &path);
    return tool_take_text(job->arena, &path);
}

bool tool_output_path(tool_job *job, const tool_output *output, const char **path) {
    *path = NULL;
    job->output = output;
    if (output->kind == TOOL_TO_STDOUT || output->kind == TOOL_TO_NOTHING ||
        output->kind == TOOL_TO_ARCHIVE)
        return true;
    if (output->kind == TOOL_TO_INPUT)
        return (*path = name_in_place(job, output)) != NULL;
    return (*path = tool_output_name(job, output)) && may_write(job, output, *path, true);
}

/* Returns whether a file exists with these contents. Lack of memory fails the job. */
static bool is_there(tool_job *job, const lm_file_output *file) {
    lm_error error = {.code = LM_CODE_OK};
    const bool there = lmi_file_is_there(file->path, file->data, file->size, &error);
    (void)lmi_ran_out(job->arena, &error);
    return there;
}

bool tool_output_place(tool_job *job, const tool_output *output, const lm_buffer *made,
                       const char **path, bool *same) {
    *same = false;
    if (output->kind != TOOL_TO_FOLDER)
        return tool_output_path(job, output, path);
    job->output = output;
    *path = tool_output_name(job, output);
    *same = *path &&
            is_there(job, &(lm_file_output){.path = *path, .data = made->data, .size = made->size});
    return *path && (*same || may_write(job, output, *path, true));
}

static const char *sibling_path(tool_job *job, const char *path, const char *name) {
    return lmi_arena_printf(job->arena, "%.*s%s", (int)(lmi_vfs_base_name(job->vfs, path) - path),
                            path, name);
}

bool tool_output_is_taken(tool_job *job, const tool_output *output, const char *path,
                          const char *name) {
    size_t owner;
    const char *text = path ? sibling_path(job, path, name) : NULL;
    return text && is_output_of(output, text, &owner) && owner != job->index;
}

bool tool_output_allows(tool_job *job, const tool_output *output, const char *path) {
    size_t owner;
    job->output = output;
    job->has_sidecars = true;
    const bool is_owned = is_output_of(output, path, &owner) && owner != job->index;
    if (is_owned)
        fail_owned(job, path, output->args->inputs[owner].path);
    return !is_owned && may_write(job, output, path, false);
}

bool tool_output_sibling(tool_job *job, const tool_output *output, const char *path,
                         const char *name, lm_file_output *file, bool *same) {
    file->path = sibling_path(job, path, name);
    *same = file->path && is_there(job, file);
    return file->path && (*same || tool_output_allows(job, output, file->path));
}

/* ---- Writing -------------------------------------------------------------------------------- */

static uint64_t written; /* bytes of all outputs of this process; guarded by `lock` */

uint64_t tool_output_written(void) {
    return written;
}

void tool_output_resume(uint64_t bytes) {
    written = bytes;
}

bool tool_output_count(tool_job *job, uint64_t size) {
    const uint64_t most = job->args->settings->options.max_output;
    if (job->await_earlier && tool_has(job->args, LM_OPTION_MAX_OUTPUT))
        job->await_earlier(job); /* the same outputs fit with any number of threads */
    pthread_mutex_lock(&lock);
    const uint64_t before = written;
    const bool fits = size <= most && before <= most - size;
    written += fits ? size : 0;
    pthread_mutex_unlock(&lock);
    return fits || tool_fail_code(job, LM_CODE_LIMIT,
                                  "not written: the outputs would have %" PRIu64
                                  " bytes, more than %" PRIu64 " (--max-output)",
                                  before + size, most);
}

static bool write_files(tool_job *job, lm_file_output *files, size_t count) {
    lm_error error;
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++) {
        files[i].below = find_below(job, files[i].path);
        size += files[i].size;
    }
    return tool_output_count(job, size) &&
           (lm_file_write(files, count, tool_has(job->args, LM_OPTION_SYNC), &error) ||
            tool_fail_error(job, &error));
}

/* Makes the job the owner of its files. `left`: those that no earlier job has written with the same
 * content. Fails the job if one has written different content. */
static bool take_ownership(tool_job *job, const lm_file_output *files, size_t count,
                           lm_file_output *left, size_t *num_left) {
    tool_owners *owners = job->output->owners;
    size_t owner;
    *num_left = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_owned = find_owner(owners, files[i].path, &owner);
        if (is_owned && !is_there(job, &files[i]))
            return fail_owned(job, files[i].path, job->output->args->inputs[owner].path);
        if (!is_owned)
            left[(*num_left)++] = files[i];
    }
    for (size_t i = 0; i < *num_left; i++)
        if (!add_owner(owners, left[i].path, job->index))
            return tool_fail_memory(job);
    return true;
}

bool tool_output_write_all(tool_job *job, lm_file_output *files, size_t count) {
    if (!job->has_sidecars || !job->output->owners)
        return write_files(job, files, count);
    /* In the order of the inputs, so that a conflict always has the same winner. */
    lm_file_output *left = lmi_arena_zeros(job->arena, count + 1, sizeof *left);
    size_t num_left;
    if (job->await_earlier)
        job->await_earlier(job);
    return left && take_ownership(job, files, count, left, &num_left) &&
           (num_left == 0 || write_files(job, left, num_left));
}

bool tool_output_write(tool_job *job, const char *path, const void *data, size_t size) {
    return tool_output_write_all(job, &(lm_file_output){.path = path, .data = data, .size = size},
                                 1);
}

bool tool_output_put(tool_job *job, const char *path, lm_buffer *made) {
    if (path)
        return tool_output_write(job, path, made->data, made->size);
    if (!tool_output_count(job, made->size))
        return false;
    job->out = *made;
    *made = (lm_buffer){.size = made->size};
    return true;
}
