/* Folders and archives: opens them, finds files in them, and lists those that the games search for
 * a model's files. */
#include "settings.h"

#include "core/text.h"
#include "files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Opens the archive that the first `archive` bytes of a path name; 0: the folder at the path. Fails
 * with `error` filled. */
static bool open_source(lm_vfs *vfs, const char *path, size_t archive, lm_source *source,
                        lm_error *error) {
    *source = (lm_source){0};
    if (archive > 0)
        source->archive = lmi_vfs_archive(vfs, path, archive, error);
    source->files = archive == 0      ? lm_vfs_folder(vfs, path, error)
                    : source->archive ? source->archive->files
                                      : NULL;
    return source->files != NULL;
}

/* ---- Folders and archives -------------------------------------------------------------------- */

static bool add(lm_game *game, const char *path, bool is_archive) {
    if (!path || !lmi_arena_grow(lmi_arena_of(game), &game->paths, &game->capacity,
                                 game->num_paths + 1, sizeof *game->paths))
        return false;
    game->paths[game->num_paths++] = (struct lm_game_path){path, is_archive ? strlen(path) : 0};
    return true;
}

/* The archives of a folder that engines open: id's, and those of Q2PRO (.pkz), Doom 3 (.pk4) and
 * GZDoom (.zip, .ipk3). */
static const char *const extensions[] = {".pak", ".pk3", ".pk4", ".pkz", ".ipk3", ".zip"};

static bool list_paths(lm_vfs *vfs, lm_game *game, lm_error *error) {
    const bool lists = lmi_vfs_can_list(vfs, game->path);
    const bool folder = !lists || lmi_vfs_is_folder(vfs, game->path);
    lm_arena *arena = lmi_arena_of(game);
    lm_listing names = {0};
    if (!folder && !lmi_vfs_is_archive(vfs, game->path))
        return lmi_vfs_can_open(vfs, game->path, "no such folder or archive", error) &&
               lm_fail_plain(error, LM_CODE_IO, "not a folder, PAK or PK3");
    if (folder && lists && !lmi_vfs_list_names(vfs, game->path, arena, &names, error))
        return false;
    bool ok = add(game, game->path, !folder);
    for (size_t i = names.count; ok && i > 0; i--) {
        const char *name = names.names[i - 1].name;
        bool wanted = false;
        for (size_t k = 0; k < sizeof extensions / sizeof *extensions; k++)
            wanted = wanted || lmi_ends_in(name, extensions[k]);
        const char *path = wanted ? lmi_join(arena, game->path, name) : NULL;
        ok = !path || !lmi_vfs_is_archive(vfs, path) || add(game, path, true);
    }
    return ok;
}

static bool open_game(const lm_request *request, void *object, lm_error *error) {
    lm_game *game = object;
    game->path = lmi_copy_text(lmi_arena_of(game), request->key);
    return game->path && list_paths(request->vfs, game, error);
}

const lm_game *lmi_game_open(lm_vfs *vfs, const char *path, lm_error *error) {
    static const lm_opener opener = {LM_CACHED_GAME, sizeof(lm_game), open_game, NULL};
    return lmi_vfs_open_once(&opener, &(lm_request){vfs, path, NULL}, error);
}

/* ---- The palette of a game ------------------------------------------------------------------- */

#define MAX_PALETTE ((size_t)1 << 20)

/* Where games have their palettes. */
static const char *const palettes[] = {
    "gfx/palette.lmp",  /* Quake and Hexen II */
    "pics/colormap.pcx" /* Quake II */
};

const lm_palette *lmi_palette_in(lm_vfs *vfs, const lm_files *files, lm_arena *arena) {
    lm_palette *palette = lmi_arena_alloc(arena, 1, sizeof *palette);
    bool read = false;
    for (size_t i = 0; palette && !read && i < sizeof palettes / sizeof *palettes; i++) {
        char actual[LM_PATH_SIZE];
        lm_buffer file = {.allocator = *lmi_vfs_memory(vfs)};
        lm_error error = {0};
        read = files->find(files->user, palettes[i], actual) == LM_FIND_FILE &&
               lmi_view_read(files, actual, MAX_PALETTE, &file, &error) &&
               lm_palette_read(file.data, file.size, palette, &error);
        lmi_ran_out(arena, &error);
        lm_buffer_free(&file);
    }
    return read ? palette : NULL;
}

