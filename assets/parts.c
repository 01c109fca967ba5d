/* The parts of a scene: the models of a player or a weapon, related models, and attachments. */
#include "parts.h"

#include <string.h>

/* ---- One model ------------------------------------------------------------------------------- */

static bool load(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_assets_options *options = all->settings->options;
    lm_asset *asset = &all->files[part];
    lm_load_options load_options = options->load;
    lm_error error;
    asset->model = all->parts[part].model = c->model;
    if (c->model)
        return true;
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

/* Returns whether the first part is a hand: it has only tags, or the name of a hand. */
static bool is_hand(const lm_parts *all) {
    return all->parts[0].model->num_surfaces == 0 ||
           lmi_is_hand(all->context->vfs, all->files[0].path);
}

/* Makes the last part show the same file as an earlier one, whose model and clips it shares.
 * Returns false if there is none. A first part may have other clips, or hide its surfaces. */
static bool share(lm_parts *all) {
    const uint32_t last = all->scene.num_parts - 1;
    uint32_t i = last > 0 && (all->settings->clips_of_quake2 || is_hand(all));
    while (i < last && strcmp(all->files[i].path, all->files[last].path) != 0)
        i++;
    if (i == last)
        return false;
    all->files[last] = all->files[i];
    all->search[last] = all->search[i];
    all->parts[last].model = all->parts[i].model;
    all->parts[last].clips = all->parts[i].clips;
    all->parts[last].num_clips = all->parts[i].num_clips;
    return true;
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
           (share(all) || (lmi_search_path_open(c, all->settings, path, &all->search[index]) &&
                           load(all, index)));
}

/* ---- Tags ------------------------------------------------------------------------------------ */

/* A tag that a model of the scene has. */
typedef struct place {
    uint32_t part;      /* LM_NO_PART: there is none */
    uint32_t num_parts; /* with such a tag */
    const char *tag;    /* as the part's model spells it */
} place;

/* Finds the place of a tag: in the part that was added last, but for a hand in the part that was
 * added first, because the parts of a weapon repeat its tags. `parent`: only in parts with this
 * name; NULL: in all. */
static place find_place(const lm_parts *all, const char *parent, const char *tag) {
    const lm_scene *scene = &all->scene;
    const bool first_wins = is_hand(all);
    place found = {.part = LM_NO_PART};
    for (uint32_t part = 0; part < scene->num_parts; part++) {
        const lm_model *model = scene->parts[part].model;
        const uint32_t index = lm_model_find_tag(model, tag);
        if (index == LM_NO_TAG || (parent && !lmi_same_text(scene->parts[part].name, parent)))
            continue;
        if (found.num_parts++ == 0 || !first_wins) {
            found.part = part;
            found.tag = model->tags[index].name;
        }
    }
    return found;
}

/* Reports a tag that no part has, or not the part that the attachment names. */
static bool reject_tag(lm_parts *all, const char *parent, const char *tag) {
    lm_guess tags = {.word = tag}, parts = {.word = parent};
    uint32_t num_tags = 0;
    bool known = !parent;
    for (uint32_t i = 0; i < all->scene.num_parts; i++) {
        const lm_model *model = all->parts[i].model;
        const bool own = !parent || lmi_same_text(all->parts[i].name, parent);
        known = known || own;
        num_tags += own ? model->num_tags : 0;
        for (uint32_t k = 0; own && k < model->num_tags; k++)
            lmi_guess_try(&tags, model->tags[k].name);
        if (parent)
            lmi_guess_try(&parts, all->parts[i].name);
    }
    lm_arena *arena = all->context->arena;
    if (!known)
        return lmi_context_reject(all->context, LM_CODE_BAD_ARGUMENT,
                                  "no model \"%s\" to attach to%s", parent,
                                  lmi_suggestion(arena, &parts));
    return lmi_context_reject(
        all->context, num_tags > 0 ? LM_CODE_NO_SUCH_TAG : LM_CODE_BAD_ARGUMENT, "no tag \"%s\"%s",
        tag, num_tags > 0 ? lmi_suggestion(arena, &tags) : ": the model has no tags");
}

/* Loads a model and attaches it to a place. Without a tag, the part shows the same frames as the
 * first part. */
static bool attach(lm_parts *all, const place *at, const char *path) {
    lm_scene_part *part = &all->parts[all->scene.num_parts];
    if (!lmi_part_add(all, path))
        return false;
    part->parent = at->part;
    part->tag = at->tag;
    part->follows = !at->tag;
    return true;
}

/* ---- Players and weapons --------------------------------------------------------------------- */

bool lmi_part_add_piece(lm_parts *all, const lm_piece *piece, uint32_t held_by, uint32_t *part) {
    lm_context *c = all->context;
    *part = LM_NO_PART;
    if (!piece->path)
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_OK, c->path,
                        "the player has no %s", piece->name);
    if (piece->after_gap)
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_OK, piece->path,
                        "left out: the game shows no barrel after a missing one");
    if (!piece->path || held_by == LM_NO_PART || piece->after_gap)
        return true;
    const lm_model *parent = all->parts[held_by].model;
    const uint32_t tag = piece->tag && parent ? lm_model_find_tag(parent, piece->tag) : LM_NO_TAG;
    if (piece->tag && tag == LM_NO_TAG && piece->name)
        return reject_tag(all, all->parts[held_by].name, piece->tag);
    if (piece->tag && tag == LM_NO_TAG) {
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_OK, piece->path,
                        "left out: %s has no tag \"%s\"", all->files[held_by].path, piece->tag);
        return true;
    }
    *part = all->scene.num_parts;
    const place at = {held_by, 1, tag == LM_NO_TAG ? NULL : parent->tags[tag].name};
    if (!(parent ? attach(all, &at, piece->path) : lmi_part_add(all, piece->path)))
        return false;
    all->parts[*part].idle = lm_scene_find_clip(&all->scene, *part, piece->idle);
    return true;
}

