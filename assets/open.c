/* The one call: what a person names becomes a scene. */
#include "opening.h"

#include "core/report.h"
#include "core/text.h"
#include "system.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Findings ------------------------------------------------------------------------------ */

static void note(lm_opening *o, const lm_finding *finding, const char *sentence) {
    uint32_t count = o->assets.num_findings;
    if (!lm_pool_grow(&o->pool, (void **)&o->findings, &o->finding_capacity, count,
                      sizeof *o->findings))
        return;
    o->findings[count] = *finding;
    o->findings[count].path = lm_pool_text(&o->pool, finding->path, strlen(finding->path));
    o->findings[count].sentence = lm_pool_text(&o->pool, sentence, strlen(sentence));
    o->assets.num_findings += !o->pool.failed;
}

void lm_note(lm_opening *o, lm_subject subject, lm_severity severity, lm_code code,
             const char *path, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE]; /* names of strangers are shortened */
    va_list arguments;
    va_start(arguments, sentence);
    lm_text_fit(text, sizeof text, sentence, arguments);
    va_end(arguments);
    note(o, &(lm_finding){.code = code, .severity = severity, .subject = subject, .path = path},
         text);
}

bool lm_note_failure(lm_opening *o, const char *path, const lm_error *error) {
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    const char *named = error->code == LM_CODE_IO || error->code == LM_CODE_LIMIT
                            ? strstr(error->message, shown)
                            : NULL;
    bool cut = named && named > error->message && named[-1] == ' ' && named[strlen(shown)] == ':';
    o->error = *error;
    lm_note(o, LM_SUBJECT_MODEL, LM_ERROR, error->code, path, "%.*s%s",
            (int)(cut ? (size_t)(named - 1 - error->message) : strlen(error->message)),
            error->message, cut ? named + strlen(shown) : "");
    return false;
}

bool lm_note_refusal(lm_opening *o, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, sentence);
    lm_text_fit(text, sizeof text, sentence, arguments);
    va_end(arguments);
    lm_fail_plain(&o->error, LM_CODE_BAD_ARGUMENT, "%s", text);
    lm_note(o, LM_SUBJECT_MODEL, LM_ERROR, LM_CODE_BAD_ARGUMENT, o->path, "%s", text);
    return false;
}

/* ---- Parts --------------------------------------------------------------------------------- */

/* That normals are not those of the file, people want to know. */
static void note_normals(lm_opening *o, const char *path, const lm_model *model) {
    for (uint32_t i = 0; model && i < model->num_warnings; i++) {
        const lm_warning *w = &model->warnings[i];
        if (w->code != LM_CODE_NORMALS_INWARD && w->code != LM_CODE_IDENTICAL_NORMALS)
            continue;
        lm_note(o, LM_SUBJECT_MODEL, LM_WARNING, w->code, path, "%s", w->message);
    }
}

/* A model that is too large says which option would let it in. */
static bool read(lm_disk *disk, const char *path, size_t max_input, lm_file *file,
                 lm_error *error) {
    bool done = lm_disk_read(disk, path, max_input, file, error);
    const lm_error said = done ? (lm_error){0} : *error;
    if (said.code == LM_CODE_LIMIT && !said.section[0])
        lm_fail_plain(error, said.code, "%s (max-input)", said.message);
    return done;
}

static bool load(lm_opening *o, uint32_t part) {
    const lm_assets_options *options = o->settings.options;
    lm_asset *asset = &o->files[part];
    lm_error error;
    if (options->file && strcmp(asset->path, o->path) == 0)
        asset->file = (lm_file){options->file->data, options->file->size, NULL};
    else if (!read(o->disk, asset->path, options->max_input, &asset->file, &error))
        return lm_note_failure(o, asset->path, &error);
    lm_model *model = lm_load_memory(asset->file.data, asset->file.size, &options->load, &error);
    o->states[part].model = model;
    asset->model = o->parts[part].model = model;
    note_normals(o, asset->path, model);
    return (model && lm_choose_clips(o, part, &error)) || lm_note_failure(o, asset->path, &error);
}

