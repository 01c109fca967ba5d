#include "output.h"

#include "batch.h"
#include "claims.h"
#include "describe.h"
#include "paths.h"
#include "system.h"
#include "terminal.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static bool ends_with_slash(const char *path) {
    size_t length = strlen(path);
    return length > 0 && path[length - 1] == '/';
}

static bool is_there(const char *path) {
    lm_path_about about;
    lm_path_look(path, &about);
    return about.kind != LM_PATH_NOTHING;
}

bool tool_output_read(const tool_args *args, tool_output *output) {
    const char *path = tool_value(args, TOOL_OUTPUT);
    *output = (tool_output){.args = args, .path = path ? path : "-", .kind = TOOL_TO_FILE};
    output->force = tool_has(args, TOOL_FORCE);
    output->skip_existing = tool_has(args, TOOL_SKIP_EXISTING);
    if (output->force && output->skip_existing)
        return tool_usage(args, "--force and --skip-existing cannot be combined");
    if (output->path[0] == '\0')
        return tool_usage(args, "-o needs a name");
    if (strcmp(output->path, "-") == 0)
        output->kind = TOOL_TO_STDOUT;
    else if (ends_with_slash(output->path) || lm_disk_is_folder(args->disk, output->path))
        output->kind = TOOL_TO_FOLDER;
    if (args->num_inputs < 2 || output->kind == TOOL_TO_FOLDER)
        return true;
    if (output->kind == TOOL_TO_STDOUT || *lm_disk_extension(args->disk, output->path) ||
        is_there(output->path))
        return tool_usage(args, "%zu inputs cannot go into one file; name a folder: -o DIR/",
                          args->num_inputs);
    output->kind = TOOL_TO_FOLDER;
    return true;
}

static int make_output_folder(const tool_output *output) {
    lm_error error;
    if (lm_folder_make(output->path, &error))
        return TOOL_DONE;
    lm_buffer message = {0};
    lm_buffer_text(&message, "lerpmesh: ");
    lm_text_harmless(&message, error.message);
    lm_buffer_text(&message, "\n");
    tool_write_error(&message);
    lm_buffer_free(&message);
    return TOOL_FAILED;
}

/* The name of an input's output below the folder, without extension unless names are whole: its
 * tree if it has one, else the last part of its path; "stdin" for standard input. */
static const char *stem(const tool_output *output, const char *input, const char *tree,
                        size_t *length) {
    lm_disk *disk = output->args->disk;
    const char *path = tree ? tree : strcmp(input, "-") == 0 ? "stdin" : input;
    const char *last = lm_disk_stem(disk, path, length), *name = tree ? tree : last;
    *length = output->whole_names ? strlen(name) : *length + (size_t)(last - name);
    return name;
}

static void end_text(lm_buffer *text) {
    lm_buffer_append(text, "", 1);
}

/* The name of an input's output, NUL-terminated: nothing that a terminal or a shell would obey. */
static void name_output(const tool_output *output, size_t input, lm_buffer *name) {
    size_t length;
    const tool_args *args = output->args;
    const char *text =
        stem(output, args->inputs[input], args->trees ? args->trees[input] : NULL, &length);
    lm_text_path(name, text, length);
    end_text(name);
}

static bool find_same_names(tool_output *output) {
    lm_buffer names = {0};
    for (size_t i = 0; i < output->args->num_inputs; i++)
        name_output(output, i, &names);
    output->claims = tool_claims_make(&names, output->args->num_inputs);
    return output->claims || tool_no_memory();
}

int tool_output_prepare(tool_output *output) {
    if (output->kind != TOOL_TO_FOLDER)
        return TOOL_DONE;
    return find_same_names(output) ? make_output_folder(output) : TOOL_FAILED;
}

void tool_output_free(tool_output *output) {
    tool_claims_free(output->claims);
    output->claims = NULL;
}

/* Path of the job's file with `extension` instead of its own. */
static void build_path(const tool_job *job, const tool_output *output, const char *extension,
                       lm_buffer *path) {
    if (output->kind == TOOL_TO_FOLDER) {
        lm_buffer_text(path, output->path);
        if (!ends_with_slash(output->path))
            lm_buffer_text(path, "/");
        name_output(output, job->index, path);
        path->size -= path->size > 0; /* the NUL */
    } else {
        const char *end = lm_disk_extension(output->args->disk, output->path);
        lm_buffer_append(path, output->path, (size_t)(end - output->path));
    }
    lm_buffer_text(path, extension);
    end_text(path);
}

