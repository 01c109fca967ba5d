#include "open.h"

#include "guess.h"
#include "paths.h"
#include "terminal.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- How --attach is written ------------------------------------------------------------------
 *
 * TAG=MODEL[@CLIP], several with commas between them. A comma without a TAG= behind it belongs to
 * the file's name. */

/* Where the item ends that begins here. */
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

static bool is_there(const tool_args *args, const char *path) {
    return lm_disk_is_folder(args->disk, path) || lm_disk_is_file(args->disk, path);
}

/* Splits an item, of which this is a copy to be kept; false if it is not TAG=MODEL. */
static bool split_item(const tool_args *args, char *text, lm_attachment *out) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0')
        return false;
    *equals = '\0';
    *out = (lm_attachment){.tag = text, .path = equals + 1};
    /* A file whose name has an @ in it is that file. */
    char *at = is_there(args, out->path) ? NULL : strrchr(out->path, '@');
    if (at) {
        *at = '\0';
        out->clip = at + 1;
    }
    return *out->path && (!at || *out->clip);
}

static bool read_attach(const tool_args *args, const char *text, tool_wishes *wishes) {
    for (const char *item = text;;) {
        size_t length = item_length(item);
        char *copy = tool_copy(item, length);
        if (!copy)
            return tool_no_memory();
        wishes->texts[wishes->num_texts++] = copy;
        if (!split_item(args, copy, &wishes->attachments[wishes->options.num_attachments++]))
            return tool_usage(args,
                              "--attach takes TAG=MODEL, such as tag_head=head.md3, not \"%.*s\"",
                              (int)length, item);
        if (item[length] == '\0')
            return true;
        item += length + 1;
    }
}

/* No more attachments than options and commas. */
static size_t count_attachments(const tool_args *args) {
    size_t count = args->num_given;
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_ATTACH)
            for (const char *at = args->given[i].value; *at; at++)
                count += *at == ',';
    return count;
}

bool tool_attachments_read(const tool_args *args, tool_wishes *wishes) {
    size_t count = count_attachments(args) + 1;
    wishes->attachments = calloc(count, sizeof *wishes->attachments);
    wishes->texts = (char **)calloc(count, sizeof *wishes->texts);
    wishes->options.attachments = wishes->attachments;
    if (!wishes->attachments || !wishes->texts)
        return tool_no_memory();
    for (size_t i = 0; i < args->num_given; i++) {
        const tool_given *given = &args->given[i];
        if (given->option == TOOL_ATTACH && !read_attach(args, given->value, wishes))
            return false;
        if (given->option == TOOL_WITH)
            wishes->attachments[wishes->options.num_attachments++].path = given->value;
    }
    const char *with = tool_value(args, TOOL_WITH);
    return !with || *with || tool_usage(args, "--with needs a model");
}

/* ---- The others -------------------------------------------------------------------------------
 */

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

static bool read_normals(const tool_args *args, lm_normals *normals) {
    static const char *const names[] = {
        [LM_NORMALS_STORED] = "stored",
        [LM_NORMALS_COMPUTED] = "computed",
        [LM_NORMALS_AUTO] = "auto",
    };
    const char *text = tool_value(args, TOOL_NORMALS);
    unsigned i = 0;
    while (text && i < sizeof names / sizeof *names && strcmp(text, names[i]) != 0)
        i++;
    if (i == sizeof names / sizeof *names)
        return tool_usage(args, "--normals is stored, computed or auto, not \"%s\"", text);
    *normals = text ? (lm_normals)i : LM_NORMALS_AUTO;
    return true;
}

bool tool_load_options_read(const tool_args *args, lm_load_options *load) {
    load->repair = tool_has(args, TOOL_REPAIR);
    if (tool_takes(args, TOOL_NORMALS) && !read_normals(args, &load->normals))
        return false;
    return read_quirks(args, &load->quirks) && read_topology(args, &load->topology);
}

/* Standard input can be read once. */
static bool check_clips(const tool_args *args) {
    const char *path = tool_value(args, TOOL_CLIPS);
    for (size_t i = 0; i < args->num_inputs; i++)
        if (path && strcmp(path, "-") == 0 && strcmp(args->inputs[i], "-") == 0)
            return tool_usage(args, "model and clips cannot both come from standard input");
    return true;
}

/* The values of an option that may be repeated; their number is left in `count`. */
static const char **collect(const tool_args *args, tool_option option, uint32_t *count) {
    const char **values = (const char **)calloc(args->num_given + 1, sizeof *values);
    *count = 0;
    for (size_t i = 0; values && i < args->num_given; i++)
        if (args->given[i].option == option)
            values[(*count)++] = args->given[i].value;
    return values;
}

static bool read_alpha(const tool_args *args, lm_alpha_use *use) {
    static const char *const words[] = {"auto", "opaque", "mask", "blend"}; /* as lm_alpha_use */
    const char *text = tool_value(args, TOOL_ALPHA);
    for (unsigned i = 0; text && i < 4; i++)
        if (strcmp(text, words[i]) == 0) {
            *use = (lm_alpha_use)i;
            return true;
        }
    return !text || tool_usage(args, "--alpha is auto, opaque, mask or blend, not \"%s\"", text);
}

