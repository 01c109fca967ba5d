#include "open.h"

#include "convert_options.h"
#include "internals.h"
#include "terminal.h"

#include <string.h>

/* ---- Options --------------------------------------------------------------------------------- */

bool tool_open_options_read(const tool_args *args, lm_assets_options *options) {
    const lm_image_mode images = options->images;
    const char *clips = args->settings->options.open.clips;
    lm_error error;
    /* Standard input can be read only once. */
    for (size_t i = 0; i < args->num_inputs; i++)
        if (clips && strcmp(clips, "-") == 0 && strcmp(args->inputs[i].path, "-") == 0)
            return tool_usage(args, "the model and its clips cannot both come from standard input");
    if (!tool_accepts(args, LM_OPTION_NORMALS))
        args->settings->options.open.load.normals = LM_NORMALS_STORED;
    if (!lm_convert_settings_check(args->settings, &error))
        return error.code == LM_CODE_OUT_OF_MEMORY ? tool_no_memory()
                                                   : tool_usage(args, "%s", error.message);
    *options = args->settings->options.open;
    options->images = images;
    return true;
}

/* ---- Clips --------------------------------------------------------------------------------- */

bool tool_check_clip(tool_job *job, const lm_scene *scene, const char *name, size_t length) {
    lm_buffer problem = {0};
    lm_convert_check_clip(scene, name, length, &problem);
    const char *text = tool_take_text(&job->memory, &problem);
    return text && (*text == '\0' || tool_fail(job, "%s", text));
}

/* ---- Opening ------------------------------------------------------------------------------- */

/* Prints a diagnostic. Warnings start with their code, failures do not. */
void tool_report(tool_job *job, const lm_diagnostic *diagnostic) {
    const char *path = job->path;
    bool is_warning =
        diagnostic->code != LM_CODE_OK && lm_code_severity(diagnostic->code) == LM_WARNING;
    job->path = *diagnostic->subject ? diagnostic->subject : path;
    if (diagnostic->severity == LM_ERROR)
        tool_warn(job, "%s%s", tool_error_of(diagnostic).message,
                  tool_import_hint(job, diagnostic->code));
    else if (is_warning)
        tool_note_warning(job, "", diagnostic);
    else
        tool_note(job, "%s", diagnostic->text);
    job->path = path;
}

static bool is_about_textures(const lm_diagnostic *diagnostic) {
    return strcmp(diagnostic->location.section, LM_SUBJECT_TEXTURE) == 0;
}

/* Returns whether a diagnostic reports a requested skin that no surface uses. */
static bool is_requested_skin(const lm_diagnostic *diagnostic) {
    return is_about_textures(diagnostic) &&
           (diagnostic->code == LM_CODE_BAD_OPTION || diagnostic->code == LM_CODE_NO_SUCH_SURFACE);
}

void tool_report_tried(tool_job *job, const lm_assets *assets) {
    char path[8192];
    for (uint32_t i = 0; tool_has(job->args, LM_OPTION_VERBOSE) && i < assets->scene->num_parts;
         i++)
        for (uint32_t k = 0; k < assets->assets[i].num_textures; k++)
            for (uint32_t n = 0; assets->assets[i].textures[k].match == LM_MATCH_NONE &&
                                 lm_assets_tried(assets, i, k, n, path, sizeof path);
                 n++)
                tool_note(job, "no texture at %s", path);
}

void tool_report_textures(tool_job *job, const lm_assets *assets, lm_severity severity) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++) {
        const lm_diagnostic *diagnostic = &assets->diagnostics[i];
        const bool now = severity == LM_NOTE ? diagnostic->severity == LM_NOTE
                                             : (int)diagnostic->severity >= (int)severity;
        if (is_about_textures(diagnostic) && now && !is_requested_skin(diagnostic))
            tool_report(job, diagnostic);
    }
}

static void mark_warnings(tool_job *job, const lm_model *model) {
    for (uint32_t i = 0; i < model->num_warnings; i++)
        if (lm_code_severity(model->warnings[i].code) > LM_NOTE)
            tool_mark(job, model->warnings[i].code, TOOL_CODE_WARNED);
}

/* Returns whether to continue with the model; if not, sets the reason. */
static bool check_requested_skins(tool_job *job, const lm_assets *assets, lm_error *skin_error) {
    bool ok = true;
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (is_requested_skin(&assets->diagnostics[i])) {
            const lm_error error = tool_error_of(&assets->diagnostics[i]);
            *skin_error = ok ? error : *skin_error;
            ok = tool_inapplicable(job, "%s", error.message) && ok;
        }
    return ok;
}

/* Counts the names that led to no file. A model with a guessed texture misses none. */
static void count_missing(tool_job *job, const lm_asset *asset) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < asset->num_textures; i++) {
        if (asset->textures[i].source == LM_TEXTURE_GUESSED) {
            job->guessed = true;
            return;
        }
        count += asset->textures[i].match == LM_MATCH_NONE;
    }
    job->num_missing += count;
}

/* Fails the job. A missing thing that the user requested has no code of its own. */
static void fail_open(tool_job *job, const lm_error *error) {
    const lm_error hinted = tool_with_hint(error);
    job->status = TOOL_FAILED;
    if (hinted.code != LM_CODE_BAD_ARGUMENT)
        tool_mark(job, hinted.code, TOOL_CODE_FAILED);
    if (job->json)
        tool_write_failure(job, &hinted);
}

bool tool_opened(tool_job *job, const lm_assets *assets) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (!is_about_textures(&assets->diagnostics[i]))
            tool_report(job, &assets->diagnostics[i]);
    for (uint32_t i = 0; assets->scene && i < assets->scene->num_parts; i++) {
        mark_warnings(job, assets->scene->parts[i].model);
        count_missing(job, &assets->assets[i]);
    }
    lm_error skin_error = {.code = LM_CODE_OK};
    const bool ok = !assets->scene || check_requested_skins(job, assets, &skin_error);
    if (!assets->scene || !ok)
        fail_open(job, ok ? assets->error : &skin_error);
    return assets->scene && ok;
}

lm_assets *tool_open(tool_job *job, const lm_assets_options *options) {
    lm_assets_options bounded = *options;
    bounded.max_input = job->max_input;
    lm_assets *assets = lm_assets_open(job->vfs, job->path, &bounded);
    job->memory.failed = job->memory.failed || !assets;
    if (!assets || tool_opened(job, assets))
        return assets;
    lm_assets_free(assets);
    return NULL;
}
