#include "target.h"

#include "repack.h"

#include <string.h>

bool tool_target_read(const tool_args *args, tool_output *output) {
    const bool out = tool_has(args, LM_OPTION_OUTPUT),
               in_place = tool_has(args, LM_OPTION_IN_PLACE),
               dry_run = tool_has(args, LM_OPTION_DRY_RUN);
    *output = (tool_output){.args = args, .kind = in_place ? TOOL_TO_INPUT : TOOL_TO_NOTHING};
    if (args->num_inputs == 0)
        return true;
    if (out && in_place)
        return tool_usage(args, "-o and --in-place cannot be combined");
    if (tool_has(args, LM_OPTION_BACKUP) && !in_place)
        return tool_usage(args,
                          "--backup applies only to --in-place; with -o the input is not changed");
    if (!out && !in_place && !dry_run)
        return tool_usage(args,
                          "missing output: add -o OUT or --in-place; --dry-run writes nothing");
    const bool archive = out && tool_repack_is_named(args);
    if (archive && !dry_run)
        return tool_repack_read(args, output);
    if (out && !archive && !tool_output_read(args, output))
        return false;
    output->full_names = true;
    output->extension = "";
    if (dry_run)
        output->kind = TOOL_TO_NOTHING;
    if (output->kind == TOOL_TO_STDOUT && tool_has(args, LM_OPTION_JSON))
        return tool_usage(args, "the model and --json cannot both go to standard output");
    return !tool_output_is_blocked(output);
}

bool tool_target_open(tool_job *job, const tool_output *output, tool_rewriting *r) {
    return tool_output_path(job, output, &r->path, NULL) && tool_read(job, &r->file);
}

/* Saves the original under another name. Never replaces a backup, which may be the only copy,
 * unless --force is given. */
static bool back_up(tool_job *job, const lm_file *file) {
    const char *path = tool_format(&job->memory, "%s.bak", job->path);
    lm_path_identity about = {LM_PATH_NOTHING, 0, 0};
    if (path && !tool_has(job->args, LM_OPTION_FORCE))
        lm_path_identify(path, &about);
    if (about.kind != LM_PATH_NOTHING)
        return tool_fail_code(job, LM_CODE_IO, "%s exists; --force replaces it", path);
    lm_file_output output = {path, file->data, file->size, job->path, NULL};
    return path && tool_output_write_all(job, &output, 1);
}

bool tool_target_write(tool_job *job, const tool_output *output, tool_rewriting *r) {
    r->same = r->result.size == r->file.size &&
              (r->file.size == 0 || memcmp(r->result.data, r->file.data, r->file.size) == 0);
    if (output->kind == TOOL_TO_NOTHING)
        return true;
    job->same = r->same;
    if (output->kind == TOOL_TO_ARCHIVE) {
        tool_repack_put(job, output, &r->result, r->same);
        return true;
    }
    if (output->kind != TOOL_TO_INPUT)
        return tool_output_put(job, r->path, &r->result);
    return r->same || ((!tool_has(job->args, LM_OPTION_BACKUP) || back_up(job, &r->file)) &&
                       tool_output_put(job, r->path, &r->result));
}

const char *tool_target_written(const tool_output *output, const tool_rewriting *r) {
    const bool in_place = output->kind == TOOL_TO_INPUT || output->kind == TOOL_TO_ARCHIVE;
    if (output->kind == TOOL_TO_NOTHING || (in_place && r->same))
        return NULL;
    if (output->kind == TOOL_TO_ARCHIVE)
        return output->path;
    return r->path ? r->path : "standard output";
}

void tool_target_close(tool_rewriting *r) {
    lm_file_free(&r->file);
    lm_buffer_free(&r->result);
}
