#include "batch.h"
#include "describe.h"
#include "options.h"

#include <string.h>

/* The most files in a PAK that id's games load (MAX_FILES_IN_PACK), and the longest path that Quake
 * III searches an archive for (MAX_QPATH, including the NUL). */
#define QUAKE_FILES 2048
#define QUAKE_II_FILES 4096
#define QUAKE_III_PATH 64

typedef struct packing {
    const char *format; /* "pak" or "pk3" */
    tool_output output;
} packing;

/* The files to pack. */
typedef struct packed {
    const char **paths; /* below the folder */
    size_t count;
} packed;

/* ---- Files ----------------------------------------------------------------------------------- */

/* Returns whether a path that cannot be packed is wanted. What is no link and no file may be a
 * folder with wanted files. */
static bool is_wanted(const tool_job *job, const char *folder, const char *path) {
    lm_path_identity about;
    const char *tree = path + strlen(folder);
    lmi_path_identify(path, &about);
    return (!lmi_os_is_link(path) && about.kind != LM_PATH_OTHER) ||
           tool_inputs_select(job->args, tree + (*tree == '/'));
}

/* Lists the files below the folder, except an earlier version of the archive itself. Reports every
 * file that cannot be packed; those in linked folders are left out. */
static bool collect(tool_job *job, const packing *p, const lm_path_list *list, packed *files) {
    lm_path_identity about, out;
    const char *folder = job->path;
    bool complete = true;
    lmi_path_identify(p->output.path, &out);
    files->paths = lmi_arena_zeros(job->arena, list->num_paths + (size_t)1, sizeof *files->paths);
    for (uint32_t i = 0; files->paths && i < list->num_paths; i++) {
        const lm_listed_path *listed = &list->paths[i];
        if (listed->problem && is_wanted(job, folder, listed->path)) {
            job->path = listed->path;
            tool_fail_error(job, listed->problem);
            complete = complete && listed->skipped;
        }
        if (listed->problem)
            continue;
        lmi_path_identify(listed->path, &about);
        if (tool_inputs_select(job->args, listed->tree) &&
            !(p->output.kind == TOOL_TO_FILE && lmi_path_is_same(&about, &out)))
            files->paths[files->count++] = listed->tree;
    }
    job->path = folder;
    return files->paths && complete &&
           (files->count > 0 ||
            tool_fail_code(job, LM_CODE_BAD_ARGUMENT, "this folder has no files to pack"));
}

/* Warns of archives that the format allows but the games do not load. */
static void report_limits(tool_job *job, const packing *p, const packed *files) {
    const bool pak = strcmp(p->format, "pak") == 0;
    if (pak && files->count > QUAKE_FILES)
        tool_warn(job, "%zu files: Quake loads at most %d from a PAK%s", files->count, QUAKE_FILES,
                  files->count > QUAKE_II_FILES ? ", Quake II at most 4096" : "");
    size_t count = 0;
    const char *first = NULL;
    for (size_t i = 0; !pak && i < files->count; i++)
        if (strlen(files->paths[i]) >= QUAKE_III_PATH) {
            first = first ? first : files->paths[i];
            count++;
        }
    if (first)
        tool_warn(job, "Quake III loads paths of at most %d bytes; %zu %s: %s", QUAKE_III_PATH - 1,
                  count, count == 1 ? "is longer" : "are longer, the first", first);
}

/* ---- Packing -------------------------------------------------------------------------------- */

static void report(tool_job *job, const packing *p, const char *path, size_t count, size_t size) {
    if (job->json) {
        lm_json json = tool_json_begin(job);
        lmi_json_path(&json, "output", path);
        lmi_json_string(&json, "format", p->format);
        lmi_json_integer(&json, "files", (int64_t)count);
        lmi_json_integer(&json, "size", (int64_t)size);
        tool_json_end(&json);
    } else {
        tool_note(job, "wrote %s: %zu bytes, %s", path, size, lmi_count_nouns(count, "files").text);
    }
}

