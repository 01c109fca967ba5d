#include "convert.h"

#include "commands.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is written for one input. */
typedef struct conversion {
    lm_buffer path, bin_path; /* NUL-terminated; empty for standard output */
    lm_buffer name;           /* NUL-terminated */
    lm_buffer out, bin;
    size_t size; /* of both */
    lm_gltf_result result;
} conversion;

static void conversion_free(conversion *c) {
    lm_buffer_free(&c->path);
    lm_buffer_free(&c->bin_path);
    lm_buffer_free(&c->name);
    lm_buffer_free(&c->out);
    lm_buffer_free(&c->bin);
}

/* The model's name in the export: that of its file. */
static void name_model(const tool_job *job, lm_buffer *name) {
    const char *file = strcmp(job->path, "-") == 0 ? "model" : tool_base_name(job->path);
    lm_buffer_append(name, file, (size_t)(tool_extension(file) - file));
    lm_buffer_append(name, "", 1);
}

static bool name_outputs(tool_job *job, const convert_settings *settings, conversion *c) {
    name_model(job, &c->name);
    if (settings->output.kind != TOOL_TO_STDOUT &&
        !tool_output_path(job, &settings->output, &c->path, &c->bin_path))
        return false;
    if (!c->name.failed)
        return true;
    tool_fail(job, "there is not enough memory");
    return false;
}

static bool export_model(tool_job *job, const convert_settings *settings, const tool_input *input,
                         lm_export_options *plan, conversion *c) {
    lm_error error;
    bool made;
    plan->name = (const char *)c->name.data;
    c->out.max_size = c->bin.max_size = (size_t)settings->max_output;
    if (settings->format == CONVERT_OBJ) {
        made = lm_obj_write(input->model, plan, &c->out, &error);
    } else {
        lm_gltf_options options = {
            .common = *plan,
            .glb = settings->format == CONVERT_GLB,
            .bin_uri = c->bin_path.data ? tool_base_name((const char *)c->bin_path.data) : NULL,
            .quantize = settings->quantize,
        };
        made = lm_gltf_write(input->model, &options, &c->out, &c->bin, &c->result, &error);
    }
    if (!made)
        tool_fail_error(job, &error, false);
    c->size = c->out.size + c->bin.size;
    return made;
}

/* The buffer goes first: a .gltf never names a .bin that is not there. */
static bool write_outputs(tool_job *job, const convert_settings *settings, conversion *c) {
    const char *path = (const char *)c->path.data;
    if (settings->output.kind == TOOL_TO_STDOUT) {
        job->out = c->out;
        c->out = (lm_buffer){0};
        return true;
    }
    if (!settings->output.companion)
        return tool_output_write(job, path, &c->out);
    const char *bin_path = (const char *)c->bin_path.data;
    bool replaces = access(bin_path, F_OK) == 0;
    if (!tool_output_write(job, bin_path, &c->bin))
        return false;
    if (tool_output_write(job, path, &c->out))
        return true;
    if (!replaces)
        unlink(bin_path);
    return false;
}

/* Repairs are always said; what is merely odd, on request. */
static void tell_warnings(tool_job *job, const convert_settings *settings,
                          const tool_input *input) {
    const lm_model *model = input->model;
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_model_warning *warning = &model->warnings[i];
        bool repair = lm_code_severity(warning->code) == LM_ERROR;
        if (repair || settings->verbose)
            tool_say(job, "%s [%s] %s (%u times)", repair ? "repaired" : "warning",
                     lm_code_name(warning->code), warning->message, warning->count);
    }
    const lm_clips *clips = input->file_clips;
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        tool_say(job, "%s: %s (%u times)", (const char *)input->clips_path.data,
                 clips->warnings[i].message, clips->warnings[i].count);
}

