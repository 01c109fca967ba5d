/* Where the games would look for the files beside a model. */
#include "opening.h"

#include "system.h"

#include <stdio.h>
#include <string.h>

/* Where in a path the last part of that name begins, which a '/' follows; NULL: nowhere. */
static const char *find_part(const char *path, const char *name) {
    size_t length = strlen(name);
    const char *found = NULL;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (lm_begins_same(at, name, length) && at[length] == '/')
            found = at;
    }
    return found;
}

/* The part of a path that lies below a folder; NULL: none does. */
static const char *below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (strcmp(folder, ".") == 0 && path[0] != '.' && !lm_path_is_absolute(path))
        return path;
    if (strncmp(path, folder, length) != 0)
        return NULL;
    if (length > 0 && folder[length - 1] == '/')
        return path + length;
    return path[length] == '/' ? path + length + 1 : NULL;
}

/* The model's path as a game has it: in its archive, below the game's folder, or from where the
 * games keep their models on. NULL: not known. */
static const char *path_in_game(const lm_settings *s, const char *path, size_t archive) {
    const char *found = archive > 0 ? path + archive + 1 : NULL;
    for (uint32_t i = 0; !found && i < s->num_games; i++)
        found = below(path, s->games[i]->path);
    found = found ? found : find_part(path, "models");
    return found ? found : find_part(path, "players");
}

/* Whether one of the games' places is the one that the model is in. */
static bool is_in_game(const lm_settings *s, const char *path, size_t archive) {
    for (uint32_t i = 0; i < s->num_shelves; i++) {
        const char *place = s->shelves[i].files->name;
        if (archive > 0 ? strlen(place) == archive && memcmp(place, path, archive) == 0
                        : below(path, place) != NULL)
            return true;
    }
    return false;
}

static void add_games(const lm_settings *s, const char *folder, lm_places *places) {
    for (uint32_t i = 0; i < s->num_shelves; i++) {
        lm_shelf *shelf = &places->shelves[places->count++];
        *shelf = s->shelves[i];
        shelf->folder = folder;
    }
}

static void add_own(lm_opening *o, const char *path, lm_places *places) {
    lm_error error;
    if (lm_shelf_of_file(o->disk, path, &o->pool, &places->shelves[places->count], &error))
        places->count++;
    else
        lm_pool_starved(&o->pool, error.code);
}

bool lm_places_open(lm_opening *o, const char *path, lm_places *places) {
    const lm_settings *s = &o->settings;
    *places = (lm_places){0};
    if (strcmp(path, "-") == 0)
        return true;
    size_t archive = lm_disk_archive_length(o->disk, path);
    bool is_relative = archive == 0 && !lm_path_is_absolute(path);
    const char *whole = s->here && is_relative ? lm_join(&o->pool, s->here, path) : path;
    places->shelves = lm_pool_get(&o->pool, s->num_shelves + (size_t)1, sizeof *places->shelves);
    if (!places->shelves || !whole)
        return false;
    places->in_game = is_in_game(s, whole, archive);
    if (!places->in_game)
        add_own(o, path, places);
    const char *inside = path_in_game(s, whole, archive);
    const char *slash = inside ? strrchr(inside, '/') : NULL;
    size_t length = slash ? (size_t)(slash - inside) : 0;
    const char *folder = inside ? lm_pool_text(&o->pool, inside, length) : NULL;
    if (folder)
        add_games(s, folder, places);
    /* A link may lead to the model's folder out of the game's. */
    if (places->in_game && archive == 0)
        add_own(o, path, places);
    return !o->pool.failed;
}

const lm_shelf *lm_places_find(const lm_places *places, const char *name, lm_pool *pool,
                               char actual[LM_PATH_SIZE]) {
    char path[2 * LM_PATH_SIZE];
    const char *folder = NULL; /* the games' have the same */
    int length = 0;
    for (uint32_t i = 0; i < places->count; i++) {
        const lm_shelf *shelf = &places->shelves[i];
        const lm_files *files = shelf->files;
        if (folder != shelf->folder)
            length = snprintf(path, sizeof path, "%s%s%s", shelf->folder, *shelf->folder ? "/" : "",
                              name);
        folder = shelf->folder;
        const lm_find met = length > 0 && length < LM_PATH_SIZE
                                ? files->find(files->user, path, actual)
                                : LM_FIND_NOTHING;
        pool->failed = pool->failed || met == LM_FIND_STARVED;
        if (met == LM_FIND_FILE)
            return shelf;
    }
    return NULL;
}
