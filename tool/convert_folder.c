/* Where in the game the pictures lie that are written beside a model: what it names them by. */
#include "convert.h"

#include <stdio.h>
#include <string.h>

#define MOST_FOLDER 47u  /* bytes: of a path's 63 the others are for the picture's own name */
#define MOST_GUESSED 20u /* bytes of a name that stands in the path twice */

bool convert_folder_read(const tool_args *args, convert_settings *settings) {
    const char *folder = settings->skin_path = tool_value(args, TOOL_SKIN_PATH);
    if (!folder)
        return true;
    if (convert_embeds(settings))
        return tool_usage(args,
                          "--skin-path has no meaning for %s files, which have their skins in "
                          "themselves",
                          settings->extension + 1);
    if (settings->output.kind == TOOL_TO_STDOUT)
        return tool_usage(args, "--skin-path is of pictures beside the model, which goes to "
                                "standard output");
    if (*folder == '/' || strpbrk(folder, "\\:\"") || strstr(folder, ".."))
        return tool_usage(args,
                          "--skin-path is a folder of the game, such as models/robot, not "
                          "\"%s\"",
                          folder);
    return strlen(folder) <= MOST_FOLDER - 1 ||
           tool_usage(args,
                      "--skin-path has %zu bytes, but models have room for %u and a name: "
                      "shorten it",
                      strlen(folder), MOST_FOLDER - 1);
}

void convert_folder_call(const char *stem, char called[CONVERT_MOST_CALLED]) {
    size_t length = 0;
    for (; *stem && length + 1 < CONVERT_MOST_CALLED; stem++) {
        const char small = *stem >= 'A' && *stem <= 'Z' ? (char)(*stem - 'A' + 'a') : *stem;
        const bool plain = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
                           strchr("-_.", small) || (unsigned char)small >= 0x80;
        called[length++] = plain ? small : '_';
    }
    called[length] = '\0';
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

void convert_folder_make(const convert_settings *settings, const char *path, const char *called,
                         char *folder, size_t size) {
    const char *given = settings->skin_path;
    if (given) {
        const size_t length = strlen(given);
        snprintf(folder, size, "%s%s", given, length > 0 && given[length - 1] != '/' ? "/" : "");
        return;
    }
    const char *found = game_path(path);
    const size_t room = found ? (size_t)(strrchr(path, '/') + 1 - found) : 0;
    if (room >= size || room > MOST_FOLDER)
        *folder = '\0';
    else if (found)
        snprintf(folder, size, "%.*s", (int)room, found);
    else if (strlen(called) <= MOST_GUESSED)
        snprintf(folder, size, "models/%s/", called);
    else
        snprintf(folder, size, "models/");
}

void convert_folder_tell(tool_job *job, const convert_settings *settings, const char *path,
                         uint32_t count) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *are = count > 1 ? "s are" : " is", *more = count > 1 ? ", ..." : "";
    if (settings->quiet)
        return;
    if (slash)
        tool_say(job, "its picture%s beside it: %s%s; the game looks for %s%s%s", are, file, more,
                 path, more, settings->skin_path ? "" : " (--skin-path)");
    else
        tool_say(job, "its picture%s beside it: %s%s", are, file, more);
}
