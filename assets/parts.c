/* The parts of a scene: the legs, torso and head of a player, weapons, and attachments. */
#include "parts.h"

#include <string.h>

/* ---- One model ------------------------------------------------------------------------------- */

static bool load(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_assets_options *options = all->settings->options;
    lm_asset *asset = &all->files[part];
    lm_load_options load_options = options->load;
    lm_error error;
    if (!load_options.memory.allocator.alloc)
        load_options.memory.allocator = *lmi_vfs_memory(c->vfs);
    if (!lmi_part_read(all, asset->path, options->max_input, &all->bytes[part], &error)) {
        if (error.code == LM_CODE_LIMIT && !error.section[0]) /* not an archive's own limit */
            error.code = LM_CODE_INPUT_LIMIT;
        return lmi_context_fail(c, asset->path, &error);
    }
    asset->data = all->bytes[part].data;
    asset->size = all->bytes[part].size;
    lm_model *model = lm_load_memory(asset->data, asset->size, &load_options, &error);
    asset->model = all->parts[part].model = model;
    if (!model)
        return lmi_context_fail(c, asset->path, &error);
    if (!lmi_part_read_sidecars(all, part))
        return false;
    /* Report that the model's normals are not those of the file. */
    for (uint32_t i = 0; i < model->num_warnings; i++) {
        const lm_diagnostic *w = &model->warnings[i];
        if (w->code == LM_CODE_NORMALS_INWARD || w->code == LM_CODE_IDENTICAL_NORMALS)
            lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, w->code, asset->path, "%s",
                            w->text);
    }
    return lmi_part_choose_clips(all, part, &error) || lmi_context_fail(c, asset->path, &error);
}

bool lmi_part_add(lm_parts *all, const char *path) {
    lm_context *c = all->context;
    uint32_t index = all->scene.num_parts;
    if (index == LM_MAX_PARTS)
        return lmi_context_reject(c, LM_CODE_BAD_ARGUMENT, "a scene has at most %d models",
                                  LM_MAX_PARTS);
    /* The part has the name of its file, as surfaces without a name do. */
    const char *file = lmi_vfs_base_name(c->vfs, path);
    const size_t stem = (size_t)(lmi_vfs_extension(c->vfs, file) - file);
    all->parts[index] = (lm_scene_part){.name = lmi_arena_text(c->arena, file, stem)};
    all->files[index] = (lm_asset){.path = lmi_copy_text(c->arena, path)};
    all->scene.num_parts++;
    return !lmi_arena_failed(c->arena) &&
           lmi_search_path_open(c, all->settings, path, &all->search[index]) && load(all, index);
}

/* Finds the part to which a model is attached by a tag with this name: the last part whose model
 * has such a tag. Returns LM_NO_PART if there is none. `tag` gets the name as the part's model
 * spells it. */
static uint32_t find_tag(const lm_scene *scene, const char *name, const char **tag) {
    for (uint32_t part = scene->num_parts; part-- > 0;) {
        const lm_model *model = scene->parts[part].model;
        const uint32_t found = lm_model_find_tag(model, name);
        if (found == LM_NO_TAG)
            continue;
        *tag = model->tags[found].name;
        return part;
    }
    return LM_NO_PART;
}

/* Loads a model and attaches it to the tag of the part attached last among those that have it.
 * NULL: the part shows the same frames as the first part. */
static bool attach(lm_parts *all, const char *tag_name, const char *path) {
    const char *tag = NULL;
    const uint32_t parent = tag_name ? find_tag(&all->scene, tag_name, &tag) : 0;
    if (parent == LM_NO_PART) {
        lm_guess guess = {.word = tag_name};
        uint32_t num_tags = 0;
        for (uint32_t i = 0; i < all->scene.num_parts; i++) {
            const lm_model *model = all->parts[i].model;
            num_tags += model->num_tags;
            for (uint32_t k = 0; k < model->num_tags; k++)
                lmi_guess_try(&guess, model->tags[k].name);
        }
        return lmi_context_reject(
            all->context, num_tags > 0 ? LM_CODE_NO_SUCH_TAG : LM_CODE_BAD_ARGUMENT,
            "no tag \"%s\"%s", tag_name,
            num_tags > 0 ? lmi_suggestion(all->context->arena, &guess) : ": the model has no tags");
    }
    lm_scene_part *part = &all->parts[all->scene.num_parts];
    if (!lmi_part_add(all, path))
        return false;
    part->parent = parent;
    part->tag = tag;
    part->follows = !tag_name;
    return true;
}

