/* What belongs to a model and lies beside it: the halves of a player, heads, weapons, skins. */
#include "opening.h"

#include "system.h"

#include <stdlib.h>
#include <string.h>

/* ---- Players ------------------------------------------------------------------------------- */

/* What stands still while the other half moves does so as the games' players do. */
static void stand(lm_opening *o, uint32_t index, const char *clip) {
    o->parts[index].idle = lm_scene_find_clip(&o->scene, index, clip);
}

static void note_missing(lm_opening *o, const char *what) {
    lm_note(o, LM_SUBJECT_MODEL, LM_WARNING, LM_CODE_OK, o->path, "the player has no %s", what);
}

static bool add_halves(lm_opening *o, const lm_player *player) {
    if (!lm_add_part(o, player->body))
        return false;
    stand(o, 0, "LEGS_IDLE");
    if (!player->upper)
        note_missing(o, "upper.md3");
    else if (!lm_attach(o, "tag_torso", player->upper))
        return false;
    else
        stand(o, 1, "TORSO_STAND");
    if (!player->head)
        note_missing(o, "head.md3");
    else if (player->upper && !lm_attach(o, "tag_head", player->head))
        return false;
    return true;
}

bool lm_add_player(lm_opening *o) {
    lm_player player;
    lm_player_find(o->disk, o->path, &o->pool, &player);
    if (player.has_halves)
        return add_halves(o, &player);
    if (player.body)
        return lm_add_part(o, player.body) && (!player.weapon || lm_follow(o, player.weapon));
    lm_error error;
    lm_name_list names;
    if (lm_disk_archive_length(o->disk, o->path) == 0 &&
        !lm_list_names(o->path, &o->pool, &names, &error))
        return lm_note_refusal(o, "%s", error.message);
    return lm_note_refusal(o, "there is no player in this folder: neither lower.md3 nor lower.mdc "
                              "nor tris.md2");
}

/* ---- Beside -------------------------------------------------------------------------------- */

static bool is_called(lm_disk *disk, const char *path, const char *stem) {
    size_t length;
    const char *name = lm_disk_stem(disk, path, &length);
    return length == strlen(stem) && lm_begins_same(name, stem, length);
}

const char *lm_whole_player(lm_disk *disk, const char *path, lm_pool *pool) {
    const char *slash = strrchr(path, '/');
    size_t length = slash > path ? (size_t)(slash - path) : slash ? 1 : 0;
    bool in_root =
        lm_disk_archive_length(disk, path) > length; /* of an archive, which is no path */
    if (strcmp(path, "-") == 0 || in_root || !is_called(disk, path, "lower"))
        return path;
    const char *folder = length > 0 ? lm_pool_text(pool, path, length) : ".";
    lm_player player = {0};
    if (folder)
        lm_player_find(disk, folder, pool, &player);
    return !folder || player.has_halves ? folder : path;
}

/* A model that carries itself would be endless. */
static const char *find_part(lm_opening *o, const lm_shelf *shelf, const char *stem) {
    const char *path = o->files[0].path, *found = NULL;
    if (is_called(o->disk, path, stem))
        return NULL;
    for (uint32_t i = 0; i < lm_format_count() && !found; i++) {
        const lm_format_info *info = lm_format_at(i);
        if (!(info->abilities & LM_ABILITY_TAGS))
            continue;
        const char *name = lm_pool_printf(&o->pool, "%s.%s", stem, info->extension);
        found = name ? lm_shelf_beside(o->disk, shelf, path, name, &o->pool) : NULL;
    }
    return found;
}

static bool attach_beside(lm_opening *o, const lm_shelf *shelf, const char *tag_name,
                          const char *stem) {
    const char *tag;
    if (lm_scene_find_tag(&o->scene, tag_name, &tag) == 0)
        return true;
    const char *found = find_part(o, shelf, stem);
    return !found || lm_attach(o, tag_name, found);
}

bool lm_add_companions(lm_opening *o) {
    const char *path = o->files[0].path;
    lm_shelf shelf;
    lm_error error;
    bool ok = true;
    if (strcmp(path, "-") == 0)
        return true;
    if (!lm_shelf_of_file(o->disk, path, &o->pool, &shelf, &error))
        return !lm_pool_starved(&o->pool, error.code);
    if (lm_same_text(lm_disk_extension(o->disk, path), ".md2")) {
        const char *weapon = is_called(o->disk, path, "tris")
                                 ? lm_shelf_beside(o->disk, &shelf, path, "weapon.md2", &o->pool)
                                 : NULL;
        ok = !weapon || lm_follow(o, weapon);
    } else if (!is_called(o->disk, path, "head")) {
        ok = attach_beside(o, &shelf, "tag_head", "head") &&
             attach_beside(o, &shelf, "tag_weapon", "weapon");
    }
    return ok;
}

/* ---- Skins to choose from ------------------------------------------------------------------ */

typedef struct choosing {
    lm_skin_choices choices; /* first: what the caller has */
    lm_pool pool;
    lm_skin_choice *list;
    uint32_t capacity;
} choosing;

