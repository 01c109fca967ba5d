/* lm_assets_open: turns a path into a scene. */
#include "core/crc.h"
#include "core/options.h"
#include "materials.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Diagnostics -------------------------------------------------------------------------- */

#define MAX_COMPARED 256 /* so that the time is linear */

/* Returns whether the last diagnostic is in the list already: a model may be attached twice. */
static bool is_repeated(const lm_diagnostics *all) {
    const size_t last = all->count - 1;
    for (size_t i = last > MAX_COMPARED ? last - MAX_COMPARED : 0; i < last; i++)
        if (all->list[i].code == all->list[last].code &&
            strcmp(all->list[i].text, all->list[last].text) == 0 &&
            strcmp(all->list[i].subject, all->list[last].subject) == 0)
            return true;
    return false;
}

void lmi_context_add(lm_context *c, const char *section, lm_severity severity, lm_code code,
                     const char *path, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const lm_diagnostic diagnostic = {.subject = path,
                                      .location.section = section,
                                      .code = code,
                                      .severity = severity,
                                      .count = 1};
    if (lmi_diagnostics_vprintf(&c->diagnostics, c->arena, diagnostic, sentence, arguments) &&
        is_repeated(&c->diagnostics))
        c->diagnostics.count--;
    va_end(arguments);
}

const char *lmi_suggestion(lm_arena *arena, const lm_guess *guess) {
    const char *text =
        guess->best ? lmi_arena_printf(arena, "; did you mean \"%s\"?", guess->best) : "";
    return text ? text : "";
}

const char *lmi_without_path(const lm_error *error, const char *path, char out[LM_MESSAGE_SIZE]) {
    const char *named = strstr(error->message, path), *rest = named ? named + strlen(path) : "";
    const bool cut = named && named > error->message && named[-1] == ' ' && *rest == ':';
    const size_t length = cut ? (size_t)(named - 1 - error->message) : strlen(error->message);
    snprintf(out, LM_MESSAGE_SIZE, "%.*s%s", (int)length, error->message, cut ? rest : "");
    return out;
}

bool lmi_context_fail(lm_context *c, const char *path, const lm_error *error) {
    char text[LM_MESSAGE_SIZE];
    const bool names = error->code == LM_CODE_IO || error->code == LM_CODE_LIMIT ||
                       error->code == LM_CODE_INPUT_LIMIT;
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    c->error = *error;
    lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_ERROR, error->code, path, "%s",
                    names ? lmi_without_path(error, shown, text) : error->message);
    return false;
}

bool lmi_context_reject(lm_context *c, lm_code code, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const char *text = lmi_arena_sentence(c->arena, sentence, arguments);
    va_end(arguments);
    lm_fail_plain(&c->error, code, "%s", text ? text : "out of memory");
    lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_ERROR, code, c->path, "%s", c->error.message);
    return false;
}

/* ---- Stages -------------------------------------------------------------------------------- */

/* Runs the stages from the texture names of a part to its materials. */
static bool load_materials(lm_opening *o, uint32_t part) {
    lm_context *c = &o->context;
    lm_part_textures *t = &o->textures[part];
    return lmi_texture_names_fill(c, &t->names) &&
           lmi_find_textures(c, &t->names, &t->found, &o->images) &&
           lmi_materials_make(&o->parts, part, o->textures, &o->images);
}

static bool bind_part(lm_opening *o, uint32_t part) {
    lm_part_textures *t = &o->textures[part];
    return lmi_texture_names_open(&o->parts, part, &t->names) && load_materials(o, part) &&
           (lmi_any_texture_found(&t->found) ||
            !lmi_texture_names_guess(&o->context, &t->names, lmi_guess_is_usable, &o->images) ||
            load_materials(o, part));
}

