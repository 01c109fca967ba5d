/* The course of a conversion, and its messages. */
#include "convert_internal.h"

#include "core/options.h"

#include <stdio.h>
#include <string.h>

/* ---- Messages -------------------------------------------------------------------------------- */

static void send(const conversion *c, const lm_convert_message *message) {
    lm_convert_message about = *message;
    about.subject = c->subject;
    if (c->calls->report)
        c->calls->report(c->calls->user, &about);
}

void lmi_cv_format(const char *prefix, char text[CONVERT_TEXT_SIZE], const char *sentence,
                   va_list arguments) {
    char shown[1024];
    size_t at = 0;
    for (; *sentence && at + 8 < sizeof shown; sentence++)
        if (*sentence == *OPTION)
            at += (size_t)snprintf(shown + at, sizeof shown - at, "%s", prefix ? prefix : "");
        else
            shown[at++] = *sentence;
    shown[at] = '\0';
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): the callers' sentences are checked
    vsnprintf(text, CONVERT_TEXT_SIZE, shown, arguments);
}

bool lmi_cv_say(conversion *c, lm_convert_kind kind, lm_code code, const char *sentence, ...) {
    char text[CONVERT_TEXT_SIZE];
    lm_error error;
    va_list arguments;
    va_start(arguments, sentence);
    lmi_cv_format(c->options->option_prefix, text, sentence, arguments);
    va_end(arguments);
    lm_fail_plain(&error, code ? code : LM_CODE_BAD_ARGUMENT, "%s", text);
    if (kind == LM_CONVERT_KIND_FAILURE && c->error)
        *c->error = error;
    send(c, &(lm_convert_message){.kind = kind, .code = code, .text = text, .error = &error});
    return false;
}

bool lmi_cv_fail_error(conversion *c, const lm_error *error) {
    if (strcmp(error->section, LM_SECTION_OUTPUT) == 0)
        return lm_cv_fail_code(c, error->code, "%s (" OPTION "max-output)", error->message);
    if (c->error)
        *c->error = *error;
    send(c, &(lm_convert_message){.kind = LM_CONVERT_KIND_FAILURE,
                                  .code = error->code,
                                  .text = error->message,
                                  .error = error});
    return false;
}

void lmi_cv_tell(conversion *c, const lm_diagnostic *note) {
    send(c,
         &(lm_convert_message){.kind = note->severity > LM_SEVERITY_NOTE ? LM_CONVERT_KIND_WARNING
                                                                         : LM_CONVERT_KIND_NOTE,
                               .code = note->code,
                               .text = note->text});
}

void lmi_cv_problem(conversion *c, lm_convert_kind kind, const char *mark,
                    const lm_diagnostic *problem) {
    send(c, &(lm_convert_message){.kind = kind,
                                  .code = problem->code,
                                  .text = problem->text,
                                  .mark = mark,
                                  .problem = problem});
}

void lmi_cv_model_done(conversion *c, const char *file, const lm_encode_report *report) {
    send(c, &(lm_convert_message){.kind = LM_CONVERT_KIND_MODEL, .text = file, .report = report});
}

bool lmi_cv_step(conversion *c, double share, const char *what) {
    return !c->calls->progress || c->calls->progress(c->calls->user, share, what) ||
           lm_cv_fail_code(c, LM_CODE_STOPPED, "stopped by the caller");
}

/* Returns whether opening already reported this. */
static bool is_reported(const lm_assets *assets, const char *path, lm_code code) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (assets->diagnostics[i].code == code &&
            strcmp(assets->diagnostics[i].subject, path) == 0)
            return true;
    return false;
}

/* Returns whether an earlier part has the same file, or the same warning about its clips. */
static bool is_repeated(const lm_assets *assets, uint32_t part, const lm_diagnostic *warning) {
    for (uint32_t p = 0; p < part; p++) {
        const lm_clips *clips = assets->assets[p].clips;
        if (strcmp(assets->assets[p].path, assets->assets[part].path) == 0)
            return true;
        for (uint32_t i = 0; clips && i < clips->num_warnings; i++)
            if (strcmp(clips->warnings[i].text, warning->text) == 0)
                return true;
    }
    return false;
}

