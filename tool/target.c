#include "target.h"

#include "claims.h"
#include "paths.h"
#include "system.h"
#include "terminal.h"

#include <inttypes.h>
#include <string.h>

bool tool_target_read(const tool_args *args, tool_target *target) {
    const bool out = tool_has(args, TOOL_OUTPUT);
    *target = (tool_target){.args = args,
                            .in_place = tool_has(args, TOOL_IN_PLACE),
                            .backup = tool_has(args, TOOL_BACKUP),
                            .dry_run = tool_has(args, TOOL_DRY_RUN),
                            .force = tool_has(args, TOOL_FORCE)};
    if (args->num_inputs == 0)
        return true;
    if (out && target->in_place)
        return tool_usage(args, "-o and --in-place cannot be combined");
    if (target->backup && !target->in_place)
        return tool_usage(args, "--backup is for --in-place: with -o the file stays as it is");
    if (!out && !target->in_place && !target->dry_run)
        return tool_usage(args, "say where to write: -o OUT or --in-place; --dry-run only looks");
    if (!out)
        return true;
    if (!tool_output_read(args, &target->output))
        return false;
    target->output.whole_names = true;
    target->output.extension = "";
    if (target->output.kind == TOOL_TO_STDOUT && tool_has(args, TOOL_JSON) && !target->dry_run)
        return tool_usage(args, "the model and --json cannot both go to standard output");
    return target->dry_run || !tool_output_floods(&target->output);
}

static bool writes_elsewhere(const tool_target *target) {
    return !target->in_place && !target->dry_run && target->output.args;
}

/* Files are named by their numbers, which links share, and what is none by its own place. */
static int find_same_files(tool_target *target) {
    const tool_args *args = target->args;
    lm_buffer names = {0};
    lm_path_about about;
    for (size_t i = 0; i < args->num_inputs; i++) {
        lm_path_look(args->inputs[i], &about);
        if (about.kind == LM_PATH_FILE)
            lm_buffer_printf(&names, "%" PRIu64 ":%" PRIu64, (uint64_t)about.disk,
                             (uint64_t)about.number);
        else
            lm_buffer_printf(&names, "%zu", i);
        lm_buffer_append(&names, "", 1);
    }
    target->same = tool_claims_make(&names, args->num_inputs);
    return target->same || tool_no_memory() ? TOOL_DONE : TOOL_FAILED;
}

int tool_target_prepare(tool_target *target) {
    if (target->in_place && !target->dry_run)
        return find_same_files(target);
    return writes_elsewhere(target) ? tool_output_prepare(&target->output) : TOOL_DONE;
}

void tool_target_free(tool_target *target) {
    tool_claims_free(target->same);
    tool_output_free(&target->output);
}

bool tool_target_skips(tool_job *job, const tool_target *target) {
    return writes_elsewhere(target) && tool_output_skips(job, &target->output);
}

static bool end_path(tool_job *job, lm_buffer *path) {
    lm_buffer_append(path, "", 1);
    if (path->failed)
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
    return !path->failed;
}

/* The file itself, if it is one; of a link that which it leads to, so that it stays a link. */
static bool name_in_place(tool_job *job, const tool_target *target, lm_buffer *path) {
    if (strcmp(job->path, "-") == 0 || lm_disk_archive_length(job->disk, job->path) > 0) {
        tool_fail_code(job, LM_CODE_BAD_ARGUMENT,
                       "only a file can be edited in place: name another with -o");
        return false;
    }
    const size_t first = tool_claims_first(target->same, job->index);
    if (first < job->index) {
        tool_fail_code(job, LM_CODE_IO, "not written: it is the same file as %s",
                       target->args->inputs[first]);
        return false;
    }
    if (!lm_path_follow(job->path, path))
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
    return !path->failed;
}

bool tool_target_path(tool_job *job, const tool_target *target, lm_buffer *path) {
    if (target->dry_run || (!target->in_place && target->output.kind == TOOL_TO_STDOUT))
        return true;
    if (target->in_place)
        return name_in_place(job, target, path);
    return tool_output_path(job, &target->output, path, NULL);
}

/* The file as it was, under another name. One that is there already is the only copy of something.
 */
static bool back_up(tool_job *job, const tool_target *target, const lm_file *file) {
    lm_buffer path = {0};
    lm_buffer_text(&path, job->path);
    lm_buffer_text(&path, ".bak");
    bool done = end_path(job, &path);
    const char *name = (const char *)path.data;
    lm_path_about about = {LM_PATH_NOTHING, 0, 0};
    if (done && !target->force)
        lm_path_look(name, &about);
    if (about.kind != LM_PATH_NOTHING) {
        tool_fail_code(job, LM_CODE_IO, "%s is there already; --force replaces it", name);
        done = false;
    }
    done = done && tool_output_write(job, name, file->data, file->size);
    lm_buffer_free(&path);
    return done;
}

bool tool_target_write(tool_job *job, const tool_target *target, tool_rewriting *r) {
    if (target->dry_run || (target->in_place && r->same))
        return true;
    if (!r->path.size) {
        job->out = r->made;
        r->made = (lm_buffer){.size = job->out.size};
        return true;
    }
    const char *path = (const char *)r->path.data;
    const unsigned mode = tool_system_mode(job->path);
    bool done = (!target->backup || back_up(job, target, &r->file)) &&
                tool_output_write(job, path, r->made.data, r->made.size);
    if (done && target->in_place)
        tool_system_set_mode(path, mode);
    return done;
}