static bool bind_all(lm_opening *o) {
    const lm_image_mode images = o->settings.options->images;
    if (o->settings.no_textures || images == LM_IMAGES_NONE)
        return true;
    o->textures = lmi_arena_zeros(o->context.arena, o->parts.scene.num_parts, sizeof *o->textures);
    for (uint32_t part = 0; part < o->parts.scene.num_parts; part++)
        if (!o->textures || !bind_part(o, part))
            return false;
    lmi_report_unused_skins(&o->parts, o->textures);
    lmi_report_engine_skins(&o->parts, o->textures);
    if (images < LM_IMAGES_FOUND)
        lmi_report_missing_textures(&o->parts, o->textures);
    return true;
}

/* Names the options that change nothing in this scene. */
static void report_unused_options(lm_opening *o) {
    lm_context *c = &o->context;
    const lm_assets_options *options = o->settings.options;
    const bool indexed =
        o->images.any_indexed || !o->textures || options->images == LM_IMAGES_FOUND;
    uint32_t features = 0; /* of any of the models */
    for (uint32_t i = 0; i < o->parts.scene.num_parts; i++)
        features |= o->parts.files[i].model->features;
    const struct {
        bool unused;
        const char *sentence;
    } list[] = {
        {options->load.quirks != 0 && !(features & LM_FEATURE_BASE_FRAMES),
         "quirk has no effect: the model is no MDC"},
        {options->load.topology == LM_TOPOLOGY_GL_COMMANDS && !(features & LM_FEATURE_GL_COMMANDS),
         "topology has no effect: the model is no MD2"},
        {options->palette && !indexed, LM_PALETTE_UNUSED},
        {options->transparent_255 && !indexed,
         "transparent-255 has no effect: no image has indices into a palette"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].unused)
            lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_BAD_OPTION, c->path,
                            "%s", list[i].sentence);
}

