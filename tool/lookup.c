#include "textures.h"

#include "player.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_SKIN_FILE (1u << 20)
#define MAX_PALETTE_FILE (16u << 20) /* a picture may bring it */

/* ---- Options ----------------------------------------------------------------------------------
 */

static bool ends_with_skin(const char *path) {
    return tool_same_text(tool_extension(path), ".skin");
}

static bool is_file_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

/* SURFACE=FILE, unless a file is really called that. */
static const char *equals_in(const char *value) {
    return is_file_there(value) ? NULL : strchr(value, '=');
}

/* A word that is neither a file nor looks like one: the name of a player's skin. */
static bool is_skin_name(const char *value) {
    return !strpbrk(value, "./=") && !tool_is_folder(value) && !is_file_there(value);
}

static bool read_skin_file(const tool_args *args, const char *path,
                           tool_texture_settings *settings) {
    lm_error error;
    lm_file file;
    if (!lm_file_read(path, MAX_SKIN_FILE, &file, &error))
        return tool_usage(args, "--skin %s: %s", path, error.message);
    lm_skin_file *skin = lm_skin_read(file.data, file.size, NULL, &error);
    lm_file_close(&file);
    if (!skin)
        return tool_usage(args, "--skin %s: %s", path, error.message);
    settings->skins[settings->num_skins++] = skin;
    return true;
}

static bool read_skins(const tool_args *args, tool_texture_settings *settings) {
    settings->skins = (lm_skin_file **)calloc(args->num_given + 1, sizeof(void *));
    if (!settings->skins)
        return tool_usage(args, "there is not enough memory");
    for (size_t i = 0; i < args->num_given; i++) {
        const char *value = args->given[i].value;
        if (args->given[i].option != TOOL_SKIN)
            continue;
        const char *equals = equals_in(value);
        if (*value == '\0' || equals == value || (equals && equals[1] == '\0'))
            return tool_usage(args, "--skin wants FILE, SURFACE=FILE or NAME.skin, not \"%s\"",
                              value);
        if (is_skin_name(value))
            settings->skin_name = value;
        if (!equals && ends_with_skin(value) && !read_skin_file(args, value, settings))
            return false;
    }
    return true;
}

static bool read_palette(const tool_args *args, tool_texture_settings *settings) {
    const char *path = tool_value(args, TOOL_PALETTE);
    lm_error error;
    lm_file file;
    if (!path)
        return true;
    if (!lm_file_read(path, MAX_PALETTE_FILE, &file, &error))
        return tool_usage(args, "--palette %s: %s", path, error.message);
    settings->has_palette = lm_palette_read(file.data, file.size, &settings->palette, &error);
    lm_file_close(&file);
    return settings->has_palette || tool_usage(args, "--palette %s: %s", path, error.message);
}

bool tool_texture_settings_read(const tool_args *args, tool_texture_settings *settings) {
    *settings = (tool_texture_settings){.args = args};
    settings->transparent_255 = tool_has(args, TOOL_TRANSPARENT_255);
    return tool_games_read(args, settings) && read_palette(args, settings) &&
           read_skins(args, settings);
}

void tool_texture_settings_free(tool_texture_settings *settings) {
    for (size_t i = 0; i < settings->num_skins; i++)
        lm_skin_free(settings->skins[i]);
    free((void *)settings->skins);
    tool_games_free(settings);
}

/* ---- Places -----------------------------------------------------------------------------------
 */

/* Adds a folder or an archive of --game, or, for `path` NULL, that of the model. One that cannot be
 * read is a remark: the others may have the texture. */
static void add_place(tool_job *job, tool_lookup *lookup, const char *path) {
    lm_error error;
    uint32_t index = lookup->search.num_places;
    tool_place *place = &lookup->opened[index];
    bool opened = path ? tool_files_for_game(path, place, &error)
                       : tool_files_for_input(lookup->path, place, &error);
    if (!opened) {
        tool_say(job, "no textures from there: %s", error.message);
        return;
    }
    lookup->search.num_places++;
    lookup->places[index] = (lm_texture_place){place->files, place->folder};
}

/* MODEL_NAME.skin beside the model; returns whether it is there. */
static bool read_named_skin(tool_lookup *lookup, const char *skin_name) {
    size_t length;
    const char *stem = tool_stem(lookup->path, &length);
    char name[LM_PATH_SIZE], actual[LM_PATH_SIZE];
    const lm_texture_place *place = &lookup->places[0];
    if (!skin_name || lookup->search.num_places == 0 || !place->folder || length > 200 ||
        strlen(skin_name) > 200)
        return false;
    int written = snprintf(name, sizeof name, "%s%s%.*s_%s.skin", place->folder,
                           *place->folder ? "/" : "", (int)length, stem, skin_name);
    if (written < 0 || (size_t)written >= sizeof name)
        return false;
    const lm_files *files = place->files;
    lm_buffer bytes = {0};
    if (files && files->find(files->user, name, actual) == LM_FIND_FILE &&
        files->read(files->user, actual, MAX_SKIN_FILE, &bytes, NULL))
        lookup->skin = lm_skin_read(bytes.data, bytes.size, NULL, NULL);
    lm_buffer_free(&bytes);
    return lookup->skin;
}