const lm_palette *lmi_game_palette(lm_vfs *vfs, const lm_game *game, lm_arena *arena) {
    const lm_palette *palette = NULL;
    for (size_t i = 0; i < game->num_paths && !palette; i++) {
        lm_error error = {0};
        lm_source source;
        if (open_source(vfs, game->paths[i].path, game->paths[i].archive, &source, &error))
            palette = lmi_palette_in(vfs, source.files, arena);
        lmi_ran_out(arena, &error);
    }
    return palette;
}

/* ---- The game that a path belongs to --------------------------------------------------------- */

static bool is_part(const char *part, size_t length, const char *name) {
    return length == strlen(name) && lmi_begins_same(part, name, length);
}

/* Returns the start of the last models/, players/ or models/players/ in a path; SIZE_MAX: none.
 * Parts before a ".." do not count. */
static size_t find_models(const char *path) {
    size_t found = SIZE_MAX;
    bool below_models = false;
    const char *at = path;
    for (const char *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        size_t length = (size_t)(slash - at);
        bool is_models = is_part(at, length, "models");
        if (is_part(at, length, ".."))
            found = SIZE_MAX;
        else if (is_models || (is_part(at, length, "players") && !below_models))
            found = (size_t)(at - path);
        below_models = is_models;
    }
    return found;
}

static const char *folder_before(const char *path, size_t found, lm_arena *arena) {
    if (found == SIZE_MAX)
        return NULL;
    return found == 0 ? "." : lmi_arena_text(arena, path, found > 1 ? found - 1 : 1);
}

