/* Games: a folder stands for itself and for the archives in it; which one a model's path tells of.
 */
#include "opening.h"

#include "core/report.h"
#include "files/os.h"
#include "system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places --------------------------------------------------------------------------------- */

static bool add(lm_kept *kept, uint32_t *capacity, const char *path, bool is_archive) {
    if (!path || !lm_pool_grow(&kept->pool, (void **)&kept->games, capacity, kept->num_games,
                               sizeof *kept->games))
        return false;
    kept->games[kept->num_games++] = (lm_game_place){path, is_archive};
    return true;
}

/* By extension, as the engines do. */
static bool is_archive_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (lm_same_text(dot, ".pak") || lm_same_text(dot, ".pk3"));
}

bool lm_games_list(lm_kept *kept, lm_error *error) {
    bool folder = lm_disk_is_folder(kept->path);
    uint32_t capacity = 0;
    lm_name_list names = {0};
    if (!folder && !lm_archive_is(kept->path))
        return lm_can_open(kept->path, "there is no such folder or archive", error) &&
               lm_fail_plain(error, LM_CODE_IO, "this is neither a folder nor a PAK nor a PK3");
    if (folder && !lm_list_names(kept->path, &kept->pool, &names, error))
        return false;
    bool ok = add(kept, &capacity, kept->path, !folder);
    for (uint32_t i = names.count; ok && i > 0; i--) {
        const char *path = is_archive_name(names.names[i - 1])
                               ? lm_join(&kept->pool, kept->path, names.names[i - 1])
                               : NULL;
        ok = !path || !lm_archive_is(path) || add(kept, &capacity, path, true);
    }
    return (ok && !kept->pool.failed) || lm_fail_memory(error);
}

/* ---- Guessing ------------------------------------------------------------------------------- */

static bool is_part(const char *part, size_t length, const char *name) {
    return length == strlen(name) && lm_begins_same(part, name, length);
}

/* Where the last models/, players/ or models/players/ begins in a path; SIZE_MAX: nowhere. What
 * stands before a ".." is not above what follows it. */
static size_t find_models(const char *path) {
    size_t found = SIZE_MAX;
    bool below_models = false;
    const char *at = path;
    for (const char *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        size_t length = (size_t)(slash - at);
        bool models = is_part(at, length, "models");
        if (is_part(at, length, ".."))
            found = SIZE_MAX;
        else if (models || (is_part(at, length, "players") && !below_models))
            found = (size_t)(at - path);
        below_models = models;
    }
    return found;
}

static const char *cut(const char *path, size_t found, lm_pool *pool) {
    if (found == SIZE_MAX)
        return NULL;
    return found == 0 ? "." : lm_pool_text(pool, path, found > 1 ? found - 1 : 1);
}

const char *lm_game_of(lm_disk *disk, const char *path, const char **here, lm_pool *pool) {
    *here = NULL;
    if (strcmp(path, "-") == 0 || lm_disk_archive_length(disk, path) > 0)
        return NULL;
    size_t found = find_models(path);
    if ((found != SIZE_MAX && found > 0) || lm_path_is_absolute(path))
        return cut(path, found, pool);
    /* It begins somewhere in the game: behind models/, or deeper. */
    char *real = lm_os_real_path(".");
    pool->failed = pool->failed || (!real && errno == ENOMEM);
    const char *whole = real ? lm_join(pool, real, path) : NULL;
    size_t in_whole = whole ? find_models(whole) : SIZE_MAX;
    const bool ends = real && found == 0 && in_whole == strlen(real) + 1;
    if (in_whole != SIZE_MAX && !ends)
        *here = lm_pool_text(pool, real, strlen(real));
    free(real);
    return *here ? cut(whole, in_whole, pool) : cut(path, found, pool);
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* Of whoever names no game, the model's path may. */
static void guess(lm_opening *o) {
    lm_settings *s = &o->settings;
    const char *path = s->num_games == 0 ? lm_game_of(o->disk, o->path, &s->here, &o->pool) : NULL;
    lm_error error = {0};
    const lm_kept *kept = path ? lm_disk_keep(o->disk, LM_KEPT_GAME, path, &error) : NULL;
    lm_pool_starved(&o->pool, error.code);
    if (!kept)
        return;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    s->games = lm_pool_get(&o->pool, 1, sizeof *s->games);
    if (!s->games)
        return;
    s->games[s->num_games++] = kept;
    o->assets.game = kept->path;
}

bool lm_games_open(lm_opening *o) {
    lm_settings *s = &o->settings;
    size_t count = 0;
    lm_error error;
    guess(o);
    for (uint32_t i = 0; i < s->num_games; i++)
        count += s->games[i]->num_games;
    s->shelves = lm_pool_get(&o->pool, count, sizeof *s->shelves);
    for (uint32_t i = 0; s->shelves && i < s->num_games; i++)
        for (uint32_t k = 0; k < s->games[i]->num_games; k++)
            if (lm_shelf_of_game(o->disk, &s->games[i]->games[k], &s->shelves[s->num_shelves],
                                 &error))
                s->num_shelves++;
            else if (!lm_pool_starved(&o->pool, error.code) && !s->plain &&
                     s->options->pictures != LM_PICTURES_NONE)
                lm_note(o, LM_SUBJECT_TEXTURE, LM_ERROR, error.code, o->path,
                        "cannot look for textures there: %s", error.message);
    return !o->pool.failed;
}
