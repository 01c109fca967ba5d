#include "commands.h"
#include "describe.h"
#include "inputs.h"
#include "job.h"
#include "json.h"
#include "output.h"
#include "paths.h"
#include "system.h"
#include "terminal.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* The most files in a PAK that id's games load (MAX_FILES_IN_PACK), and the longest path that
 * Quake III asks an archive for (MAX_QPATH, with a NUL). */
#define QUAKE_FILES 2048
#define QUAKE_II_FILES 4096
#define QUAKE_III_PATH 64

typedef struct packing {
    const tool_args *args;
    const char *format; /* "pak" or "pk3" */
    tool_output output;
    lm_path_list *list;
    const char **paths; /* below the folder */
    size_t num_paths;
    uint64_t size; /* of the archive */
} packing;

/* ---- What goes in --------------------------------------------------------------------------- */

static bool is_output(const packing *p, const char *path) {
    lm_path_about file, out;
    lm_path_look(path, &file);
    lm_path_look(p->output.path, &out);
    return p->output.kind == TOOL_TO_FILE && out.kind == LM_PATH_FILE && file.disk == out.disk &&
           file.number == out.number;
}

/* The files below the folder but for the archive itself, which may be there from the last time. */
static bool collect(tool_job *job, packing *p) {
    p->list = lm_disk_files(job->disk, job->path);
    p->paths =
        p->list ? (const char **)calloc(p->list->num_paths + (size_t)1, sizeof *p->paths) : NULL;
    if (!p->paths)
        return tool_no_memory();
    for (uint32_t i = 0; i < p->list->num_paths; i++) {
        const lm_listed_path *listed = &p->list->paths[i];
        if (listed->problem) {
            tool_fail_error(job, listed->problem, job->json);
            return false;
        }
        if (tool_inputs_want(p->args, listed->tree) && !is_output(p, listed->path))
            p->paths[p->num_paths++] = listed->tree;
    }
    if (p->num_paths == 0)
        tool_fail_code(job, LM_CODE_BAD_ARGUMENT,
                       "there is nothing in this folder that is to be packed");
    return p->num_paths > 0;
}

/* What the format holds, but games do not load. */
static void tell_limits(tool_job *job, const packing *p) {
    const bool pak = strcmp(p->format, "pak") == 0;
    if (pak && p->num_paths > QUAKE_FILES)
        tool_complain(job, "%zu files: Quake loads a PAK of %d at most%s", p->num_paths,
                      QUAKE_FILES, p->num_paths > QUAKE_II_FILES ? ", Quake II one of 4096" : "");
    size_t count = 0;
    const char *first = NULL;
    for (size_t i = 0; !pak && p->paths && i < p->num_paths; i++)
        if (strlen(p->paths[i]) >= QUAKE_III_PATH) {
            first = first ? first : p->paths[i];
            count++;
        }
    if (first)
        tool_complain(job, "Quake III asks for paths of %d bytes at most; %zu %s: %s",
                      QUAKE_III_PATH - 1, count, count == 1 ? "is longer" : "are longer, the first",
                      first);
}

/* ---- Packing -------------------------------------------------------------------------------- */

static bool pack_bytes(tool_job *job, const packing *p, lm_buffer *out) {
    lm_error error;
    lm_folder *folder = lm_folder_open(job->path, NULL, &error);
    const bool made = folder && lm_archive_write(lm_folder_files(folder), p->paths, p->num_paths,
                                                 p->format, out, &error);
    lm_folder_free(folder);
    if (!made)
        tool_fail_error(job, &error, job->json);
    return made;
}

static void tell(tool_job *job, const packing *p, const char *path) {
    if (tool_has(p->args, TOOL_JSON)) {
        lm_json json = {.out = &job->out};
        lm_json_open(&json, NULL, '{');
        lm_json_string(&json, "file", job->path);
        lm_json_string(&json, "output", path);
        lm_json_string(&json, "format", p->format);
        lm_json_integer(&json, "files", (int64_t)p->num_paths);
        lm_json_integer(&json, "size", (int64_t)p->size);
        lm_json_close(&json);
        lm_buffer_text(&job->out, "\n");
    } else if (!tool_has(p->args, TOOL_QUIET)) {
        tool_say(job, "wrote %s: %llu bytes, %zu %s", path, (unsigned long long)p->size,
                 p->num_paths, p->num_paths == 1 ? "file" : "files");
    }
}

