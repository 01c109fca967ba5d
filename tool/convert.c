#include "convert.h"

#include "batch.h"
#include "commands.h"
#include "describe.h"
#include "paths.h"
#include "system.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written for one input. */
typedef struct conversion {
    convert_opened opened;
    lm_buffer path, bin_path; /* NUL-terminated; empty for standard output; bin: of the .mtl too */
    lm_buffer name;           /* NUL-terminated */
    lm_buffer out, bin;
    size_t size; /* of all files */
    lm_gltf_result result;
    lm_encode_report *report; /* of a model */
    convert_beside *beside;
    uint32_t num_pictures; /* beside it */
    lm_buffer *picture_paths;
} conversion;

static void conversion_free(conversion *c) {
    lm_buffer_free(&c->path);
    lm_buffer_free(&c->bin_path);
    lm_buffer_free(&c->name);
    lm_buffer_free(&c->out);
    lm_buffer_free(&c->bin);
    for (uint32_t i = 0; c->picture_paths && i < c->num_pictures; i++)
        lm_buffer_free(&c->picture_paths[i]);
    free(c->picture_paths);
    convert_beside_free(c->beside);
    lm_encode_report_free(c->report);
    convert_close(&c->opened);
}

/* The last part of a path without its extension. */
static void name_after(lm_disk *disk, const char *path, lm_buffer *name) {
    size_t length;
    const char *file = lm_disk_stem(disk, path, &length);
    lm_buffer_append(name, file, length);
    lm_buffer_append(name, "", 1);
}

static bool name_outputs(tool_job *job, const convert_settings *settings, conversion *c) {
    name_after(job->disk, strcmp(job->path, "-") == 0 ? "model" : job->path, &c->name);
    if (settings->output.kind != TOOL_TO_STDOUT &&
        !tool_output_path(job, &settings->output, &c->path, &c->bin_path))
        return false;
    if (!c->name.failed)
        return true;
    tool_fail(job, "out of memory");
    return false;
}

static void fail_export(tool_job *job, const lm_error *error) {
    lm_error said = *error;
    if (error->code == LM_CODE_LIMIT)
        lm_fail_plain(&said, said.code, "%s (max-output)", error->message);
    tool_fail_error(job, &said, false);
}

/* A model, and what goes beside it. */
static bool export_model(tool_job *job, const convert_settings *settings, conversion *c) {
    const char *path = c->path.size > 0 ? (const char *)c->path.data : NULL;
    lm_buffer stem = {0};
    name_after(job->disk, path ? path : "model", &stem);
    convert_made made = {.stem = path ? (const char *)stem.data : NULL,
                         .path = path,
                         .out = &c->out,
                         .report = &c->report};
    bool ok = !stem.failed;
    if (!ok)
        tool_fail(job, "out of memory");
    if (c->opened.assets)
        made.asset = &c->opened.assets->assets[0];
    ok = ok && convert_encode(job, settings, &c->opened, &made);
    c->beside = made.beside;
    for (convert_beside *b = c->beside; ok && b; b = b->next)
        ok = tool_output_beside(job, &settings->output, path, b->name, &b->path) &&
             convert_beside_settle(job, c->opened.assets, b);
    lm_buffer_free(&stem);
    return ok;
}

static bool export_scene(tool_job *job, const convert_settings *settings, conversion *c) {
    const lm_scene *scene = &c->opened.subject.scene;
    lm_export_options *plan = &c->opened.subject.plan;
    const char *bin = (const char *)c->bin_path.data;
    lm_error error;
    bool made;
    plan->name = (const char *)c->name.data;
    c->out.max_size = c->bin.max_size = (size_t)settings->max_output;
    if (settings->format == CONVERT_MODEL)
        return export_model(job, settings, c);
    if (settings->format == CONVERT_OBJ) {
        made = lm_obj_write_scene(scene, plan, bin ? lm_disk_base_name(job->disk, bin) : NULL,
                                  &c->out, &c->bin, &error);
    } else {
        lm_gltf_options options = {
            .common = *plan,
            .bin_uri = bin ? lm_disk_base_name(job->disk, bin) : NULL,
            .quantize = settings->quantize,
            .unlit = settings->unlit,
        };
        made = lm_gltf_write_scene(scene, &options, &c->out, &c->bin, &c->result, &error);
    }
    if (!made)
        fail_export(job, &error);
    return made;
}

