#include "convert.h"

#include "batch.h"
#include "commands.h"
#include "describe.h"

#include <string.h>

/* Returns the last part of a path without its extension; NULL if there is no memory. */
static const char *stem_of(tool_job *job, const char *path) {
    size_t length;
    const char *file = lm_vfs_stem(job->vfs, path, &length);
    return tool_copy(&job->memory, file, length);
}

static bool name_outputs(conversion *c) {
    if (!tool_output_path(c->job, &c->settings->output, &c->path, &c->companion))
        return false;
    c->stem = c->path ? stem_of(c->job, c->path) : NULL;
    return c->stem || !c->path;
}

static bool fail_export(tool_job *job, const lm_error *error) {
    lm_error hinted = *error;
    if (error->code == LM_CODE_LIMIT)
        lm_fail_plain(&hinted, hinted.code, "%s (--max-output)", error->message);
    return tool_fail_error(job, &hinted);
}

static bool export_gltf(conversion *c, const char *bin) {
    const convert_settings *settings = c->settings;
    lm_error error;
    lm_gltf_options options = {
        .common = c->plan,
        .bin_uri = bin,
        .quantize = settings->quantize,
        .packer = settings->packer,
        .max_error = settings->compress ? settings->encoding.max_error : 0,
        .loop_suffix = settings->loop_suffix,
        .unlit = tool_has(settings->args, TOOL_UNLIT),
    };
    lm_skeleton **skeletons = NULL;
    if (settings->compress && !settings->packer)
        return tool_fail(c->job, "--compress needs meshoptimizer, which is not installed (Debian: "
                                 "libmeshoptimizer2d), or memory ran out");
    const bool found = !settings->skeleton || convert_find_skeletons(c, &skeletons);
    options.skeletons = (const lm_skeleton *const *)skeletons;
    const bool written =
        found && (lm_gltf_write_scene(&c->scene, &options, &c->out, &c->bin, &c->result, &error) ||
                  fail_export(c->job, &error));
    convert_free_skeletons(c, skeletons);
    return written;
}

static bool export_scene(conversion *c) {
    const convert_settings *settings = c->settings;
    const char *input = c->job->path;
    const char *bin = c->companion ? lm_vfs_base_name(c->job->vfs, c->companion) : NULL;
    lm_error error;
    c->plan.name = stem_of(c->job, strcmp(input, "-") == 0 ? "model" : input);
    c->out.max_size = c->bin.max_size = (size_t)settings->max_output;
    if (!c->plan.name)
        return false;
    if (settings->format == CONVERT_MODEL || settings->vat) {
        bool made = settings->vat ? convert_write_vat(c) : convert_encode(c);
        if (made && settings->packs)
            return convert_player_pack(c);
        for (convert_sidecar *b = c->sidecars; made && b; b = b->next)
            made = convert_sidecar_set_path(c, b);
        return made;
    }
    if (settings->format != CONVERT_OBJ)
        return export_gltf(c, bin);
    return lm_obj_write_scene(&c->scene, &c->plan, bin, &c->out, &c->bin, &error) ||
           fail_export(c->job, &error);
}

/* Adds an image file of a .gltf or .obj. In a folder, other models may have written it already. */
static bool add_image(conversion *c, const lm_scene_texture *texture, bool shared) {
    tool_job *job = c->job;
    for (const convert_sidecar *b = c->sidecars; shared && b; b = b->next)
        if (strcmp(b->name, texture->uri) == 0)
            return true;
    convert_sidecar *sidecar = convert_sidecar_add(c, texture->uri, "");
    const char *path =
        tool_format(&job->memory, "%.*s%s", (int)(lm_vfs_base_name(job->vfs, c->path) - c->path),
                    c->path, texture->uri);
    if (!sidecar || !path)
        return false;
    sidecar->file = (lm_file_output){path, texture->data, texture->size, NULL, NULL};
    if (shared && tool_output_is_there(job, &sidecar->file))
        sidecar->file.path = NULL;
    else
        sidecar->file.path = tool_output_sibling(job, &c->settings->output, c->path, sidecar->name);
    return sidecar->file.path || (shared && !job->memory.failed && job->status == TOOL_DONE);
}

/* Adds the image files of a .gltf or .obj. Models in one folder share them. */
static bool add_images(conversion *c) {
    const bool shared = c->settings->output.kind == TOOL_TO_FOLDER;
    lm_error error;
    tool_report_textures(c->job, c->assets, LM_WARNING);
    if (!c->companion)
        return true;
    if (!lm_assets_make_portable(c->assets, shared ? "" : c->stem, &error))
        return tool_fail(c->job, "out of memory");
    for (uint32_t i = 0; i < c->scene.num_textures; i++)
        if (!add_image(c, &c->scene.textures[i], shared))
            return false;
    return true;
}

/* Checks the limit for all files together; each file alone was checked when it was made. */
static bool fits(const conversion *c, const lm_file_output *files, size_t count) {
    const uint64_t all = tool_output_size(files, count);
    return all <= c->settings->max_output ||
           tool_fail(c->job,
                     "the model and its additional files would have %llu bytes, more than %llu "
                     "(--max-output)",
                     (unsigned long long)all, (unsigned long long)c->settings->max_output);
}