/* Reports the warnings about each model and its clips, with the path of its file. */
static void report_source(conversion *c) {
    const lm_assets *assets = c->borrows ? NULL : c->assets;
    for (uint32_t part = 0; assets && part < assets->scene->num_parts; part++) {
        const lm_asset *asset = &assets->assets[part];
        const lm_model *model = asset->model;
        const lm_clips *clips = asset->clips;
        c->subject = asset->path;
        for (uint32_t i = 0; i < model->num_warnings; i++) {
            const lm_diagnostic *warning = &model->warnings[i];
            const bool repaired = lm_code_severity(warning->code) == LM_SEVERITY_ERROR;
            if (!is_reported(assets, asset->path, warning->code) &&
                !is_repeated(assets, part, warning))
                lmi_cv_problem(c, repaired ? LM_CONVERT_KIND_PROBLEM : LM_CONVERT_KIND_DETAIL,
                               repaired ? "repaired" : "warning", warning);
        }
        for (uint32_t i = 0; clips && i < clips->num_warnings; i++) {
            const lm_diagnostic *warning = &clips->warnings[i];
            const bool noted = lm_code_severity(warning->code) == LM_SEVERITY_NOTE;
            if (!is_repeated(assets, part, warning))
                lmi_cv_problem(c, noted ? LM_CONVERT_KIND_DETAIL : LM_CONVERT_KIND_PROBLEM, NULL,
                               warning);
        }
    }
    c->subject = c->source;
}

/* ---- Files ----------------------------------------------------------------------------------- */

const char *lmi_cv_take_text(conversion *c, lm_buffer *text) {
    const char *from = text->size > 0 ? (const char *)text->data : "";
    lmi_arena_out_of_memory(c->arena, text->failed);
    const char *copy = text->failed ? NULL : lmi_arena_text(c->arena, from, text->size);
    lm_buffer_free(text);
    return copy;
}

convert_side *lmi_cv_add(conversion *c, lm_convert_role role, const char *stem,
                         const char *suffix) {
    convert_side *side = lmi_arena_zeros(c->arena, 1, sizeof *side), **end = &c->sides;
    const char *name = lmi_arena_printf(c->arena, "%s%s", stem, suffix);
    if (!side || !name)
        return NULL;
    side->file = (lm_convert_file){.role = role, .name = name};
    while (*end)
        end = &(*end)->next;
    c->num_sides++;
    return *end = side;
}

/* Returns the last part of a path without its extension; NULL: memory ran out. */
static const char *stem_of(conversion *c, const char *path) {
    size_t length;
    const char *file = lmi_vfs_stem(c->vfs, path, &length);
    return lmi_arena_text(c->arena, file, length);
}

static bool add_image(conversion *c, const lm_scene_texture *texture, bool shared) {
    for (const convert_side *s = c->sides; shared && s; s = s->next)
        if (strcmp(s->file.name, texture->uri) == 0)
            return true;
    convert_side *side = lmi_cv_add(c, LM_CONVERT_ROLE_IMAGE, texture->uri, "");
    if (side)
        lm_buffer_append(&side->file.data, texture->data, texture->size);
    return side && !side->file.data.failed;
}

/* Adds the image files of a .gltf or .obj. Models in one folder share them. */
static bool add_images(conversion *c, bool apart) {
    const bool shared = c->options->shares_folder;
    lm_error error;
    for (uint32_t i = 0; c->assets && i < c->assets->num_diagnostics; i++) {
        const lm_diagnostic *problem = &c->assets->diagnostics[i];
        if (strcmp(problem->location.section, LM_SUBJECT_TEXTURE) == 0 &&
            (problem->severity > LM_SEVERITY_NOTE || !c->format) &&
            problem->code != LM_CODE_BAD_OPTION && problem->code != LM_CODE_NO_SUCH_SURFACE)
            lmi_cv_problem(c,
                           problem->severity > LM_SEVERITY_NOTE ? LM_CONVERT_KIND_PROBLEM
                                                                : LM_CONVERT_KIND_DETAIL,
                           NULL, problem);
    }
    if (c->format || (!apart && !c->borrows)) /* lm_assets_open made them portable */
        return true;
    const char *stem = shared ? "" : c->stem;
    if (c->assets ? !lm_assets_make_portable(c->assets, apart ? stem : NULL, &error)
                  : !lmi_name_textures(c->vfs, c->arena, c->imported.textures,
                                       c->scene.num_textures, stem))
        return lm_cv_fail_memory(c);
    for (uint32_t i = 0; apart && i < c->scene.num_textures; i++)
        if (!add_image(c, &c->scene.textures[i], shared))
            return false;
    return true;
}