bool tool_wishes_read(const tool_args *args, tool_wishes *wishes) {
    lm_assets_options *options = &wishes->options;
    const char *option;
    lm_error error;
    wishes->quiet = tool_has(args, TOOL_QUIET);
    wishes->verbose = tool_has(args, TOOL_VERBOSE);
    if (!tool_load_options_read(args, &options->load) || !check_clips(args))
        return false;
    options->clips = tool_value(args, TOOL_CLIPS);
    options->games = wishes->games = collect(args, TOOL_GAME, &options->num_games);
    options->skins = wishes->skins = collect(args, TOOL_SKIN, &options->num_skins);
    options->palette = tool_value(args, TOOL_PALETTE);
    options->transparent_255 = tool_has(args, TOOL_TRANSPARENT_255);
    if (!wishes->games || !wishes->skins)
        return tool_no_memory();
    if (!read_alpha(args, &options->alpha))
        return false;
    return lm_assets_read_options(args->disk, options, &option, &error) ||
           (error.code == LM_CODE_OUT_OF_MEMORY
                ? tool_no_memory()
                : tool_usage(args, "--%s %s", option, error.message));
}

void tool_wishes_free(tool_wishes *wishes) {
    for (size_t i = 0; i < wishes->num_texts; i++)
        free(wishes->texts[i]);
    free((void *)wishes->texts);
    free(wishes->attachments);
    free((void *)wishes->games);
    free((void *)wishes->skins);
}

/* ---- Clips ----------------------------------------------------------------------------------
 */

bool tool_has_clip(const lm_scene *scene, const char *name, size_t length) {
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        const lm_scene_part *part = &scene->parts[p];
        for (uint32_t i = 0; i < part->num_clips && !part->follows; i++)
            if (strlen(part->clips[i].name) == length &&
                memcmp(part->clips[i].name, name, length) == 0)
                return true;
    }
    return false;
}

static bool fail_unknown_clip(tool_job *job, const lm_scene *scene, const char *name,
                              size_t length) {
    char *word = tool_copy(name, length);
    if (!word) {
        tool_fail(job, "out of memory");
        return false;
    }
    lm_guess guess = {.word = word};
    uint32_t all = 0;
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        const lm_scene_part *part = &scene->parts[p];
        uint32_t count = part->follows ? 0 : part->num_clips;
        all += count;
        for (uint32_t i = 0; i < count; i++)
            lm_guess_try(&guess, part->clips[i].name);
    }
    if (guess.best)
        tool_fail(job, "there is no clip \"%s\"; did you mean \"%s\"?", word, guess.best);
    else
        tool_fail(job, "there is no clip \"%s\"; info lists the %u that there are", word, all);
    free(word);
    return false;
}

bool tool_check_clip(tool_job *job, const lm_scene *scene, const char *name, size_t length) {
    if (tool_has_clip(scene, name, length))
        return true;
    for (const char *end = name + length, *plus = name; plus; name = plus + 1) {
        plus = memchr(name, '+', (size_t)(end - name));
        length = (size_t)((plus ? plus : end) - name);
        if (!tool_has_clip(scene, name, length))
            return fail_unknown_clip(job, scene, name, length);
    }
    return true;
}

/* ---- Opening ----------------------------------------------------------------------------------
 */

/* What the command adds to what the library says: the names of its own options. In results these
 * have the codes of what is wrong with any option. */
typedef struct hint {
    lm_code code, shown;
    const char *before, *after; /* the latter not after a question */
} hint;

static const hint hints[] = {
    {LM_CODE_INPUT_LIMIT, LM_CODE_LIMIT, "", " (max-input)"},
    {LM_CODE_BAD_OPTION, LM_CODE_BAD_ARGUMENT, "--", ""},
    {LM_CODE_NO_SUCH_SURFACE, LM_CODE_BAD_ARGUMENT, "--", "; info lists those that there are"},
    {LM_CODE_NO_SUCH_TAG, LM_CODE_BAD_ARGUMENT, "", "; info lists those that there are"},
    {LM_CODE_ROUNDING, LM_CODE_LIMIT, "", ": allow that (--round), or encode the model anew"},
    {LM_CODE_FIXED_RATE, LM_CODE_NOT_HELD, "", ": take the model at that rate (--fps 10)"},
};

lm_error tool_with_hint(const lm_error *error) {
    const size_t length = strlen(error->message);
    const bool asks = length > 0 && error->message[length - 1] == '?';
    lm_error hinted = *error;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i].code == error->code)
            lm_fail_plain(&hinted, hints[i].shown, "%s%s%s", hints[i].before, error->message,
                          asks ? "" : hints[i].after);
    return hinted;
}

lm_error tool_error_of(const lm_diagnostic *finding) {
    lm_error error = {.code = finding->code};
    snprintf(error.message, sizeof error.message, "%s", finding->text);
    return tool_with_hint(&error);
}

