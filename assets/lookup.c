/* What each surface wears: which name counts, and where files of that name are looked for. */
#include "opening.h"

#include "system.h"

#include <string.h>

/* ---- Roots --------------------------------------------------------------------------------- */

static void add_root(lm_lookup *lookup, const lm_shelf *shelf) {
    uint32_t index = lookup->search.num_roots++;
    lookup->shelves[index] = *shelf;
    lookup->roots[index] = (lm_texture_root){shelf->files, shelf->folder};
}

/* The folder or the archive of the model. One that cannot be read is only noted: the others may
 * have the texture. */
static void add_own(lm_opening *o, lm_lookup *lookup) {
    lm_error error;
    lm_shelf shelf;
    if (strcmp(lookup->path, "-") == 0)
        return;
    if (lm_shelf_of_file(o->disk, lookup->path, &o->pool, &shelf, &error)) {
        lookup->own = lookup->search.num_roots;
        add_root(lookup, &shelf);
    } else if (!lm_pool_starved(&o->pool, error.code)) {
        lm_note(o, LM_SUBJECT_TEXTURE, LM_ERROR, error.code, o->path,
                "cannot look for textures there: %s", error.message);
    }
}

/* A NAME may be a picture's, as Quake II's players have them. */
static void find_named(lm_opening *o, lm_lookup *lookup) {
    lm_texture texture = {0};
    const lm_model *model = lookup->model;
    lookup->wears_named = lookup->settings->skin_name && !lookup->has_named_skin &&
                          model->num_surfaces > 0 &&
                          lm_lookup_is_whole(lookup, &model->surfaces[0]) &&
                          lm_texture_find(&lookup->search, lookup->settings->skin_name, &texture);
    o->pool.failed = o->pool.failed || texture.starved;
}

bool lm_lookup_open(lm_opening *o, uint32_t part) {
    const lm_settings *settings = &o->settings;
    lm_lookup *lookup = &o->states[part].lookup;
    size_t most = settings->num_shelves + (size_t)1;
    *lookup = (lm_lookup){.settings = settings,
                          .path = o->files[part].path,
                          .attached = part > 0,
                          .own = LM_NO_ROOT,
                          .model = o->files[part].model};
    lookup->shelves = lm_pool_get(&o->pool, most, sizeof *lookup->shelves);
    lookup->roots = lm_pool_get(&o->pool, most, sizeof *lookup->roots);
    lookup->search.roots = lookup->roots;
    if (o->pool.failed || !lm_places_open(o, lookup->path, &lookup->places))
        return false;
    if (strcmp(lookup->path, "-") != 0)
        lm_lookup_skin(o, lookup);
    /* What is in a game is looked for as the game does, and only then beside the model. */
    if (!lookup->places.in_game)
        add_own(o, lookup);
    for (uint32_t i = 0; i < settings->num_shelves; i++)
        add_root(lookup, &settings->shelves[i]);
    if (lookup->places.in_game)
        add_own(o, lookup);
    find_named(o, lookup);
    return !o->pool.failed;
}

void lm_lookup_close(lm_lookup *lookup) {
    lm_skin_free(lookup->skin);
    *lookup = (lm_lookup){0};
}

/* ---- Names --------------------------------------------------------------------------------- */

bool lm_lookup_is_whole(const lm_lookup *lookup, const lm_surface *surface) {
    return !lookup->attached && (lookup->model->num_skins > 0 || surface->num_materials == 0);
}

/* How many PICTUREs the options give, of which each is a skin; that of number `skin`, or NULL. */
static uint32_t given_skins(const lm_settings *settings, uint32_t skin, const char **picture) {
    uint32_t count = 0;
    *picture = NULL;
    for (uint32_t i = 0; i < settings->num_skins; i++)
        if (settings->skins[i].kind == LM_SKIN_PICTURE && count++ == skin)
            *picture = settings->skins[i].text;
    return count;
}

/* What the options give a surface: the last SURFACE=PICTURE, else, for the first part, the PICTURE
 * of that number. */