/* ---- Making the output ----------------------------------------------------------------------- */

static bool export_gltf(conversion *c) {
    const lm_convert_options *o = c->options;
    lm_error error;
    lm_gltf_options options = {
        .common = c->plan,
        .bin_uri = c->buffer_name,
        .quantize = o->quantize,
        .packer = o->compress ? o->packer : NULL,
        .max_error = o->compress ? o->encode.max_error : 0,
        .fps = o->fps,
        .loop_suffix = o->loop_suffix,
        .unit = o->unit,
        .unlit = o->unlit,
    };
    if (o->compress && !options.packer)
        return lm_cv_fail(c, OPTION "compress needs meshoptimizer, which is not installed "
                                    "(Debian: libmeshoptimizer2d), or memory ran out");
    if (o->compress)
        lmi_cv_warn_of_morphing(c);
    return ((o->compress && !o->skeleton) || lmi_cv_find_skeletons(c, &options.skeletons)) &&
           lmi_cv_step(c, LM_CV_ENCODE, "encoding") &&
           (lm_gltf_write(&c->scene, &options, &c->out, &c->buffer, &c->gltf, &error) ||
            lmi_cv_fail_error(c, &error));
}

static bool export_obj(conversion *c) {
    lm_error error;
    return lmi_cv_step(c, LM_CV_ENCODE, "encoding") &&
           (lm_obj_write(&c->scene, &c->plan, c->buffer_name, &c->out, &c->buffer, &error) ||
            lmi_cv_fail_error(c, &error));
}

static void warn_of_loss(conversion *c, const char *text) {
    const lm_diagnostic problem = {
        .code = LM_CODE_NOT_HELD, .severity = LM_SEVERITY_WARNING, .text = text, .count = 1};
    if (*text)
        lmi_cv_problem(c, LM_CONVERT_KIND_PROBLEM, "warning", &problem);
}

/* Warns of the skins of a player's folder that are not written. Those that the model lists are
 * variants. */
static bool warn_of_other_skins(conversion *c) {
    lm_error error;
    lm_skin_choices *skins = lm_assets_list_skins(c->assets, &error);
    const char *first = NULL, *option = NULL;
    uint32_t count = 0;
    if (!skins)
        return lmi_cv_fail_error(c, &error);
    for (uint32_t i = skins->num_choices; i-- > 0;)
        if (skins->choices[i].option && i != skins->current) {
            first = skins->choices[i].name;
            option = skins->choices[i].option;
            count++;
        }
    const char *const prefix = c->options->option_prefix ? c->options->option_prefix : "";
    const char *way =
        first && lmi_cv_takes_skin(c)
            ? lmi_arena_printf(c->arena, "; %sskin %s writes it instead", prefix, option)
            : "";
    const char *text =
        first && way
            ? lmi_arena_printf(c->arena, "%s left out%s \"%s\"%s",
                               lmi_count_words(count, "of the player's skins {is|are}").text,
                               count > 1 ? ", such as" : ":", first, way)
            : way;
    if (text)
        warn_of_loss(c, text);
    lm_skin_choices_free(skins);
    return text;
}