/* ---- Players ------------------------------------------------------------------------------- */

/* Sets the clip that a part shows while another part moves, as in the games. */
static void set_idle_clip(lm_parts *all, uint32_t index, const char *clip) {
    all->parts[index].idle = lm_scene_find_clip(&all->scene, index, clip);
}

static void report_missing(lm_context *c, const char *file) {
    lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_OK, c->path,
                    "the player has no %s", file);
}

static bool add_quake3_player(lm_parts *all, const lm_player *player) {
    if (!lmi_part_add(all, player->body))
        return false;
    set_idle_clip(all, 0, "LEGS_IDLE");
    if (!player->upper)
        report_missing(all->context, "upper.md3");
    else if (!attach(all, "tag_torso", player->upper))
        return false;
    else
        set_idle_clip(all, 1, "TORSO_STAND");
    if (!player->head)
        report_missing(all->context, "head.md3");
    else if (player->upper && !attach(all, "tag_head", player->head))
        return false;
    return true;
}

static bool add_player(lm_parts *all) {
    lm_context *c = all->context;
    lm_player player;
    lm_error error;
    lm_listing names;
    lmi_player_find(c->vfs, c->path, c->arena, &player);
    if (player.is_quake3)
        return add_quake3_player(all, &player);
    if (player.body)
        return lmi_part_add(all, player.body) &&
               (!player.weapon || attach(all, NULL, player.weapon));
    if (lmi_vfs_archive_length(c->vfs, c->path) == 0 &&
        !lmi_vfs_list_names(c->vfs, c->path, c->arena, &names, &error))
        return lmi_context_reject(c, LM_CODE_BAD_ARGUMENT, "%s", error.message);
    return lmi_context_reject(
        c, LM_CODE_BAD_ARGUMENT,
        "this folder contains no player: no lower.md3, lower.mdc or tris.md2");
}

/* Returns whether a path is opened as a player: any folder, but in an archive only one with a
 * player. */
static bool is_player(lm_context *c) {
    lm_player player;
    if (strcmp(c->path, "-") == 0)
        return false;
    if (lmi_vfs_archive_length(c->vfs, c->path) == 0 || lmi_vfs_is_file(c->vfs, c->path))
        return lmi_vfs_is_folder(c->vfs, c->path);
    lmi_player_find(c->vfs, c->path, c->arena, &player);
    return player.body != NULL;
}

static bool is_called(lm_vfs *vfs, const char *path, const char *stem) {
    size_t length;
    const char *name = lmi_vfs_stem(vfs, path, &length);
    return length == strlen(stem) && lmi_begins_same(name, stem, length);
}

const char *lmi_player_folder(lm_vfs *vfs, const char *path, lm_arena *arena) {
    const char *slash = strrchr(path, '/');
    size_t length = slash > path ? (size_t)(slash - path) : slash ? 1 : 0;
    bool in_root =
        lmi_vfs_archive_length(vfs, path) > length; /* of an archive, which has no path */
    if (strcmp(path, "-") == 0 || in_root || !is_called(vfs, path, "lower"))
        return path;
    const char *folder = length > 0 ? lmi_arena_text(arena, path, length) : ".";
    lm_player player = {0};
    if (folder)
        lmi_player_find(vfs, folder, arena, &player);
    return !folder || player.is_quake3 ? folder : path;
}

/* ---- Related models -------------------------------------------------------------------------- */

/* Returns the path of a related model. NULL: none, or the first part is that model itself. */
static const char *find_part(lm_parts *all, const lm_source *source, const char *stem) {
    lm_context *c = all->context;
    const char *path = all->files[0].path, *found = NULL;
    if (is_called(c->vfs, path, stem))
        return NULL;
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && !found; i++) {
        const char *name = lmi_arena_printf(c->arena, "%s%s", stem, lmi_model_extensions[i]);
        found = name && lm_format_by_extension(name)
                    ? lmi_source_sibling(c->vfs, source, path, name, c->arena)
                    : NULL;
    }
    return found;
}

