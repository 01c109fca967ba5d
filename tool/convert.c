/* `lerpmesh convert`: one call of lm_convert for each input, and what it reports. */
#include "lerpmesh/convert.h"
#include "batch.h"
#include "describe.h"

#include <stdio.h>
#include <string.h>

/* The settings: the options of lm_convert, and the output. */
typedef struct convert_settings {
    const tool_args *args;
    tool_output output;
    lm_convert_options *convert; /* of args->settings */
    bool obj;
    uint32_t num_frames; /* for numbered files; 0: all */
} convert_settings;

/* ---- The output ------------------------------------------------------------------------------ */

/* Returns the name as the table spells it; NULL: there is no such format. */
static const char *find_format(const char *name) {
    uint32_t i = 0;
    while (lmi_convert_format_at(i) && lmi_compare_letters(lmi_convert_format_at(i), name) != 0)
        i++;
    return lmi_convert_format_at(i);
}

/* Writes "glb, gltf, obj, md2 and mdc" to `out`, each with `mark` in front. */
static const char *list_formats(char *out, size_t size, const char *mark, const char *last) {
    size_t at = 0;
    for (uint32_t i = 0; lmi_convert_format_at(i) && at < size; i++) {
        const char *between = i == 0 ? "" : lmi_convert_format_at(i + 1) ? ", " : last;
        at += (size_t)snprintf(out + at, size - at, "%s%s%s", between, mark,
                               lmi_convert_format_at(i));
    }
    return out;
}

/* Chooses the format by --format or the output's name, which must agree. */
static bool choose_format(const tool_args *args, const convert_settings *settings,
                          const char **format) {
    char list[128];
    const char *name = tool_value(args, LM_OPTION_FORMAT);
    const char *path = settings->output.path;
    const char *extension = lmi_vfs_extension(args->vfs, path);
    const char *named = *extension ? find_format(extension + 1) : NULL;
    *format = name ? find_format(name) : NULL;
    if (name && !*format)
        return tool_usage(args, "there is no format \"%s\"; choose one of %s", name,
                          list_formats(list, sizeof list, "", " and "));
    if (settings->output.kind == TOOL_TO_FILE) {
        if (lmi_compare_letters(extension, ".pk3") == 0)
            return tool_usage(args, "%s: convert writes an archive only with --player", path);
        if (!named && *extension)
            return tool_usage(args, "%s: lerpmesh does not write %s; it writes %s", path, extension,
                              list_formats(list, sizeof list, ".", " and "));
        if (!named)
            return tool_output_misnamed(&settings->output,
                                        list_formats(list, sizeof list, ".", " or "));
        if (name && named != *format)
            return tool_usage(args, "%s does not match --format %s", path, name);
        *format = named;
    }
    /* A folder called out.glb is probably a mistake. */
    if (!*format && settings->output.kind == TOOL_TO_FOLDER && named)
        return tool_usage(args, "%s is a folder: end its name with / to write into it", path);
    if (!*format && settings->output.kind == TOOL_TO_FOLDER)
        *format = "glb";
    return *format || tool_usage(args, "choose the format: --format %s",
                                 list_formats(list, sizeof list, "", " or "));
}

/* ---- Players --------------------------------------------------------------------------------- */

/* Returns whether --player makes a whole player, named after the folder or the archive. */
static bool is_whole_player(const tool_args *args, const tool_output *output) {
    return tool_has(args, LM_OPTION_PLAYER) &&
           (output->kind == TOOL_TO_FOLDER ||
            (output->kind == TOOL_TO_FILE &&
             lmi_compare_letters(lmi_vfs_extension(args->vfs, output->path), ".pk3") == 0));
}

static bool is_weapon(const tool_args *args, const tool_output *output) {
    return tool_has(args, LM_OPTION_WEAPON) && output->kind == TOOL_TO_FOLDER;
}