static void add_choice(choosing *c, const char *name, const char *option, uint32_t skin) {
    if (!name || !lm_pool_grow(&c->pool, (void **)&c->list, &c->capacity, c->choices.num_choices,
                               sizeof *c->list))
        return;
    c->list[c->choices.num_choices++] =
        (lm_skin_choice){lm_pool_text(&c->pool, name, strlen(name)), option, skin};
}

/* NAME of a file STEM_NAME.skin, NULL for others. */
static char *skin_name(choosing *c, const char *file, const char *stem, size_t length) {
    static const char end[] = ".skin";
    size_t whole = strlen(file), tail = sizeof end - 1;
    if (whole <= length + 1 + tail || strcmp(file + whole - tail, end) != 0 ||
        !lm_begins_same(file, stem, length) || file[length] != '_')
        return NULL;
    char *name = lm_pool_text(&c->pool, file + length + 1, whole - length - 1 - tail);
    return name && !strpbrk(name, "./=") ? name : NULL;
}

static bool is_picture(lm_disk *disk, const char *file) {
    static const char *const ends[] = {".pcx", ".tga", ".png", ".jpg", ".jpeg"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (lm_same_text(lm_disk_extension(disk, file), ends[i]))
            return true;
    return false;
}

/* The names of the files beside a file, sorted; in an archive, of the members in its folder. */
static void list_beside(choosing *c, lm_disk *disk, const char *path, lm_name_list *names) {
    size_t length = lm_disk_archive_length(disk, path);
    size_t folder = (size_t)(lm_disk_base_name(disk, path) - path);
    *names = (lm_name_list){0};
    if (length == 0) {
        lm_list_names(folder > 0 ? lm_pool_text(&c->pool, path, folder) : ".", &c->pool, names,
                      NULL);
        return;
    }
    lm_error error;
    const lm_archive *archive = lm_disk_archive(disk, path, length, &error);
    if (!archive)
        lm_pool_starved(&c->pool, error.code);
    size_t inside = folder - length - 1;
    for (size_t i = 0; archive && i < lm_archive_num_members(archive); i++) {
        const char *member = lm_archive_member(archive, i)->path;
        if (strncmp(member, path + length + 1, inside) == 0 && !strchr(member + inside, '/') &&
            lm_pool_grow(&c->pool, (void **)&names->names, &names->capacity, names->count,
                         sizeof *names->names))
            names->names[names->count++] = member + inside;
    }
}

/* Whether a file is one of the skins that the model wears already. */
static bool is_guess(const lm_lookup *lookup, const char *file) {
    for (uint32_t i = 0; i < lookup->num_guesses; i++)
        if (strcmp(lm_lookup_skin_name(lookup, i), file) == 0)
            return true;
    return false;
}

/* A picture may dress what names no texture of its own by surfaces: see lm_lookup_name. */
static void add_files(choosing *c, lm_disk *disk, const lm_asset *asset, const lm_lookup *lookup) {
    const lm_model *model = asset->model;
    size_t length;
    const char *stem = lm_disk_stem(disk, asset->path, &length);
    int folder = (int)(lm_disk_base_name(disk, asset->path) - asset->path);
    bool pictures =
        model->num_skins > 0 || (model->num_surfaces > 0 && model->surfaces[0].num_materials == 0);
    lm_name_list names;
    list_beside(c, disk, asset->path, &names);
    for (uint32_t i = 0; i < names.count && !c->pool.failed; i++) {
        const char *file = names.names[i], *option = skin_name(c, file, stem, length);
        if (!option && pictures && is_picture(disk, file) && !is_guess(lookup, file))
            option = lm_pool_printf(&c->pool, "%.*s%s", folder, asset->path, file);
        if (option)
            add_choice(c, file, option, 0);
    }
}

lm_skin_choices *lm_disk_skins(lm_disk *disk, const lm_assets *assets) {
    choosing *c = calloc(1, sizeof *c);
    if (!c || !assets->scene) {
        free(c);
        return NULL;
    }
    lm_pool_init(&c->pool, NULL);
    const lm_asset *asset = &assets->assets[0];
    const lm_lookup *lookup = &((const lm_opening *)(const void *)assets)->states[0].lookup;
    uint32_t count = lookup->num_guesses > 0 ? lookup->num_guesses : asset->model->num_skins;
    for (uint32_t i = 0; i < count; i++)
        add_choice(
            c, lookup->num_guesses > 0 ? lm_lookup_skin_name(lookup, i) : asset->model->skins[i],
            NULL, i);
    if (count == 0)
        add_choice(c, "Default", NULL, 0);
    if (strcmp(asset->path, "-") != 0)
        add_files(c, disk, asset, lookup);
    c->choices.choices = c->list;
    if (!c->pool.failed)
        return &c->choices;
    lm_skin_choices_free(&c->choices);
    return NULL;
}

void lm_skin_choices_free(lm_skin_choices *choices) {
    choosing *c = (choosing *)(void *)choices;
    if (c)
        lm_pool_free(&c->pool);
    free(c);
}