/* Gives a part of a weapon the clips that its hand's imply: `barrel` has frames of its own only in
 * some rows, one row's after another's, and is hidden in others. A part without a clip shows its
 * first frame. */
static bool set_weapon_clips(lm_parts *all, uint32_t index, uint32_t barrel) {
    const lm_scene_part *hand = &all->parts[0];
    lm_scene_part *part = &all->parts[index];
    const unsigned bit = barrel > 0 ? 1U << (barrel - 1) : 0;
    const uint32_t num_frames = part->model->num_frames;
    lm_clip *clips =
        lmi_arena_zeros(all->context->arena, hand->num_clips + (size_t)1, sizeof *clips);
    uint32_t first = 0;
    part->clips = clips;
    part->num_clips = 0;
    for (uint32_t i = 0; clips && i < hand->num_clips; i++) {
        const lm_clip *from = &hand->clips[i];
        lm_clip clip = *from;
        clip.animated_barrels = clip.hidden_barrels = 0;
        clip.animated_weapon = false;
        clip.first = first;
        if (from->animated_barrels & bit)
            first += from->count < num_frames - first ? from->count : num_frames - first;
        clip.count = first - clip.first;
        if (from->hidden_barrels & bit) {
            clip.hidden = true;
            clip.first = 0;
            clip.count = 1;
        }
        if (clip.count == 0)
            continue;
        clip.loop_frames = clip.loop_frames < clip.count ? clip.loop_frames : clip.count;
        clips[part->num_clips++] = clip;
    }
    return clips;
}

/* The game shows only the tags of a hand. */
static void hide_hand(lm_parts *all) {
    lm_model *model = (lm_model *)all->files[0].model;
    if (model->num_surfaces > 0)
        lmi_context_add(all->context, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_OK,
                        all->files[0].path, "surfaces of a hand are not drawn, as in the game");
    model->num_surfaces = 0;
}

static void note_opened(lm_context *c, const char *path, const char *game) {
    lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_OK, path,
                    "opened as named, although the game opens %s", lmi_vfs_base_name(c->vfs, game));
}

/* Opens the file that the user named, also if the game opens another one of its name. */
static void use_named(lm_context *c, lm_pieces *pieces) {
    size_t length, other;
    const char *stem = c->named ? lmi_vfs_stem(c->vfs, c->named, &length) : NULL;
    for (uint32_t i = 0; stem && i < pieces->count; i++) {
        lm_piece *piece = &pieces->list[i];
        const char *own = piece->path ? lmi_vfs_stem(c->vfs, piece->path, &other) : NULL;
        if (!own || other != length || !lmi_begins_same(own, stem, length) ||
            lmi_same_text(own + other, stem + length) || !lmi_vfs_is_file(c->vfs, c->named))
            continue;
        note_opened(c, c->named, piece->path);
        piece->path = c->named;
    }
}