static const char *given_picture(const lm_lookup *lookup, const lm_surface *surface,
                                 uint32_t number) {
    const char *whole;
    for (uint32_t i = lookup->settings->num_skins; i > 0; i--) {
        const lm_skin_option *skin = &lookup->settings->skins[i - 1];
        if (skin->kind == LM_SKIN_OF_SURFACE && lm_same_text(surface->name, skin->surface))
            return skin->text;
    }
    given_skins(lookup->settings, number, &whole);
    return whole && lm_lookup_is_whole(lookup, surface) ? whole : NULL;
}

/* Of .skin files that were named the first that knows the surface. */
static const char *listed_path(const lm_lookup *lookup, const lm_surface *surface,
                               lm_texture_source *source) {
    const lm_settings *settings = lookup->settings;
    const char *path = NULL;
    *source = LM_TEXTURE_OF_OPTION;
    for (uint32_t i = 0; i < settings->num_skins && !path; i++)
        if (settings->skins[i].kind == LM_SKIN_LIST)
            path = lm_skin_path(settings->skins[i].list, surface->name);
    if (path || !lookup->skin)
        return path;
    *source = LM_TEXTURE_OF_SKIN_FILE;
    return lm_skin_path(lookup->skin, surface->name);
}

static const char *name_of_surface(const lm_surface *surface) {
    bool named = surface->num_materials > 0 && surface->materials[0].name[0];
    return named ? surface->materials[0].name : NULL;
}

static const char *name_of_skin(const lm_model *model, uint32_t skin) {
    return skin < model->num_skins && model->skins[skin][0] ? model->skins[skin] : NULL;
}

uint32_t lm_lookup_skins(const lm_lookup *lookup) {
    const lm_model *model = lookup->model;
    const char *picture;
    uint32_t given = given_skins(lookup->settings, 0, &picture);
    bool decided = model->num_surfaces == 0 || lookup->wears_named ||
                   given_picture(lookup, &model->surfaces[0], 0);
    if (given > 1 && model->num_surfaces > 0 && lm_lookup_is_whole(lookup, &model->surfaces[0]))
        return given;
    if (lookup->num_guesses > 0)
        return lookup->num_guesses;
    return model->num_skins > 1 && !decided ? model->num_skins : 1;
}

const char *lm_lookup_skin_name(const lm_lookup *lookup, uint32_t skin) {
    const lm_model *model = lookup->model;
    const char *picture;
    bool given = given_skins(lookup->settings, skin, &picture) > 1 && picture;
    if (given || lookup->num_guesses > 0) {
        const char *path = given ? picture : lookup->guesses[skin], *slash = strrchr(path, '/');
        return slash ? slash + 1 : path;
    }
    return skin < model->num_skins && model->skins[skin][0] ? model->skins[skin] : NULL;
}

lm_texture_name lm_lookup_name(lm_disk *disk, const lm_lookup *lookup, uint32_t surface,
                               uint32_t skin) {
    const lm_surface *s = &lookup->model->surfaces[surface];
    lm_texture_name name = {.text = given_picture(lookup, s, skin), .source = LM_TEXTURE_OF_OPTION};
    name.given = name.text != NULL;
    if (!name.text)
        name.text = listed_path(lookup, s, &name.source);
    name.shaded = name.text && !name.given;
    if (!name.text && lookup->wears_named && lm_lookup_is_whole(lookup, s)) {
        name.text = lookup->settings->skin_name;
        name.source = LM_TEXTURE_OF_OPTION;
    }
    if (!name.text && lookup->num_guesses > 0) {
        name.text = lookup->guesses[skin];
        name.source = LM_TEXTURE_GUESSED;
    }
    if (!name.text) {
        name.text = name_of_surface(s);
        name.shaded = name.text != NULL;
        name.text = name.text ? name.text : name_of_skin(lookup->model, skin);
        name.source = lookup->model->embedded_skins ? LM_TEXTURE_EMBEDDED : LM_TEXTURE_OF_MODEL;
    }
    name.length = name.text ? strlen(name.text) : 0;
    if (!name.text && strcmp(lookup->path, "-") != 0) {
        name.text = lm_disk_stem(disk, lookup->path, &name.length);
        name.source = LM_TEXTURE_OF_FILE_NAME;
    }
    if (name.length == 0 || name.length >= LM_PATH_SIZE)
        return (lm_texture_name){0};
    return name;
}