static bool attach_sibling(lm_parts *all, const lm_source *source, const char *tag_name,
                           const char *stem) {
    const char *tag;
    if (find_tag(&all->scene, tag_name, &tag) == LM_NO_PART)
        return true;
    const char *found = find_part(all, source, stem);
    return !found || attach(all, tag_name, found);
}

static bool add_related(lm_parts *all) {
    lm_context *c = all->context;
    const char *path = all->files[0].path;
    const lm_search_path *search = &all->search[0];
    if (search->own == LM_NO_SOURCE)
        return true;
    const lm_source *source = &search->sources[search->own];
    if (lmi_same_text(lmi_vfs_extension(c->vfs, path), ".md2")) {
        const char *weapon = is_called(c->vfs, path, "tris")
                                 ? lmi_source_sibling(c->vfs, source, path, "weapon.md2", c->arena)
                                 : NULL;
        return !weapon || attach(all, NULL, weapon);
    }
    return is_called(c->vfs, path, "head") || (attach_sibling(all, source, "tag_head", "head") &&
                                               attach_sibling(all, source, "tag_weapon", "weapon"));
}

/* ---- Attachments --------------------------------------------------------------------------- */

static bool exists(lm_context *c, const char *path) {
    return lmi_vfs_kind(c->vfs, path) != LM_PATH_NOTHING || lmi_vfs_is_file(c->vfs, path);
}

/* Returns the path of an attachment: as given, or in the folder of the first part; there, the games
 * find it under another extension, too. */
static const char *find_attachment(lm_parts *all, const char *path) {
    lm_context *c = all->context;
    const char *body = all->files[0].path;
    if (path[0] == '/' || exists(c, path))
        return path;
    int folder = (int)(lmi_vfs_base_name(c->vfs, body) - body);
    const char *found = lmi_arena_printf(c->arena, "%.*s%s", folder, body, path);
    /* If it is in neither, the error names the path as given. */
    const char *other =
        !found || exists(c, found) ? found : lmi_vfs_game_model(c->vfs, found, c->arena);
    return other ? other : path;
}

/* Sets the idle clip of the part that was added last. */
static bool set_requested_idle(lm_parts *all, const char *name) {
    const uint32_t index = all->scene.num_parts - 1;
    lm_scene_part *part = &all->parts[index];
    lm_guess guess = {.word = name};
    part->idle = lm_scene_find_clip(&all->scene, index, name);
    for (uint32_t i = 0; i < part->num_clips; i++)
        lmi_guess_try(&guess, part->clips[i].name);
    return part->idle || lmi_context_reject(all->context, LM_CODE_BAD_ARGUMENT,
                                            "%s has no clip \"%s\"%s", all->files[index].path, name,
                                            lmi_suggestion(all->context->arena, &guess));
}

static bool add_attachments(lm_parts *all) {
    const lm_assets_options *options = all->settings->options;
    for (uint32_t i = 0; i < options->num_attachments; i++) {
        const lm_attachment *attachment = &options->attachments[i];
        if (!attach(all, attachment->tag, find_attachment(all, attachment->path)) ||
            (attachment->tag && attachment->clip && !set_requested_idle(all, attachment->clip)))
            return false;
    }
    return true;
}

/* ---- Opening --------------------------------------------------------------------------------- */

bool lmi_parts_open(lm_context *c, const lm_settings *settings, bool related, lm_parts *all) {
    *all = (lm_parts){.context = c,
                      .settings = settings,
                      .parts = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->parts),
                      .files = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->files),
                      .bytes = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->bytes),
                      .search = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->search),
                      .listed = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->listed)};
    all->scene.parts = all->parts;
    if (lmi_arena_failed(c->arena))
        return false;
    const size_t script = lmi_ufo_length(c->vfs, c->path);
    const bool player = script == 0 && is_player(c);
    return (script > 0 ? lmi_parts_compose(all, script)
            : player   ? add_player(all)
                       : lmi_part_add(all, c->path)) &&
           (!related || player || script > 0 || add_related(all)) && add_attachments(all);
}

void lmi_parts_close(lm_parts *all) {
    for (uint32_t i = 0; i < all->scene.num_parts; i++) {
        lm_clips_free((lm_clips *)all->files[i].clips);
        lm_model_free((lm_model *)all->files[i].model);
        lm_buffer_free(&all->bytes[i]);
    }
}
