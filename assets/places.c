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
    if (strncmp(path, folder, length) != 0)
        return NULL;
    if (length > 0 && folder[length - 1] == '/')
        return path + length;
    return path[length] == '/' ? path + length + 1 : NULL;
}

/* The model's path as a game has it: in its archive, below the game's folder, or from where the
 * games keep their models on. NULL: not known. */
static const char *path_in_game(const lm_opening *o, const char *path) {
    const lm_settings *s = &o->settings;
    size_t archive = lm_disk_archive_length(o->disk, path);
    const char *found = archive > 0 ? path + archive + 1 : NULL;
    for (uint32_t i = 0; !found && i < s->num_games; i++)
        found = below(path, s->games[i]->path);
    found = found ? found : find_part(path, "models");
    return found ? found : find_part(path, "players");
}

/* Whether one of the games' places is the one that the model is in. */
static bool is_in_game(const lm_opening *o, const char *path) {
    const lm_settings *s = &o->settings;
    size_t archive = lm_disk_archive_length(o->disk, path);
    for (uint32_t i = 0; i < s->num_games; i++)
        for (uint32_t k = 0; k < s->games[i]->num_games; k++) {
            const char *place = s->games[i]->games[k];
            if (archive > 0 ? strlen(place) == archive && memcmp(place, path, archive) == 0
                            : below(path, place) != NULL)
                return true;
        }
    return false;
}

static void add_games(lm_opening *o, const char *folder, lm_places *places) {
    const lm_settings *s = &o->settings;
    for (uint32_t i = 0; i < s->num_games; i++)
        for (uint32_t k = 0; k < s->games[i]->num_games; k++) {
            lm_shelf *shelf = &places->shelves[places->count];
            lm_error error;
            if (lm_shelf_of_game(o->disk, s->games[i]->games[k], shelf, &error))
                places->count++;
            else
                lm_pool_starved(&o->pool, error.code);
            shelf->folder = folder;
        }
}

bool lm_places_open(lm_opening *o, const char *path, lm_places *places) {
    const lm_settings *s = &o->settings;
    size_t most = 1;
    *places = (lm_places){0};
    if (strcmp(path, "-") == 0)
        return true;
    for (uint32_t i = 0; i < s->num_games; i++)
        most += s->games[i]->num_games;
    places->shelves = lm_pool_get(&o->pool, most, sizeof *places->shelves);
    if (!places->shelves)
        return false;
    lm_error error;
    if (is_in_game(o, path))
        places->count = 0;
    else if (lm_shelf_of_file(o->disk, path, &o->pool, &places->shelves[0], &error))
        places->count = 1;
    else
        lm_pool_starved(&o->pool, error.code);
    const char *inside = path_in_game(o, path);
    const char *slash = inside ? strrchr(inside, '/') : NULL;
    size_t length = slash ? (size_t)(slash - inside) : 0;
    const char *folder = inside ? lm_pool_text(&o->pool, inside, length) : NULL;
    if (folder)
        add_games(o, folder, places);
    return !o->pool.failed;
}

const lm_shelf *lm_places_find(const lm_places *places, const char *name, lm_pool *pool,
                               char actual[LM_PATH_SIZE]) {
    char path[2 * LM_PATH_SIZE];
    for (uint32_t i = 0; i < places->count; i++) {
        const lm_shelf *shelf = &places->shelves[i];
        const lm_files *files = shelf->files;
        int length =
            snprintf(path, sizeof path, "%s%s%s", shelf->folder, *shelf->folder ? "/" : "", name);
        const lm_find met = length > 0 && length < LM_PATH_SIZE
                                ? files->find(files->user, path, actual)
                                : LM_FIND_NOTHING;
        pool->failed = pool->failed || met == LM_FIND_STARVED;
        if (met == LM_FIND_FILE)
            return shelf;
    }
    return NULL;
}
