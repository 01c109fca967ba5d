/* Where the games would look for the files of a model. */
#include "places.h"

#include "core/report.h"
#include "disk_path.h"
#include "files/path.h"
#include "texture.h"

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
    for (uint32_t i = 0; i < s->num_sources; i++) {
        const char *place = s->sources[i].files->name;
        if (archive > 0 ? strlen(place) == archive && memcmp(place, path, archive) == 0
                        : below(path, place) != NULL)
            return true;
    }
    return false;
}

static void add_games(const lm_settings *s, const char *folder, lm_places *places) {
    for (uint32_t i = 0; i < s->num_sources; i++) {
        lm_source *source = &places->sources[places->count++];
        *source = s->sources[i];
        source->folder = folder;
    }
}

static void add_own(lm_context *c, const char *path, lm_places *places) {
    lm_error error;
    if (lm_source_of_file(c->disk, path, c->arena, &places->sources[places->count], &error))
        places->count++;
    else
        lm_arena_starve(c->arena, error.code == LM_CODE_OUT_OF_MEMORY);
}

bool lm_places_open(lm_context *c, const lm_settings *s, const char *path, lm_places *places) {
    *places = (lm_places){0};
    if (strcmp(path, "-") == 0)
        return true;
    size_t archive = lm_disk_archive_length(c->disk, path);
    bool is_relative = archive == 0 && !lm_path_is_absolute(path);
    const char *whole = s->here && is_relative ? lm_join(c->arena, s->here, path) : path;
    places->sources = lm_arena_alloc(c->arena, s->num_sources + (size_t)1, sizeof *places->sources);
    if (!places->sources || !whole)
        return false;
    places->in_game = is_in_game(s, whole, archive);
    if (!places->in_game)
        add_own(c, path, places);
    const char *inside = path_in_game(s, whole, archive);
    const char *slash = inside ? strrchr(inside, '/') : NULL;
    size_t length = slash ? (size_t)(slash - inside) : 0;
    const char *folder = inside ? lm_arena_text(c->arena, inside, length) : NULL;
    if (folder)
        add_games(s, folder, places);
    /* A link may lead to the model's folder out of the game's. */
    if (places->in_game && archive == 0)
        add_own(c, path, places);
    return !lm_arena_failed(c->arena);
}

const lm_source *lm_places_find(const lm_places *places, const char *name, lm_arena *arena,
                                char actual[LM_PATH_SIZE]) {
    char path[LM_PATH_SIZE];
    for (uint32_t i = 0; i < places->count; i++) {
        const lm_source *source = &places->sources[i];
        const lm_find met = lm_source_inside(source, name, path)
                                ? source->files->find(source->files->user, path, actual)
                                : LM_FIND_NOTHING;
        lm_arena_starve(arena, met == LM_FIND_STARVED);
        if (met == LM_FIND_FILE)
            return source;
    }
    return NULL;
}

/* ---- Textures ------------------------------------------------------------------------------ */

static void add_root(lm_search *search, lm_texture_root *roots, const lm_source *source) {
    const uint32_t index = search->roots.num_roots++;
    search->sources[index] = *source;
    roots[index] = (lm_texture_root){source->files, source->folder};
}

/* The folder or the archive of the model. One that cannot be read is only noted: the others may
 * have the texture. */
static void add_own_root(lm_context *c, const char *path, lm_search *search,
                         lm_texture_root *roots) {
    lm_error error;
    lm_source source;
    if (strcmp(path, "-") == 0)
        return;
    if (lm_source_of_file(c->disk, path, c->arena, &source, &error)) {
        search->own = search->roots.num_roots;
        add_root(search, roots, &source);
    } else if (!lm_arena_starve(c->arena, error.code == LM_CODE_OUT_OF_MEMORY)) {
        lm_note(c, LM_FINDING_TEXTURE, LM_ERROR, error.code, c->path,
                "cannot look for textures there: %s", error.message);
    }
}

bool lm_search_open(lm_context *c, const lm_settings *settings, const char *path,
                    const lm_places *places, lm_search *search) {
    const size_t most = settings->num_sources + (size_t)1;
    lm_texture_root *roots = lm_arena_alloc(c->arena, most, sizeof *roots);
    *search = (lm_search){.own = LM_NO_ROOT};
    search->sources = lm_arena_alloc(c->arena, most, sizeof *search->sources);
    search->roots.roots = roots;
    if (!roots || !search->sources)
        return false;
    /* What is in a game is looked for as the game does, and only then in the model's folder. */
    if (!places->in_game)
        add_own_root(c, path, search, roots);
    for (uint32_t i = 0; i < settings->num_sources; i++)
        add_root(search, roots, &settings->sources[i]);
    if (places->in_game)
        add_own_root(c, path, search, roots);
    return !lm_arena_failed(c->arena);
}