/* Names for the files of pictures beside a .gltf or an .obj. */
static bool name_pictures(tool_job *job, const convert_settings *settings, conversion *c) {
    const lm_scene *scene = &c->opened.subject.scene;
    const char *path = (const char *)c->path.data;
    lm_buffer stem = {0};
    lm_error error;
    tool_tell_textures(job, c->opened.assets, &settings->wishes, LM_WARNING);
    if (!c->bin_path.size)
        return true;
    name_after(job->disk, path, &stem);
    c->picture_paths = calloc(scene->num_textures + (size_t)1, sizeof *c->picture_paths);
    bool ok = !stem.failed && c->picture_paths &&
              lm_assets_make_portable(c->opened.assets, (const char *)stem.data, &error);
    lm_buffer_free(&stem);
    if (!ok)
        tool_fail(job, "out of memory");
    while (ok && c->num_pictures < scene->num_textures) {
        const lm_scene_texture *texture = &scene->textures[c->num_pictures];
        ok = tool_output_beside(job, &settings->output, path, texture->uri,
                                &c->picture_paths[c->num_pictures++]);
    }
    return ok;
}

/* Each file by itself is bounded where it is made. */
static bool fits(tool_job *job, const convert_settings *settings, const lm_file_output *files,
                 size_t count) {
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += files[i].size;
    if (all > settings->max_output)
        tool_fail(job,
                  "with what goes beside it that would be %llu bytes, more than %llu (max-output)",
                  (unsigned long long)all, (unsigned long long)settings->max_output);
    return all <= settings->max_output;
}

/* A .gltf or an .obj goes last: it never names a file that is not there. */
static bool write_outputs(tool_job *job, const convert_settings *settings, conversion *c) {
    c->size = c->out.size + c->bin.size;
    if (settings->output.kind == TOOL_TO_STDOUT) {
        job->out = c->out;
        c->out = (lm_buffer){0};
        return true;
    }
    size_t count = c->num_pictures + (size_t)2;
    for (const convert_beside *b = c->beside; b; b = b->next)
        count++;
    lm_file_output *files = malloc(count * sizeof *files);
    if (!files) {
        tool_fail(job, "out of memory");
        return false;
    }
    count = 0;
    for (const convert_beside *b = c->beside; b; b = b->next)
        if (!b->there)
            files[count++] =
                (lm_file_output){(const char *)b->path.data, b->data.data, b->data.size};
    if (c->bin_path.size > 0)
        files[count++] = (lm_file_output){(const char *)c->bin_path.data, c->bin.data, c->bin.size};
    for (uint32_t i = 0; i < c->num_pictures; i++) {
        const lm_scene_texture *texture = &c->opened.subject.scene.textures[i];
        files[count++] =
            (lm_file_output){(const char *)c->picture_paths[i].data, texture->data, texture->size};
        c->size += texture->size;
    }
    files[count++] = (lm_file_output){(const char *)c->path.data, c->out.data, c->out.size};
    bool ok = fits(job, settings, files, count) && tool_output_write_all(job, files, count);
    free(files);
    return ok;
}

/* Whether opening said so. */
static bool is_told(const lm_assets *assets, const char *path, lm_code code) {
    for (uint32_t i = 0; i < assets->num_findings; i++)
        if (assets->findings[i].code == code && strcmp(assets->findings[i].subject, path) == 0)
            return true;
    return false;
}

/* Repairs are always said; what is merely odd, on request. */
static void tell_asset(tool_job *job, const convert_settings *settings, const lm_assets *assets,
                       const lm_asset *asset) {
    const lm_model *model = asset->model;
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_diagnostic *warning = &model->warnings[i];
        bool repair = lm_code_severity(warning->code) == LM_ERROR;
        if ((repair || settings->verbose) && !is_told(assets, asset->path, warning->code))
            tool_tell_warning(job, repair ? "repaired" : "warning", warning);
    }
    const lm_clips *clips = asset->clips;
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        if (settings->verbose || lm_code_severity(clips->warnings[i].code) > LM_NOTE)
            tool_tell_warning(job, NULL, &clips->warnings[i]);
}

/* What is to be said about each model names its own file. */
static void tell_warnings(tool_job *job, const convert_settings *settings,
                          const lm_assets *assets) {
    for (uint32_t i = 0; assets && i < assets->scene->num_parts; i++) {
        const char *path = job->path;
        job->path = assets->assets[i].path;
        tell_asset(job, settings, assets, &assets->assets[i]);
        job->path = path;
    }
}