/* Checks the options of a whole player or a weapon, and sets its format. */
static bool check_player(const tool_args *args, const tool_output *output, const char **format) {
    const bool weapon = is_weapon(args, output);
    const char *given = tool_value(args, LM_OPTION_FORMAT);
    if (!weapon && args->settings->options.encode.engine == LM_ENGINE_QUAKE2)
        return tool_usage(args, "a player of Quake II is one model: -o %stris.md2",
                          output->kind == TOOL_TO_FOLDER ? output->path : "");
    if (args->num_inputs > 1)
        return tool_usage(args,
                          "--%s makes one %s of one file, not of %zu: its %s lie in one scene",
                          weapon ? "weapon" : "player", weapon ? "weapon" : "player",
                          args->num_inputs, weapon ? "models" : "lower body, upper body and head");
    *format = !weapon || (given && lmi_compare_letters(given, "md3") == 0) ? "md3" : "mdc";
    return !given || lmi_compare_letters(given, *format) == 0 ||
           (weapon ? tool_usage(args, "--weapon writes mdc or md3, not %s", given)
                   : tool_usage(args, "--player writes a whole player as md3, not %s", given));
}

static bool read_format(const tool_args *args, convert_settings *settings) {
    const char *format = NULL;
    tool_output *output = &settings->output;
    const bool weapon = is_weapon(args, output);
    const bool whole = weapon || is_whole_player(args, output);
    if (tool_has(args, LM_OPTION_WEAPON) && output->kind == TOOL_TO_STDOUT)
        return tool_usage(args, "--weapon writes several files into a folder: -o DIR/");
    if (whole ? !check_player(args, output, &format) : !choose_format(args, settings, &format))
        return false;
    if (whole)
        output->name = weapon ? "weapon" : "lower";
    const bool gltf = strcmp(format, "gltf") == 0;
    settings->obj = strcmp(format, "obj") == 0;
    settings->convert->format = format;
    if (gltf && output->kind == TOOL_TO_STDOUT)
        return tool_usage(args, "gltf has two files and cannot go to standard output; use glb");
    if (!settings->obj && tool_output_is_blocked(output))
        return false;
    output->extension = weapon ? ".cfg" : lmi_arena_printf(args->arena, ".%s", format);
    output->companion = gltf ? ".bin" : settings->obj ? ".mtl" : NULL;
    return output->extension != NULL;
}

/* Makes each of the numbered files one pose. */
static bool read_numbered(const tool_args *args, convert_settings *settings) {
    static const lm_option_id animated[] = {LM_OPTION_CLIPS,  LM_OPTION_CLIP,  LM_OPTION_FPS,
                                            LM_OPTION_SPEED,  LM_OPTION_VAT,   LM_OPTION_SKELETON,
                                            LM_OPTION_PLAYER, LM_OPTION_WEAPON};
    lm_convert_options *o = settings->convert;
    for (size_t i = 0; i < TOOL_COUNT_OF(animated); i++)
        if (tool_has(args, animated[i]))
            return tool_usage(args, "--%s does not apply to numbered files, which have one pose",
                              lmi_option_about(animated[i])->name);
    settings->num_frames = o->still ? 1 : o->num_frames;
    o->frame = o->still ? o->frame : o->first_frame;
    o->still = true;
    o->first_frame = o->num_frames = 0;
    o->shares_folder = true;
    return true;
}