static const char *own_extension(const tool_output *output) {
    return output->kind == TOOL_TO_FOLDER ? output->extension
                                          : lm_disk_extension(output->args->disk, output->path);
}

/* For a member, that is its archive. */
static bool is_input_file(lm_disk *disk, const char *input, const lm_path_about *file) {
    char archive[4096]; /* no system opens a longer path */
    size_t length = lm_disk_archive_length(disk, input);
    if (length >= sizeof archive)
        return false;
    memcpy(archive, input, length);
    archive[length] = '\0';
    lm_path_about about;
    lm_path_look(length > 0 ? archive : input, &about);
    return about.kind != LM_PATH_NOTHING && about.disk == file->disk &&
           about.number == file->number;
}

static bool is_an_input(const tool_args *args, const lm_path_about *file) {
    for (size_t i = 0; i < args->num_inputs; i++)
        if (is_input_file(args->disk, args->inputs[i], file))
            return true;
    return false;
}

/* Whether writing `path` destroys nothing that the user did not name. Of what this batch has
 * written tool_output_write_all decides. */
static bool may_write(tool_job *job, const tool_output *output, const char *path) {
    size_t owner;
    lm_path_about about;
    lm_path_look(path, &about);
    if (about.kind == LM_PATH_NOTHING)
        return true;
    if (is_an_input(output->args, &about))
        tool_fail_code(job, LM_CODE_IO, "the output %s is also an input", path);
    else if (about.kind == LM_PATH_FOLDER)
        tool_fail_code(job, LM_CODE_IO, "the output %s is a folder", path);
    else if (output->kind == TOOL_TO_FOLDER && !output->force &&
             !(output->claims && tool_claims_find(output->claims, path, &owner)))
        tool_fail_code(job, LM_CODE_IO, "%s is there already; --force replaces it%s", path,
                       tool_takes(output->args, TOOL_SKIP_EXISTING) ? ", --skip-existing leaves it"
                                                                    : "");
    else
        return true;
    return false;
}

/* The input that has the name of this one's output; NULL: it has it itself. */
static const char *earlier_of_same_name(const tool_job *job, const tool_output *output) {
    const size_t first =
        output->claims ? tool_claims_first(output->claims, job->index) : job->index;
    return first < job->index ? output->args->inputs[first] : NULL;
}

static bool fail_claimed(tool_job *job, const char *path, const char *input) {
    tool_fail_code(job, LM_CODE_IO, "not written: %s is also the output of %s", path,
                   tool_shown_path(input));
    return false;
}

static bool is_first_of_its_name(tool_job *job, const tool_output *output, const char *path) {
    const char *earlier = earlier_of_same_name(job, output);
    return !earlier || fail_claimed(job, path, earlier);
}

/* Whether what an input becomes has this path, or its companion. */
static bool is_output_of(const tool_output *output, const char *path, size_t *input) {
    const char *const extensions[2] = {output->extension, output->companion};
    const size_t whole = strlen(path),
                 folder = strlen(output->path) + !ends_with_slash(output->path);
    for (int i = 0; i < 2 && output->claims && extensions[i]; i++) {
        const size_t length = strlen(extensions[i]);
        if (length + folder <= whole && strcmp(path + whole - length, extensions[i]) == 0 &&
            tool_claims_find_name(output->claims, path + folder, whole - length - folder, input))
            return true;
    }
    return false;
}

bool tool_output_floods(const tool_output *output) {
    return output->kind == TOOL_TO_STDOUT && tool_output_is_terminal() &&
           !tool_usage(
               output->args,
               "binary output does not go to a terminal: name a file with -o, or redirect it");
}

bool tool_output_skips(tool_job *job, const tool_output *output) {
    if (!output->skip_existing || output->kind == TOOL_TO_STDOUT ||
        earlier_of_same_name(job, output))
        return false;
    lm_buffer path = {0};
    build_path(job, output, own_extension(output), &path);
    const char *name = (const char *)path.data;
    lm_path_about about;
    lm_path_look(path.failed ? NULL : name, &about);
    job->skipped = about.kind == LM_PATH_FILE && !is_an_input(output->args, &about);
    if (path.failed)
        tool_no_memory();
    if (job->skipped)
        tool_say(job, "skipped: %s is there already", name);
    lm_buffer_free(&path);
    return job->skipped;
}