static bool make(conversion *c) {
    const lm_convert_options *o = c->options;
    c->plan.name = c->given->name ? c->given->name
                                  : stem_of(c, strcmp(c->source, "-") == 0 ? "model" : c->source);
    c->out.max_size = c->buffer.max_size = (size_t)o->max_output;
    if (!c->plan.name || lmi_arena_failed(c->arena) ||
        ((c->assets || c->imported.import) && !add_images(c, c->buffer_name != NULL)))
        return false;
    for (uint32_t i = 0; !c->format && i < c->scene.num_parts; i++) { /* glTF and OBJ */
        const lm_model *model = c->scene.parts[i].model;
        warn_of_loss(c, lmi_skins_shortened(model->embedded_skins, model->num_skins).text);
    }
    if (c->assets && !c->borrows && o->open.num_skins == 0 && c->is_player && !c->path_skin &&
        !warn_of_other_skins(c))
        return false;
    if (o->vat)
        return lmi_cv_make_vat(c);
    if (c->format)
        return lmi_cv_make_model(c) && (!o->archive || lmi_cv_player_pack(c));
    return c->obj ? export_obj(c) : export_gltf(c);
}

/* Checks the limit for all files together; each file alone was checked when it was made. */
static bool fits(conversion *c) {
    uint64_t all = c->out.size + c->buffer.size;
    for (const convert_side *s = c->sides; s; s = s->next)
        all += s->file.data.size;
    return c->options->max_output == 0 || all <= c->options->max_output ||
           lm_cv_fail(c,
                      "the model and its additional files would have %llu bytes, more than %llu "
                      "(" OPTION "max-output)",
                      (unsigned long long)all, (unsigned long long)c->options->max_output);
}

/* Moves the buffer, the files next to the output, and the output into the list. The output is last,
 * so that it never names a missing file. */
static bool finish(conversion *c) {
    lm_conversion *made = &c->made;
    const char *path = c->options->path;
    lm_convert_file *file = made->files =
        lmi_arena_zeros(c->arena, c->num_sides + (uint64_t)2, sizeof *file);
    if (!file)
        return false;
    if (c->buffer_name)
        *file++ = (lm_convert_file){
            .name = c->buffer_name, .role = LM_CONVERT_ROLE_SIDE, .data = c->buffer};
    else
        lm_buffer_free(&c->buffer);
    c->buffer = (lm_buffer){0};
    for (convert_side *s = c->sides; s && !c->options->archive; s = s->next) {
        *file++ = s->file;
        s->file.data = (lm_buffer){0};
    }
    const char *name = c->out_name ? c->out_name : path ? lmi_vfs_base_name(c->vfs, path) : "";
    *file++ = (lm_convert_file){.name = name, .role = LM_CONVERT_ROLE_MAIN, .data = c->out};
    c->out = (lm_buffer){0};
    made->num_files = (uint32_t)(file - made->files);
    made->gltf = c->format || c->obj || c->options->vat ? NULL : &c->gltf;
    made->vat = c->options->vat ? &c->vat : NULL;
    made->assets = c->imported.mesh ? NULL : c->assets;
    made->report = c->report;
    made->num_textures = c->scene.num_textures;
    return !lmi_arena_failed(c->arena);
}

bool lmi_cv_kind(const char *format, convert_kind *kind) {
    *kind = (convert_kind){.obj = strcmp(format, "obj") == 0, .apart = strcmp(format, "gltf") == 0};
    const bool gltf = kind->apart || strcmp(format, "glb") == 0;
    kind->iqm = strcmp(format, "iqm") == 0;
    kind->model = gltf || kind->obj ? NULL : lm_format_by_name(kind->iqm ? "md3" : format);
    kind->extension = kind->model && !kind->iqm ? kind->model->extension : format;
    kind->embeds = kind->model && (kind->model->features & LM_FEATURE_EMBEDDED_SKINS);
    kind->lacks_clips = strcmp(format, "md3") == 0 || strcmp(format, "mdc") == 0;
    return gltf || kind->obj || kind->model;
}

const char *lmi_convert_format_at(uint32_t index) {
    static const char *const others[] = {"glb", "gltf", "obj", "iqm"};
    const uint32_t count = sizeof others / sizeof *others;
    const lm_format_info *info = index < count ? NULL : lm_encoder_at(index - count);
    return index < count ? others[index] : info ? info->name : NULL;
}