/* Reads -o and --format, and checks all options. Reports mistakes and returns false. */
static bool read_settings(const tool_args *args, convert_settings *settings) {
    *settings = (convert_settings){.args = args, .convert = &args->settings->options};
    if (args->num_inputs == 0)
        return true; /* there is no output either; that error is reported later */
    if (!tool_has(args, LM_OPTION_OUTPUT))
        return tool_usage(args, tool_has(args, LM_OPTION_PLAYER)
                                    ? "missing output: add -o NAME.pk3 or -o DIR/"
                                    : "missing output: add -o FILE.glb or -o DIR/");
    if (!tool_output_read(args, &settings->output) || !read_format(args, settings))
        return false;
    const tool_output *output = &settings->output;
    settings->convert->shares_folder = output->kind == TOOL_TO_FOLDER;
    settings->convert->path = output->kind == TOOL_TO_STDOUT ? NULL
                              : output->kind == TOOL_TO_FOLDER
                                  ? lmi_arena_printf(args->arena, "%s/", output->path)
                                  : output->path;
    if ((output->kind == TOOL_TO_FOLDER && !settings->convert->path) ||
        (output->before && !read_numbered(args, settings)))
        return false;
    return tool_open_options_read(args, &settings->convert->open);
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* The most messages per code. Lost features differ from each other, so more of them are shown. */
#define MAX_WARNINGS 3u
#define MAX_LOSSES 10u

static uint32_t max_messages(lm_code code) {
    return code == LM_CODE_NOT_HELD ? MAX_LOSSES : MAX_WARNINGS;
}

/* `file`: the model among several, or "". */
static void report_problems(tool_job *job, const char *file, const lm_encode_report *report) {
    const bool verbose = tool_has(job->args, LM_OPTION_VERBOSE);
    uint32_t counts[LM_NUM_CODES] = {0};
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_error hinted = tool_error_of(&report->problems[i]);
        tool_mark(job, hinted.code, TOOL_CODE_WARNED);
        if (counts[hinted.code]++ < max_messages(hinted.code) || verbose)
            tool_note(job, "%s%swarning [%s] %s", file, *file ? ": " : "",
                      lm_code_name(hinted.code), hinted.message);
    }
    for (unsigned code = 0; code < LM_NUM_CODES && !verbose; code++)
        if (counts[code] > max_messages((lm_code)code))
            tool_note(job, "%s%s%u more [%s]; -v shows all", file, *file ? ": " : "",
                      counts[code] - max_messages((lm_code)code), lm_code_name((lm_code)code));
}

