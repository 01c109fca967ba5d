/* Guesses a model's textures: Quake II searches a player's folder for skins, whatever the model's
 * file lists. Finds the images there that fit the model. */
#include "folder_images.h"
#include "texture.h"
#include "texture_names.h"

#define MAX_GUESSES 64

typedef struct fitting {
    const lm_model *model;
    const char *stem, *folder; /* the names of the model's file and its folder */
    size_t stem_length, folder_length;
    bool is_weapon, is_player, icons_only;
    bool is_only_choice; /* one image fits, and there is no other model */
} fitting;

static bool is_called(const lm_folder_image *image, const char *name, size_t length) {
    return image->stem == length && lm_begins_same(image->name, name, length);
}

/* Returns whether a name is one of players' weapons. */
static bool names_weapon(const char *name, size_t length) {
    return (length == 6 && lm_begins_same(name, "weapon", 6)) ||
           (length > 2 && lm_begins_same(name, "w_", 2));
}

/* Returns whether an image can be the model's skin: it has the right size. Weapons use images with
 * their own name or named weapon. Players use no weapon's image. No model uses an image with
 * another model's name, or another image's map. */
static bool fits(const fitting *f, const lm_folder_image *image) {
    const bool is_own = is_called(image, f->stem, f->stem_length);
    if (image->has_model && !is_own && !(f->is_weapon && is_called(image, "weapon", 6)))
        return false;
    if (image->width != f->model->skin_width || image->height != f->model->skin_height ||
        image->is_icon || image->is_map || image->is_duplicate ||
        (f->icons_only && !image->has_icon))
        return false;
    return f->is_weapon ? is_own || is_called(image, "weapon", 6)
                        : !names_weapon(image->name, image->stem);
}

/* Returns what else than its size shows that an image which fits is the model's; NULL: nothing. */
static const char *evidence(const fitting *f, const lm_folder_image *image) {
    return is_called(image, f->stem, f->stem_length)       ? "has the model's name"
           : is_called(image, f->folder, f->folder_length) ? "has the folder's name"
           : f->is_weapon                                  ? "has the name of weapons' skins"
           : image->has_icon                               ? "has an icon"
           : f->is_player                                  ? "is in a player's folder"
           : f->is_only_choice ? "is the only choice of the folder's only model"
                               : NULL;
}

static bool is_skin(const fitting *f, const lm_folder_image *image) {
    return fits(f, image) && evidence(f, image);
}

/* Ranks an image, smaller is better: the model's name, its folder's name, any other, a team's
 * (Quake II's ctf_r, ctf_b). */
static unsigned distance(const fitting *f, const lm_folder_image *image) {
    const bool is_teams = image->stem > 4 && lm_begins_same(image->name, "ctf_", 4);
    return is_called(image, f->stem, f->stem_length)       ? 0
           : is_called(image, f->folder, f->folder_length) ? 1
           : !is_teams                                     ? 2
                                                           : 3;
}

static void add(lm_context *c, lm_texture_names *n, const lm_folder_image *image) {
    const char *folder = n->search->sources[n->search->own].folder;
    const char *path = lm_arena_printf(c->arena, "%s%s%s", folder, *folder ? "/" : "", image->name);
    if (path && n->num_guesses < MAX_GUESSES)
        n->guesses[n->num_guesses++] = path;
}

/* Compares the images with each other, for `fits` and `evidence`. */
static void compare_images(fitting *f, const lm_folder_images *found) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < found->count; i++)
        f->icons_only = f->icons_only ||
                        (!f->is_weapon && found->images[i].has_icon && fits(f, &found->images[i]));
    for (uint32_t i = 0; i < found->count; i++)
        count += fits(f, &found->images[i]);
    f->is_only_choice = count == 1 && found->num_models == 1;
}

static void add_all(lm_context *c, lm_texture_names *n, fitting *f, const lm_folder_images *found) {
    const lm_folder_image *best = NULL, *end = found->images + found->count;
    compare_images(f, found);
    for (const lm_folder_image *image = found->images; image < end; image++)
        if (is_skin(f, image) && (!best || distance(f, image) < distance(f, best)))
            best = image;
    if (!best)
        return;
    n->evidence = evidence(f, best);
    add(c, n, best);
    for (const lm_folder_image *image = found->images; image < end && !f->is_weapon; image++)
        if (image != best && is_skin(f, image))
            add(c, n, image);
}

/* Returns whether a skin's name leads elsewhere than the model's folder, so that an image there may
 * be meant. */
static bool names_other_folders(const lm_model *model) {
    for (uint32_t i = 0; i < model->num_skins; i++)
        if (lm_texture_is_beside(model->skins[i]))
            return false;
    return true;
}

bool lm_texture_names_guess(lm_context *c, lm_texture_names *n) {
    const lm_model *model = n->model;
    bool single_texture = model->num_surfaces > 0 && model->surfaces[0].num_materials == 0;
    if (model->skin_width == 0 || model->skin_height == 0 || model->embedded_skins ||
        !single_texture || !names_other_folders(model) || n->search->own == LM_NO_SOURCE)
        return false;
    const lm_folder_images *all = lm_folder_images_of(c->vfs, &n->search->sources[n->search->own]);
    fitting f = {.model = model};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    n->guesses = lm_arena_alloc(c->arena, MAX_GUESSES, sizeof *n->guesses);
    if (lm_arena_out_of_memory(c->arena, !all) || !n->guesses || all->count == 0)
        return false;
    const char *path = n->path;
    f.stem = lm_vfs_stem(c->vfs, path, &f.stem_length);
    const char *end = lm_vfs_base_name(c->vfs, path);
    end -= end > path;
    f.folder = end;
    while (f.folder > path && f.folder[-1] != '/' && f.folder[-1] != ':')
        f.folder--;
    f.folder_length = (size_t)(end - f.folder);
    f.is_weapon = names_weapon(f.stem, f.stem_length);
    f.is_player = f.stem_length == 4 && lm_begins_same(f.stem, "tris", 4);
    add_all(c, n, &f, all);
    return n->num_guesses > 0;
}
