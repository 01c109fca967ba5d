#include "job.h"

#include "describe.h"
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *tool_take_text(lm_arena *arena, lm_buffer *text) {
    const char *from = text->size > 0 ? (const char *)text->data : "";
    char *copy = text->failed ? NULL : lmi_arena_text(arena, from, text->size);
    (void)lmi_arena_out_of_memory(arena, !copy);
    lm_buffer_free(text);
    return copy;
}

const char *tool_shown_path(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

void tool_begin_line(const tool_job *job, lm_buffer *out) {
    lmi_text_harmless(out, tool_shown_path(job->path));
    lm_buffer_text(out, ": ");
}

/* Returns where the sentence begins in the log. */
static size_t log_message(tool_job *job, const char *sentence, va_list arguments) {
    char text[8192]; /* a sentence with two paths */
    vsnprintf(text, sizeof text, sentence, arguments);
    lm_buffer_text(&job->log, "lerpmesh: ");
    tool_begin_line(job, &job->log);
    const size_t start = job->log.size;
    lmi_text_line(&job->log, "", text);
    return start;
}

static size_t LM_PRINTF(2, 3) log_sentence(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const size_t start = log_message(job, sentence, arguments);
    va_end(arguments);
    return start;
}

void tool_add_warning(tool_job *job, const lm_buffer *text, size_t begin, size_t key,
                      size_t key_end) {
    const bool once = strcmp(job->path, job->args->inputs[job->index].path) != 0;
    const tool_warning warning = {once, text == &job->out, begin, key, key_end, text->size};
    lm_buffer_append(&job->warnings, &warning, sizeof warning);
}

bool tool_fail(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    log_message(job, sentence, arguments);
    va_end(arguments);
    job->status = TOOL_FAILED;
    return false;
}

bool tool_fail_code(tool_job *job, lm_code code, const char *sentence, ...) {
    char text[8192]; /* as above */
    lm_error error;
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(text, sizeof text, sentence, arguments);
    va_end(arguments);
    tool_fail(job, "%s", text);
    tool_mark(job, code, TOOL_CODE_FAILED);
    lm_fail_plain(&error, code, "%s", text);
    if (job->json)
        tool_write_failure(job, &error);
    return false;
}

bool tool_fail_memory(tool_job *job) {
    return tool_fail_code(job, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

bool tool_inapplicable(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    job->inapplicable = true;
    if (job->tree)
        return true;
    va_start(arguments, sentence);
    log_message(job, sentence, arguments);
    va_end(arguments);
    job->status = TOOL_FAILED;
    return false;
}

void tool_warn(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    const size_t begin = job->log.size;
    va_start(arguments, sentence);
    const size_t start = log_message(job, sentence, arguments);
    va_end(arguments);
    tool_add_warning(job, &job->log, begin, start, job->log.size - 1);
}

void tool_note(tool_job *job, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    if (!job->brief && !job->quiet)
        log_message(job, sentence, arguments);
    va_end(arguments);
}

void tool_note_warning(tool_job *job, const char *kind, const lm_diagnostic *warning) {
    char times[32] = "";
    if (warning->count > 1)
        snprintf(times, sizeof times, " (%u times)", (unsigned)warning->count);
    if (!kind) {
        tool_note(job, "%s%s", warning->text, times);
        return;
    }
    if (job->brief || job->quiet)
        return;
    const size_t begin = job->log.size;
    char mark[128];
    snprintf(mark, sizeof mark, "%s%s[%s]", kind, *kind ? " " : "", lm_code_name(warning->code));
    const size_t start = log_sentence(job, "%s %s%s", mark, warning->text, times);
    tool_add_warning(job, &job->log, begin, start, start + strlen(mark));
}

void tool_mark(tool_job *job, lm_code code, tool_code_mark mark) {
    if ((unsigned)code < LM_NUM_CODES && job->codes[code] < mark)
        job->codes[code] = (uint8_t)mark;
}

void tool_mark_report(tool_job *job, const lm_report *report) {
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *problem = &report->problems[i];
        if (problem->severity > LM_SEVERITY_NOTE)
            tool_mark(job, problem->code,
                      problem->severity == LM_SEVERITY_ERROR ? TOOL_CODE_FAILED : TOOL_CODE_WARNED);
    }
}

/* A hint that the command adds to a library message: the name of one of its options. In results,
 * the code becomes `shown`, the general one for bad options. */
typedef struct hint {
    lm_code code, shown;
    const char *before, *after; /* omitted after a question mark */
} hint;

static const hint hints[] = {
    {LM_CODE_INPUT_LIMIT, LM_CODE_INPUT_LIMIT, "", " (--max-input)"},
    {LM_CODE_BAD_OPTION, LM_CODE_BAD_ARGUMENT, "--", ""},
    {LM_CODE_NO_SUCH_SURFACE, LM_CODE_BAD_ARGUMENT, "--", "; lerpmesh info lists the surfaces"},
    {LM_CODE_NO_SUCH_TAG, LM_CODE_BAD_ARGUMENT, "", "; lerpmesh info lists the tags"},
    {LM_CODE_ROUNDING, LM_CODE_LIMIT, "",
     "; --round allows it, --reencode encodes the model again"},
    {LM_CODE_FIXED_RATE, LM_CODE_NOT_HELD, "", "; --fps 10 resamples the clips"},
};

lm_error tool_with_hint(const lm_error *error) {
    const size_t length = strlen(error->message);
    const bool is_question = length > 0 && error->message[length - 1] == '?';
    lm_error hinted = *error;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i].code == error->code)
            lm_fail_plain(&hinted, hints[i].shown, "%s%s%s", hints[i].before, error->message,
                          is_question ? "" : hints[i].after);
    return hinted;
}