bool lmi_cv_fits(lm_vfs *vfs, const convert_kind *to, const char *path) {
    const char *extension = path ? lmi_vfs_extension(vfs, path) : "";
    convert_kind named;
    return !*extension || !lmi_cv_kind(extension + 1, &named) ||
           strcmp(named.extension, to->extension) == 0;
}

static bool check_source(const lm_convert_source *source, lm_error *error) {
    const char *fault =
        !source->vfs ? "source.vfs is NULL"
        : !source->path && !source->data && !source->assets && !source->scene && !source->mesh
            ? "the source has neither a path nor anything in memory"
        : source->size > 0 && !source->data ? "source.data is NULL"
                                            : NULL;
    return !fault || lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "convert: %s", fault);
}

/* Checks the lists of the options, those that a program leaves to lm_assets_open, too. */
static bool check_lists(const lm_convert_options *o, lm_error *error) {
    const lm_list lists[] = {LM_TEXTS(o, clips),
                             LM_TEXTS(o, shared_grids),
                             LM_ITEMS(o, tags, lm_import_tag, name),
                             LM_ITEMS(o, tags, lm_import_tag, node),
                             LM_TEXTS(o, loops),
                             LM_TEXTS(o, onces)};
    return lmi_lists_valid("convert", lists, sizeof lists / sizeof *lists, error) &&
           lmi_assets_options_valid(&o->open, error);
}

/* Fails if the format or the options do not suit the path. */
static bool check_path(conversion *c, const convert_kind *to) {
    const lm_convert_options *o = c->options;
    const struct {
        bool given;
        const char *name;
    } several[] = {{to->apart, "format gltf"},
                   {o->vat != LM_CONVERT_VAT_NONE, "vat"},
                   {to->model && o->lods > 0, "lods"},
                   {to->model && o->encode.sidecar_clips, "write-clips"},
                   {o->player == LM_PLAYER_MODEL || o->player == LM_PLAYER_QUAKE3, "player"},
                   {o->player == LM_PLAYER_WEAPON, "weapon"}};
    for (size_t i = 0; i < sizeof several / sizeof *several && !o->path; i++)
        if (several[i].given)
            return lm_cv_fail(c, OPTION "%s writes several files, which need a path",
                              several[i].name);
    if (!lmi_cv_fits(c->vfs, to, o->path))
        return lm_cv_fail(c, "%s does not match " OPTION "format %s", o->path, o->format);
    if (o->vat && strcmp(to->extension, "glb") != 0)
        return lm_cv_fail(c, OPTION "vat does not apply to %s files", to->extension);
    if (o->lods > LM_CONVERT_MAX_LODS)
        return lm_cv_fail(c, OPTION "lods is %u, but must be 0 to %u", (unsigned)o->lods,
                          LM_CONVERT_MAX_LODS);
    if (o->archive && o->player != LM_PLAYER_QUAKE3)
        return lm_cv_fail(c, "only a whole player of Quake III becomes an archive");
    if (o->player == LM_PLAYER_WEAPON && !to->lacks_clips)
        return lm_cv_fail(c, OPTION "weapon does not apply to %s files", to->extension);
    return (o->player != LM_PLAYER_QUAKE3 && o->player != LM_PLAYER_WEAPON) || o->player_name ||
           lm_cv_fail(c, "convert: player_name is NULL");
}