static void report_model(tool_job *job, const char *subject, const char *file,
                         const lm_encode_report *report) {
    tool_note(job, "%s: %s, %s, %s, %s; maximum error %.3g units, RMS %.2g", subject,
              lmi_count_nouns(report->size, "bytes").text,
              lmi_count_nouns(report->num_surfaces, "surfaces").text,
              lmi_count_nouns(report->num_vertices, "vertices").text,
              lmi_count_nouns(report->num_triangles, "triangles").text, report->max_error,
              report->rms_error);
    report_problems(job, file, report);
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Appends ", 2 nouns"; nothing for 0 unless `even_none`. */
static void add_count(lm_buffer *text, uint64_t count, const char *nouns, bool even_none) {
    if (count > 0 || even_none)
        lm_buffer_printf(text, ", %s", lmi_count_nouns(count, nouns).text);
}

static void describe_gltf(const lm_gltf_result *result, bool verbose, lm_buffer *text) {
    add_count(text, result->num_meshes, "{mesh|meshes}", true);
    add_count(text, result->num_targets, "morph targets", result->num_joints == 0);
    add_count(text, result->num_joints, "joints", false);
    add_count(text, result->num_animations, "animations", true);
    add_count(text, result->num_textures, "textures", false);
    add_count(text, result->num_variants, "variants", false);
    if (verbose && result->num_dropped > 0)
        lm_buffer_printf(text, "; %s dropped, which glTF does not have",
                         lmi_count_nouns(result->num_dropped, "shader features").text);
    if (verbose && result->shared_frames > 0)
        lm_buffer_printf(text, "; %s omitted",
                         lmi_count_nouns(result->shared_frames, "repeated frames").text);
}

static void describe_vat(const lm_vat_result *vat, bool exact, lm_buffer *text) {
    add_count(text, vat->num_vertices, "vertices", true);
    add_count(text, vat->num_rows, "frames", true);
    add_count(text, vat->num_animations, "animations", true);
    lm_buffer_printf(text, "; %u x %u pixels", (unsigned)vat->width, (unsigned)vat->height);
    if (!exact)
        lm_buffer_printf(text, ", maximum error %.3g units", vat->max_error);
}

/* Describes a glTF or OBJ. The size includes the files next to a .gltf or .obj. */
static const char *describe_result(tool_job *job, const convert_settings *settings,
                                   const lm_conversion *made) {
    lm_buffer text = {0};
    size_t size = 0;
    for (uint32_t i = 0; i < made->num_files; i++)
        size += made->files[i].data.size;
    lm_buffer_text(&text, lmi_count_nouns(size, "bytes").text);
    if (settings->obj)
        add_count(&text, made->num_files > 2 ? made->num_textures : 0, "textures", false);
    else if (made->vat)
        describe_vat(made->vat, settings->convert->vat == LM_CONVERT_VAT_EXR, &text);
    else
        describe_gltf(made->gltf, tool_has(job->args, LM_OPTION_VERBOSE), &text);
    return tool_take_text(job->arena, &text);
}

/* Reports a whole player or a weapon, whose models were reported when they were made. */
static void report_player(tool_job *job, const convert_settings *settings,
                          const lm_conversion *made, const char *path) {
    if (settings->convert->archive)
        tool_note(job, "wrote %s: %zu bytes, the player %s; put it next to the game's own archives",
                  path, made->files[made->num_files - 1].data.size, settings->convert->player_name);
    else if (made->num_written == 0)
        tool_note(job, "unchanged: %.*s has all %s already; the game searches for them in %s",
                  (int)(lmi_vfs_base_name(job->vfs, path) - path), path,
                  lmi_count_nouns(made->num_files, "files").text, made->player_folder);
    else
        tool_note(job, "wrote %.*s: %s; the game searches for them in %s",
                  (int)(lmi_vfs_base_name(job->vfs, path) - path), path,
                  lmi_count_nouns(made->num_written, "files").text, made->player_folder);
}

static void report_result(tool_job *job, const convert_settings *settings,
                          const lm_conversion *made, const char *path) {
    static const lm_gltf_result none;
    const lm_gltf_result *gltf = made->gltf ? made->gltf : &none;
    if (made->player_folder) {
        report_player(job, settings, made, path);
        return;
    }
    const char *subject = lmi_arena_printf(job->arena, "wrote %s", path ? path : "standard output");
    if (made->report && subject)
        report_model(job, subject, "", made->report);
    if (made->report || !subject)
        return;
    const char *counts = describe_result(job, settings, made);
    if (counts)
        tool_note(job, "%s: %s", subject, counts);
    if (gltf->num_bundles > 1)
        tool_note(job, "more than 255 morph targets: the frames are split into %u parts by clips%s",
                  gltf->num_bundles,
                  settings->convert->compress
                      ? ""
                      : "; --compress meshopt makes them much smaller, and --clip "
                        "writes only some clips");
    if (gltf->num_leftovers > 0)
        tool_note(job, "%s out",
                  lmi_count_words(gltf->num_leftovers,
                                  "{animation is|animations are} of frames that no clip has; "
                                  "--clip all leaves {it|them}")
                      .text);
    if (made->assets) {
        tool_report_textures(job, made->assets, LM_SEVERITY_NOTE);
        tool_report_tried(job, made->assets);
    }
    if (gltf->num_sheared_tags > 0)
        tool_note(job,
                  "%s axes that are not orthogonal; in glTF, models attached there are not sheared",
                  lmi_count_words(gltf->num_sheared_tags, "{tag has|tags have}").text);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void write_model(lm_json *json, tool_job *job, const lm_encode_report *report) {
    lmi_json_open(json, "model", '{');
    lmi_json_integer(json, "surfaces", report->num_surfaces);
    lmi_json_integer(json, "vertices", report->num_vertices);
    lmi_json_integer(json, "triangles", report->num_triangles);
    lmi_json_double(json, "max_error", report->max_error);
    lmi_json_double(json, "rms_error", report->rms_error);
    lmi_json_open(json, "problems", '[');
    for (uint32_t i = 0; i < report->num_problems; i++) {
        tool_mark(job, report->problems[i].code, TOOL_CODE_WARNED);
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "code", lm_code_name(report->problems[i].code));
        lmi_json_string(json, "message", report->problems[i].text);
        lmi_json_close(json);
    }
    lmi_json_close(json);
    lmi_json_close(json);
}

static void write_gltf(lm_json *json, const lm_gltf_result *result) {
    lmi_json_open(json, "gltf", '{');
    lmi_json_integer(json, "meshes", result->num_meshes);
    lmi_json_integer(json, "targets", result->num_targets);
    lmi_json_integer(json, "joints", result->num_joints);
    lmi_json_integer(json, "animations", result->num_animations);
    lmi_json_integer(json, "bundles", result->num_bundles);
    lmi_json_integer(json, "textures", result->num_textures);
    lmi_json_integer(json, "variants", result->num_variants);
    lmi_json_integer(json, "sheared_tags", result->num_sheared_tags);
    lmi_json_integer(json, "dropped_features", result->num_dropped);
    lmi_json_close(json);
}

static void write_vat(lm_json *json, const lm_vat_result *vat, bool exact) {
    lmi_json_open(json, "vat", '{');
    lmi_json_integer(json, "vertices", vat->num_vertices);
    lmi_json_integer(json, "frames", vat->num_rows);
    lmi_json_integer(json, "animations", vat->num_animations);
    lmi_json_integer(json, "width", vat->width);
    lmi_json_integer(json, "height", vat->height);
    lmi_json_double(json, "max_error", exact ? 0 : vat->max_error);
    lmi_json_close(json);
}

static void write_json(tool_job *job, const convert_settings *settings, const lm_conversion *made,
                       const char *path) {
    lm_json json = tool_json_begin(job);
    lmi_json_path(&json, "written", path);
    lmi_json_string(&json, "format", settings->convert->format);
    lmi_json_open(&json, "files", '[');
    for (uint32_t i = 0; i < made->num_files; i++) {
        if (made->files[i].stays)
            continue;
        lmi_json_open(&json, NULL, '{');
        lmi_json_path(&json, "name", made->files[i].name);
        lmi_json_integer(&json, "size", (int64_t)made->files[i].data.size);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    if (made->report)
        write_model(&json, job, made->report);
    if (made->gltf)
        write_gltf(&json, made->gltf);
    if (made->vat)
        write_vat(&json, made->vat, settings->convert->vat == LM_CONVERT_VAT_EXR);
    tool_json_end(&json);
}

/* ---- Converting ------------------------------------------------------------------------------ */

/* The conversion of one input. */
typedef struct conversion {
    tool_job *job;
    const convert_settings *settings;
    const char *path; /* NULL: standard output */
    lm_buffer notes;  /* shown when the files that they describe are written */
} conversion;

/* Keeps a note for later. */
static void keep_note(conversion *c, const char *text) {
    const lm_buffer log = c->job->log;
    c->job->log = c->notes;
    tool_note(c->job, "%s", text);
    c->notes = c->job->log;
    c->job->log = log;
}

static void show_notes(const conversion *c) {
    lm_buffer_append(&c->job->log, c->notes.data, c->notes.size);
    c->job->log.failed = c->job->log.failed || c->notes.failed;
}

static void report(void *user, const lm_convert_message *message) {
    tool_job *job = ((const conversion *)user)->job;
    const char *path = job->path;
    job->path = message->subject;
    switch (message->kind) {
    case LM_CONVERT_KIND_NOTE:
        keep_note(user, message->text);
        break;
    case LM_CONVERT_KIND_WARNING:
        if (!job->quiet)
            tool_warn(job, "%s", message->text);
        break;
    case LM_CONVERT_KIND_DETAIL:
        if (tool_has(job->args, LM_OPTION_VERBOSE) && !message->problem->subject)
            tool_note_warning(job, message->mark, message->problem);
        break;
    case LM_CONVERT_KIND_PROBLEM:
        if (message->mark || !message->problem->subject)
            tool_note_warning(job, message->mark, message->problem);
        else
            tool_report(job, message->problem);
        break;
    case LM_CONVERT_KIND_FAILURE:
        if (message->code)
            tool_fail_error(job, message->error);
        else if (!tool_fail(job, "%s", message->text) && job->json)
            tool_write_failure(job, message->error);
        break;
    case LM_CONVERT_KIND_MODEL:
        report_model(job, message->text, message->text, message->report);
        break;
    }
    job->path = path;
}

static bool opened(void *user, const lm_assets *assets) {
    return tool_opened(((const conversion *)user)->job, assets);
}

static bool is_taken(void *user, const char *name) {
    const conversion *c = user;
    return tool_output_is_taken(c->job, &c->settings->output, c->path, name);
}

static bool allows(void *user, const char *path) {
    const conversion *c = user;
    return tool_output_allows(c->job, &c->settings->output, path);
}

static bool write_all(void *user, lm_file_output *files, size_t count) {
    return tool_output_write_all(((const conversion *)user)->job, files, count);
}

static bool write_nothing(void *user, lm_file_output *files, size_t count) {
    (void)user, (void)files, (void)count;
    return true;
}

/* Converts the job's input, with the frame `number` as a numbered file. `first`: the first
 * conversion, which reported the source, and whose source the others use; NULL: this is it.
 * `tries`: writes nothing, and finds out whether the files may be written. Returns the conversion;
 * NULL: the job failed. */
static lm_conversion *convert_one(tool_job *job, const convert_settings *settings, uint32_t number,
                                  const lm_conversion *first, bool tries) {
    conversion c = {.job = job, .settings = settings};
    const lm_convert_calls calls = {.user = &c,
                                    .report = first ? NULL : report,
                                    .opened = first ? NULL : opened,
                                    .is_taken = is_taken};
    const lm_convert_target target = {.replaces = settings->output.force,
                                      .user = &c,
                                      .allows = allows,
                                      .write = tries ? write_nothing : write_all,
                                      .report = report};
    lm_error error;
    const bool weapon = settings->convert->player == LM_PLAYER_WEAPON; /* files may stay */
    if (weapon ? !(c.path = tool_output_name(job, &settings->output))
               : !tool_output_path(job, &settings->output, &c.path))
        return NULL;
    lm_convert_options options = *settings->convert;
    lm_convert_source source = {.vfs = job->vfs, .path = job->path};
    if (first && !first->report) { /* a glTF or OBJ needs nothing else of these options */
        source.assets = first->assets;
        options.open = (lm_assets_options){0};
    }
    options.frame += number;
    options.path = c.path;
    options.open.max_input = job->max_input;
    lm_conversion *made = lm_convert(&source, &options, &calls, &error);
    const uint64_t end = (uint64_t)options.frame + settings->num_frames;
    if (made && !first && settings->num_frames > 0 && end > made->num_frames)
        tool_fail(job, "there are no frames %.0f-%llu: the last frame is %u", options.frame,
                  (unsigned long long)end - 1, (unsigned)made->num_frames - 1);
    const bool stays = settings->output.before && tool_output_keeps(&settings->output, c.path);
    const bool written =
        made && job->status == TOOL_DONE &&
        (stays    ? true
         : c.path ? lm_convert_write(made, &target, &error)
                  : tool_output_put(job, NULL, &made->files[made->num_files - 1].data));
    if (written)
        show_notes(&c);
    lm_buffer_free(&c.notes);
    if (written && !tries && (job->json || number == 0))
        (job->json ? write_json : report_result)(job, settings, made, c.path);
    else if (!written && first && job->status == TOOL_DONE)
        tool_fail_error(job, &error);
    else if (!written && job->status == TOOL_DONE)
        (void)lmi_arena_out_of_memory(job->arena, true); /* everything else was reported */
    if (written)
        return made;
    lm_conversion_free(made);
    return NULL;
}

/* Returns whether something has the name of a numbered file, or of one that is written next to it.
 * Those of the first one tell the names. */
static bool is_in_the_way(tool_job *job, const lm_conversion *first, const char *first_path,
                          const char *path) {
    const char *base = lmi_vfs_base_name(job->vfs, first_path);
    const int stem = (int)(lmi_vfs_extension(job->vfs, path) - path);
    const size_t length = (size_t)(lmi_vfs_extension(job->vfs, base) - base);
    for (uint32_t i = 0; i < first->num_files; i++) {
        const char *name = first->files[i].name;
        lm_path_identity identity;
        if (strncmp(name, base, length) != 0)
            continue; /* they share it */
        const char *other = lmi_arena_printf(job->arena, "%.*s%s", stem, path, name + length);
        if (other)
            lmi_path_identify(other, &identity);
        if (!other || identity.kind != LM_PATH_NOTHING)
            return true;
    }
    return false;
}

/* Converts every frame to a numbered file. None is written before it is known that all may be: if
 * something is in the way of one, it is made twice. */
static void convert_numbered(tool_job *job, const convert_settings *settings) {
    convert_settings numbered = *settings;
    const char *first_path = tool_output_numbered(&settings->output, 0, job->arena);
    lm_conversion *first = NULL;
    uint32_t count = 1, done = 0, kept = 0;
    for (int pass = 0; pass < 2 && (pass == 0 || done == count); pass++) {
        for (done = 0; done < count; done++) {
            numbered.output.path = tool_output_numbered(&settings->output, done, job->arena);
            if (first && numbered.output.path &&
                tool_output_keeps(&settings->output, numbered.output.path)) {
                kept += pass > 0;
                continue;
            }
            if (first && numbered.output.path && pass == 0 &&
                !is_in_the_way(job, first, first_path, numbered.output.path))
                continue;
            lm_conversion *made =
                numbered.output.path ? convert_one(job, &numbered, done, first, pass == 0) : NULL;
            if (!made)
                break;
            if (first)
                lm_conversion_free(made);
            else
                first = made;
            count = settings->num_frames > 0 ? settings->num_frames : first->num_frames;
        }
    }
    lm_conversion_free(first);
    if (done == count)
        tool_output_note_kept(job, kept);
    if (done == count && !job->json)
        tool_note(job, "wrote %s: %s", settings->output.path,
                  lmi_count_nouns(count - kept, "files").text);
}

static void convert_file(tool_job *job, const void *user) {
    const convert_settings *settings = user;
    if (settings->output.before)
        convert_numbered(job, settings);
    else
        lm_conversion_free(convert_one(job, settings, 0, NULL, false));
}

static int run_convert(const tool_args *args) {
    convert_settings settings;
    if (!read_settings(args, &settings))
        return TOOL_USAGE;
    const char *about = lmi_convert_program_about(settings.convert->program);
    lm_buffer text = {0};
    if (about && !tool_has(args, LM_OPTION_QUIET))
        lm_buffer_printf(&text, "lerpmesh: for %s\n", about);
    tool_write_error(&text);
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = convert_file,
                                        .context = &settings,
                                        .done = "converted",
                                        .output = &settings.output});
}

