/* Paths: the file names in them, and the folder of a mesh's images in its game. */
#include "compose/composing.h"

#include <stdio.h>

#define MAX_FOLDER 47u  /* bytes; the rest of the path is for the image's name */
#define MAX_GUESSED 20u /* bytes of a name that occurs twice in the path */

const char *lm_compose_stem(const char *path, const char *separators, size_t *length) {
    const char *name = path + strlen(path);
    while (name > path && !strchr(separators, name[-1]))
        name--;
    const char *dot = strrchr(name, '.');
    *length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

void lm_compose_clean(const char *name, size_t length, const char *allowed, bool wide, char *out,
                      size_t room) {
    for (; length > 0 && room > 1; name++, length--, room--) {
        const char small = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        const bool plain = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
                           strchr(allowed, small) || (wide && (unsigned char)small >= 0x80);
        *out++ = plain ? small : '_';
    }
    *out = '\0';
}

/* Returns the start of the last folder with this name in a file's path, or NULL. */
static const char *find_folder(const char *path, const char *name) {
    const size_t length = strlen(name);
    const char *found = NULL;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && at[length] == '/')
            found = at;
    }
    return found;
}

/* Returns a file's path from its last models/ or players/ on, or NULL. */
static const char *game_path(const char *path) {
    const char *found = strstr(path, "../") ? NULL : find_folder(path, "models");
    return found || strstr(path, "../") ? found : find_folder(path, "players");
}

void lm_compose_folder(lm_image_plan *plan, const char *path, const char *given) {
    const size_t size = sizeof plan->folder;
    if (given) {
        const size_t length = strlen(given);
        snprintf(plan->folder, size, "%s%s", given,
                 length > 0 && given[length - 1] != '/' ? "/" : "");
        return;
    }
    const char *found = game_path(path);
    const size_t room = found ? (size_t)(strrchr(path, '/') + 1 - found) : 0;
    if (room >= size || room > MAX_FOLDER)
        return;
    if (found)
        snprintf(plan->folder, size, "%.*s", (int)room, found);
    else if (strlen(plan->called) <= MAX_GUESSED)
        snprintf(plan->folder, size, "models/%s/", plan->called);
    else
        snprintf(plan->folder, size, "models/");
}
