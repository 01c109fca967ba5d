#include "commands.h"
#include "describe.h"
#include "inputs.h"
#include "job.h"
#include "json.h"
#include "paths.h"
#include "terminal.h"

#include <inttypes.h>
#include <string.h>

typedef struct listing {
    const tool_args *args;
    const char *path;    /* of the archive */
    const char *pattern; /* behind its ':', NULL: none */
    const lm_archive *archive;
    bool json, sizes;
    size_t listed;
    uint64_t total;
} listing;

static bool is_wanted(const listing *l, const char *path) {
    return (!l->pattern || tool_inputs_fits(l->pattern, path)) && tool_inputs_want(l->args, path);
}

static void write_member(const listing *l, const lm_member *member, lm_buffer *out) {
    lm_json json = {.out = out};
    lm_json_open(&json, NULL, '{');
    lm_json_string(&json, "archive", l->path);
    lm_json_string(&json, "path", member->path);
    lm_json_integer(&json, "size", (int64_t)member->size);
    lm_json_integer(&json, "packed_size", (int64_t)member->packed_size);
    bool odd = member->code != LM_CODE_OK;
    lm_json_string(&json, "code", odd ? lm_code_name(member->code) : NULL);
    lm_json_string(&json, "problem", odd ? member->problem : NULL);
    lm_json_close(&json);
    lm_buffer_text(out, "\n");
}

static void print_member(const listing *l, const lm_member *member, lm_buffer *out) {
    if (l->sizes)
        lm_buffer_printf(out, "%10" PRIu64 " %10" PRIu64 "  ", member->size, member->packed_size);
    lm_text_harmless(out, member->path);
    if (l->sizes && member->code != LM_CODE_OK)
        lm_buffer_printf(out, "  [%s: %s]", lm_code_name(member->code), member->problem);
    lm_buffer_text(out, "\n");
}

static bool list(listing *l) {
    lm_buffer out = {0};
    for (size_t i = 0; i < lm_archive_num_members(l->archive); i++) {
        const lm_member *member = lm_archive_member(l->archive, i);
        if (!is_wanted(l, member->path))
            continue;
        l->listed++;
        l->total += member->size;
        if (l->json)
            write_member(l, member, &out);
        else
            print_member(l, member, &out);
    }
    if (l->sizes && !l->json) {
        lm_buffer_printf(&out, "%10" PRIu64 "             ", l->total);
        lm_text_count(&out, l->listed, "file");
        lm_buffer_text(&out, "\n");
    }
    bool written = tool_write_result(&out);
    lm_buffer_free(&out);
    return written;
}

static int end(tool_job *job) {
    const bool written = tool_write_result(&job->out);
    tool_write_error(&job->log);
    lm_buffer_free(&job->out);
    lm_buffer_free(&job->log);
    return written ? job->status : TOOL_FAILED;
}

static int fail_error(const listing *l, const lm_error *error) {
    tool_job job = {.path = l->path, .json = l->json};
    if (lm_disk_is_folder(l->args->disk, l->path))
        tool_fail_code(&job, error->code,
                       "this is a folder; ls lists what is in an archive (PAK, PK3)");
    else
        tool_fail_error(&job, error, l->json);
    return end(&job);
}

static int fail_pattern(const listing *l) {
    tool_job job = {.path = l->path, .json = l->json};
    tool_fail_code(&job, LM_CODE_BAD_ARGUMENT, "nothing in the archive matches the pattern");
    return end(&job);
}

static int run_ls(const tool_args *args) {
    listing l = {
        .args = args, .json = tool_has(args, TOOL_JSON), .sizes = tool_has(args, TOOL_LONG)};
    if (args->num_inputs == 0) {
        tool_usage(args, "say which archive: lerpmesh ls FILE.pk3");
        return TOOL_USAGE;
    }
    l.path = args->inputs[0];
    size_t length = lm_disk_archive_length(args->disk, l.path);
    if (length > 0)
        l.pattern = l.path + length + 1;
    else
        length = strlen(l.path);
    lm_error error;
    l.archive = lm_disk_archive(args->disk, l.path, length, &error);
    if (!l.archive)
        return fail_error(&l, &error);
    if (!list(&l))
        return TOOL_FAILED;
    bool asked = l.pattern || args->num_inputs > 1;
    return asked && l.listed == 0 ? fail_pattern(&l) : TOOL_DONE;
}

static const tool_option options[] = {TOOL_LONG, TOOL_JSON, TOOL_HELP};

const tool_command tool_ls = {
    .name = "ls",
    .usage = "[options] FILE.pk3 [PATTERN...]",
    .summary = "list what is in an archive (PAK, PK3)",
    .about =
        "Lists the files in an archive of Quake or of its successors, each with its path, which\n"
        "any other command takes behind the archive's: pak0.pk3:models/a.md3. In a PATTERN *\n"
        "and ? do not match '/', ** is any number of folders; without a '/' it is for names\n"
        "in every folder. Put it in quotes.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .examples = "  lerpmesh ls pak0.pak\n"
                "  lerpmesh ls -l pak0.pk3 '*.md3'\n"
                "  lerpmesh ls --json pak0.pk3 'models/**/*.md3' | jq -r .path\n",
    .run = run_ls,
};