static void pack_folder(tool_job *job, packing *p) {
    lm_buffer out = {0}, path = {0};
    if (!collect(job, p) || !pack_bytes(job, p, &out)) {
        lm_buffer_free(&out);
        return;
    }
    p->size = out.size;
    tell_limits(job, p);
    if (p->output.kind == TOOL_TO_STDOUT) {
        job->out = out;
        return;
    }
    if (tool_output_path(job, &p->output, &path, NULL) &&
        tool_output_write(job, (const char *)path.data, out.data, out.size))
        tell(job, p, (const char *)path.data);
    lm_buffer_free(&path);
    lm_buffer_free(&out);
}

/* ---- The command ---------------------------------------------------------------------------- */

static bool read_format(const tool_args *args, packing *p) {
    const char *given = tool_value(args, TOOL_PACK_FORMAT);
    const char *extension = lm_disk_extension(args->disk, p->output.path);
    const char *name = given ? given : *extension ? extension + 1 : "";
    if (tool_same_text(name, "pak"))
        p->format = "pak";
    else if (tool_same_text(name, "pk3") || tool_same_text(name, "zip"))
        p->format = "pk3";
    else
        return tool_usage(args,
                          given ? "--format is pak or pk3, not \"%s\""
                                : "-o names a .pak or a .pk3, or --format says which: \"%s\"",
                          given ? given : p->output.path);
    if ((tool_same_text(extension, ".pak") || tool_same_text(extension, ".pk3")) &&
        !tool_same_text(extension + 1, p->format))
        return tool_usage(args,
                          "%s does not fit --format %s: give it another name, or leave --format "
                          "out",
                          p->output.path, given);
    return true;
}

static bool read_settings(const tool_args *args, packing *p) {
    *p = (packing){.args = args};
    if (args->num_inputs == 0)
        return tool_usage(args, "say which folder: lerpmesh pack FOLDER -o NAME.pk3");
    if (strcmp(args->inputs[0], "-") == 0 || !lm_disk_is_folder(args->disk, args->inputs[0]))
        return tool_usage(args, "%s is no folder; pack makes an archive of one",
                          tool_shown_path(args->inputs[0]));
    tool_args one = *args;
    one.num_inputs = 1; /* the others are patterns */
    if (!tool_output_read(&one, &p->output))
        return false;
    p->output.args = args;
    if (p->output.kind == TOOL_TO_FOLDER)
        return tool_usage(args, "%s is a folder; -o names the archive", p->output.path);
    if (tool_has(args, TOOL_JSON) && p->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args, "--json and the archive cannot both go to standard output");
    return !tool_output_floods(&p->output) && read_format(args, p);
}

static int run_pack(const tool_args *args) {
    packing p;
    if (!read_settings(args, &p))
        return TOOL_USAGE;
    tool_job job = {.path = args->inputs[0],
                    .disk = args->disk,
                    .sync = tool_has(args, TOOL_SYNC),
                    .json = tool_has(args, TOOL_JSON)};
    pack_folder(&job, &p);
    bool written = tool_write_result(&job.out);
    tool_write_error(&job.log);
    lm_buffer_free(&job.out);
    lm_buffer_free(&job.log);
    free((void *)p.paths);
    lm_path_list_free(p.list);
    return written ? job.status : TOOL_FAILED;
}

static const tool_option options[] = {TOOL_OUTPUT, TOOL_PACK_FORMAT, TOOL_JSON,
                                      TOOL_SYNC,   TOOL_QUIET,       TOOL_HELP};

const tool_command tool_pack = {
    .name = "pack",
    .usage = "[options] FOLDER [PATTERN...] -o OUT.pk3|OUT.pak",
    .summary = "make an archive (PAK, PK3) of a folder",
    .about =
        "Packs all files below a folder, or those that fit a pattern as ls has them, under\n"
        "their paths in it. What begins with a dot and what is behind links to folders is\n"
        "left out. The same files give the same bytes on every machine and every day: sorted,\n"
        "without times, in a PK3 packed where that is smaller. The archive is read back and\n"
        "compared with the files before it gets its name. In a PAK paths have 55 bytes at\n"
        "most, in a PK3 255; either has 2 GiB at most.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_NONE,
    .examples = "  lerpmesh pack mymod/ -o mymod.pk3\n"
                "  lerpmesh pack mymod/ 'models/**/*' 'scripts/*' -o models.pk3\n",
    .run = run_pack,
};
