#include "open.h"

#include "convert.h"
#include "internals.h"
#include "terminal.h"

#include <string.h>

/* ---- Syntax of --attach -----------------------------------------------------------------------
 *
 * TAG=MODEL[@CLIP]; commas separate several. A comma without a TAG= after it is part of the file
 * name. */

/* Returns the length of the first item. */
static size_t item_length(const char *text) {
    size_t length = strcspn(text, ",");
    while (text[length] == ',') {
        const char *next = text + length + 1;
        size_t next_length = strcspn(next, ",");
        const char *equals = memchr(next, '=', next_length);
        if (equals && equals > next && !memchr(next, '/', (size_t)(equals - next)))
            return length;
        length += 1 + next_length;
    }
    return length;
}

/* Splits an item in place; it must outlive `out`. Returns false if it is not TAG=MODEL. */
static bool split_item(const tool_args *args, char *text, lm_attachment *out) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0')
        return false;
    *equals = '\0';
    *out = (lm_attachment){.tag = text, .path = equals + 1};
    /* An existing file may have an @ in its name. */
    const bool exists =
        lm_vfs_is_folder(args->vfs, out->path) || lm_vfs_is_file(args->vfs, out->path);
    char *at = exists ? NULL : strrchr(out->path, '@');
    if (at) {
        *at = '\0';
        out->clip = at + 1;
    }
    return *out->path && (!at || *out->clip);
}

static bool read_attach(const tool_args *args, const char *text, lm_attachment *list,
                        lm_assets_options *options) {
    for (const char *item = text;;) {
        size_t length = item_length(item);
        char *copy = tool_copy(args->memory, item, length);
        if (!copy)
            return false;
        if (!split_item(args, copy, &list[options->num_attachments++]))
            return tool_usage(args,
                              "--attach takes TAG=MODEL, such as tag_head=head.md3, not \"%.*s\"",
                              (int)length, item);
        if (item[length] == '\0')
            return true;
        item += length + 1;
    }
}

bool tool_attachments_read(const tool_args *args, lm_assets_options *options) {
    /* An upper bound: the number of options and commas. */
    size_t count = args->num_given;
    const char *value;
    for (size_t at = 0; (value = tool_next_value(args, TOOL_ATTACH, &at));)
        for (; *value; value++)
            count += *value == ',';
    lm_attachment *list = tool_alloc(args->memory, count + 1, sizeof *list);
    options->attachments = list;
    for (size_t i = 0; list && i < args->num_given; i++) {
        value = args->given[i].value;
        if (args->given[i].option == TOOL_ATTACH && !read_attach(args, value, list, options))
            return false;
        if (args->given[i].option == TOOL_WITH)
            list[options->num_attachments++].path = value;
    }
    const char *with = tool_value(args, TOOL_WITH);
    return list && (!with || *with || tool_usage(args, "--with needs a model"));
}

/* ---- Other options --------------------------------------------------------------------------- */

static bool read_quirks(const tool_args *args, unsigned *quirks) {
    const char *value;
    for (size_t at = 0; (value = tool_next_value(args, TOOL_QUIRK, &at));) {
        if (strcmp(value, "mdc-prinz") != 0)
            return tool_usage(args, "there is no quirk \"%s\"; the only one is mdc-prinz", value);
        *quirks |= LM_QUIRK_MDC_PRINZ;
    }
    return true;
}

static bool read_load_options(const tool_args *args, lm_load_options *load) {
    unsigned topology = LM_TOPOLOGY_TRIANGLES, normals = LM_NORMALS_AUTO;
    load->repair = tool_has(args, TOOL_REPAIR);
    load->strict = tool_has(args, TOOL_STRICT);
    if (load->repair && load->strict)
        return tool_usage(args, "--repair and --strict cannot be combined");
    if ((tool_accepts(args, TOOL_NORMALS) && !tool_known_word(args, TOOL_NORMALS, &normals)) ||
        !read_quirks(args, &load->quirks) || !tool_known_word(args, TOOL_TOPOLOGY, &topology))
        return false;
    load->normals = tool_accepts(args, TOOL_NORMALS) ? (lm_normals)normals : LM_NORMALS_STORED;
    load->topology = (lm_topology)topology;
    return true;
}

/* Standard input can be read only once. */
static bool check_clips(const tool_args *args) {
    const char *path = tool_value(args, TOOL_CLIPS);
    for (size_t i = 0; i < args->num_inputs; i++)
        if (path && strcmp(path, "-") == 0 && strcmp(args->inputs[i].path, "-") == 0)
            return tool_usage(args, "the model and its clips cannot both come from standard input");
    return true;
}

/* Reads the files that the options name. */
static bool read_files(const tool_args *args, const lm_assets_options *options) {
    const char *option;
    lm_error error;
    return lm_assets_read_options(args->vfs, options, &option, &error) ||
           (error.code == LM_CODE_OUT_OF_MEMORY
                ? tool_no_memory()
                : tool_usage(args, "--%s %s", option, error.message));
}

bool tool_games_read(const tool_args *args, lm_assets_options *options) {
    options->games = tool_values(args, TOOL_GAME, &options->num_games);
    return options->games && read_files(args, options);
}

bool tool_open_options_read(const tool_args *args, lm_assets_options *options) {
    unsigned alpha = LM_ALPHA_AUTO;
    if (!read_load_options(args, &options->load) || !check_clips(args))
        return false;
    options->clips = tool_value(args, TOOL_CLIPS);
    options->games = tool_values(args, TOOL_GAME, &options->num_games);
    options->skins = tool_values(args, TOOL_SKIN, &options->num_skins);
    options->palette = tool_value(args, TOOL_PALETTE);
    options->transparent_255 = tool_has(args, TOOL_TRANSPARENT_255);
    if (!options->games || !options->skins || !tool_known_word(args, TOOL_ALPHA, &alpha))
        return false;
    options->alpha = (lm_alpha_use)alpha;
    return read_files(args, options);
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
    for (uint32_t i = 0; tool_has(job->args, TOOL_VERBOSE) && i < assets->scene->num_parts; i++)
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
