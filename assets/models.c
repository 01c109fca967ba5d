/* The models, or files of any kind, in a folder, an archive, or matching a pattern; and the files
 * of a player, by the conventions of the games. */
#include "core/options.h"
#include "core/text.h"
#include "files/file.h"
#include "sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lmi_model_extensions[LM_NUM_MODEL_EXTENSIONS] = {".mdc", ".md3"};

static bool has_model_extension(const char *extension) {
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS; i++)
        if (lmi_same_text(extension, lmi_model_extensions[i]))
            return true;
    return false;
}

const char *lmi_vfs_game_model(lm_vfs *vfs, const char *path, lm_arena *arena) {
    const char *extension = lmi_vfs_extension(vfs, path), *inside, *found = NULL;
    const char *name = lmi_vfs_base_name(vfs, path);
    lm_source source;
    lm_error error;
    if (!has_model_extension(extension))
        return NULL;
    if (!lmi_source_of(vfs, path, arena, &source, &inside, &error)) {
        lmi_ran_out(arena, &error);
        return NULL;
    }
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && !found; i++) {
        const char *sibling = lmi_arena_printf(arena, "%.*s%s", (int)(extension - name), name,
                                               lmi_model_extensions[i]);
        found = sibling ? lmi_source_sibling(vfs, &source, path, sibling, arena) : NULL;
    }
    return found;
}

/* ---- Players: their files -------------------------------------------------------------------- */

/* Finds a file in a folder of an archive whose path has `length` bytes. */
static const char *find_member(lm_vfs *vfs, const char *folder, size_t length, const char *name,
                               lm_arena *arena) {
    lm_error error;
    lm_archive *archive = lmi_vfs_archive(vfs, folder, length, &error);
    lmi_arena_out_of_memory(arena, !archive && error.code == LM_CODE_OUT_OF_MEMORY);
    const char *inside = archive ? lmi_join(arena, folder + length + 1, name) : NULL;
    const lm_member *member = inside ? lm_archive_find(archive, inside) : NULL;
    return member && member->code == LM_CODE_OK
               ? lmi_arena_printf(arena, "%.*s:%s", (int)length, folder,
                                  lmi_member_address(archive, member))
               : NULL;
}

/* The contents of a folder, listed once for all files of a player. */
typedef struct listed_folder {
    lm_vfs *vfs;
    lm_arena *arena;
    const char *path;
    size_t archive; /* length of the archive's path; 0: none */
    lm_listing names;
} listed_folder;

/* Returns the path of a file of that name: the exact spelling, else the first in byte order. */
static const char *find_file(const listed_folder *f, const char *name) {
    const char *best = NULL;
    if (f->archive > 0)
        return find_member(f->vfs, f->path, f->archive, name, f->arena);
    for (size_t i = 0; i < f->names.count; i++) {
        const char *listed = f->names.names[i].name;
        if (lmi_same_text(listed, name) && (!best || strcmp(listed, name) == 0))
            best = listed;
    }
    return best ? lmi_join(f->arena, f->path, best) : NULL;
}

static const char *find_part(const listed_folder *f, const char *part) {
    const char *path = NULL;
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && !path; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%s", part, lmi_model_extensions[i]);
        path = lm_format_by_extension(name) ? find_file(f, name) : NULL;
    }
    return path;
}

void lmi_player_find(lm_vfs *vfs, const char *folder, lm_arena *arena, lm_player *player) {
    listed_folder f = {vfs, arena, folder, lmi_vfs_archive_length(vfs, folder), {0}};
    lm_error error;
    if (f.archive == 0 && !lmi_vfs_list_names(vfs, folder, arena, &f.names, &error))
        lmi_ran_out(arena, &error);
    *player = (lm_player){.body = find_part(&f, "lower")};
    if (player->body) {
        player->is_quake3 = true;
        player->upper = find_part(&f, "upper");
        player->head = find_part(&f, "head");
        return;
    }
    player->body = find_file(&f, "tris.md2");
    if (player->body)
        player->weapon = find_file(&f, "weapon.md2");
}

static size_t without_slashes(const char *path, size_t end) {
    while (end > 0 && path[end - 1] == '/')
        end--;
    return end;
}

/* Returns whether a folder's parent has that name. */
static bool is_in(const char *folder, const char *name) {
    size_t end = without_slashes(folder, strlen(folder));
    while (end > 0 && folder[end - 1] != '/')
        end--;
    end = without_slashes(folder, end);
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/' && folder[begin - 1] != ':')
        begin--;
    return end - begin == strlen(name) && lmi_begins_same(folder + begin, name, end - begin);
}