/* Reads the options that are needed before the source is open. */
static bool begin(conversion *c) {
    const lm_convert_options *o = c->options;
    static const lm_option_member table[] = {
        LM_MEMBER(lm_convert_options, vat, ENUM, LM_CONVERT_VAT_EXR),
        LM_MEMBER(lm_convert_options, compress, ENUM, LM_CONVERT_COMPRESS_MESHOPT),
        LM_MEMBER(lm_convert_options, program, ENUM, LM_CONVERT_PROGRAM_ASSIMP),
        LM_MEMBER(lm_convert_options, player, ENUM, LM_NUM_PLAYER_KINDS - 1),
        LM_MEMBER(lm_convert_options, fps, FLOAT, 0),
        LM_MEMBER(lm_convert_options, speed, FLOAT, 0),
        LM_MEMBER(lm_convert_options, scale, FLOAT, 0),
        LM_MEMBER(lm_convert_options, unit, FLOAT, 0),
        LM_MEMBER(lm_convert_options, reserved, RESERVED, 0)};
    convert_kind kind;
    lm_error error;
    if (!check_source(c->given, &error) ||
        !lmi_options_valid(o, "convert", table, sizeof table / sizeof *table, &error) ||
        !check_lists(o, &error))
        return lmi_cv_fail_error(c, &error);
    if (o->still && (o->num_frames > 0 || o->num_clips > 0 || o->fps > 0 || o->speed > 0 ||
                     o->skeleton || o->vat))
        return lm_cv_fail_code(c, LM_CODE_BAD_ARGUMENT,
                               "convert: one pose (still) has no frames, clips, rate or skeleton");
    if (o->first_frame > 0 && o->num_frames == 0)
        return lm_cv_fail_code(c, LM_CODE_BAD_ARGUMENT,
                               "convert: first_frame is %u, but num_frames is 0",
                               (unsigned)o->first_frame);
    if (o->decimate_percent && (o->decimate == 0 || o->decimate > 100))
        return lm_cv_fail_code(c, LM_CODE_BAD_ARGUMENT,
                               "convert: decimate is %u %%, but must be 1 to 100",
                               (unsigned)o->decimate);
    if (!o->format)
        return lm_cv_fail_code(c, LM_CODE_BAD_ARGUMENT, "convert: the options have no format");
    if (!lmi_cv_kind(o->format, &kind))
        return lm_cv_fail(c, "there is no format \"%s\"", o->format);
    if (!check_path(c, &kind))
        return false;
    c->format = kind.model;
    c->obj = kind.obj;
    c->iqm = kind.iqm;
    c->encode = o->encode;
    c->encode.sidecar_clips = o->encode.sidecar_clips || (o->player && kind.lacks_clips);
    c->extension = lmi_arena_printf(c->arena, ".%s", kind.extension);
    c->stem = o->path ? stem_of(c, o->path) : NULL;
    if (c->stem && (kind.apart || c->obj))
        c->buffer_name = lmi_arena_printf(c->arena, "%s%s", c->stem, c->obj ? ".mtl" : ".bin");
    return !lmi_arena_failed(c->arena);
}

lm_conversion *lm_convert(const lm_convert_source *source, const lm_convert_options *options,
                          const lm_convert_calls *calls, lm_error *error) {
    if (!LM_GIVEN(error, source))
        return NULL;
    static const lm_convert_options no_options = {0};
    static const lm_convert_calls none = {0};
    lm_error unused;
    const char *path = source->path ? source->path : "-"; /* which has no files next to it */
    conversion *c = lmi_object_new(NULL, sizeof *c);
    error = error ? error : &unused;
    *error = (lm_error){.code = LM_CODE_OK};
    calls = calls ? calls : &none;
    if (LM_RESERVED_VALID(source, error, "convert: source") &&
        LM_RESERVED_VALID(calls, error, "convert: calls") && c) {
        *c = (conversion){.vfs = source->vfs,
                          .given = source,
                          .source = path,
                          .subject = path,
                          .options = options ? options : &no_options,
                          .calls = calls,
                          .arena = lmi_arena_of(c),
                          .error = error};
        if (begin(c) && lmi_cv_step(c, LM_CV_OPEN, "opening") && lmi_cv_open(c) && make(c) &&
            fits(c) && finish(c)) {
            report_source(c);
            c->error = NULL;
            return &c->made;
        }
    }
    if (error->code == LM_CODE_OK)
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    lm_conversion_free(c ? &c->made : NULL);
    return NULL;
}

void lm_conversion_free(lm_conversion *made) {
    conversion *c = (conversion *)made; /* its first member */
    if (!c)
        return;
    for (uint32_t i = 0; i < made->num_files; i++)
        lm_buffer_free(&made->files[i].data);
    lmi_cv_close(c);
    lmi_object_free(c);
}