bool tool_lookup_open(tool_job *job, const tool_texture_settings *settings, const char *path,
                      const tool_input *input, tool_lookup *lookup) {
    const size_t most = settings->num_games + 1;
    *lookup = (tool_lookup){.settings = settings, .path = path, .input = input};
    lookup->opened = calloc(most, sizeof *lookup->opened);
    lookup->places = calloc(most, sizeof *lookup->places);
    bool ok = lookup->opened && lookup->places;
    lookup->search.places = lookup->places;
    if (ok && strcmp(path, "-") != 0) {
        add_place(job, lookup, NULL);
        lookup->has_named_skin = read_named_skin(lookup, settings->skin_name);
        if (!lookup->has_named_skin)
            read_named_skin(lookup, "default");
    }
    for (size_t i = 0; ok && i < settings->num_games; i++)
        add_place(job, lookup, settings->games[i]);
    if (!ok) {
        tool_fail(job, "there is not enough memory");
        tool_lookup_close(lookup);
    }
    return ok;
}

void tool_lookup_close(tool_lookup *lookup) {
    for (uint32_t i = 0; lookup->opened && i < lookup->search.num_places; i++)
        tool_place_close(&lookup->opened[i]);
    lm_skin_free(lookup->skin);
    free(lookup->opened);
    free(lookup->places);
}

/* ---- Names ------------------------------------------------------------------------------------
 */

static bool is_surface(const char *name, const char *text, size_t length) {
    char word[80];
    if (strlen(name) != length || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return tool_same_text(name, word);
}

/* What --skin gives a surface: the last SURFACE=FILE, else, for the first model's, the last FILE.
 */
static const char *given_file(const tool_lookup *lookup, const lm_surface *surface) {
    const tool_args *args = lookup->settings->args;
    const char *whole = NULL;
    for (size_t i = args->num_given; i > 0; i--) {
        const char *value = args->given[i - 1].value;
        if (args->given[i - 1].option != TOOL_SKIN)
            continue;
        const char *equals = equals_in(value);
        if (equals && is_surface(surface->name, value, (size_t)(equals - value)))
            return equals + 1;
        if (!equals && !ends_with_skin(value) && !whole && !is_skin_name(value))
            whole = value;
    }
    bool is_meant = lookup->input->model->num_skins > 0 || surface->num_materials == 0;
    return is_meant && !lookup->attached ? whole : NULL;
}

static const char *skin_file_path(const tool_lookup *lookup, const lm_surface *surface,
                                  const char **source) {
    const tool_texture_settings *settings = lookup->settings;
    *source = "--skin";
    for (size_t i = 0; i < settings->num_skins; i++) {
        const char *path = lm_skin_path(settings->skins[i], surface->name);
        if (path)
            return path;
    }
    *source = "the .skin file beside the model";
    return lookup->skin ? lm_skin_path(lookup->skin, surface->name) : NULL;
}

static const char *name_in_model(const tool_lookup *lookup, const lm_surface *surface,
                                 uint32_t skin, const char **source) {
    const lm_model *model = lookup->input->model;
    *source = "the model";
    if (surface->num_materials > 0 && surface->materials[0].name[0])
        return surface->materials[0].name;
    if (skin < model->num_skins && model->skins[skin][0])
        return model->skins[skin];
    *source = "the model's file name";
    return NULL;
}

uint32_t tool_lookup_skins(const tool_lookup *lookup) {
    const lm_model *model = lookup->input->model;
    bool decided = model->num_surfaces == 0 || given_file(lookup, &model->surfaces[0]);
    return model->num_skins > 1 && !decided ? model->num_skins : 1;
}

void tool_lookup_find(const tool_lookup *lookup, uint32_t surface, uint32_t skin,
                      tool_texture *out) {
    const lm_surface *s = &lookup->input->model->surfaces[surface];
    const char *name = given_file(lookup, s);
    size_t length = 0;
    *out = (tool_texture){.source = "--skin", .given = name};
    if (!name)
        name = skin_file_path(lookup, s, &out->source);
    if (!name)
        name = name_in_model(lookup, s, skin, &out->source);
    if (!name && strcmp(lookup->path, "-") != 0)
        name = tool_stem(lookup->path, &length);
    length = length ? length : name ? strlen(name) : 0;
    if (length >= sizeof out->name)
        return;
    if (name)
        memcpy(out->name, name, length);
    if (length > 0 && !out->given)
        lm_texture_find(&lookup->search, out->name, &out->result);
}