/* A .gltf or .obj is written last, so that it never names a missing file. */
static bool write_outputs(conversion *c) {
    size_t count = 2;
    if (!c->path)
        return tool_output_put(c->job, NULL, &c->out);
    for (const convert_sidecar *b = c->sidecars; b; b = b->next)
        count++;
    lm_file_output *files = tool_alloc(&c->job->memory, count, sizeof *files);
    if (!files)
        return false;
    count = 0;
    if (c->companion)
        files[count++] = (lm_file_output){c->companion, c->bin.data, c->bin.size, NULL, NULL};
    for (const convert_sidecar *b = c->sidecars; b; b = b->next)
        if (b->file.path)
            files[count++] = b->file;
    files[count++] = (lm_file_output){c->path, c->out.data, c->out.size, NULL, NULL};
    return fits(c, files, count) && tool_output_write_all(c->job, files, count);
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Returns whether opening already reported this. */
static bool is_reported(const lm_assets *assets, const char *path, lm_code code) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (assets->diagnostics[i].code == code &&
            strcmp(assets->diagnostics[i].subject, path) == 0)
            return true;
    return false;
}

/* Repairs are always reported; warnings only with --verbose. */
static void report_asset(tool_job *job, const lm_assets *assets, const lm_asset *asset) {
    const bool verbose = tool_has(job->args, TOOL_VERBOSE);
    const lm_model *model = asset->model;
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_diagnostic *warning = &model->warnings[i];
        bool repair = lm_code_severity(warning->code) == LM_ERROR;
        if ((repair || verbose) && !is_reported(assets, asset->path, warning->code))
            tool_note_warning(job, repair ? "repaired" : "warning", warning);
    }
    const lm_clips *clips = asset->clips;
    for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
        if (verbose || lm_code_severity(clips->warnings[i].code) > LM_NOTE)
            tool_note_warning(job, NULL, &clips->warnings[i]);
}

/* Reports each model's warnings with the path of its own file. */
static void report_warnings(tool_job *job, const lm_assets *assets) {
    const char *path = job->path;
    for (uint32_t i = 0; assets && i < assets->scene->num_parts; i++) {
        job->path = assets->assets[i].path;
        report_asset(job, assets, &assets->assets[i]);
    }
    job->path = path;
}

/* Appends ", 2 nouns"; nothing for 0 unless `even_none`. */
static void add_count(lm_buffer *text, uint64_t count, const char *noun, bool even_none) {
    if (count > 0 || even_none) {
        lm_buffer_text(text, ", ");
        lm_text_count(text, count, noun);
    }
}

static void describe_gltf(const lm_gltf_result *result, bool verbose, lm_buffer *text) {
    add_count(text, result->num_meshes, "mesh", true);
    add_count(text, result->num_targets, "morph target", result->num_joints == 0);
    add_count(text, result->num_joints, "joint", false);
    add_count(text, result->num_animations, "animation", true);
    add_count(text, result->num_textures, "texture", false);
    add_count(text, result->num_variants, "variant", false);
    if (verbose && result->num_dropped > 0) {
        lm_buffer_text(text, "; ");
        lm_text_count(text, result->num_dropped, "shader feature");
        lm_buffer_text(text, " dropped, which glTF does not have");
    }
    if (verbose && result->shared_frames > 0) {
        lm_buffer_text(text, "; ");
        lm_text_count(text, result->shared_frames, "repeated frame");
        lm_buffer_text(text, " omitted");
    }
}

/* Describes a glTF or OBJ. The size includes the files next to a .gltf or .obj. */
static const char *describe_result(const conversion *c) {
    lm_buffer text = {0};
    size_t size = c->out.size + c->bin.size;
    for (const convert_sidecar *b = c->sidecars; b; b = b->next)
        size += b->file.size;
    lm_text_count(&text, size, "byte");
    if (c->settings->format == CONVERT_OBJ)
        add_count(&text, c->sidecars ? c->scene.num_textures : 0, "texture", false);
    else if (c->settings->vat)
        convert_describe_vat(c, &text);
    else
        describe_gltf(&c->result, tool_has(c->settings->args, TOOL_VERBOSE), &text);
    return tool_take_text(&c->job->memory, &text);
}

/* Reports a whole player, whose models were reported when they were made. */
static void report_player(conversion *c) {
    tool_job *job = c->job;
    const char *folder = convert_player_folder(c);
    const size_t length = (size_t)(lm_vfs_base_name(job->vfs, c->path) - c->path);
    size_t files = 1;
    for (const convert_sidecar *b = c->sidecars; b; b = b->next)
        files += b->file.path != NULL;
    if (!folder)
        return;
    if (c->settings->packs)
        tool_note(job, "wrote %s: %zu bytes, the player %s; put it next to the game's own archives",
                  c->path, c->out.size, c->settings->player_name);
    else
        tool_note(job, "wrote %.*s: %zu files; the game searches for them in %s", (int)length,
                  c->path, files, folder);
}

