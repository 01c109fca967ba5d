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
    size_t size; /* of all files */
    lm_gltf_result result;
    tool_wardrobe wardrobe;
    lm_buffer *picture_paths; /* of each picture beside a .gltf */
} conversion;

static void conversion_free(conversion *c) {
    lm_buffer_free(&c->path);
    lm_buffer_free(&c->bin_path);
    lm_buffer_free(&c->name);
    lm_buffer_free(&c->out);
    lm_buffer_free(&c->bin);
    for (uint32_t i = 0; c->picture_paths && i < c->wardrobe.num_pictures; i++)
        lm_buffer_free(&c->picture_paths[i]);
    free(c->picture_paths);
    tool_wardrobe_close(&c->wardrobe);
}

/* The model's name in the export: that of its file. */
static void name_model(const tool_job *job, lm_buffer *name) {
    size_t length;
    const char *file = tool_stem(strcmp(job->path, "-") == 0 ? "model" : job->path, &length);
    lm_buffer_append(name, file, length);
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

static bool export_scene(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                         lm_export_options *plan, conversion *c) {
    lm_error error;
    bool made;
    plan->name = (const char *)c->name.data;
    c->out.max_size = c->bin.max_size = (size_t)settings->max_output;
    if (settings->format == CONVERT_OBJ) {
        made = lm_obj_write_scene(scene, plan, &c->out, &error);
    } else {
        lm_gltf_options options = {
            .common = *plan,
            .glb = settings->format == CONVERT_GLB,
            .bin_uri = c->bin_path.data ? tool_base_name((const char *)c->bin_path.data) : NULL,
            .quantize = settings->quantize,
        };
        made = lm_gltf_write_scene(scene, &options, &c->out, &c->bin, &c->result, &error);
    }
    if (!made)
        tool_fail_error(job, &error, false);
    c->size = c->out.size + c->bin.size;
    return made;
}

/* Textures, and names for their files beside a .gltf. */
static bool dress(tool_job *job, const convert_settings *settings, tool_scene *scene,
                  conversion *c) {
    if (settings->format == CONVERT_OBJ)
        return true;
    if (!tool_wardrobe_fill(job, &settings->textures, scene, &c->wardrobe))
        return false;
    if (settings->format != CONVERT_GLTF)
        return true;
    uint32_t count = c->wardrobe.num_pictures;
    size_t length;
    const char *file = tool_stem((const char *)c->path.data, &length);
    char *stem = malloc(length + 1);
    c->picture_paths = calloc(count + (size_t)1, sizeof *c->picture_paths);
    bool ok = stem && c->picture_paths;
    if (ok) {
        memcpy(stem, file, length);
        stem[length] = '\0';
        ok = tool_wardrobe_name_files(&c->wardrobe, stem);
    }
    free(stem);
    if (!ok)
        tool_fail(job, "there is not enough memory");
    for (uint32_t i = 0; ok && i < count; i++)
        ok = tool_output_beside(job, &settings->output, (const char *)c->path.data,
                                c->wardrobe.pictures[i].uri, &c->picture_paths[i]);
    return ok;
}

/* A file that is to be written, and whether it replaces one. */
typedef struct output_file {
    const char *path;
    const lm_buffer *contents;
    bool replaces;
} output_file;

/* Writes files one after the other; if one fails, those before it that are new go again. */
static bool write_files(tool_job *job, output_file *files, size_t count) {
    for (size_t i = 0; i < count; i++) {
        files[i].replaces = access(files[i].path, F_OK) == 0;
        if (tool_output_write(job, files[i].path, files[i].contents))
            continue;
        while (i-- > 0)
            if (!files[i].replaces)
                unlink(files[i].path);
        return false;
    }
    return true;
}

/* A .gltf goes last: it never names a file that is not there. */
static bool write_outputs(tool_job *job, const convert_settings *settings, conversion *c) {
    if (settings->output.kind == TOOL_TO_STDOUT) {
        job->out = c->out;
        c->out = (lm_buffer){0};
        return true;
    }
    uint32_t num_pictures = c->picture_paths ? c->wardrobe.num_pictures : 0;
    output_file *files = malloc((num_pictures + (size_t)2) * sizeof *files);
    if (!files) {
        tool_fail(job, "there is not enough memory");
        return false;
    }
    size_t count = 0;
    if (settings->output.companion)
        files[count++] = (output_file){(const char *)c->bin_path.data, &c->bin, false};
    for (uint32_t i = 0; i < num_pictures; i++) {
        const lm_buffer *bytes = &c->wardrobe.pictures[i].bytes;
        files[count++] = (output_file){(const char *)c->picture_paths[i].data, bytes, false};
        c->size += bytes->size;
    }
    files[count++] = (output_file){(const char *)c->path.data, &c->out, false};
    bool ok = write_files(job, files, count);
    free(files);
    return ok;
}

/* Repairs are always said; what is merely odd, on request. */
static void tell_input(tool_job *job, const convert_settings *settings, const tool_input *input) {
    const lm_model *model = input->model;
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_warning *warning = &model->warnings[i];
        bool repair = lm_code_severity(warning->code) == LM_ERROR;
        if (repair || settings->verbose)
            tool_say(job, "%s [%s] %s (%u times)", repair ? "repaired" : "warning",
                     lm_code_name(warning->code), warning->message, warning->count);
    }
    const lm_clips *clips = input->file_clips;
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        if (settings->verbose || lm_code_severity(clips->warnings[i].code) > LM_NOTE)
            tool_say(job, "%s (%u times)", clips->warnings[i].message, clips->warnings[i].count);
}

