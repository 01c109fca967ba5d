#include "player.h"

#include "archives.h"
#include "text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool tool_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static char *join(const char *folder, const char *name) {
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
                 name);
    return path;
}

/* The same of a folder in an archive, whose path has `length` bytes. */
static char *find_member(const char *folder, size_t length, const char *name) {
    lm_error error;
    lm_archive *archive = tool_archive(folder, length, &error);
    char *inside = archive ? join(folder + length + 1, name) : NULL;
    const lm_member *member = inside ? lm_archive_find(archive, inside) : NULL;
    char *path = NULL;
    size_t size = member ? length + strlen(member->path) + 2 : 0;
    if (member && member->code == LM_CODE_OK)
        path = malloc(size);
    if (path)
        snprintf(path, size, "%.*s:%s", (int)length, folder, member->path);
    free(inside);
    return path;
}

/* The path of a file of that name, the exact spelling before others, these in byte order. */
static char *find_file(const char *folder, const char *name) {
    size_t length = tool_archive_length(folder);
    if (length > 0)
        return find_member(folder, length, name);
    DIR *entries = opendir(folder);
    char best[256] = "";
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!tool_same_text(entry->d_name, name) || strlen(entry->d_name) >= sizeof best)
            continue;
        bool better = best[0] == '\0' || strcmp(entry->d_name, name) == 0 ||
                      (strcmp(best, name) != 0 && strcmp(entry->d_name, best) < 0);
        if (better)
            snprintf(best, sizeof best, "%s", entry->d_name);
    }
    if (entries)
        closedir(entries);
    return best[0] ? join(folder, best) : NULL;
}

static char *find_part(const char *folder, const char *part) {
    static const char *const extensions[] = {"md3", "mdc"};
    char *path = NULL;
    for (size_t i = 0; i < 2 && !path; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s.%s", part, extensions[i]);
        path = find_file(folder, name);
    }
    return path;
}

void tool_player_find(const char *folder, tool_player *player) {
    *player = (tool_player){.body = find_part(folder, "lower")};
    if (player->body) {
        player->kind = TOOL_PLAYER_QUAKE3;
        player->upper = find_part(folder, "upper");
        player->head = find_part(folder, "head");
        return;
    }
    player->body = find_file(folder, "tris.md2");
    if (player->body) {
        player->kind = TOOL_PLAYER_QUAKE2;
        player->weapon = find_file(folder, "weapon.md2");
    }
}

bool tool_is_player(const char *path) {
    tool_player player;
    if (strcmp(path, "-") == 0)
        return false;
    if (tool_archive_length(path) == 0 || tool_file_exists(path))
        return tool_is_folder(path);
    tool_player_find(path, &player);
    bool is = player.kind != TOOL_PLAYER_NONE;
    tool_player_free(&player);
    return is;
}

void tool_player_free(tool_player *player) {
    free(player->body);
    free(player->upper);
    free(player->head);
    free(player->weapon);
}