static void report_result(conversion *c) {
    tool_job *job = c->job;
    report_warnings(job, c->assets);
    if (c->settings->player == LM_PLAYER_QUAKE3) {
        report_player(c);
        return;
    }
    const char *subject =
        tool_format(&job->memory, "wrote %s", c->path ? c->path : "standard output");
    const char *counts = c->report ? NULL : describe_result(c);
    if (c->report && subject)
        convert_report_model(job, subject, "", c->report);
    if (c->report || !subject)
        return;
    if (counts)
        tool_note(job, "%s: %s", subject, counts);
    if (c->result.num_bundles > 1)
        tool_note(job, "more than 255 morph targets: the frames are split into %u parts by clips%s",
                  c->result.num_bundles,
                  c->settings->compress
                      ? ""
                      : "; --compress meshopt makes them much smaller, and --clip "
                        "writes only some clips");
    if (c->result.num_leftovers > 0)
        tool_note(job, "%u animation%s of frames that no clip has; --clip all leaves %s out",
                  c->result.num_leftovers, c->result.num_leftovers == 1 ? " is" : "s are",
                  c->result.num_leftovers == 1 ? "it" : "them");
    tool_report_textures(job, c->assets, LM_NOTE);
    tool_report_tried(job, c->assets);
    if (c->result.num_sheared_tags > 0)
        tool_note(job,
                  "%u tag%s axes that are not orthogonal; in glTF, models attached there are not "
                  "sheared",
                  (unsigned)c->result.num_sheared_tags,
                  c->result.num_sheared_tags == 1 ? " has" : "s have");
}

static void convert_file(tool_job *job, const void *user) {
    conversion c = {.job = job, .settings = user};
    if (name_outputs(&c) && convert_open(&c) && (!c.assets || add_images(&c)) && export_scene(&c) &&
        write_outputs(&c))
        report_result(&c);
    convert_close(&c);
}

static int run_convert(const tool_args *args) {
    convert_settings settings;
    if (!convert_settings_read(args, &settings))
        return TOOL_USAGE;
    convert_program_explain(&settings);
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = convert_file,
                                        .context = &settings,
                                        .done = "converted",
                                        .output = &settings.output});
}

const tool_command tool_convert = {
    .name = "convert",
    .usage = "[options] FILE|PLAYERDIR... -o OUT",
    .summary = "convert to animated glTF (.glb, .gltf), OBJ or another model",
    .about =
        "Writes glTF with one animation per clip, one pose as OBJ, or another game's model; the\n"
        "extension of OUT decides. glTF, FBX, Collada, OBJ and others become a model, and\n"
        "the numbered files walk_{frame}.obj its frames. Several files, and all models in\n"
        "folders and archives, else all glTF files, go into a folder (-o DIR/). A folder that is\n"
        "converted into one file is a player: lower, upper and head, or tris and weapon.",
    .options = {TOOL_OUTPUT,        TOOL_FORMAT,          TOOL_CLIP,          TOOL_FRAME,
                TOOL_FPS,           TOOL_SCALE,           TOOL_ATTACH,        TOOL_GAME,
                TOOL_SKIN,          TOOL_ENGINE,          TOOL_PLAYER,        TOOL_FORCE,
                TOOL_FRAMES,        TOOL_CLIPS,           TOOL_LOOP,          TOOL_ONCE,
                TOOL_AXES,          TOOL_TOPOLOGY,        TOOL_NORMALS,       TOOL_QUIRK,
                TOOL_REPAIR,        TOOL_STRICT,          TOOL_QUANTIZE,      TOOL_WITH,
                TOOL_PALETTE,       TOOL_TRANSPARENT_255, TOOL_ALPHA,         TOOL_UNLIT,
                TOOL_JOBS,          TOOL_MAX_INPUT,       TOOL_MAX_OUTPUT,    TOOL_IMPORT_TIME,
                TOOL_IMPORT_MEMORY, TOOL_QUIET,           TOOL_MAX_ERROR,     TOOL_STRIPS,
                TOOL_STABILITY,     TOOL_SMOOTH,          TOOL_SHARED_GRID,   TOOL_HD,
                TOOL_SMALLEST,      TOOL_VERBOSE,         TOOL_SKIP_EXISTING, TOOL_SYNC,
                TOOL_TAG,           TOOL_DECIMATE,        TOOL_LODS,          TOOL_SKIN_PATH,
                TOOL_FOR,           TOOL_COMPRESS,        TOOL_VAT,           TOOL_VNRM,
                TOOL_SKELETON,      TOOL_CORRECTIVES,     TOOL_HELP,          TOOL_HELP_ALL},
    .expand = TOOL_EXPAND_IMPORTS,
    .examples = "  lerpmesh convert tris.md2 -o run.gltf --clip run,jump --fps 15\n"
                "  lerpmesh convert robot.glb -o robot.md3 --fps 10 --tag tag_weapon=Hand.R\n"
                "  lerpmesh convert hero.glb -o baseoa/models/players/hero/ --player\n"
                "  lerpmesh convert pak0.pk3 -o out/\n",
    .run = run_convert,
};