/* What is legal but odd has its code in front, what failed does not. */
static void tell(tool_job *job, const lm_diagnostic *finding) {
    const char *path = job->path;
    bool odd = finding->code != LM_CODE_OK && lm_code_severity(finding->code) == LM_WARNING;
    job->path = *finding->subject ? finding->subject : path;
    if (finding->severity == LM_ERROR)
        tool_complain(job, "%s", tool_error_of(finding).message);
    else if (odd)
        tool_say(job, "[%s] %s", lm_code_name(finding->code), finding->text);
    else
        tool_say(job, "%s", finding->text);
    job->path = path;
}

static bool is_about_textures(const lm_diagnostic *finding) {
    return strcmp(finding->location.section, LM_FINDING_TEXTURE) == 0;
}

static void tell_models(tool_job *job, const lm_assets *assets, bool quiet) {
    for (uint32_t i = 0; i < assets->num_findings; i++) {
        const lm_diagnostic *finding = &assets->findings[i];
        if (!is_about_textures(finding) && (!quiet || finding->severity == LM_ERROR))
            tell(job, finding);
    }
}

/* Whether a skin that was asked for dresses nothing. */
static bool is_demand(const lm_diagnostic *finding) {
    return is_about_textures(finding) &&
           (finding->code == LM_CODE_BAD_OPTION || finding->code == LM_CODE_NO_SUCH_SURFACE);
}

/* Where a texture was looked for, of each that was not found. */
static void tell_tried(tool_job *job, const lm_assets *assets) {
    char path[8192];
    for (uint32_t i = 0; i < assets->scene->num_parts; i++)
        for (uint32_t k = 0; k < assets->assets[i].num_textures; k++)
            for (uint32_t n = 0; assets->assets[i].textures[k].way == LM_FOUND_NOT &&
                                 lm_assets_tried(assets, i, k, n, path, sizeof path);
                 n++)
                tool_say(job, "no texture at %s", path);
}

void tool_tell_textures(tool_job *job, const lm_assets *assets, const tool_wishes *wishes,
                        lm_severity severity) {
    for (uint32_t i = 0; i < assets->num_findings; i++) {
        const lm_diagnostic *finding = &assets->findings[i];
        bool now = (finding->severity == LM_NOTE) == (severity == LM_NOTE);
        if (is_about_textures(finding) && now && !is_demand(finding) &&
            (!wishes->quiet || finding->severity == LM_ERROR))
            tell(job, finding);
    }
    if (severity == LM_NOTE && wishes->verbose)
        tell_tried(job, assets);
}

void tool_mark_warnings(tool_job *job, const lm_model *model) {
    for (uint32_t i = 0; i < model->num_warnings; i++)
        if (lm_code_severity(model->warnings[i].code) > LM_NOTE)
            tool_mark(job, model->warnings[i].code, TOOL_CODE_WARNED);
}

/* Returns whether to go on with the model. */
static bool meets_demands(tool_job *job, const lm_assets *assets) {
    bool met = true;
    for (uint32_t i = 0; i < assets->num_findings; i++)
        if (is_demand(&assets->findings[i]))
            met = tool_misfit(job, "%s", tool_error_of(&assets->findings[i]).message) && met;
    return met;
}

static void write_demand(tool_job *job, const lm_assets *assets) {
    uint32_t i = 0;
    while (!is_demand(&assets->findings[i]))
        i++;
    const lm_error error = tool_error_of(&assets->findings[i]);
    tool_write_failure(job, &error);
}

/* Names that led to nothing; not those in whose place there is something. */
static uint32_t count_missing(const lm_asset *asset) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < asset->num_textures; i++) {
        if (asset->textures[i].source == LM_TEXTURE_GUESSED)
            return 0;
        count += asset->textures[i].way == LM_FOUND_NOT;
    }
    return count;
}

lm_assets *tool_open(tool_job *job, const tool_wishes *wishes, bool json) {
    lm_assets_options options = wishes->options;
    options.max_input = job->max_input;
    lm_assets *assets = lm_assets_open(job->disk, job->path, &options);
    if (!assets) {
        job->status = TOOL_FAILED;
        tool_no_memory();
        return NULL;
    }
    tell_models(job, assets, wishes->quiet);
    for (uint32_t i = 0; assets->scene && i < assets->scene->num_parts; i++) {
        tool_mark_warnings(job, assets->scene->parts[i].model);
        job->num_missing += count_missing(&assets->assets[i]);
    }
    if (assets->scene && meets_demands(job, assets))
        return assets;
    job->status = TOOL_FAILED;
    const lm_error error = assets->scene ? (lm_error){0} : tool_with_hint(assets->error);
    /* What the user asked for and is not there has no code of its own. */
    if (!assets->scene && error.code != LM_CODE_BAD_ARGUMENT)
        tool_mark(job, error.code, TOOL_CODE_FAILED);
    if (json && assets->scene)
        write_demand(job, assets);
    else if (json)
        tool_write_failure(job, &error);
    lm_assets_free(assets);
    return NULL;
}