const tool_command tool_convert = {
    .name = "convert",
    .usage = "[options] FILE|PLAYERDIR... -o OUT",
    .summary = "convert to animated glTF (.glb, .gltf), IQM, OBJ or another model",
    .about =
        "Writes glTF with one animation per clip, IQM with a skeleton, one pose as OBJ, or\n"
        "another game's model. The extension of OUT decides. -o pose_{frame}.obj writes one file\n"
        "per frame. glTF, IQM, FBX, Collada, OBJ and others become a model. The input\n"
        "walk_{frame}.obj means numbered files, which become its frames. -o DIR/ takes several\n"
        "files, folders and archives. In a folder or an archive, convert works on all models, or\n"
        "on all glTF and IQM files if there are no models. A folder that becomes one file is a\n"
        "player (lower, upper and head; tris and weapon; body.mds and what its skin names) or a\n"
        "first-person weapon (v_NAME_hand, v_NAME and barrels).",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_FORMAT, LM_OPTION_CLIP, LM_OPTION_FRAMES, LM_OPTION_FPS,
              LM_OPTION_SCALE, LM_OPTION_ATTACH, LM_OPTION_GAME, LM_OPTION_SKIN, LM_OPTION_ENGINE,
              LM_OPTION_PLAYER, LM_OPTION_FORCE},
    .expand = TOOL_EXPAND_IMPORTS,
    .examples = "  lerpmesh convert tris.md2 -o run.gltf --clip run,jump --fps 15\n"
                "  lerpmesh convert robot.glb -o robot.md3 --fps 10 --tag tag_weapon=Hand.R\n"
                "  lerpmesh convert hero.glb -o baseoa/models/players/hero/ --player\n"
                "  lerpmesh convert pak0.pk3 -o out/\n",
    .run = run_convert,
};