/* Returns the length of the part of a path before its last name, with the slash. */
static size_t folder_length(const char *path, size_t length) {
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

/* Returns the folder of the game that a script belongs to: the one with its archive, or above its
 * ufos/. The script's path has `length` bytes. */
static const char *game_of_script(lm_vfs *vfs, const char *path, size_t length, lm_arena *arena) {
    const size_t archive = lmi_vfs_archive_length(vfs, path);
    const size_t folder = folder_length(path, archive > 0 ? archive : length);
    if (archive > 0)
        return folder_before(path, folder, arena);
    return folder > 0 ? folder_before(path, folder_length(path, folder - 1), arena) : "..";
}

const char *lmi_game_of(lm_vfs *vfs, const char *path, const char **current_folder,
                        lm_arena *arena) {
    *current_folder = NULL;
    const size_t script = lmi_ufo_length(vfs, path);
    if (script > 0)
        return game_of_script(vfs, path, script, arena);
    if (strcmp(path, "-") == 0 || lmi_vfs_archive_length(vfs, path) > 0)
        return NULL;
    size_t found = find_models(path);
    if ((found != SIZE_MAX && found > 0) || lmi_path_is_absolute(path))
        return folder_before(path, found, arena);
    /* The relative path begins inside the game: below models/, or deeper. */
    char *real = lmi_os_real_path(".");
    lmi_arena_out_of_memory(arena, !real && errno == ENOMEM);
    const char *full = real ? lmi_join(arena, real, path) : NULL;
    size_t inside = full ? find_models(full) : SIZE_MAX;
    if (inside != SIZE_MAX && (found != 0 || inside != strlen(real) + 1))
        *current_folder = lmi_copy_text(arena, real);
    free(real);
    return *current_folder ? folder_before(full, inside, arena) : folder_before(path, found, arena);
}

bool lmi_vfs_path_in_game(lm_vfs *vfs, const char *path, lm_buffer *out) {
    lm_error error;
    const size_t length = lmi_vfs_archive_length(vfs, path);
    const lm_archive *archive = length > 0 ? lmi_vfs_archive(vfs, path, length, &error) : NULL;
    const lm_member *member = archive ? lm_archive_find(archive, path + length + 1) : NULL;
    const size_t found = length > 0 ? length + 1 : find_models(path);
    if (found != SIZE_MAX) {
        lm_buffer_text(out, member ? member->path : path + found);
        return !out->failed;
    }
    char *real = lmi_path_is_absolute(path) ? NULL : lmi_os_real_path(".");
    lm_buffer full = {0};
    lm_buffer_printf(&full, "%s/%s", real ? real : "", path);
    lm_buffer_append(&full, "", 1);
    const char *text = full.failed ? "" : (const char *)full.data;
    const size_t inside = real ? find_models(text) : SIZE_MAX;
    if (inside != SIZE_MAX)
        lm_buffer_text(out, text + inside);
    out->failed = out->failed || full.failed || (!real && errno == ENOMEM);
    lm_buffer_free(&full);
    free(real);
    return inside != SIZE_MAX && !out->failed;
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* Derives the game from the model's path if the options name no game. */
static void derive_game(lm_context *c, lm_settings *s) {
    lm_error error = {0};
    const char *path =
        s->num_games == 0 ? lmi_game_of(c->vfs, c->path, &s->current_folder, c->arena) : NULL;
    const lm_game *game = path ? lmi_game_open(c->vfs, path, &error) : NULL;
    lmi_ran_out(c->arena, &error);
    if (game) {
        s->games[s->num_games++] = game;
        s->derived_game = game->path;
    }
}

bool lmi_settings_open_games(lm_context *c, lm_settings *s) {
    size_t count = 0;
    lm_error error;
    derive_game(c, s);
    for (uint32_t i = 0; i < s->num_games; i++)
        count += s->games[i]->num_paths;
    s->sources = lmi_arena_alloc(c->arena, count, sizeof *s->sources);
    for (uint32_t i = 0; s->sources && i < s->num_games; i++)
        for (size_t k = 0; k < s->games[i]->num_paths; k++) {
            const struct lm_game_path *path = &s->games[i]->paths[k];
            if (open_source(c->vfs, path->path, path->archive, &s->sources[s->num_sources], &error))
                s->num_sources++;
            else if (!lmi_ran_out(c->arena, &error) && !s->no_textures &&
                     s->options->images != LM_IMAGES_NONE)
                lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_ERROR, error.code, c->path,
                                "cannot search for textures: %s", error.message);
        }
    return !lmi_arena_failed(c->arena);
}

/* ---- Sources ------------------------------------------------------------------------------- */

bool lmi_source_of(lm_vfs *vfs, const char *path, lm_arena *arena, lm_source *source,
                   const char **inside, lm_error *error) {
    const char *base = lmi_vfs_base_name(vfs, path);
    size_t length = lmi_vfs_archive_length(vfs, path), before = length ? length + 1 : 0;
    size_t end = (size_t)(base - path);
    while (length > 0 && end > before && path[end - 1] == '/')
        end--;
    const char *folder = length == 0 && end == 0 ? "."
                                                 : lmi_arena_text(arena, path + before,
                                                                  end > before ? end - before : 0);
    if (!folder)
        return lmi_fail_memory(error);
    const bool opened = open_source(vfs, length > 0 ? path : folder, length, source, error);
    source->folder = length > 0 ? folder : "";
    *inside = length > 0 ? path + before : base;
    return opened;
}

static bool find_file(const lm_source *source, const char *name, lm_arena *arena,
                      char actual[LM_PATH_SIZE]) {
    const lm_find found = lmi_find_in(source->files, source->folder, name, actual);
    lmi_arena_out_of_memory(arena, found == LM_FIND_OUT_OF_MEMORY);
    return found == LM_FIND_FILE;
}

char *lmi_source_path(const lm_source *source, const char *path, lm_arena *arena) {
    return source->archive ? lmi_arena_printf(arena, "%s:%s", source->files->name, path)
                           : lmi_join(arena, source->files->name, path);
}

const char *lmi_source_sibling(lm_vfs *vfs, const lm_source *source, const char *path,
                               const char *name, lm_arena *arena) {
    char found[LM_PATH_SIZE];
    if (!find_file(source, name, arena, found))
        return NULL;
    if (source->archive)
        return lmi_source_path(source, found, arena);
    return lmi_arena_printf(arena, "%.*s%s", (int)(lmi_vfs_base_name(vfs, path) - path), path,
                            found);
}

const lm_source *lmi_search_path_find(const lm_search_path *search, const char *name,
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
        if (lmi_begins_same(at, name, length) && at[length] == '/')
            found = at;
    }
    return found;
}

/* Returns the part of a path below a folder; NULL: the path is not below it. */
static const char *below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (strcmp(folder, ".") == 0 && path[0] != '.' && !lmi_path_is_absolute(path))
        return path;
    if (strncmp(path, folder, length) != 0)
        return NULL;
    if (length > 0 && folder[length - 1] == '/')
        return path + length;
    return path[length] == '/' ? path + length + 1 : NULL;
}

