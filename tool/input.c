#include "input.h"

#include "archives.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

#define MAX_CLIPS_FILE (1u << 20) /* real ones have a few kilobytes */

const char *tool_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = tool_archive_length(path);
    return length > 0 && path + length >= name ? path + length + 1 : name;
}

uint32_t tool_header_fields(const lm_layout *layout) {
    uint32_t end = layout->num_fields;
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        if (lump->num_fields > 0 && lump->first_field > 0 && lump->first_field < end)
            end = lump->first_field;
    }
    return end;
}

static bool read_quirks(const tool_args *args, unsigned *quirks) {
    for (size_t i = 0; i < args->num_given; i++) {
        if (args->given[i].option != TOOL_QUIRK)
            continue;
        if (strcmp(args->given[i].value, "mdc-prinz") != 0)
            return tool_usage(args, "there is no quirk \"%s\"; there is mdc-prinz",
                              args->given[i].value);
        *quirks |= LM_QUIRK_MDC_PRINZ;
    }
    return true;
}

static bool read_topology(const tool_args *args, lm_topology *topology) {
    const char *text = tool_value(args, TOOL_TOPOLOGY);
    if (!text || strcmp(text, "triangles") == 0)
        *topology = LM_TOPOLOGY_TRIANGLES;
    else if (strcmp(text, "glcommands") == 0)
        *topology = LM_TOPOLOGY_GL_COMMANDS;
    else
        return tool_usage(args, "--topology is triangles or glcommands, not \"%s\"", text);
    return true;
}

static bool read_clips_file(const tool_args *args, tool_load_settings *settings) {
    const char *path = tool_value(args, TOOL_CLIPS);
    if (!path)
        return true;
    settings->no_clip_files = strcmp(path, "none") == 0;
    if (settings->no_clip_files)
        return true;
    settings->clips_path = path;
    for (size_t i = 0; i < args->num_inputs; i++)
        if (strcmp(path, "-") == 0 && strcmp(args->inputs[i], "-") == 0)
            return tool_usage(args, "model and clips cannot both come from standard input");
    lm_error error;
    if (!lm_file_read(path, MAX_CLIPS_FILE, &settings->clips_file, &error))
        return tool_usage(args, "--clips %s: %s", path, error.message);
    return true;
}

bool tool_load_settings_read(const tool_args *args, tool_load_settings *settings) {
    *settings = (tool_load_settings){.quiet = tool_has(args, TOOL_QUIET)};
    settings->load.repair = tool_has(args, TOOL_REPAIR);
    return read_quirks(args, &settings->load.quirks) &&
           read_topology(args, &settings->load.topology) && read_clips_file(args, settings);
}

void tool_load_settings_free(tool_load_settings *settings) {
    if (settings->clips_path)
        lm_file_close(&settings->clips_file);
}

/* Leaves in `path` the first clip file there is for a model: MODEL.framegroups with and without
 * the model's own extension, then the folder's animation.cfg. */
static bool find_clips_file(const char *model_path, lm_buffer *path) {
    size_t folder = (size_t)(tool_base_name(model_path) - model_path);
    const char *dot = strrchr(model_path + folder, '.');
    size_t stem = dot && dot > model_path + folder ? (size_t)(dot - model_path) : 0;
    const struct {
        size_t length; /* of the model's path */
        const char *end;
    } candidates[] = {
        {strlen(model_path), ".framegroups"}, {stem, ".framegroups"}, {folder, "animation.cfg"}};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (candidates[i].end[0] == '.' && candidates[i].length == 0)
            continue;
        path->size = 0;
        lm_buffer_append(path, model_path, candidates[i].length);
        lm_buffer_append(path, candidates[i].end, strlen(candidates[i].end) + 1);
        if (!path->failed && tool_file_exists((const char *)path->data))
            return true;
    }
    path->size = 0;
    return false;
}

static bool use_clips(tool_input *input, const lm_file *file, const char *path, lm_error *error) {
    lm_clips_options options = {.file_name = path};
    input->file_clips =
        lm_clips_read(file->data, file->size, input->model->num_frames, &options, error);
    if (!input->file_clips)
        return false;
    input->clips = input->file_clips->clips;
    input->num_clips = input->file_clips->num_clips;
    return true;
}

static void use_clips_beside(tool_job *job, const tool_load_settings *settings, tool_input *input) {
    /* A model of one frame has nothing to play: the head beside a player's animation.cfg. */
    if (settings->no_clip_files || strcmp(job->path, "-") == 0 || input->model->num_frames < 2 ||
        !find_clips_file(job->path, &input->clips_path))
        return;
    const char *path = (const char *)input->clips_path.data;
    lm_file file;
    lm_error error;
    bool used = tool_file_read(path, MAX_CLIPS_FILE, &file, &error);
    if (used) {
        used = use_clips(input, &file, path, &error);
        lm_file_close(&file);
    }
    if (!used) {
        if (!settings->quiet)
            tool_say(job, "the clips in %s are not used: %s", path, error.message);
        input->clips_path.size = 0;
    }
}

/* Takes the clips of the file that was named, or of one beside the model. */
static bool choose_clips(tool_job *job, const tool_load_settings *settings, tool_input *input,
                         lm_error *error) {
    input->clips = input->model->clips;
    input->num_clips = input->model->num_clips;
    if (!settings->clips_path) {
        use_clips_beside(job, settings, input);
        return true;
    }
    lm_buffer_append(&input->clips_path, settings->clips_path, strlen(settings->clips_path) + 1);
    return use_clips(input, &settings->clips_file, settings->clips_path, error);
}

bool tool_input_open(tool_job *job, const tool_load_settings *settings, tool_input *input,
                     lm_error *error) {
    *input = (tool_input){0};
    if (!tool_file_read(job->path, job->max_input, &input->file, error))
        return false;
    input->model = lm_load_memory(input->file.data, input->file.size, &settings->load, error);
    for (uint32_t i = 0; input->model && i < input->model->num_warnings; i++)
        if (lm_code_severity(input->model->warnings[i].code) > LM_NOTE)
            tool_mark(job, input->model->warnings[i].code, TOOL_CODE_WARNED);
    if (input->model && choose_clips(job, settings, input, error))
        return true;
    tool_input_close(input);
    return false;
}

void tool_input_close(tool_input *input) {
    lm_clips_free(input->file_clips);
    lm_buffer_free(&input->clips_path);
    lm_free(input->model);
    lm_file_close(&input->file);
}