static void tell_report(const lm_encode_report *report, lm_buffer *text) {
    lm_buffer_text(text, ", ");
    lm_text_count(text, report->num_surfaces, "surface");
    lm_buffer_text(text, ", ");
    lm_text_count(text, report->num_vertices, "vertex");
    lm_buffer_text(text, ", ");
    lm_text_count(text, report->num_triangles, "triangle");
    lm_buffer_printf(text, "; off by %.3g units at most, %.2g in the mean", report->max_error,
                     report->rms_error);
}

/* As many of one kind are said; of what is lost each is something else. */
#define MOST_ALIKE 3u
#define MOST_LOST 10u

static uint32_t most_of(lm_code code) {
    return code == LM_CODE_NOT_HELD ? MOST_LOST : MOST_ALIKE;
}

static void tell_problems(tool_job *job, const convert_settings *settings,
                          const lm_encode_report *report) {
    uint32_t counts[LM_NUM_CODES] = {0};
    for (uint32_t i = 0; report && i < report->num_problems; i++) {
        const lm_error said = tool_error_of(&report->problems[i]);
        tool_mark(job, said.code, TOOL_CODE_WARNED);
        if (counts[said.code]++ < most_of(said.code) || settings->verbose)
            tool_say(job, "warning [%s] %s", lm_code_name(said.code), said.message);
    }
    for (unsigned code = 0; code < LM_NUM_CODES && !settings->verbose; code++)
        if (counts[code] > most_of((lm_code)code))
            tool_say(job, "and %u more of [%s]; -v says all", counts[code] - most_of((lm_code)code),
                     lm_code_name((lm_code)code));
}

static void tell_counts(const convert_settings *settings, const conversion *c, lm_buffer *text) {
    lm_text_count(text, c->size, "byte");
    if (settings->format == CONVERT_OBJ && c->num_pictures > 0) {
        lm_buffer_text(text, ", ");
        lm_text_count(text, c->num_pictures, "texture");
    }
    if (c->report) {
        tell_report(c->report, text);
        return;
    }
    if (settings->format == CONVERT_OBJ)
        return;
    lm_buffer_text(text, ", ");
    lm_text_count(text, c->result.num_meshes, "mesh");
    lm_buffer_text(text, ", ");
    lm_text_count(text, c->result.num_targets, "morph target");
    lm_buffer_text(text, ", ");
    lm_text_count(text, c->result.num_animations, "animation");
    if (c->result.num_textures > 0) {
        lm_buffer_text(text, ", ");
        lm_text_count(text, c->result.num_textures, "texture");
    }
    if (c->result.num_variants > 0) {
        lm_buffer_text(text, ", ");
        lm_text_count(text, c->result.num_variants, "variant");
    }
    if (settings->verbose && c->result.num_dropped > 0) {
        lm_buffer_text(text, "; left out ");
        lm_text_count(text, c->result.num_dropped, "thing");
        lm_buffer_text(text, " that shader scripts say and glTF cannot");
    }
    if (settings->verbose && c->result.shared_frames > 0) {
        lm_buffer_text(text, "; ");
        lm_text_count(text, c->result.shared_frames, "repeated frame");
        lm_buffer_text(text, " left out");
    }
}

static void tell_result(tool_job *job, const convert_settings *settings, const conversion *c) {
    if (settings->quiet)
        return;
    tell_warnings(job, settings, c->opened.assets);
    lm_buffer text = {0};
    tell_counts(settings, c, &text);
    lm_buffer_append(&text, "", 1);
    if (text.failed)
        tool_no_memory();
    else
        tool_say(job, "wrote %s: %s",
                 c->path.size > 0 ? (const char *)c->path.data : "standard output",
                 (const char *)text.data);
    lm_buffer_free(&text);
    tell_problems(job, settings, c->report);
    if (c->report)
        return;
    if (c->result.num_bundles > 1)
        tool_say(job,
                 "more than 255 morph targets: the frames are split into %u parts, clip by clip",
                 c->result.num_bundles);
    tool_tell_textures(job, c->opened.assets, &settings->wishes, LM_NOTE);
    if (c->result.num_sheared_tags > 0)
        tool_say(job,
                 "%u of the tags %s axes that are not at right angles, which glTF cannot express: "
                 "what hangs there is not sheared",
                 (unsigned)c->result.num_sheared_tags,
                 c->result.num_sheared_tags == 1 ? "has" : "have");
}