/* Quake II names nearly all its models tris.md2. */
bool lmi_player_is_complete(const lm_player *player, const char *folder) {
    return player->is_quake3 ? player->upper != NULL
                             : player->body && (player->weapon || is_in(folder, "players"));
}

/* Finds a player. Returns an arena to delete, which owns the paths; NULL if there is no memory. */
static lm_arena *find_player(lm_vfs *vfs, const char *folder, lm_player *player) {
    lm_arena *arena = lmi_arena_new(lmi_vfs_memory(vfs));
    *player = (lm_player){0};
    if (arena)
        lmi_player_find(vfs, folder, arena, player);
    return arena;
}

bool lm_vfs_find_player(lm_vfs *vfs, const char *folder, char *body, size_t size, lm_error *error) {
    if (!LM_GIVEN(error, vfs, folder))
        return false;
    lm_player player;
    lm_arena *arena = find_player(vfs, folder, &player);
    const bool failed = !arena || lmi_arena_failed(arena), found = player.body && !failed;
    if (player.body && body)
        snprintf(body, size, "%s", player.body);
    if (failed)
        lmi_fail_memory(error);
    else if (!found)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "this folder contains no player");
    lmi_arena_delete(arena);
    return found;
}

bool lmi_vfs_is_player_folder(lm_vfs *vfs, const char *folder) {
    lm_player player;
    lm_arena *arena = find_player(vfs, folder, &player);
    bool is = lmi_player_is_complete(&player, folder);
    lmi_arena_delete(arena);
    return is;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

typedef struct listing {
    lm_path_list list; /* first: the caller's view of this struct */
    lm_vfs *vfs;
    lm_arena *arena;
    bool all;     /* all files, not only models */
    bool scripts; /* compositions instead of models */
    lm_listed_path *paths;
    size_t capacity;
    uint32_t num_problems; /* which come first */
    size_t tree;           /* offset in each path of the part below the requested one */
} listing;

/* Adds a path from the arena, or NULL if there was no memory. */
static void add(listing *l, const char *path, const char *tree) {
    if (path && lmi_arena_grow(l->arena, &l->paths, &l->capacity, l->list.num_paths + (size_t)1,
                               sizeof *l->paths))
        l->paths[l->list.num_paths++] = (lm_listed_path){.path = path, .tree = tree};
}

/* Adds a path that cannot be listed, in front of the sound paths. */
static void add_problem(listing *l, const char *path, const lm_error *error) {
    lm_error *own = lmi_arena_alloc(l->arena, 1, sizeof *own);
    uint32_t last = l->list.num_paths;
    add(l, lmi_copy_text(l->arena, path), NULL);
    if (lmi_arena_failed(l->arena))
        return;
    *own = *error;
    lm_listed_path problem = l->paths[last];
    problem.problem = own;
    l->paths[last] = l->paths[l->num_problems];
    l->paths[l->num_problems++] = problem;
}

/* Adds a path that is left out with a warning. */
static void add_skipped(listing *l, const char *path, const lm_error *error) {
    add_problem(l, path, error);
    if (!lmi_arena_failed(l->arena))
        l->paths[l->num_problems - 1].skipped = true;
}

static void add_sentence(listing *l, const char *path, const char *sentence) {
    lm_error error;
    lm_fail_plain(&error, LM_CODE_IO, "%s", sentence);
    add_problem(l, path, &error);
}

/* Reports "this WHAT contains no models (.md2, ...)". */
static void add_empty(listing *l, const char *path, const char *what) {
    lm_buffer sentence = {.allocator = *lmi_vfs_memory(l->vfs)};
    lm_buffer_printf(&sentence, "this %s contains no %s", what, l->all ? "files" : "models");
    for (uint32_t i = 0; !l->all && lm_format_at(i); i++)
        lm_buffer_printf(&sentence, "%s.%s", i > 0 ? ", " : " (", lm_format_at(i)->extension);
    lm_buffer_append(&sentence, l->all ? "" : ")", l->all ? 1 : 2);
    if (!lmi_arena_out_of_memory(l->arena, sentence.failed))
        add_sentence(l, path, (const char *)sentence.data);
    lm_buffer_free(&sentence);
}

/* ---- Folders ------------------------------------------------------------------------------- */

/* Adds a file. A link that leads nowhere is skipped; what else is no file does not count. */
static void add_file(listing *l, const char *path) {
    const lm_path_kind kind = lmi_vfs_kind(l->vfs, path);
    lm_error error;
    if (kind == LM_PATH_FILE)
        add(l, path, path + l->tree);
    else if (kind == LM_PATH_NOTHING && lmi_os_is_link(path)) {
        lm_fail_plain(&error, LM_CODE_IO, "this link leads nowhere");
        add_skipped(l, path, &error);
    }
}

/* Does not follow links to folders, so there are no cycles. The length of a path bounds the
 * depth. */
// NOLINTNEXTLINE(misc-no-recursion)
static void walk(listing *l, const char *folder) {
    lm_error error;
    lm_listing names;
    if (!lmi_vfs_list_names(l->vfs, folder, l->arena, &names, &error)) {
        add_problem(l, folder, &error);
        return;
    }
    for (size_t i = 0; i < names.count && !lmi_arena_failed(l->arena); i++) {
        const char *name = names.names[i].name;
        const char *path = *name == '.' ? NULL : lmi_join(l->arena, folder, name);
        if (path && lmi_vfs_is_real_folder(l->vfs, path))
            walk(l, path);
        else if (path && (l->all || lm_format_by_extension(name)))
            add_file(l, path);
    }
}

/* Sorts all paths together: "a.md2" before "a/b.md2". */
static void add_folder(listing *l, const char *folder) {
    size_t length = strlen(folder);
    l->tree = length + (length > 0 && folder[length - 1] != '/');
    walk(l, folder);
    uint32_t sound = l->list.num_paths - l->num_problems;
    if (sound > 0)
        qsort(l->paths + l->num_problems, sound, sizeof *l->paths, lmi_compare_names);
    if (l->list.num_paths == 0)
        add_empty(l, folder, "folder");
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* Adds the compositions of a script; a slash may end its path. `tree`: the offset in their paths of
 * the part below the listed one. */
static void add_compositions(listing *l, const char *script, size_t tree) {
    const size_t length = lmi_ufo_length(l->vfs, script);
    lm_error error;
    const lm_ufo_script *all =
        length > 0 ? lmi_ufo_script_of(l->vfs, script, length, &error) : NULL;
    if (length > 0 && !all)
        add_problem(l, script, &error);
    for (size_t i = 0; all && i < all->num_entries && !lmi_arena_failed(l->arena); i++) {
        const char *path =
            lmi_arena_printf(l->arena, "%.*s/%s", (int)length, script, all->entries[i].name);
        add(l, path, path ? path + tree : NULL);
    }
}

/* ---- Archives ------------------------------------------------------------------------------ */

/* Returns whether a member is wanted: it is below a folder ("" is the root), or matches a
 * pattern. */
static bool is_wanted(const listing *l, const char *path, const char *folder, const char *pattern) {
    size_t length = strlen(folder);
    if (!l->all &&
        !(l->scripts ? lmi_ends_in(path, LM_UFO_EXTENSION) : lm_format_by_extension(path) != NULL))
        return false;
    if (pattern)
        return lmi_path_match(pattern, path);
    return length == 0 || (lmi_begins_same(path, folder, length) && path[length] == '/');
}

/* Adds the members below a folder or matching a pattern, those that are skipped first. Returns
 * whether there are any. */
static bool add_members(listing *l, const char *archive_path, const lm_archive *archive,
                        const char *folder, const char *pattern) {
    const uint32_t before = l->list.num_paths, count = archive->num_members;
    const size_t root = strlen(archive_path) + 1;
    const size_t below = root + strlen(folder) + (*folder != '\0');
    for (uint64_t i = 0; i < 2 * (uint64_t)count && !lmi_arena_failed(l->arena); i++) {
        const lm_member *member = archive->members[i % count];
        const bool skipped = member->code == LM_CODE_LIMIT || member->code == LM_CODE_BAD_ARCHIVE;
        if (skipped != (i < count) || !is_wanted(l, member->path, folder, pattern))
            continue;
        const char *address = lmi_member_address(archive, member);
        const size_t tree = address == member->path ? below : root; /* a name may begin elsewhere */
        const char *path = lmi_arena_printf(l->arena, "%s:%s", archive_path, address);
        lm_error error;
        if (skipped)
            lm_fail_plain(&error, member->code, "%s", member->problem);
        if (path && skipped)
            add_skipped(l, path, &error);
        else if (path && l->scripts)
            add_compositions(l, path, tree);
        else
            add(l, path, path ? path + tree : NULL);
    }
    return l->list.num_paths > before;
}

static void add_archive(listing *l, const char *path, size_t length) {
    lm_error error;
    lm_archive *archive = lmi_vfs_archive(l->vfs, path, length, &error);
    const char *inside = path[length] ? path + length + 1 : "";
    const char *pattern = lmi_path_is_pattern(inside) ? inside : NULL;
    const char *archive_path = lmi_arena_text(l->arena, path, length);
    size_t end = pattern ? 0 : strlen(inside);
    while (end > 0 && inside[end - 1] == '/')
        end--;
    const char *folder = lmi_arena_text(l->arena, inside, end);
    if (!archive_path || !folder)
        return;
    if (!archive)
        add_problem(l, archive_path, &error);
    else if (*inside && lm_archive_find(archive, inside))
        add(l, lmi_copy_text(l->arena, path), NULL);
    else if (add_members(l, archive_path, archive, folder, pattern) ||
             ((l->scripts = !l->all) && add_members(l, archive_path, archive, folder, pattern)))
        return;
    else if (pattern)
        add_sentence(l, path,
                     l->all ? "no file in the archive matches this pattern"
                            : "no model in the archive matches this pattern");
    else if (*inside)
        add_sentence(l, path,
                     l->all ? "the archive has no such file or folder"
                            : "the archive has no such file, and no such folder with models");
    else
        add_empty(l, path, "archive");
}

/* ---- Players ------------------------------------------------------------------------------- */

/* Returns whether a file has the name of a player's file, with or without `_1` or `_2`. */
static bool is_player_file(const char *name) {
    static const char *const parts[] = {"lower", "upper", "head", "tris", "weapon"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const size_t length = strlen(parts[i]);
        if (!lmi_begins_same(name, parts[i], length))
            continue;
        const char *end = name + length;
        return *end == '.' || (*end == '_' && (end[1] == '1' || end[1] == '2') && end[2] == '.');
    }
    return false;
}

/* Marks players' files. The files of a folder are consecutive, so each folder is read once. */
static void mark_players(listing *l) {
    const char *folder = NULL;
    lm_player player = {0};
    for (uint32_t i = l->num_problems; i < l->list.num_paths && !lmi_arena_failed(l->arena); i++) {
        lm_listed_path *listed = &l->paths[i];
        const char *name = lmi_vfs_base_name(l->vfs, listed->path);
        const size_t length = (size_t)(name - listed->path);
        if (length == 0 || !is_player_file(name))
            continue;
        if (!folder || strlen(folder) + 1 != length ||
            strncmp(folder, listed->path, length - 1) != 0) {
            folder = lmi_arena_text(l->arena, listed->path, length - 1);
            if (!folder)
                return;
            lmi_player_find(l->vfs, folder, l->arena, &player);
            if (!lmi_player_is_complete(&player, folder))
                player.body = NULL;
        }
        if (player.body && strcmp(player.body, listed->path) == 0)
            listed->player = folder;
        else
            listed->of_player = player.body != NULL;
    }
}

/* ---- Listing --------------------------------------------------------------------------------- */

lm_path_list *lm_vfs_list(lm_vfs *vfs, const char *path, lm_list_kind kind, lm_error *error) {
    if (!LM_GIVEN(error, vfs, path))
        return NULL;
    const bool all = kind == LM_LIST_FILES;
    listing *l = kind > LM_LIST_FILES ? NULL : lmi_object_new(lmi_vfs_memory(vfs), sizeof *l);
    if (kind > LM_LIST_FILES)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there are no lists of kind %u", (unsigned)kind);
    else if (!l)
        lmi_fail_memory(error);
    if (!l)
        return NULL;
    l->vfs = vfs;
    l->arena = lmi_arena_of(l);
    l->all = all;
    bool standard = strcmp(path, "-") == 0;
    size_t length = standard ? 0 : lmi_vfs_archive_length(vfs, path);
    const size_t script = standard || all ? 0 : lmi_ufo_length(vfs, path);
    if (script > 0) {
        /* Add the composition that a path names in a script, or all of them. `length`: of the
         * script's path. */
        if (path[script] && path[script + 1])
            add(l, lmi_copy_text(l->arena, path), NULL);
        else
            add_compositions(l, path, script + 1);
        if (l->list.num_paths == 0)
            add_sentence(l, path, "this script has neither a menu_model nor members of a team");
    } else if (length > 0)
        add_archive(l, path, length);
    else if (!standard && lmi_vfs_is_folder(vfs, path))
        add_folder(l, path);
    else if (!standard && lmi_vfs_is_archive(vfs, path))
        add_archive(l, path, strlen(path));
    else
        add(l, lmi_copy_text(l->arena, path), NULL);
    if (!all && !(length > 0 && lmi_path_is_pattern(path + length))) /* may not match a body */
        mark_players(l);
    l->list.paths = l->paths;
    l = lmi_object_end(l, true);
    if (!l)
        lmi_fail_memory(error);
    return l ? &l->list : NULL;
}

void lm_path_list_free(lm_path_list *list) {
    lmi_object_free(list);
}
