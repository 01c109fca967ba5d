/* Finds the files of a player by the conventions of the games. */
#include "sources.h"

#include <stdio.h>
#include <string.h>

/* Finds a file in a folder of an archive whose path has `length` bytes. */
static const char *find_member(lm_vfs *vfs, const char *folder, size_t length, const char *name,
                               lm_arena *arena) {
    lm_error error;
    lm_archive *archive = lm_vfs_archive(vfs, folder, length, &error);
    lm_arena_out_of_memory(arena, !archive && error.code == LM_CODE_OUT_OF_MEMORY);
    const char *inside = archive ? lm_join(arena, folder + length + 1, name) : NULL;
    const lm_member *member = inside ? lm_archive_find(archive, inside) : NULL;
    return member && member->code == LM_CODE_OK
               ? lm_arena_printf(arena, "%.*s:%s", (int)length, folder, member->path)
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
        if (lm_same_text(listed, name) && (!best || strcmp(listed, name) == 0))
            best = listed;
    }
    return best ? lm_join(f->arena, f->path, best) : NULL;
}

static const char *find_part(const listed_folder *f, const char *part) {
    static const char *const extensions[] = {"md3", "mdc"};
    const char *path = NULL;
    for (size_t i = 0; i < 2 && !path; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s.%s", part, extensions[i]);
        path = find_file(f, name);
    }
    return path;
}

void lm_player_find(lm_vfs *vfs, const char *folder, lm_arena *arena, lm_player *player) {
    listed_folder f = {vfs, arena, folder, lm_vfs_archive_length(vfs, folder), {0}};
    lm_error error;
    if (f.archive == 0 && !lm_vfs_list(vfs, folder, arena, &f.names, &error))
        lm_ran_out(arena, &error);
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
    return end - begin == strlen(name) && lm_begins_same(folder + begin, name, end - begin);
}

/* Quake II names nearly all its models tris.md2. */
bool lm_player_is_complete(const lm_player *player, const char *folder) {
    return player->is_quake3 ? player->upper != NULL
                             : player->body && (player->weapon || is_in(folder, "players"));
}

/* Finds a player. Returns an arena to delete, which owns the paths; NULL if there is no memory. */
static lm_arena *find_player(lm_vfs *vfs, const char *folder, lm_player *player) {
    lm_arena *arena = lm_arena_new(lm_vfs_memory(vfs));
    *player = (lm_player){0};
    if (arena)
        lm_player_find(vfs, folder, arena, player);
    return arena;
}

bool lm_vfs_player(lm_vfs *vfs, const char *folder, char *body, size_t size, lm_error *error) {
    lm_player player;
    lm_arena *arena = find_player(vfs, folder, &player);
    const bool failed = !arena || lm_arena_failed(arena), found = player.body && !failed;
    if (player.body && body)
        snprintf(body, size, "%s", player.body);
    if (failed)
        lm_fail_memory(error);
    else if (!found)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "this folder contains no player");
    lm_arena_delete(arena);
    return found;
}

bool lm_vfs_is_player_folder(lm_vfs *vfs, const char *folder) {
    lm_player player;
    lm_arena *arena = find_player(vfs, folder, &player);
    bool is = lm_player_is_complete(&player, folder);
    lm_arena_delete(arena);
    return is;
}
