
#include "output.h"

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
    return !tool_output_is_blocked(output);
}

/* Fails if the name of the output is that of another format. The file keeps its format. */
static bool check_name(tool_job *job, const tool_output *output, const tool_rewriting *r) {
    const lm_format_info *named =
        output->kind == TOOL_TO_FILE ? lm_format_by_extension(r->path) : NULL;
    const char *format = lm_format_of(r->file.data, r->file.size);
    return !named || !format || strcmp(named->name, format) == 0 ||
           tool_fail_code(job, LM_CODE_BAD_ARGUMENT,
                          "%s would have the format %s: name it .%s, or use lerpmesh convert",
                          r->path, format, format);
}

bool tool_target_open(tool_job *job, const tool_output *output, tool_rewriting *r) {
    return tool_output_path(job, output, &r->path) && tool_read(job, &r->file) &&
           check_name(job, output, r);
}

/* Saves the original under another name. Never replaces a backup, which may be the only copy,
 * unless --force is given. */
static bool back_up(tool_job *job, const lm_buffer *file) {
    const char *path = lmi_arena_printf(job->arena, "%s.bak", job->path);
    lm_path_identity about = {LM_PATH_NOTHING, 0, 0};
    if (path && !tool_has(job->args, LM_OPTION_FORCE))
        lmi_path_identify(path, &about);
    if (about.kind != LM_PATH_NOTHING)
        return tool_fail_code(job, LM_CODE_IO, "%s exists; --force replaces it", path);
    lm_file_output output = {
        .path = path, .data = file->data, .size = file->size, .like = job->path};
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
    lm_buffer_free(&r->file);
    lm_buffer_free(&r->result);
}

typedef enum content_state {
    NOT_MADE,
    UNCHANGED,
    CHANGED
} content_state;

typedef struct content {
    content_state state;
    lm_buffer bytes; /* if it is changed */
} content;

typedef struct tool_repack {
    const tool_args *args;
    const char *path, *format;
    const lm_archive *archive; /* that is read */
    tool_owners *names;        /* of the members that are inputs */
    content *contents;         /* [args->num_inputs] */
} tool_repack;

/* ---- Before the jobs ------------------------------------------------------------------------- */

static const char *extension_of(const tool_args *args) {
    const char *path = tool_value(args, LM_OPTION_OUTPUT);
    return path ? lmi_vfs_extension(args->vfs, path) : "";
}

bool tool_repack_is_named(const tool_args *args) {
    const char *extension = extension_of(args);
    return lmi_compare_letters(extension, ".pk3") == 0 ||
           lmi_compare_letters(extension, ".pak") == 0 ||
           lmi_compare_letters(extension, ".zip") == 0;
}

/* Finds the archive of all inputs. Inputs that cannot be read are in none. */
static bool find_archive(const tool_args *args, const char **archive) {
    const char *first = NULL, *out = tool_value(args, LM_OPTION_OUTPUT);
    size_t length = 0;
    for (size_t i = 0; i < args->num_inputs; i++) {
        const char *path = args->inputs[i].path;
        const size_t own = lmi_vfs_archive_length(args->vfs, path);
        if (args->inputs[i].problem && own == 0)
            continue;
        if (own == 0)
            return tool_usage(args,
                              "%s: only models of an archive are written as an archive; lerpmesh "
                              "pack makes one of a folder",
                              out);
        if (first && (own != length || memcmp(first, path, own) != 0))
            return tool_usage(args, "%s: the models are of different archives", out);
        first = path;
        length = own;
    }
    *archive = first ? lmi_arena_text(args->arena, first, length) : NULL;
    return !lmi_arena_failed(args->arena);
}

/* Names the members as the archive spells them. */
static bool name_members(tool_repack *r, size_t length) {
    for (size_t i = 0; i < r->args->num_inputs; i++) {
        const tool_input *input = &r->args->inputs[i];
        const lm_member *member =
            input->problem ? NULL : lm_archive_find(r->archive, input->path + length + 1);
        if (!tool_owners_add_name(r->names, member ? member->path : ""))
            return false;
    }
    return true;
}