static bool open_scene(lm_opening *o, const lm_assets_options *options, bool related) {
    lm_context *c = &o->context;
    lm_error error;
    if (!lmi_settings_read(c->vfs, options, c->arena, &o->settings, &error))
        return !lmi_ran_out(c->arena, &error) &&
               lmi_context_reject(c, error.code, "%s", error.message);
    const char *skin = NULL;
    c->path = lmi_player_of_skin(c->vfs, c->path, c->arena, &skin);
    if (!c->path)
        return false;
    const char *given = c->path;
    c->path = related ? lmi_player_folder(c->vfs, c->path, c->arena) : c->path;
    c->named = c->path != given ? given : NULL;
    if (!c->path || !lmi_settings_name_skins(c, &o->settings))
        return false;
    if (skin && !o->settings.skin_name)
        o->settings.skin_name = skin;
    if (!lmi_settings_open_games(c, &o->settings) ||
        !lmi_parts_open(c, &o->settings, related, &o->parts))
        return false;
    const char *worn = o->parts.skin_name;
    if (skin && o->settings.skin_name == skin && !(worn && lmi_same_text(worn, skin)))
        return lmi_context_reject(c, LM_CODE_BAD_ARGUMENT,
                                  "there is no body_%s.skin, which names what the player wears",
                                  skin);
    if (!bind_all(o))
        return false;
    report_unused_options(o);
    o->parts.scene.textures = o->images.textures;
    o->parts.scene.num_textures = o->images.count;
    return !lmi_arena_failed(c->arena);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void publish(lm_opening *o, bool ok) {
    /* Used when memory runs out, for the diagnostic that cannot be allocated. */
    static const lm_diagnostic no_memory = {
        "out of memory",   "", {.section = LM_SUBJECT_MODEL}, LM_CODE_OUT_OF_MEMORY,
        LM_SEVERITY_ERROR, 1};
    lm_context *c = &o->context;
    const bool failed = lmi_arena_failed(c->arena);
    if (failed)
        lmi_fail_memory(&c->error);
    ok = ok && !failed;
    o->assets = (lm_assets){.scene = ok ? &o->parts.scene : NULL,
                            .assets = ok ? o->parts.files : NULL,
                            .game = o->settings.derived_game,
                            .num_diagnostics = failed ? 1 : (uint32_t)c->diagnostics.count,
                            .diagnostics = failed ? &no_memory : c->diagnostics.list};
    o->settings.options = NULL; /* owned by the caller */
}

static lm_assets *open_once(lm_vfs *vfs, const char *path, const lm_model *model,
                            const lm_assets_options *options, bool related) {
    lm_opening *o = lmi_object_new(lmi_vfs_memory(vfs), sizeof *o);
    if (!o)
        return NULL;
    lm_arena *arena = lmi_arena_of(o);
    o->context = (lm_context){
        .vfs = vfs, .arena = arena, .path = lmi_copy_text(arena, path), .model = model};
    publish(o, o->context.path && open_scene(o, options, related));
    return &o->assets;
}

lm_assets *lmi_assets_of_model(lm_vfs *vfs, const char *path, const lm_model *model,
                               const lm_assets_options *options) {
    return open_once(vfs, path, model, options, false);
}

lm_assets *lm_assets_open(lm_vfs *vfs, const char *path, const lm_assets_options *options,
                          lm_error *error) {
    if (!LM_GIVEN(error, vfs, path))
        return NULL;
    static const lm_assets_options plain = {0};
    options = options ? options : &plain;
    lm_assets *assets = open_once(vfs, path, NULL, options, options->related);
    if (assets && !assets->scene && options->related &&
        lmi_assets_reason(assets)->code != LM_CODE_OUT_OF_MEMORY) {
        lm_assets_free(assets);
        assets = open_once(vfs, path, NULL, options, false);
    }
    if (!assets)
        lmi_fail_memory(error);
    else if (!assets->scene && error)
        *error = *lmi_assets_reason(assets);
    return assets;
}

void lm_assets_free(lm_assets *assets) {
    lm_opening *o = (lm_opening *)(void *)assets;
    if (!o)
        return;
    for (uint32_t i = 0; o->textures && i < o->parts.scene.num_parts; i++)
        lm_skin_file_free(o->textures[i].names.skin);
    lmi_images_close(&o->images);
    lmi_parts_close(&o->parts);
    lmi_object_free(o);
}

/* Adds a path that is not in the list yet. */
static void add_file(lm_arena *arena, const char **files, uint32_t *count, const char *path) {
    for (uint32_t i = 0; i < *count; i++)
        if (!files[i] || strcmp(files[i], path) == 0)
            return;
    files[(*count)++] = lmi_copy_text(arena, path);
}

uint32_t lmi_skin_files(lm_vfs *vfs, const char *path, size_t max_input, lm_arena *arena,
                        const char ***files) {
    const char *skin = NULL, *folder = lmi_player_of_skin(vfs, path, arena, &skin);
    if (!folder || !skin)
        return 0;
    const lm_assets_options options = {
        .load.repair = true, .clips = "none", .images = LM_IMAGES_NONE, .max_input = max_input};
    lm_assets *assets = lm_assets_open(vfs, path, &options, NULL);
    const uint32_t parts = assets && assets->scene ? assets->scene->num_parts : 0;
    lm_path_list *all = parts == 0 ? lm_vfs_list(vfs, folder, LM_LIST_MODELS, NULL) : NULL;
    const uint32_t listed = all ? all->num_paths : 0;
    uint32_t count = 0;
    lmi_arena_out_of_memory(arena, !assets || (parts == 0 && !all));
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    *files = lmi_arena_alloc(arena, (size_t)parts + listed + 1, sizeof **files);
    for (uint32_t i = 0; *files && i < parts; i++)
        add_file(arena, *files, &count, assets->assets[i].path);
    for (uint32_t i = 0; *files && i < listed; i++) /* which are different ones */
        (*files)[count++] = lmi_copy_text(arena, all->paths[i].path);
    lm_path_list_free(all);
    lm_assets_free(assets);
    return lmi_arena_failed(arena) ? 0 : count;
}

/* ---- The result ------------------------------------------------------------------------------ */

const lm_error *lmi_assets_reason(const lm_assets *assets) {
    return &((const lm_opening *)(const void *)assets)->context.error;
}

/* Adds a problem of another file, in which the location of the model means nothing. */
static void add_problem(const lm_diagnostic *problem, lm_diagnostic *all, uint32_t *count) {
    all[*count] = *problem;
    all[(*count)++].location.section = NULL;
}

static bool is_about_clips(const lm_diagnostic *diagnostic) {
    return diagnostic->severity == LM_SEVERITY_WARNING &&
           strcmp(diagnostic->location.section, LM_SUBJECT_CLIPS) == 0;
}

void lmi_assets_add_problems(const lm_assets *assets, lm_arena *arena, lm_report *report) {
    const lm_opening *o = (const lm_opening *)(const void *)assets;
    const lm_asset *first = assets->scene ? &assets->assets[0] : NULL;
    const bool moves = first && (first->model->bones || lmi_is_hand(o->context.vfs, first->path));
    const lm_clips *clips = moves ? first->clips : NULL;
    const uint32_t own = report->num_problems, others = assets->scene ? assets->num_diagnostics : 0;
    lm_diagnostic *all = lmi_arena_zeros(
        arena, (uint64_t)own + others + (clips ? clips->num_warnings : 0), sizeof *all);
    uint32_t count = 0;
    for (uint32_t i = 0; all && i < others; i++)
        if (assets->diagnostics[i].severity == LM_SEVERITY_ERROR)
            add_problem(&assets->diagnostics[i], all, &count);
    const uint32_t errors = count;
    if (all && own > 0)
        memcpy(all + count, report->problems, own * sizeof *all);
    count += own;
    for (uint32_t i = 0; all && moves && i < others; i++)
        if (is_about_clips(&assets->diagnostics[i]))
            add_problem(&assets->diagnostics[i], all, &count);
    for (uint32_t i = 0; all && clips && i < clips->num_warnings; i++)
        add_problem(&clips->warnings[i], all, &count);
    if (!all)
        return;
    report->problems = all;
    report->num_problems = count;
    report->num_errors += errors;
    report->num_warnings += count - own - errors;
}

void lmi_assets_add_missing(const lm_assets *player, lm_arena *arena, lm_report *report) {
    uint32_t count = report->num_problems;
    lm_diagnostic *all =
        lmi_arena_zeros(arena, (uint64_t)count + player->num_diagnostics, sizeof *all);
    if (!all)
        return;
    if (count > 0)
        memcpy(all, report->problems, count * sizeof *all);
    for (uint32_t i = 0; i < player->num_diagnostics; i++) {
        const lm_diagnostic *d = &player->diagnostics[i];
        if (d->severity != LM_SEVERITY_WARNING || d->code != LM_CODE_IO ||
            strcmp(d->location.section, LM_SUBJECT_MODEL) != 0)
            continue;
        add_problem(d, all, &count);
        const char *text = lmi_arena_printf(arena, "%s: %s", d->subject, d->text);
        if (!text)
            return;
        all[count - 1].text = text;
    }
    report->num_warnings += count - report->num_problems;
    report->problems = all;
    report->num_problems = count;
}

bool lmi_assets_tried(const lm_assets *assets, uint32_t part, uint32_t texture, uint32_t index,
                      char *out, size_t size) {
    const lm_opening *o = (const lm_opening *)(const void *)assets;
    char path[LM_PATH_SIZE];
    uint32_t source_index;
    if (!assets->scene || part >= o->parts.scene.num_parts ||
        texture >= assets->assets[part].num_textures)
        return false;
    const lm_search_path *search = o->textures[part].names.search;
    const lm_found_texture *found = &o->textures[part].found.textures[texture];
    if (index >= found->texture.num_tried ||
        !lmi_texture_candidate(search, lmi_shown_image(found)->name, index, &source_index, path))
        return false;
    const lm_source *source = &search->sources[source_index];
    const char *root = source->files->name;
    bool ends = *root && root[strlen(root) - 1] == '/';
    snprintf(out, size, "%s%s%s", root, source->archive ? ":" : ends ? "" : "/", path);
    return true;
}

/* Names the file of a texture. After each stem, each number is tried once, because names stay in
 * use. */
static bool name_file(lm_vfs *vfs, lm_arena *arena, lm_scene_texture *textures, uint32_t index,
                      const char *stem, lm_names *names) {
    lm_scene_texture *texture = &textures[index];
    size_t length;
    const char *file = lmi_vfs_stem(vfs, *texture->name ? texture->name : "image", &length);
    const char *end = strcmp(texture->mime, "image/png") == 0 ? ".png" : ".jpg";
    const char *before = *stem ? "_" : "";
    char sum[12] = "";
    if (!*stem)
        snprintf(sum, sizeof sum, "_%08x", (unsigned)lmi_crc32(0, texture->data, texture->size));
    char *uri = lmi_arena_printf(arena, "%s%s%.*s%s%s", stem, before, (int)length, file, sum, end);
    lm_name *first = uri ? lmi_names_put(names, uri) : NULL, *name = first;
    if (!*stem && name && name->number > 0) {
        const lm_scene_texture *same = &textures[name->number - 1];
        if (texture->size == same->size &&
            (same->size == 0 || memcmp(texture->data, same->data, same->size) == 0)) {
            texture->uri = same->uri;
            return true;
        }
    }
    for (unsigned number = 2; name && name->number > 0; number++) {
        number = *stem ? (unsigned)++first->number : number;
        uri = lmi_arena_printf(arena, "%s%s%.*s%s_%u%s", stem, before, (int)length, file, sum,
                               number, end);
        name = uri ? lmi_names_put(names, uri) : NULL;
    }
    if (name)
        name->number = *stem ? 1 : index + 1;
    texture->uri = uri;
    return name != NULL;
}

bool lmi_name_textures(lm_vfs *vfs, lm_arena *arena, lm_scene_texture *textures, uint32_t count,
                       const char *stem) {
    lm_names names = {.any_case = true};
    if (count > 0) /* enough for all names, so entries do not move */
        names.names = lmi_arena_alloc(arena, count, sizeof *names.names);
    for (uint32_t i = 0; names.names && i < count; i++)
        if (!name_file(vfs, arena, textures, i, stem, &names))
            return false;
    return names.names || count == 0;
}

bool lmi_assets_read_groups(lm_assets *assets, lm_error *error) {
    lm_opening *o = (lm_opening *)(void *)assets;
    bool done = true;
    for (uint32_t i = 0; done && i < o->parts.scene.num_parts; i++) {
        const lm_model *model = o->parts.scene.parts[i].model;
        for (uint32_t k = 0; done && model->embedded_skins && k < model->num_skins; k++)
            done =
                model->embedded_skins[k].num_images < 2 ||
                lmi_images_read_group(&o->context, model, k, o->parts.files[i].path,
                                      o->settings.palette ? o->settings.palette : o->images.palette,
                                      &o->images, error);
    }
    o->parts.scene.textures = o->images.textures;
    o->parts.scene.num_textures = o->images.count;
    return done;
}

bool lm_assets_make_portable(lm_assets *assets, const char *stem, lm_error *error) {
    if (!LM_GIVEN(error, assets))
        return false;
    lm_opening *o = (lm_opening *)(void *)assets;
    for (uint32_t i = 0; i < o->images.count; i++)
        if (!lmi_images_make_portable(&o->images, i, error))
            return false;
    return !stem ||
           lmi_name_textures(o->context.vfs, o->context.arena, o->images.textures, o->images.count,
                             stem) ||
           lmi_fail_memory(error);
}