static bool open_input(tool_job *job, const convert_settings *settings, conversion *c) {
    return convert_open(job, settings, &c->opened) &&
           (!c->opened.assets || name_pictures(job, settings, c));
}

static void convert_file(tool_job *job, const void *user) {
    const convert_settings *settings = user;
    if (tool_output_skips(job, &settings->output))
        return;
    conversion c = {0};
    if (name_outputs(job, settings, &c) && open_input(job, settings, &c) &&
        export_scene(job, settings, &c) && write_outputs(job, settings, &c))
        tell_result(job, settings, &c);
    conversion_free(&c);
}

static int run_convert(const tool_args *args) {
    convert_settings settings;
    int status = TOOL_USAGE;
    if (convert_settings_read(args, &settings)) {
        status = tool_output_prepare(&settings.output);
        if (status == TOOL_DONE)
            status = tool_batch_run(&(tool_batch){.args = args,
                                                  .work = convert_file,
                                                  .context = &settings,
                                                  .done = "converted",
                                                  .writes = true});
    }
    convert_settings_free(&settings);
    return status;
}

static const tool_option options[] = {
    TOOL_OUTPUT,
    TOOL_FORMAT,
    TOOL_FORCE,
    TOOL_FRAMES,
    TOOL_FRAME,
    TOOL_CLIPS,
    TOOL_CLIP,
    TOOL_FPS,
    TOOL_SCALE,
    TOOL_AXES,
    TOOL_TOPOLOGY,
    TOOL_NORMALS,
    TOOL_QUIRK,
    TOOL_REPAIR,
    TOOL_QUANTIZE,
    TOOL_ATTACH,
    TOOL_WITH,
    TOOL_GAME,
    TOOL_SKIN,
    TOOL_PALETTE,
    TOOL_TRANSPARENT_255,
    TOOL_ALPHA,
    TOOL_UNLIT,
    TOOL_JOBS,
    TOOL_MAX_INPUT,
    TOOL_MAX_OUTPUT,
    TOOL_QUIET,
    TOOL_ENGINE,
    TOOL_MAX_ERROR,
    TOOL_STRIPS,
    TOOL_STEADINESS,
    TOOL_SMOOTH,
    TOOL_GRID_WITH,
    TOOL_HD,
    TOOL_SMALLEST,
    TOOL_VERBOSE,
    TOOL_SKIP_EXISTING,
    TOOL_SYNC,
    TOOL_TAG,
    TOOL_DECIMATE,
    TOOL_LODS,
    TOOL_PLAYER,
    TOOL_SKIN_PATH,
    TOOL_HELP,
};

const tool_command tool_convert = {
    .name = "convert",
    .usage = "[options] FILE|PLAYERDIR... -o OUT",
    .summary = "write animated glTF (.glb, .gltf), OBJ, or another model",
    .about = "Writes glTF with an animation a clip, a single pose as OBJ, or a model of another\n"
             "format, as the name of OUT says. glTF, FBX, Collada, OBJ and others become a model;\n"
             "walk_{frame}.obj is the numbered files that are called so, as frames.\n"
             "A folder (DIR/) takes several files, and all models in folders and archives.\n"
             "A folder that goes into one file is a player: lower, upper, head; or tris, weapon.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_PLAYERS,
    .examples = "  lerpmesh convert tris.md2 -o tris.glb\n"
                "  lerpmesh convert tris.md2 -o run.gltf --clip run,jump --fps 15\n"
                "  lerpmesh convert body.mdc --attach tag_head=head.mdc -o man.glb\n"
                "  lerpmesh convert models/players/sarge -o sarge.glb\n"
                "  lerpmesh convert tris.md2 -o tris.md3 --frames 0-39\n"
                "  lerpmesh convert robot.glb -o robot.md3 --fps 10 --tag tag_weapon=Hand.R\n"
                "  lerpmesh convert '{clip}_{frame}.obj' -o robot.md2\n"
                "  lerpmesh convert *.md3 --grid-with a.md3 --grid-with b.md3 --format md2 -o o/\n"
                "  lerpmesh convert pak0.pk3 -o out/\n",
    .run = run_convert,
};
