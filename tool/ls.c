#include "batch.h"
#include "describe.h"
#include "options.h"

#include <inttypes.h>
#include <string.h>

static void write_member(const tool_job *job, const lm_member *member, lm_buffer *out) {
    lm_json json = {.out = out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_path(&json, "archive", job->path);
    lmi_json_path(&json, "path", member->path);
    lmi_json_path(&json, "name", member->name);
    lmi_json_integer(&json, "size", (int64_t)member->size);
    lmi_json_integer(&json, "packed_size", (int64_t)member->packed_size);
    bool has_problem = member->code != LM_CODE_OK;
    lmi_json_string(&json, "code", has_problem ? lm_code_name(member->code) : NULL);
    lmi_json_string(&json, "problem", has_problem ? member->problem : NULL);
    tool_json_end(&json);
}

static void print_member(const lm_member *member, bool sizes, lm_buffer *out) {
    if (sizes)
        lm_buffer_printf(out, "%10" PRIu64 " %10" PRIu64 "  ", member->size, member->packed_size);
    lmi_text_harmless(out, member->name);
    if (sizes && member->code != LM_CODE_OK)
        lm_buffer_printf(out, "  [%s: %s]", lm_code_name(member->code), member->problem);
    lm_buffer_text(out, "\n");
}

/* Lists the members that match the inputs' patterns, and the pattern after the archive's ':' if it
 * is not NULL. */
static void list(tool_job *job, const lm_archive *archive, const char *pattern) {
    const bool sizes = tool_has(job->args, LM_OPTION_LONG);
    size_t listed = 0;
    uint64_t total = 0;
    for (uint32_t i = 0; i < archive->num_members; i++) {
        const lm_member *member = archive->members[i];
        if ((pattern && !tool_inputs_match(pattern, member->path)) ||
            !tool_inputs_select(job->args, member->path))
            continue;
        listed++;
        total += member->size;
        if (job->json)
            write_member(job, member, &job->out);
        else
            print_member(member, sizes, &job->out);
    }
    if (sizes && !job->json) {
        lm_buffer_printf(&job->out, "%10" PRIu64 "             %s\n", total,
                         lmi_count_nouns(listed, "files").text);
    }
    if (listed == 0 && (pattern || job->args->num_inputs > 1))
        tool_fail_code(job, LM_CODE_BAD_ARGUMENT, "no file in the archive matches the pattern");
}

static void list_archive(tool_job *job, const void *unused) {
    (void)unused;
    lm_error error;
    const size_t length = lmi_vfs_archive_length(job->vfs, job->path);
    const lm_archive *archive =
        lmi_vfs_archive(job->vfs, job->path, length > 0 ? length : strlen(job->path), &error);
    if (archive)
        list(job, archive, length > 0 ? job->path + length + 1 : NULL);
    else if (lmi_vfs_is_folder(job->vfs, job->path))
        tool_fail_code(job, error.code, "this is a folder; ls lists archives (PAK, PK3)");
    else
        tool_fail_error(job, &error);
}

static int run_ls(const tool_args *args) {
    if (args->num_inputs > 0)
        return tool_batch_run(
            &(tool_batch){.args = args, .work = list_archive, .first_only = true});
    tool_usage(args, "missing archive: lerpmesh ls FILE.pk3");
    return TOOL_USAGE;
}

const tool_command tool_ls = {
    .name = "ls",
    .usage = "[options] FILE.pk3 [PATTERN...]",
    .summary = "list the files in an archive (PAK, PK3)",
    .about = "Lists the files in an archive by path. Other commands take such a path after the\n"
             "archive's: pak0.pk3:models/a.md3. In a PATTERN, * and ? do not match '/', and **\n"
             "matches any number of folders. A PATTERN without '/' matches names in every folder.\n"
             "Put it in quotes.",
    .usual = {LM_OPTION_LONG, LM_OPTION_JSON},
    .examples = "  lerpmesh ls pak0.pak\n"
                "  lerpmesh ls -l pak0.pk3 '*.md3'\n"
                "  lerpmesh ls --json pak0.pk3 'models/**/*.md3' | jq -r .path\n",
    .run = run_ls,
};