static void tell_counts(const convert_settings *settings, const conversion *c, lm_buffer *text) {
    tool_count(text, c->size, "byte");
    if (settings->format == CONVERT_OBJ)
        return;
    lm_buffer_text(text, ", ");
    lm_buffer_printf(text, "%u mesh%s", c->result.num_meshes,
                     c->result.num_meshes == 1 ? "" : "es");
    lm_buffer_text(text, ", ");
    tool_count(text, c->result.num_targets, "morph target");
    lm_buffer_text(text, ", ");
    tool_count(text, c->result.num_animations, "animation");
    if (settings->verbose)
        lm_buffer_printf(text, "; %u frames shared with identical ones", c->result.shared_frames);
}

static void tell_result(tool_job *job, const convert_settings *settings, const tool_input *input,
                        const conversion *c) {
    if (settings->quiet)
        return;
    tell_warnings(job, settings, input);
    lm_buffer text = {0};
    tell_counts(settings, c, &text);
    lm_buffer_append(&text, "", 1);
    if (!text.failed)
        tool_say(job, "wrote %s: %s",
                 c->path.size > 0 ? (const char *)c->path.data : "standard output",
                 (const char *)text.data);
    lm_buffer_free(&text);
    if (c->result.num_parts > 1)
        tool_say(job, "more than 255 morph targets: the frames are split into %u parts by clip",
                 c->result.num_parts);
}

static void convert_input(tool_job *job, const convert_settings *settings,
                          const tool_input *input) {
    conversion c = {0};
    lm_export_options plan;
    lm_clip *clips = malloc((input->num_clips + (size_t)1) * sizeof *clips);
    if (!clips)
        tool_fail(job, "there is not enough memory");
    else if (name_outputs(job, settings, &c) && convert_plan(job, settings, input, clips, &plan) &&
             export_model(job, settings, input, &plan, &c) && write_outputs(job, settings, &c))
        tell_result(job, settings, input, &c);
    conversion_free(&c);
    free(clips);
}

static void convert_file(tool_job *job, const void *user) {
    const convert_settings *settings = user;
    tool_input input;
    lm_error error;
    if (!tool_input_open(job, &settings->load, &input, &error)) {
        tool_fail_error(job, &error, false);
        return;
    }
    convert_input(job, settings, &input);
    tool_input_close(&input);
}

static int run_convert(const tool_args *args) {
    convert_settings settings;
    int status = TOOL_USAGE;
    if (convert_settings_read(args, &settings)) {
        status = tool_output_prepare(&settings.output);
        if (status == TOOL_DONE)
            status = tool_batch_run(
                &(tool_batch){.args = args, .work = convert_file, .context = &settings});
    }
    convert_settings_free(&settings);
    return status;
}

static const tool_option options[] = {
    TOOL_OUTPUT, TOOL_FORMAT,     TOOL_FORCE, TOOL_FRAMES,   TOOL_FRAME, TOOL_CLIPS,  TOOL_CLIP,
    TOOL_FPS,    TOOL_SCALE,      TOOL_AXES,  TOOL_TOPOLOGY, TOOL_QUIRK, TOOL_REPAIR, TOOL_QUANTIZE,
    TOOL_JOBS,   TOOL_MAX_OUTPUT, TOOL_QUIET, TOOL_VERBOSE,  TOOL_HELP,
};

const tool_command tool_convert = {
    .name = "convert",
    .usage = "[options] FILE... -o OUT",
    .summary = "write animated glTF (.glb, .gltf with .bin) or OBJ",
    .about = "Writes glTF with an animation a clip, or a single pose as OBJ. The name of OUT says\n"
             "which; a folder (DIR/) takes several files and keeps what is there already.\n"
             "A clip file beside the model is used if there is one: tris.md2.framegroups,\n"
             "tris.framegroups or animation.cfg.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .examples = "  lerpmesh convert tris.md2 -o tris.glb\n"
                "  lerpmesh convert tris.md2 -o run.gltf --clip run,jump --fps 15\n"
                "  lerpmesh convert tris.md2 -o pose.obj --frame 12.5\n"
                "  lerpmesh convert models/*.md2 models/*.mdc -o out/ --format glb\n",
    .run = run_convert,
};
