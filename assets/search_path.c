/* Folders and archives: opens them, finds files in them, and lists those that the games search for
 * a model's files. */
#include "files/file.h"
#include "settings.h"

#include <string.h>

/* ---- Sources ------------------------------------------------------------------------------- */

bool lm_source_open(lm_vfs *vfs, const char *path, size_t archive, lm_source *source,
                    lm_error *error) {
    *source = (lm_source){0};
    if (archive > 0)
        source->archive = lm_vfs_archive(vfs, path, archive, error);
    source->files = archive == 0      ? lm_vfs_folder(vfs, path, error)
                    : source->archive ? lm_archive_files(source->archive)
                                      : NULL;
    return source->files != NULL;
}

bool lm_source_of(lm_vfs *vfs, const char *path, lm_arena *arena, lm_source *source,
                  const char **inside, lm_error *error) {
    const char *base = lm_vfs_base_name(vfs, path);
    size_t length = lm_vfs_archive_length(vfs, path), before = length ? length + 1 : 0;
    size_t end = (size_t)(base - path);
    while (length > 0 && end > before && path[end - 1] == '/')
        end--;
    const char *folder = length == 0 && end == 0
                             ? "."
                             : lm_arena_text(arena, path + before, end > before ? end - before : 0);
    if (!folder)
        return lm_fail_memory(error);
    const bool opened = lm_source_open(vfs, length > 0 ? path : folder, length, source, error);
    source->folder = length > 0 ? folder : "";
    *inside = length > 0 ? path + before : base;
    return opened;
}

static bool find_file(const lm_source *source, const char *name, lm_arena *arena,
                      char actual[LM_PATH_SIZE]) {
    const lm_find found = lm_find_in(source->files, source->folder, name, actual);
    lm_arena_out_of_memory(arena, found == LM_FIND_OUT_OF_MEMORY);
    return found == LM_FIND_FILE;
}

char *lm_source_path(const lm_source *source, const char *path, lm_arena *arena) {
    return source->archive ? lm_arena_printf(arena, "%s:%s", source->files->name, path)
                           : lm_join(arena, source->files->name, path);
}

const char *lm_source_sibling(lm_vfs *vfs, const lm_source *source, const char *path,
                              const char *name, lm_arena *arena) {
    char found[LM_PATH_SIZE];
    if (!find_file(source, name, arena, found))
        return NULL;
    if (source->archive)
        return lm_source_path(source, found, arena);
    return lm_arena_printf(arena, "%.*s%s", (int)(lm_vfs_base_name(vfs, path) - path), path, found);
}

const lm_source *lm_search_path_find(const lm_search_path *search, const char *name,
                                     lm_arena *arena, char actual[LM_PATH_SIZE]) {
    for (uint32_t i = 0; i < search->count; i++)
        if (search->sources[i].folder && find_file(&search->sources[i], name, arena, actual))
            return &search->sources[i];
    return NULL;
}

/* ---- Search path of a model ------------------------------------------------------------------ */

/* Returns the start of the last part of a path with that name and a '/' after it; NULL: none. */
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

/* Returns the part of a path below a folder; NULL: the path is not below it. */
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

/* Returns the model's path inside its game: inside its archive, below the game's folder, or from
 * the usual models/ or players/ on. NULL: unknown. */
static const char *path_in_game(const lm_settings *s, const char *path, size_t archive) {
    const char *found = archive > 0 ? path + archive + 1 : NULL;
    for (uint32_t i = 0; !found && i < s->num_games; i++)
        found = below(path, s->games[i]->path);
    found = found ? found : find_part(path, "models");
    return found ? found : find_part(path, "players");
}

/* Returns whether the model is in one of the games' folders or archives. */
static bool is_in_game(const lm_settings *s, const char *path, size_t archive) {
    for (uint32_t i = 0; i < s->num_sources; i++) {
        const char *name = s->sources[i].files->name;
        if (archive > 0 ? strlen(name) == archive && memcmp(name, path, archive) == 0
                        : below(path, name) != NULL)
            return true;
    }
    return false;
}

static void add_own(lm_context *c, const char *path, lm_search_path *search) {
    const char *inside;
    if (lm_source_of(c->vfs, path, c->arena, &search->sources[search->count], &inside,
                     &search->problem))
        search->own = search->count++;
    else
        lm_ran_out(c->arena, &search->problem);
}

static void add_games(const lm_settings *s, const char *folder, lm_search_path *search) {
    for (uint32_t i = 0; i < s->num_sources; i++) {
        search->sources[search->count] = s->sources[i];
        search->sources[search->count++].folder = folder;
    }
}

bool lm_search_path_open(lm_context *c, const lm_settings *s, const char *path,
                         lm_search_path *search) {
    *search = (lm_search_path){.own = LM_NO_SOURCE};
    search->sources = lm_arena_alloc(c->arena, s->num_sources + (size_t)1, sizeof *search->sources);
    if (!search->sources)
        return false;
    if (strcmp(path, "-") == 0) {
        add_games(s, NULL, search);
        return true;
    }
    size_t archive = lm_vfs_archive_length(c->vfs, path);
    bool is_relative = archive == 0 && !lm_path_is_absolute(path);
    const char *full =
        s->current_folder && is_relative ? lm_join(c->arena, s->current_folder, path) : path;
    if (!full)
        return false;
    const bool in_game = is_in_game(s, full, archive);
    if (!in_game)
        add_own(c, path, search);
    const char *inside = path_in_game(s, full, archive);
    const char *slash = inside ? strrchr(inside, '/') : NULL;
    size_t length = slash ? (size_t)(slash - inside) : 0;
    add_games(s, inside ? lm_arena_text(c->arena, inside, length) : NULL, search);
    if (in_game)
        add_own(c, path, search);
    return !lm_arena_failed(c->arena);
}