/* Names the other weapons of a folder, and how to open them. */
static void note_others(lm_context *c, const lm_pieces *pieces) {
    const char *weapon = pieces->others ? lmi_vfs_base_name(c->vfs, pieces->path) : NULL;
    const bool several = weapon && strchr(pieces->others, ',');
    if (weapon)
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_OK, c->path,
                        "this is %s; the folder also has %s: open %s as %.*s%s", weapon,
                        pieces->others, several ? "one" : "it", (int)(weapon - pieces->path),
                        pieces->path, several ? "v_NAME" : pieces->others);
}

static bool add_pieces(lm_parts *all, const lm_pieces *pieces) {
    uint32_t parts[LM_MAX_PIECES] = {0};
    for (uint32_t i = 0; i < pieces->count; i++) {
        const lm_piece *piece = &pieces->list[i];
        if (!lmi_part_add_piece(all, piece, i > 0 ? parts[piece->parent] : 0, &parts[i]) ||
            (pieces->is_weapon && i > 0 && parts[i] != LM_NO_PART &&
             !set_weapon_clips(all, parts[i], piece->barrel)))
            return false;
        if (pieces->is_weapon && i == 0)
            hide_hand(all);
    }
    return true;
}

static bool add_player(lm_parts *all, lm_pieces *pieces) {
    lm_context *c = all->context;
    lm_error error;
    lm_listing names;
    use_named(c, pieces);
    note_others(c, pieces);
    if (pieces->count > 0)
        return add_pieces(all, pieces) && (!pieces->is_dressed || lmi_parts_dress(all));
    if (lmi_vfs_archive_length(c->vfs, c->path) == 0 &&
        !lmi_vfs_list_names(c->vfs, c->path, c->arena, &names, &error))
        return lmi_context_reject(c, LM_CODE_BAD_ARGUMENT, "%s", error.message);
    return lmi_context_reject(c, LM_CODE_BAD_ARGUMENT,
                              "this folder contains no player or weapon: no body.mds, lower.md3, "
                              "lower.mdc, tris.md2, or v_NAME_hand and v_NAME");
}

/* Finds the pieces of a path that opens as a player or a weapon (vfs_path.h), but is no skin. */
static bool is_player(lm_vfs *vfs, const char *path, lm_arena *arena, lm_pieces *pieces) {
    *pieces = (lm_pieces){0};
    if (strcmp(path, "-") == 0 || lmi_vfs_is_file(vfs, path))
        return false;
    lmi_pieces_find(vfs, path, arena, pieces);
    return pieces->count > 0 ||
           (lmi_vfs_archive_length(vfs, path) == 0 && lmi_vfs_is_folder(vfs, path));
}

bool lmi_vfs_opens_player(lm_vfs *vfs, const char *path, lm_arena *arena, const char **skin) {
    *skin = NULL;
    const char *folder = lmi_player_of_skin(vfs, path, arena, skin);
    lm_pieces pieces;
    return folder && is_player(vfs, folder, arena, &pieces);
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
    const char *weapon = lmi_weapon_of(vfs, path, false, arena);
    if (weapon)
        return weapon;
    const char *body = is_called(vfs, path, "lower")                             ? "lower"
                       : lmi_same_text(lmi_vfs_base_name(vfs, path), "body.mds") ? "body"
                                                                                 : NULL;
    if (strcmp(path, "-") == 0 || in_root || !body)
        return path;
    const char *folder = length > 0 ? lmi_arena_text(arena, path, length) : ".";
    lm_pieces pieces = {0};
    if (folder)
        lmi_pieces_find(vfs, folder, arena, &pieces);
    return !folder || (pieces.count > 0 && is_called(vfs, pieces.list[0].path, body)) ? folder
                                                                                      : path;
}

/* Opens a model as it is. The body of a player with bones stands as the player does; if the player
 * has a skin, which names a head, its folder is named. */