/* Says that a file is not called as the input is. */
static void tell_escaped(tool_job *job, const tool_output *output, const char *path) {
    size_t length;
    lm_buffer name = {0};
    if (output->kind != TOOL_TO_FOLDER)
        return;
    stem(output, job->path, job->tree, &length);
    name_output(output, job->index, &name);
    if (name.failed)
        tool_no_memory();
    else if (name.size != length + 1)
        tool_complain(job, "written as %s: control characters in its name become %%NN", path);
    lm_buffer_free(&name);
}

bool tool_output_name(tool_job *job, const tool_output *output, lm_buffer *path) {
    build_path(job, output, own_extension(output), path);
    if (path->failed) {
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    tell_escaped(job, output, (const char *)path->data);
    return is_first_of_its_name(job, output, (const char *)path->data);
}

bool tool_output_path(tool_job *job, const tool_output *output, lm_buffer *path,
                      lm_buffer *companion) {
    if (!tool_output_name(job, output, path))
        return false;
    if (output->companion)
        build_path(job, output, output->companion, companion);
    if (output->companion && companion->failed) {
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    return may_write(job, output, (const char *)path->data) &&
           (!output->companion || may_write(job, output, (const char *)companion->data));
}

bool tool_output_beside(tool_job *job, const tool_output *output, const char *path,
                        const char *name, lm_buffer *beside) {
    lm_buffer_append(beside, path, (size_t)(lm_disk_base_name(job->disk, path) - path));
    lm_buffer_append(beside, name, strlen(name) + 1);
    if (beside->failed) {
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    size_t owner;
    const char *text = (const char *)beside->data;
    job->output = output;
    if (is_output_of(output, text, &owner) && owner != job->index)
        return fail_claimed(job, text, output->args->inputs[owner]);
    return may_write(job, output, text);
}

/* Makes the folders that a path leads through. */
static bool make_folders_above(tool_job *job, const char *path) {
    size_t length = (size_t)(lm_disk_base_name(job->disk, path) - path);
    if (length < 2)
        return true;
    lm_error error;
    char *folder = tool_copy(path, length - 1);
    const bool made = folder ? lm_folder_make(folder, &error)
                             : lm_fail_plain(&error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (!made)
        tool_fail_error(job, &error, job->json);
    free(folder);
    return made;
}

static bool write_files(tool_job *job, const lm_file_output *files, size_t count) {
    lm_error error;
    for (size_t i = 0; job->tree && i < count; i++)
        if (!make_folders_above(job, files[i].path))
            return false;
    if (lm_file_write_all(files, count, job->sync, &error))
        return true;
    tool_fail_error(job, &error, job->json);
    return false;
}

static bool is_the_same(const tool_job *job, const lm_file_output *file) {
    lm_error error;
    lm_file there;
    if (!lm_disk_read(job->disk, file->path, file->size + 1, &there, &error))
        return false;
    const bool same = there.size == file->size &&
                      (file->size == 0 || memcmp(there.data, file->data, file->size) == 0);
    lm_file_free(&there);
    return same;
}

/* Takes the files for the job, into `left` those that no earlier one has written alike. False, and
 * the job failed, if one has written another. */
static bool claim(tool_job *job, const lm_file_output *files, size_t count, lm_file_output *left,
                  size_t *num_left) {
    tool_claims *claims = job->output->claims;
    size_t owner;
    *num_left = 0;
    for (size_t i = 0; i < count; i++) {
        const bool claimed = tool_claims_find(claims, files[i].path, &owner);
        if (claimed && !is_the_same(job, &files[i]))
            return fail_claimed(job, files[i].path, job->output->args->inputs[owner]);
        if (!claimed)
            left[(*num_left)++] = files[i];
    }
    for (size_t i = 0; i < *num_left; i++)
        if (!tool_claims_add(claims, left[i].path, job->index)) {
            tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
            return false;
        }
    return true;
}

/* In the order of the inputs, so that it is always the same one that has a file beside two. */
static bool write_in_turn(tool_job *job, const lm_file_output *files, size_t count) {
    lm_file_output *left = malloc((count + 1) * sizeof *left);
    size_t num_left;
    if (!left)
        tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
    tool_batch_await_earlier(job);
    const bool written = left && claim(job, files, count, left, &num_left) &&
                         (num_left == 0 || write_files(job, left, num_left));
    free(left);
    return written;
}

bool tool_output_write_all(tool_job *job, const lm_file_output *files, size_t count) {
    return job->output && job->output->claims ? write_in_turn(job, files, count)
                                              : write_files(job, files, count);
}

bool tool_output_write(tool_job *job, const char *path, const void *data, size_t size) {
    const lm_file_output file = {path, data, size};
    return tool_output_write_all(job, &file, 1);
}
