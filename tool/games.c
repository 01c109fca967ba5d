/* The folders and archives of --game. */
#include "archives.h"
#include "player.h"
#include "text.h"
#include "textures.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_game(tool_texture_settings *settings, const char *path) {
    size_t count = settings->num_games;
    char **grown = realloc((void *)settings->games, (count + 1) * sizeof(char *));
    if (!grown)
        return false;
    settings->games = grown;
    grown[count] = strdup(path);
    settings->num_games += grown[count] != NULL;
    return grown[count];
}

/* By extension, as the engines do. */
static int is_archive_name(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (tool_same_text(dot, ".pak") || tool_same_text(dot, ".pk3"));
}

static int later_first(const struct dirent **a, const struct dirent **b) {
    return strcmp((*b)->d_name, (*a)->d_name);
}

static bool add_archive(tool_texture_settings *settings, const char *folder, const char *name) {
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return false;
    snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
             name);
    bool added = !lm_archive_is(path) || add_game(settings, path);
    free(path);
    return added;
}

/* A folder that cannot be listed has none; opening it says why. */
static bool add_archives_in(tool_texture_settings *settings, const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_archive_name, later_first);
    bool ok = true;
    for (int i = 0; i < count; i++) {
        ok = ok && add_archive(settings, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free((void *)entries);
    return ok;
}

bool tool_games_read(const tool_args *args, tool_texture_settings *settings) {
    for (size_t i = 0; i < args->num_given; i++) {
        const char *path = args->given[i].value;
        if (args->given[i].option != TOOL_GAME)
            continue;
        bool folder = tool_is_folder(path);
        if (!folder && !lm_archive_is(path))
            return tool_usage(args, "--game %s: there is no such folder or archive", path);
        if (!add_game(settings, path) || (folder && !add_archives_in(settings, path)))
            return tool_usage(args, "there is not enough memory");
    }
    return true;
}

void tool_games_free(tool_texture_settings *settings) {
    for (size_t i = 0; i < settings->num_games; i++)
        free(settings->games[i]);
    free((void *)settings->games);
}