lm_error tool_error_of(const lm_diagnostic *diagnostic) {
    lm_error error = {.code = diagnostic->code};
    snprintf(error.message, sizeof error.message, "%s", diagnostic->text);
    return tool_with_hint(&error);
}

const char *tool_import_hint(const tool_job *job, lm_code code) {
    if (code != LM_CODE_UNKNOWN_FORMAT)
        return "";
    if (lmi_compare_letters(lmi_vfs_extension(job->vfs, job->path), ".blend") == 0)
        return "; export glTF from Blender";
    return job->args->command->expand != TOOL_EXPAND_IMPORTS && lmi_convert_imports(job->path)
               ? "; lerpmesh convert makes a model of it"
               : "";
}

/* If the message is about the whole file, or a file in it, removes " PATH" or " in PATH": the
 * prefix has the path already. */
bool tool_fail_error(tool_job *job, const lm_error *error) {
    const lm_error hinted = tool_with_hint(error);
    const char *text = hinted.message, *path = tool_shown_path(job->path);
    const bool names = hinted.code == LM_CODE_IO || hinted.code == LM_CODE_LIMIT;
    const char *named = names ? strstr(text, path) : NULL;
    while (named && (named == text || named[-1] != ' ' || named[strlen(path)] != ':'))
        named = strstr(named + 1, path);
    const int before = named ? (int)(named - 1 - text) : 0;
    const bool inside = before > 3 && memcmp(named - 4, " in", 3) == 0;
    if (named)
        tool_fail(job, "%.*s%s", before - 3 * inside, text, named + strlen(path));
    else
        tool_fail(job, "%s%s", text, tool_import_hint(job, hinted.code));
    tool_mark(job, hinted.code, TOOL_CODE_FAILED);
    if (job->json)
        tool_write_failure(job, &hinted);
    return false;
}

bool tool_read(tool_job *job, lm_buffer *file) {
    lm_error error;
    if (lm_vfs_read(job->vfs, job->path, job->max_input, file, &error))
        return true;
    const lm_error found = error;
    if (found.code == LM_CODE_LIMIT && !found.section[0])
        lm_fail_plain(&error, LM_CODE_INPUT_LIMIT, "%s", found.message);
    return tool_fail_error(job, &error);
}