/* What is to be said about each model names its own file. */
static void tell_warnings(tool_job *job, const convert_settings *settings,
                          const tool_scene *scene) {
    for (uint32_t i = 0; i < scene->scene.num_parts; i++) {
        const char *path = job->path;
        job->path = scene->members[i].path;
        tell_input(job, settings, &scene->members[i].input);
        job->path = path;
    }
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
    if (c->result.num_textures > 0) {
        lm_buffer_text(text, ", ");
        tool_count(text, c->result.num_textures, "texture");
    }
    if (c->result.num_variants > 0) {
        lm_buffer_text(text, ", ");
        tool_count(text, c->result.num_variants, "variant");
    }
    if (settings->verbose)
        lm_buffer_printf(text, "; %u frames shared with identical ones", c->result.shared_frames);
}

static void tell_result(tool_job *job, const convert_settings *settings, const tool_scene *scene,
                        const conversion *c) {
    if (settings->quiet)
        return;
    tell_warnings(job, settings, scene);
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
    tool_wardrobe_tell(job, &settings->textures, &c->wardrobe);
    if (c->result.num_sheared_tags > 0)
        tool_say(job,
                 "%u of the tags have axes that are not at right angles, which glTF cannot "
                 "say: what hangs on them is not bent",
                 c->result.num_sheared_tags);
}

static void convert_scene(tool_job *job, const convert_settings *settings, tool_scene *scene) {
    conversion c = {0};
    lm_export_options plan;
    if (name_outputs(job, settings, &c) && convert_plan(job, settings, scene, &plan) &&
        dress(job, settings, scene, &c) && export_scene(job, settings, &scene->scene, &plan, &c) &&
        write_outputs(job, settings, &c))
        tell_result(job, settings, scene, &c);
    conversion_free(&c);
}

static void convert_file(tool_job *job, const void *user) {
    const convert_settings *settings = user;
    tool_scene scene;
    if (!tool_scene_open(job, settings->args, &settings->load, &scene))
        return;
    convert_scene(job, settings, &scene);
    tool_scene_close(&scene);
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
    TOOL_OUTPUT,   TOOL_FORMAT,    TOOL_FORCE,      TOOL_FRAMES,   TOOL_FRAME,
    TOOL_CLIPS,    TOOL_CLIP,      TOOL_FPS,        TOOL_SCALE,    TOOL_AXES,
    TOOL_TOPOLOGY, TOOL_QUIRK,     TOOL_REPAIR,     TOOL_QUANTIZE, TOOL_ATTACH,
    TOOL_WITH,     TOOL_GAME,      TOOL_SKIN,       TOOL_PALETTE,  TOOL_TRANSPARENT_255,
    TOOL_JOBS,     TOOL_MAX_INPUT, TOOL_MAX_OUTPUT, TOOL_QUIET,    TOOL_VERBOSE,
    TOOL_HELP,
};

const tool_command tool_convert = {
    .name = "convert",
    .usage = "[options] FILE|PLAYERDIR... -o OUT",
    .summary = "write animated glTF (.glb, .gltf with .bin) or OBJ",
    .about =
        "Writes glTF with an animation a clip, or a single pose as OBJ, as the name of OUT says.\n"
        "A folder (DIR/) takes several files, and all models in folders and archives.\n"
        "A folder that goes into one file is a player: lower, upper, head; or tris, weapon.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_PLAYERS,
    .examples = "  lerpmesh convert tris.md2 -o tris.glb\n"
                "  lerpmesh convert tris.md2 -o run.gltf --clip run,jump --fps 15\n"
                "  lerpmesh convert body.mdc --attach tag_head=head.mdc -o man.glb\n"
                "  lerpmesh convert models/players/sarge -o sarge.glb\n"
                "  lerpmesh convert pak0.pk3 -o out/\n",
    .run = run_convert,
};
