/* A mesh's images as a format has them, and their folder in the game. */
#include "compose/composing.h"

#include <stdio.h>

#define MOST_FOLDER 47u  /* bytes: the other bytes of a path are for the image's own name */
#define MOST_GUESSED 20u /* bytes of a name that stands in the path twice */

/* ---- Where in the game ---------------------------------------------------------------------- */

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

/* Where the last folder of that name begins in the path of a file; NULL: nowhere. */
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

/* The part of a file's path from its last models/ or players/ on; NULL: it has none. */
static const char *game_path(const char *path) {
    const char *found = strstr(path, "../") ? NULL : find_folder(path, "models");
    return found || strstr(path, "../") ? found : find_folder(path, "players");
}

/* The folder of the images in the game: the given one; from models/ or players/ on, where the path
 * has one; models/CALLED/, for a long name models/. "" if none fits. */
static void choose_folder(lm_image_plan *plan, const char *path, const char *given) {
    const size_t size = sizeof plan->folder;
    if (given) {
        const size_t length = strlen(given);
        snprintf(plan->folder, size, "%s%s", given,
                 length > 0 && given[length - 1] != '/' ? "/" : "");
        return;
    }
    const char *found = game_path(path);
    const size_t room = found ? (size_t)(strrchr(path, '/') + 1 - found) : 0;
    if (room >= size || room > MOST_FOLDER)
        return;
    if (found)
        snprintf(plan->folder, size, "%.*s", (int)room, found);
    else if (strlen(plan->called) <= MOST_GUESSED)
        snprintf(plan->folder, size, "models/%s/", plan->called);
    else
        snprintf(plan->folder, size, "models/");
}

/* ---- All of it ------------------------------------------------------------------------------ */

bool lm_compose_needs_pixels(const lm_format_info *format) {
    return (format->abilities & LM_ABILITY_SURFACES) == 0;
}

bool lm_compose_images(lm_composition *composition, const lm_format_info *format, const char *path,
                       const char *folder, lm_error *error) {
    lm_composing *c = composition->own;
    lm_image_plan plan = {.c = c, .format = format, .folder_given = folder != NULL};
    c->heap.call = (lm_call){.name = c->heap.call.name, .error = error};
    if (folder && strlen(folder) > LM_COMPOSE_MOST_FOLDER)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the folder %s has more than %u bytes",
                             folder, LM_COMPOSE_MOST_FOLDER);
    if (composition->num_skins > 0 && composition->skin >= composition->num_skins)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no skin %u: there are %u",
                             (unsigned)composition->skin, (unsigned)composition->num_skins);
    bool done = true;
    if (path) {
        size_t length;
        const char *stem = lm_compose_stem(path, "/", &length);
        lm_compose_clean(stem, length, "-_.", true, plan.called, sizeof plan.called);
        choose_folder(&plan, path, folder);
        done = lm_compose_files(&plan) &&
               (!lm_compose_needs_pixels(format) || lm_compose_atlas(&plan));
    }
    done = done && (!lm_has_ability(&plan, LM_ABILITY_EMBEDDED_SKINS) || lm_compose_embed(&plan));
    return (done && c->heap.call.status == LM_DONE) || lm_heap_diagnose(&c->heap);
}
