/* Quake II keeps a player's skins beside its model, whatever the model's file says: which of the
 * pictures there the model may have been made for. */
#include "opening.h"

#include "system.h"

#include <string.h>

#define MAX_GUESSES 64

typedef struct fitting {
    const lm_model *model;
    const char *stem, *folder; /* the names of the model's file and of its folder */
    size_t stem_length, folder_length;
    bool is_weapon, icons_only;
} fitting;

static bool is_called(const lm_hung *picture, const char *name, size_t length) {
    return picture->stem == length && lm_begins_same(picture->name, name, length);
}

/* As players' weapons are called. */
static bool names_weapon(const char *name, size_t length) {
    return (length == 6 && lm_begins_same(name, "weapon", 6)) ||
           (length > 2 && lm_begins_same(name, "w_", 2));
}

/* As Quake II calls those of its teams: ctf_r, ctf_b. */
static bool is_teams(const lm_hung *picture) {
    return picture->stem > 4 && lm_begins_same(picture->name, "ctf_", 4);
}

/* Weapons take what is called like them, or weapon; players nothing of theirs, and nobody what is
 * called like another model. */
static bool fits(const fitting *f, const lm_hung *picture) {
    const bool is_own = is_called(picture, f->stem, f->stem_length);
    if (picture->has_model && !is_own && !(f->is_weapon && is_called(picture, "weapon", 6)))
        return false;
    if (picture->width != f->model->skin_width || picture->height != f->model->skin_height ||
        picture->is_icon || picture->is_double || (f->icons_only && !picture->has_icon))
        return false;
    return f->is_weapon ? is_own || is_called(picture, "weapon", 6)
                        : !names_weapon(picture->name, picture->stem);
}

/* Smaller is better. */
static unsigned distance(const fitting *f, const lm_hung *picture) {
    return is_called(picture, f->stem, f->stem_length)       ? 0
           : is_called(picture, f->folder, f->folder_length) ? 1
           : !is_teams(picture)                              ? 2
                                                             : 3;
}

static void name_model(const lm_opening *o, const char *path, fitting *f) {
    f->stem = lm_disk_stem(o->disk, path, &f->stem_length);
    const char *end = lm_disk_base_name(o->disk, path);
    end -= end > path;
    f->folder = end;
    while (f->folder > path && f->folder[-1] != '/' && f->folder[-1] != ':')
        f->folder--;
    f->folder_length = (size_t)(end - f->folder);
    f->is_weapon = names_weapon(f->stem, f->stem_length);
}

static void add(lm_opening *o, lm_lookup *lookup, const lm_hung *picture) {
    const char *folder = lookup->shelves[lookup->own].folder;
    const char *path = *folder ? lm_pool_printf(&o->pool, "%s/%s", folder, picture->name)
                               : lm_pool_text(&o->pool, picture->name, strlen(picture->name));
    if (path && lookup->num_guesses < MAX_GUESSES)
        lookup->guesses[lookup->num_guesses++] = path;
}

static void add_all(lm_opening *o, lm_lookup *lookup, fitting *f, const lm_gallery *gallery) {
    const lm_hung *best = NULL;
    for (uint32_t i = 0; i < gallery->num_pictures; i++)
        f->icons_only = f->icons_only || (!f->is_weapon && gallery->pictures[i].has_icon &&
                                          fits(f, &gallery->pictures[i]));
    for (uint32_t i = 0; i < gallery->num_pictures; i++) {
        const lm_hung *picture = &gallery->pictures[i];
        if (fits(f, picture) && (!best || distance(f, picture) < distance(f, best)))
            best = picture;
    }
    if (best)
        add(o, lookup, best);
    for (uint32_t i = 0; best && i < gallery->num_pictures && !f->is_weapon; i++)
        if (&gallery->pictures[i] != best && fits(f, &gallery->pictures[i]))
            add(o, lookup, &gallery->pictures[i]);
}

bool lm_lookup_guess(lm_opening *o, lm_lookup *lookup) {
    const lm_model *model = lookup->model;
    bool as_a_whole = model->num_surfaces > 0 && model->surfaces[0].num_materials == 0;
    if (model->skin_width == 0 || model->skin_height == 0 || model->embedded_skins || !as_a_whole ||
        lookup->own == LM_NO_ROOT)
        return false;
    const lm_gallery *gallery = lm_disk_gallery(o->disk, &lookup->shelves[lookup->own]);
    fitting f = {.model = model};
    o->pool.failed = o->pool.failed || !gallery;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is wanted
    lookup->guesses = lm_pool_get(&o->pool, MAX_GUESSES, sizeof *lookup->guesses);
    if (!lookup->guesses || !gallery)
        return false;
    name_model(o, lookup->path, &f);
    add_all(o, lookup, &f, gallery);
    return lookup->num_guesses > 0;
}