bool tool_repack_read(const tool_args *args, tool_output *output) {
    lm_error error;
    tool_repack *r = lmi_arena_zeros(args->arena, 1, sizeof *r);
    *output = (tool_output){.args = args,
                            .kind = TOOL_TO_ARCHIVE,
                            .path = tool_value(args, LM_OPTION_OUTPUT),
                            .repack = r};
    if (tool_has(args, LM_OPTION_SKIP_EXISTING))
        return tool_usage(args, "--skip-existing does not apply to an archive");
    if (!r)
        return false;
    *r = (tool_repack){.args = args,
                       .format =
                           lmi_compare_letters(extension_of(args), ".pak") == 0 ? "pak" : "pk3",
                       .names = tool_owners_make(args->arena, args->num_inputs),
                       .contents = lmi_arena_zeros(args->arena, args->num_inputs, sizeof(content))};
    if (!r->names || !r->contents || !find_archive(args, &r->path))
        return false;
    const size_t length = r->path ? strlen(r->path) : 0;
    r->archive = r->path ? lmi_vfs_archive(args->vfs, r->path, length, &error) : NULL;
    if (r->path && !r->archive)
        return tool_usage(args, "%s", error.message);
    return !r->path || name_members(r, length);
}

void tool_repack_put(tool_job *job, const tool_output *output, lm_buffer *content_, bool same) {
    content *c = &output->repack->contents[job->index];
    c->state = same ? UNCHANGED : CHANGED;
    if (same)
        return;
    c->bytes = *content_;
    *content_ = (lm_buffer){.size = content_->size};
}

/* ---- After the jobs -------------------------------------------------------------------------- */

/* Reads a member of the new archive. */
static bool read_member(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    const tool_repack *r = user;
    const lm_files *files = r->archive->files;
    size_t input;
    const bool is_input = tool_owners_find_name(r->names, path, strlen(path), &input);
    if (!is_input || r->contents[input].state != CHANGED)
        return files->read(files->user, path, max_size, out, error);
    lm_buffer_append(out, r->contents[input].bytes.data, r->contents[input].bytes.size);
    return !out->failed || lmi_fail_memory(error);
}

/* Lists the members that can be read. Reports the others, except those that no game reads. */
static bool list_members(tool_job *job, const lm_archive *archive, const char **paths,
                         size_t *count) {
    size_t left = 0;
    *count = 0;
    for (uint32_t i = 0; i < archive->num_members; i++) {
        const lm_member *member = archive->members[i];
        if (member->code == LM_CODE_OK)
            paths[(*count)++] = member->path;
        else
            left += !lmi_member_is_hidden(archive, member);
    }
    if (left > 0)
        tool_fail(
            job, "%s cannot be read",
            lmi_count_words(left, "{member is|members are} left out, because {it|they}").text);
    return *count > 0;
}

static size_t count_contents(const tool_repack *r, content_state state) {
    size_t count = 0;
    for (size_t i = 0; i < r->args->num_inputs; i++)
        count += r->contents[i].state == state;
    return count;
}

static bool pack(tool_job *job, const tool_output *output) {
    tool_repack *r = output->repack;
    const char **paths =
        lmi_arena_zeros(job->arena, r->archive->num_members + (size_t)1, sizeof(char *));
    const lm_files files = {.user = r, .name = r->path, .read = read_member};
    const size_t not_made = count_contents(r, NOT_MADE);
    const char *path;
    size_t count;
    lm_buffer out = {0};
    lm_error error;
    if (!paths || !tool_output_path(job, output, &path) ||
        !list_members(job, r->archive, paths, &count))
        return false;
    if (not_made > 0)
        tool_warn(job, "%s as before",
                  lmi_count_words(not_made, "{model|models} that failed {stays|stay}").text);
    const bool made = lm_archive_write(&files, paths, count, r->format, &out, &error);
    const size_t size = out.size;
    const bool written = made ? tool_output_put(job, path, &out) : tool_fail_error(job, &error);
    if (written)
        tool_note(job, "wrote %s: %zu bytes, %s, %zu changed", path, size,
                  lmi_count_nouns(count, "files").text, count_contents(r, CHANGED));
    lm_buffer_free(&out);
    return written;
}

static bool write_archive(const tool_output *output) {
    const tool_args *args = output->args;
    tool_output file = *output;
    file.kind = TOOL_TO_FILE;
    tool_job job = {.path = output->repack->path,
                    .args = args,
                    .vfs = args->vfs,
                    .arena = args->arena,
                    .quiet = tool_has(args, LM_OPTION_QUIET)};
    const bool written = pack(&job, &file);
    tool_write_error(&job.log);
    lm_buffer_free(&job.warnings);
    return written && job.status == TOOL_DONE;
}

int tool_repack_write(const tool_output *output, int status) {
    tool_repack *r = output->repack;
    if (!r || !r->contents)
        return status;
    const bool any = count_contents(r, UNCHANGED) + count_contents(r, CHANGED) > 0;
    if (status != TOOL_USAGE && any && !write_archive(output))
        status = TOOL_FAILED;
    for (size_t i = 0; i < r->args->num_inputs; i++)
        lm_buffer_free(&r->contents[i].bytes);
    return status;
}
