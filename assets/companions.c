/* What belongs to a model and lies beside it: the halves of a player, heads, weapons. */
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
    if (lm_scene_find_tag(&o->scene, tag_name, &tag) == LM_NO_PART)
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