static void pack_folder(tool_job *job, const void *user) {
    const packing *p = user;
    packed files = {0};
    bool made = false;
    lm_buffer out = {0};
    const char *path;
    lm_error error;
    lm_path_list *list = lm_vfs_list(job->vfs, job->path, LM_LIST_FILES, NULL);
    (void)lmi_arena_out_of_memory(job->arena, !list);
    if (list && collect(job, p, list, &files)) {
        const lm_files *folder = lm_vfs_folder(job->vfs, job->path, &error);
        made = (folder &&
                lm_archive_write(folder, files.paths, files.count, p->format, &out, &error)) ||
               tool_fail_error(job, &error);
    }
    if (made) {
        report_limits(job, p, &files);
        if (tool_output_path(job, &p->output, &path) && tool_output_put(job, path, &out) && path)
            report(job, p, path, files.count, out.size);
    }
    lm_buffer_free(&out);
    lm_path_list_free(list);
}

/* ---- The command ---------------------------------------------------------------------------- */

static bool read_format(const tool_args *args, packing *p) {
    const char *given = tool_value(args, LM_OPTION_PACK_FORMAT);
    const char *extension = lmi_vfs_extension(args->vfs, p->output.path);
    const char *name = given ? given : *extension ? extension + 1 : "";
    if (lmi_compare_letters(name, "pak") == 0)
        p->format = "pak";
    else if (lmi_compare_letters(name, "pk3") == 0 || lmi_compare_letters(name, "zip") == 0)
        p->format = "pk3";
    else
        return tool_usage(
            args,
            given ? "--format must be pak or pk3, not \"%s\""
                  : "-o needs the extension .pak or .pk3, or choose with --format: \"%s\"",
            given ? given : p->output.path);
    if ((lmi_compare_letters(extension, ".pak") == 0 ||
         lmi_compare_letters(extension, ".pk3") == 0) &&
        lmi_compare_letters(extension + 1, p->format) != 0)
        return tool_usage(args, "%s does not match --format %s: change the name, or omit --format",
                          p->output.path, given);
    return true;
}

static bool read_settings(const tool_args *args, packing *p) {
    if (args->num_inputs == 0)
        return tool_usage(args, "missing folder: lerpmesh pack FOLDER -o NAME.pk3");
    if (!tool_has(args, LM_OPTION_OUTPUT) && !tool_has(args, LM_OPTION_PACK_FORMAT))
        return tool_usage(args, "missing output: add -o NAME.pk3 or -o NAME.pak");
    const char *folder = args->inputs[0].path;
    if (strcmp(folder, "-") == 0 || !lmi_vfs_is_folder(args->vfs, folder))
        return tool_usage(args, "%s is not a folder; pack makes an archive of a folder",
                          tool_shown_path(folder));
    tool_args one = *args;
    one.num_inputs = 1; /* the others are patterns */
    if (!tool_output_read(&one, &p->output))
        return false;
    p->output.args = args;
    if (p->output.kind == TOOL_TO_FOLDER)
        return tool_usage(args, "%s is a folder; -o must name the archive", p->output.path);
    return !tool_output_is_blocked(&p->output) && read_format(args, p);
}

static int run_pack(const tool_args *args) {
    packing p = {0};
    if (!read_settings(args, &p))
        return TOOL_USAGE;
    return tool_batch_run(&(tool_batch){
        .args = args, .work = pack_folder, .context = &p, .output = &p.output, .first_only = true});
}

const tool_command tool_pack = {
    .name = "pack",
    .usage = "[options] FOLDER [PATTERN...] -o OUT.pk3|OUT.pak",
    .summary = "make an archive (PAK, PK3) of a folder",
    .about =
        "Packs all files below a folder, or those that match a PATTERN of ls, under their paths\n"
        "in it. Names that begin with a dot are left out. Linked folders are left out, too, and\n"
        "reported. The same files always give the same bytes: sorted, without times, and in a PK3\n"
        "deflated if that is smaller. The archive is read back and compared with the files before\n"
        "it gets its name.\n"
        "Paths have at most 55 bytes in a PAK and 255 in a PK3; archives have at most 2 GiB.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_PACK_FORMAT, LM_OPTION_MAX_OUTPUT, LM_OPTION_JSON,
              LM_OPTION_QUIET},
    .expand = TOOL_EXPAND_NONE,
    .examples = "  lerpmesh pack mymod/ -o mymod.pk3\n"
                "  lerpmesh pack mymod/ 'models/**/*' 'scripts/*' -o models.pk3\n",
    .run = run_pack,
};
