/* Players in folders: which files make one, by the conventions of the games. */
#include "disk.h"

#include "core/report.h"
#include "system.h"

#include <stdio.h>
#include <string.h>

/* In a folder of an archive, whose path has `length` bytes. */
static const char *find_member(lm_disk *disk, const char *folder, size_t length, const char *name,
                               lm_pool *pool) {
    lm_error error;
    lm_archive *archive = lm_disk_archive(disk, folder, length, &error);
    if (!archive)
        lm_pool_starved(pool, error.code);
    const char *inside = archive ? lm_join(pool, folder + length + 1, name) : NULL;
    const lm_member *member = inside ? lm_archive_find(archive, inside) : NULL;
    return member && member->code == LM_CODE_OK
               ? lm_pool_printf(pool, "%.*s:%s", (int)length, folder, member->path)
               : NULL;
}

/* What a folder holds: listed once for all the files of a player. */
typedef struct room {
    lm_disk *disk;
    lm_pool *pool;
    const char *folder;
    size_t archive; /* length of its path, 0: none */
    lm_name_list names;
} room;

/* The path of a file of that name, the exact spelling before others, these in byte order. */
static const char *find_file(const room *r, const char *name) {
    const char *best = NULL;
    if (r->archive > 0)
        return find_member(r->disk, r->folder, r->archive, name, r->pool);
    for (uint32_t i = 0; i < r->names.count; i++)
        if (lm_same_text(r->names.names[i], name) &&
            (!best || strcmp(r->names.names[i], name) == 0))
            best = r->names.names[i];
    return best ? lm_join(r->pool, r->folder, best) : NULL;
}

static const char *find_half(const room *r, const char *half) {
    static const char *const extensions[] = {"md3", "mdc"};
    const char *path = NULL;
    for (size_t i = 0; i < 2 && !path; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s.%s", half, extensions[i]);
        path = find_file(r, name);
    }
    return path;
}

void lm_player_find(lm_disk *disk, const char *folder, lm_pool *pool, lm_player *player) {
    room r = {disk, pool, folder, lm_disk_archive_length(disk, folder), {0}};
    if (r.archive == 0)
        lm_list_names(folder, pool, &r.names, NULL);
    *player = (lm_player){.body = find_half(&r, "lower")};
    if (player->body) {
        player->has_halves = true;
        player->upper = find_half(&r, "upper");
        player->head = find_half(&r, "head");
        return;
    }
    player->body = find_file(&r, "tris.md2");
    if (player->body)
        player->weapon = find_file(&r, "weapon.md2");
}

static size_t without_slashes(const char *path, size_t end) {
    while (end > 0 && path[end - 1] == '/')
        end--;
    return end;
}

/* Whether a folder lies in one of that name. */
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

/* Quake II calls nearly all its models tris.md2. */
bool lm_player_is_whole(const lm_player *player, const char *folder) {
    return player->has_halves ? player->upper != NULL
                              : player->body && (player->weapon || is_in(folder, "players"));
}

bool lm_disk_player(lm_disk *disk, const char *folder, char *body, size_t size, lm_error *error) {
    lm_pool pool;
    lm_player player;
    lm_pool_init(&pool, NULL);
    lm_player_find(disk, folder, &pool, &player);
    if (player.body && body)
        snprintf(body, size, "%s", player.body);
    if (pool.failed)
        lm_fail_memory(error);
    else if (!player.body)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no player in this folder");
    bool found = player.body && !pool.failed;
    lm_pool_free(&pool);
    return found;
}

bool lm_disk_is_players(lm_disk *disk, const char *folder) {
    lm_pool pool;
    lm_player player;
    lm_pool_init(&pool, NULL);
    lm_player_find(disk, folder, &pool, &player);
    bool is = lm_player_is_whole(&player, folder);
    lm_pool_free(&pool);
    return is;
}