static bool add_model(lm_parts *all, bool related) {
    lm_context *c = all->context;
    if (!lmi_part_add(all, c->path))
        return false;
    const char *folder = all->parts[0].model->bones && !related
                             ? lmi_player_folder(c->vfs, c->path, c->arena)
                             : c->path;
    const char *game = lmi_vfs_game_model(c->vfs, c->path, c->arena);
    lm_pieces pieces = {0};
    if (game && !lmi_same_text(lmi_vfs_extension(c->vfs, game), lmi_vfs_extension(c->vfs, c->path)))
        note_opened(c, c->path, game);
    if (folder && folder != c->path)
        lmi_pieces_find(c->vfs, folder, c->arena, &pieces);
    if (pieces.is_dressed)
        all->parts[0].idle = lm_scene_find_clip(&all->scene, 0, pieces.list[0].idle);
    if (pieces.is_dressed && lmi_player_skin(all))
        lmi_context_add(c, LM_SUBJECT_MODEL, LM_SEVERITY_NOTE, LM_CODE_OK, c->path,
                        "the body alone, without head and skin; the player is the folder %s",
                        folder);
    return !lmi_arena_failed(c->arena);
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
    const place at = find_place(all, NULL, tag_name);
    const char *found = at.part == LM_NO_PART ? NULL : find_part(all, source, stem);
    return !found || attach(all, &at, found);
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
        return !weapon || attach(all, &(place){0}, weapon);
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

/* Finds the place that an attachment names: TAG or PARENT:TAG. Warns if several models have the
 * tag, of which the order decides. */
static bool find_named_place(lm_parts *all, const char *name, place *at) {
    const char *colon = strchr(name, ':'), *parent = NULL;
    *at = find_place(all, NULL, name);
    if (at->part == LM_NO_PART && colon) {
        parent = lmi_arena_text(all->context->arena, name, (size_t)(colon - name));
        if (!parent)
            return false;
        name = colon + 1;
        *at = find_place(all, parent, name);
    }
    if (at->part == LM_NO_PART)
        return reject_tag(all, parent, name);
    if (at->num_parts > 1 && !parent && !is_hand(all))
        lmi_context_add(all->context, LM_SUBJECT_MODEL, LM_SEVERITY_WARNING, LM_CODE_OK,
                        all->files[at->part].path,
                        "%u models have the tag \"%s\"; it is that of this one, the last: %s:%s",
                        (unsigned)at->num_parts, name, all->parts[at->part].name, name);
    return true;
}

static bool add_attachments(lm_parts *all) {
    const lm_assets_options *options = all->settings->options;
    for (uint32_t i = 0; i < options->num_attachments; i++) {
        const lm_attachment *attachment = &options->attachments[i];
        place at = {0};
        if (attachment->tag && !find_named_place(all, attachment->tag, &at))
            return false;
        const char *path = find_attachment(all, attachment->path);
        if (lmi_vfs_is_folder(all->context->vfs, path))
            return lmi_context_reject(all->context, LM_CODE_BAD_ARGUMENT,
                                      "%s is a folder: attach one of its models", path);
        if (!attach(all, &at, path) ||
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
                      .listed = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->listed),
                      // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
                      .skins = lmi_arena_zeros(c->arena, LM_MAX_PARTS, sizeof *all->skins)};
    all->scene.parts = all->parts;
    if (lmi_arena_failed(c->arena))
        return false;
    const size_t script = lmi_ufo_length(c->vfs, c->path);
    lm_pieces pieces;
    const bool player = script == 0 && is_player(c->vfs, c->path, c->arena, &pieces);
    return (script > 0 ? lmi_parts_compose(all, script)
            : player   ? add_player(all, &pieces)
                       : add_model(all, related)) &&
           (!related || player || script > 0 || add_related(all)) && add_attachments(all);
}

void lmi_parts_close(lm_parts *all) {
    for (uint32_t i = 0; i < all->scene.num_parts; i++) {
        const lm_asset *file = &all->files[i];
        uint32_t first = 0; /* part with its model */
        while (all->files[first].model != file->model)
            first++;
        if (first < i)
            continue;
        lm_clips_free((lm_clips *)file->clips);
        if (!all->context->model)
            lm_model_free((lm_model *)file->model);
        lm_buffer_free(&all->bytes[i]);
    }
}