/* Parts are called after their files, which is what surfaces without a name are called too. */
static const char *name_of(lm_opening *o, const char *path) {
    const char *file = lm_disk_base_name(o->disk, path);
    return lm_pool_text(&o->pool, file, (size_t)(lm_disk_extension(o->disk, file) - file));
}

static void release_part(lm_opening *o, uint32_t part) {
    lm_part_state *state = &o->states[part];
    lm_lookup_close(&state->lookup);
    lm_clips_free(state->clips);
    lm_model_free(state->model);
    lm_file_free(&o->files[part].file);
}

lm_scene_part *lm_add_part(lm_opening *o, const char *path) {
    uint32_t index = o->scene.num_parts;
    if (index == LM_MAX_PARTS) {
        lm_note_refusal(o, "there are more than %d models to attach", LM_MAX_PARTS);
        return NULL;
    }
    lm_scene_part *part = &o->parts[index];
    *part = (lm_scene_part){.name = name_of(o, path)};
    o->files[index].path = lm_pool_text(&o->pool, path, strlen(path));
    if (o->pool.failed || !load(o, index)) {
        release_part(o, index);
        return NULL;
    }
    o->scene.num_parts++;
    return part;
}

static void fail_unknown_tag(lm_opening *o, const char *tag) {
    lm_guess guess = {.word = tag};
    uint32_t num_tags = 0;
    for (uint32_t i = 0; i < o->scene.num_parts; i++) {
        const lm_model *model = o->parts[i].model;
        num_tags += model->num_tags;
        for (uint32_t k = 0; k < model->num_tags; k++)
            lm_guess_try(&guess, model->tags[k].name);
    }
    if (guess.best)
        lm_note_refusal(o, "there is no tag \"%s\"; did you mean \"%s\"?", tag, guess.best);
    else if (num_tags == 0)
        lm_note_refusal(o, "there is no tag \"%s\": the model has no tags", tag);
    else
        lm_note_refusal(o, "there is no tag \"%s\"; info lists those that there are", tag);
}

lm_scene_part *lm_attach(lm_opening *o, const char *tag_name, const char *path) {
    const char *tag;
    uint32_t parent = lm_scene_find_tag(&o->scene, tag_name, &tag);
    if (parent == LM_NO_PART) {
        fail_unknown_tag(o, tag_name);
        return NULL;
    }
    lm_scene_part *part = lm_add_part(o, path);
    if (part) {
        part->parent = parent;
        part->tag = tag;
    }
    return part;
}

lm_scene_part *lm_follow(lm_opening *o, const char *path) {
    lm_scene_part *part = lm_add_part(o, path);
    if (part) {
        part->parent = 0;
        part->follows = true;
    }
    return part;
}

/* ---- Attachments --------------------------------------------------------------------------- */

static bool is_there(lm_opening *o, const char *path) {
    return lm_kind_of(path) != LM_PATH_NOTHING || lm_disk_is_file(o->disk, path);
}

/* A model that is not where its name says is looked for beside the one that carries it. */
static const char *beside_first(lm_opening *o, const char *path) {
    const char *body = o->files[0].path;
    if (path[0] == '/' || is_there(o, path))
        return path;
    int folder = (int)(lm_disk_base_name(o->disk, body) - body);
    const char *found = lm_pool_printf(&o->pool, "%.*s%s", folder, body, path);
    /* If it is nowhere the error is about the name as it was given. */
    return found && is_there(o, found) ? found : path;
}

static bool set_idle(lm_opening *o, uint32_t index, const char *name) {
    lm_scene_part *part = &o->parts[index];
    part->idle = lm_scene_find_clip(&o->scene, index, name);
    if (part->idle)
        return true;
    lm_guess guess = {.word = name};
    for (uint32_t i = 0; i < part->num_clips; i++)
        lm_guess_try(&guess, part->clips[i].name);
    return lm_note_refusal(o, "%s has no clip \"%s\"%s%s%s", o->files[index].path, name,
                           guess.best ? "; did you mean \"" : "", guess.best ? guess.best : "",
                           guess.best ? "\"?" : "");
}