/* Does the same for the real paths of a file and a folder: tk.md3 below .. is foo/tk.md3 in foo/.
 */
static const char *really_below(const char *path, const char *folder, lm_arena *arena) {
    const size_t length = folder_length(path, strlen(path));
    const char *own = length > 0 ? lmi_arena_text(arena, path, length) : ".";
    char *real = own ? lmi_os_real_path(own) : NULL;
    char *above = real ? lmi_os_real_path(folder) : NULL;
    const char *full = above ? lmi_join(arena, real, path + length) : NULL;
    const char *found = full ? below(full, above) : NULL;
    lmi_arena_out_of_memory(arena, own && (!real || !above) && errno == ENOMEM);
    free(real);
    free(above);
    return found;
}

/* Returns the model's path inside its game: inside its archive, below the game's folder, or from
 * the usual models/ or players/ on. NULL: unknown. */
static const char *path_in_game(const lm_settings *s, const char *path, size_t archive,
                                lm_arena *arena) {
    const char *found = archive > 0 ? path + archive + 1 : NULL;
    for (uint32_t i = 0; !found && i < s->num_games; i++)
        found = below(path, s->games[i]->path);
    for (uint32_t i = 0; !found && i < s->num_games; i++)
        found = really_below(path, s->games[i]->path, arena);
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
    if (lmi_source_of(c->vfs, path, c->arena, &search->sources[search->count], &inside,
                      &search->problem))
        search->own = search->count++;
    else
        lmi_ran_out(c->arena, &search->problem);
}

/* Returns the folder above that of a file of the system; NULL: there is none. */
static const char *folder_above(const char *path, lm_arena *arena) {
    const size_t folder = folder_length(path, strlen(path));
    const size_t above = folder > 0 ? folder_length(path, folder - 1) : 0;
    const size_t length = folder - above;
    if (folder == 0)
        return "..";
    if (strncmp(path + above, "./", 2) == 0 || strncmp(path + above, "../", 3) == 0)
        return lmi_arena_printf(arena, "%.*s..", (int)folder, path);
    return length > 1 ? folder_before(path, above, arena) : NULL;
}

static void open_above(lm_context *c, const char *path, lm_search_path *search) {
    const char *above = folder_above(path, c->arena);
    lm_source *source = &search->sources[search->count];
    lm_error error;
    search->has_above = above && open_source(c->vfs, above, 0, source, &error);
    source->folder = "";
    if (above && !search->has_above)
        lmi_ran_out(c->arena, &error);
}

static void add_games(const lm_settings *s, const char *folder, lm_search_path *search) {
    for (uint32_t i = 0; i < s->num_sources; i++) {
        search->sources[search->count] = s->sources[i];
        search->sources[search->count++].folder = folder;
    }
}

bool lmi_search_path_open(lm_context *c, const lm_settings *s, const char *path,
                          lm_search_path *search) {
    *search = (lm_search_path){.own = LM_NO_SOURCE};
    search->sources =
        lmi_arena_alloc(c->arena, s->num_sources + (size_t)2, sizeof *search->sources);
    if (!search->sources)
        return false;
    if (strcmp(path, "-") == 0) {
        add_games(s, NULL, search);
        return true;
    }
    size_t archive = lmi_vfs_archive_length(c->vfs, path);
    bool is_relative = archive == 0 && !lmi_path_is_absolute(path);
    const char *full =
        s->current_folder && is_relative ? lmi_join(c->arena, s->current_folder, path) : path;
    if (!full)
        return false;
    const bool in_game = is_in_game(s, full, archive);
    if (!in_game)
        add_own(c, path, search);
    const char *inside = path_in_game(s, full, archive, c->arena);
    const char *slash = inside ? strrchr(inside, '/') : NULL;
    size_t length = slash ? (size_t)(slash - inside) : 0;
    add_games(s, inside ? lmi_arena_text(c->arena, inside, length) : NULL, search);
    if (in_game)
        add_own(c, path, search);
    if (archive == 0 && search->own != LM_NO_SOURCE)
        open_above(c, path, search);
    return !lmi_arena_failed(c->arena);
}