lm_json tool_json_begin(tool_job *job) {
    lm_json json = {.out = &job->out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_path(&json, "file", job->path);
    return json;
}

void tool_json_end(lm_json *json) {
    lmi_json_close(json);
    lm_buffer_text(json->out, "\n");
}

void tool_write_failure(tool_job *job, const lm_error *error) {
    lm_json json = tool_json_begin(job);
    lmi_json_open(&json, "error", '{');
    lmi_json_string(&json, "code", lm_code_name(error->code));
    lmi_json_integer(&json, "offset", (int64_t)error->offset);
    lmi_json_string(&json, "section", error->section);
    lmi_json_string(&json, "message", error->message);
    lmi_json_close(&json);
    tool_json_end(&json);
}

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
    lmi_convert_check_clip(scene, name, length, &problem);
    const char *text = tool_take_text(job->arena, &problem);
    /* Other files that were found may have the clip. */
    job->inapplicable = job->unwritten = text && *text && job->tree;
    return text && !job->inapplicable &&
           (*text == '\0' || tool_fail_code(job, LM_CODE_BAD_ARGUMENT, "%s", text));
}

/* ---- Opening ------------------------------------------------------------------------------- */

/* Prints a diagnostic. Warnings start with their code, failures do not. */
void tool_report(tool_job *job, const lm_diagnostic *diagnostic) {
    const char *path = job->path;
    bool is_warning =
        diagnostic->code != LM_CODE_OK && lm_code_severity(diagnostic->code) == LM_SEVERITY_WARNING;
    job->path = *diagnostic->subject ? diagnostic->subject : path;
    const bool script = lmi_ends_in(diagnostic->subject, ".shader") &&
                        diagnostic->code != LM_CODE_SHADER_WORD &&
                        diagnostic->code != LM_CODE_SHADER_IMAGE;
    if (script) /* it cannot be read */
        tool_warn(job, "%s", diagnostic->text);
    else if (diagnostic->severity == LM_SEVERITY_ERROR)
        tool_warn(job, "%s%s", tool_error_of(diagnostic).message,
                  tool_import_hint(job, diagnostic->code));
    else if (is_warning)
        tool_note_warning(job, "", diagnostic);
    else
        tool_note(job, "%s", tool_error_of(diagnostic).message);
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
                                 lmi_assets_tried(assets, i, k, n, path, sizeof path);
                 n++)
                tool_note(job, "no texture at %s", path);
}

void tool_report_textures(tool_job *job, const lm_assets *assets, lm_severity severity) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++) {
        const lm_diagnostic *diagnostic = &assets->diagnostics[i];
        const bool now = severity == LM_SEVERITY_NOTE ? diagnostic->severity == LM_SEVERITY_NOTE
                                                      : (int)diagnostic->severity >= (int)severity;
        if (is_about_textures(diagnostic) && now && !is_requested_skin(diagnostic))
            tool_report(job, diagnostic);
    }
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

bool tool_opened(tool_job *job, const lm_assets *assets) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (lmi_convert_shows(&job->args->settings->options, &assets->diagnostics[i]))
            tool_report(job, &assets->diagnostics[i]);
    for (uint32_t i = 0; assets->scene && i < assets->scene->num_parts; i++) {
        const lm_model *model = assets->scene->parts[i].model;
        for (uint32_t k = 0; k < model->num_warnings; k++)
            if (lm_code_severity(model->warnings[k].code) > LM_SEVERITY_NOTE)
                tool_mark(job, model->warnings[k].code, TOOL_CODE_WARNED);
        count_missing(job, &assets->assets[i]);
    }
    lm_error skin_error = {.code = LM_CODE_OK};
    const bool ok = !assets->scene || check_requested_skins(job, assets, &skin_error);
    if (assets->scene && ok)
        return true;
    const lm_error hinted = tool_with_hint(ok ? lmi_assets_reason(assets) : &skin_error);
    job->status = TOOL_FAILED;
    /* A missing thing that the user requested has no code of its own. */
    if (hinted.code != LM_CODE_BAD_ARGUMENT)
        tool_mark(job, hinted.code, TOOL_CODE_FAILED);
    if (job->json)
        tool_write_failure(job, &hinted);
    return false;
}

lm_assets *tool_open(tool_job *job, const lm_assets_options *options, bool weapon) {
    lm_assets_options bounded = *options;
    bounded.max_input = job->max_input;
    bounded.related = weapon && options->num_attachments == 0;
    lm_assets *assets = lm_assets_open(job->vfs, job->path, &bounded, NULL);
    (void)lmi_arena_out_of_memory(job->arena, !assets);
    if (!assets || tool_opened(job, assets))
        return assets;
    lm_assets_free(assets);
    return NULL;
}