static bool add_attachments(lm_opening *o) {
    const lm_assets_options *options = o->settings.options;
    for (uint32_t i = 0; i < options->num_attachments; i++) {
        const lm_attachment *a = &options->attachments[i];
        const char *path = beside_first(o, a->path);
        lm_scene_part *part = a->tag ? lm_attach(o, a->tag, path) : lm_follow(o, path);
        if (!part || (a->tag && a->clip && !set_idle(o, (uint32_t)(part - o->parts), a->clip)))
            return false;
    }
    return true;
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* Whether a path is opened as a player: any folder, and one in an archive that has one. */
static bool is_player(lm_opening *o) {
    lm_player player;
    if (strcmp(o->path, "-") == 0)
        return false;
    if (lm_disk_archive_length(o->disk, o->path) == 0 || lm_disk_is_file(o->disk, o->path))
        return lm_disk_is_folder(o->path);
    lm_player_find(o->disk, o->path, &o->pool, &player);
    return player.body != NULL;
}

static bool open_scene(lm_opening *o, const lm_assets_options *options, bool companions) {
    const char *option;
    lm_error error;
    if (!lm_settings_read(o->disk, options, &o->pool, &o->settings, &option, &error))
        return lm_note_refusal(o, "--%s %s", option, error.message);
    o->path = companions ? lm_whole_player(o->disk, o->path, &o->pool) : o->path;
    bool player = o->path && is_player(o);
    if (!o->path || !lm_games_open(o) ||
        !(player ? lm_add_player(o) : lm_add_part(o, o->path) != NULL) ||
        (companions && !player && !lm_add_companions(o)) || !add_attachments(o))
        return false;
    return lm_dress(o);
}

static bool make_room(lm_opening *o) {
    o->parts = lm_pool_get(&o->pool, LM_MAX_PARTS, sizeof *o->parts);
    o->files = lm_pool_get(&o->pool, LM_MAX_PARTS, sizeof *o->files);
    o->states = lm_pool_get(&o->pool, LM_MAX_PARTS, sizeof *o->states);
    o->scene.parts = o->parts;
    return !o->pool.failed;
}

static lm_assets *open_once(lm_disk *disk, const char *path, const lm_assets_options *options,
                            bool companions) {
    lm_opening *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    lm_pool_init(&o->pool, &options->load.memory.allocator);
    o->disk = disk;
    o->path = lm_pool_text(&o->pool, path, strlen(path));
    bool ok = o->path && make_room(o) && open_scene(o, options, companions);
    if (o->pool.failed) {
        /* Findings may be missing: one that cannot be is said without memory of its own. */
        static const lm_finding no_memory = {LM_CODE_OUT_OF_MEMORY, LM_ERROR, LM_SUBJECT_MODEL, "",
                                             "out of memory"};
        lm_fail_memory(&o->error);
        o->assets.findings = &no_memory;
        o->assets.num_findings = 1;
        ok = false;
    } else {
        o->assets.findings = o->findings;
    }
    o->assets.scene = ok ? &o->scene : NULL;
    o->assets.assets = ok ? o->files : NULL;
    o->assets.error = ok ? NULL : &o->error;
    o->settings.options = NULL; /* the caller's */
    return &o->assets;
}

lm_assets *lm_assets_open(lm_disk *disk, const char *path, const lm_assets_options *options) {
    static const lm_assets_options plain = {0};
    options = options ? options : &plain;
    path = path ? path : "";
    lm_assets *assets = open_once(disk, path, options, options->companions);
    if (assets && !assets->scene && options->companions &&
        assets->error->code != LM_CODE_OUT_OF_MEMORY) {
        lm_assets_free(assets);
        assets = open_once(disk, path, options, false);
    }
    return assets;
}

void lm_assets_free(lm_assets *assets) {
    lm_opening *o = (lm_opening *)(void *)assets;
    if (!o)
        return;
    lm_undress(o);
    for (uint32_t i = 0; i < o->scene.num_parts; i++)
        release_part(o, i);
    lm_pool_free(&o->pool);
    free(o);
}
