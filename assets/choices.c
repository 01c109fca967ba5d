/* The skins that a user can choose from, with the names to show for them. */
#include "materials.h"

#include "core/names.h"
#include "core/options.h"
#include "core/text.h"

#include <string.h>

typedef struct choosing {
    lm_skin_choices choices; /* first: the caller's view of this struct */
    lm_arena *arena;
    lm_skin_choice *list;
    const lm_opening *o;
    const lm_asset *asset;
    const lm_texture_names *texture_names; /* NULL: no textures were searched for */
    lm_listing skins;                      /* the NAMEs of .skin files; some occur several times */
    bool has_default;                      /* lmi_is_default_skin is true for one of them */
    lm_names names;                        /* of the entries in `list` */
} choosing;

static bool is_new(choosing *c, const char *name) {
    return lmi_names_put(&c->names, name)->number++ == 0;
}

static void add(choosing *c, const char *name, const char *option, uint32_t skin) {
    c->list[c->choices.num_choices++] = (lm_skin_choice){name, option, skin};
}

/* ---- Skins listed by the model --------------------------------------------------------------- */

/* Returns an image's name without folder and extension: "grunt" for "players/male/grunt.pcx". */
static const char *short_name(choosing *c, const char *path) {
    unsigned rank;
    size_t begin = strlen(path), length = lmi_image_stem(path, &rank);
    while (begin > 0 && path[begin - 1] != '/' && path[begin - 1] != '\\')
        begin--;
    return length > begin ? lmi_arena_text(c->arena, path + begin, length - begin) : path;
}

static uint32_t count_listed(const choosing *c) {
    return c->texture_names->num_guesses > 0 ? c->texture_names->num_guesses
                                             : c->asset->model->num_skins;
}

/* ---- .skin files --------------------------------------------------------------------------- */

static void find_skins(choosing *c) {
    lmi_skin_names_list(c->o->context.vfs, c->texture_names->search, c->asset->path, &c->skins);
    for (size_t i = 0; i < c->skins.count; i++)
        c->has_default = c->has_default || lmi_is_default_skin(c->skins.names[i].name);
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* Returns the images in the model's folder, for a model whose surfaces name no textures of their
 * own (see lmi_texture_names_fill). */
static const lm_folder_images *find_images(const choosing *c) {
    static const lm_folder_images none = {.count = 0};
    const lm_model *model = c->asset->model;
    const bool single_texture =
        model->num_skins > 0 || (model->num_surfaces > 0 && model->surfaces[0].num_materials == 0);
    const lm_search_path *search = c->texture_names->search;
    if (!single_texture || search->own == LM_NO_SOURCE)
        return &none;
    return lmi_folder_images_of(c->o->context.vfs, &search->sources[search->own]);
}

/* Returns whether an image has the model's name. */
static bool is_namesake(const choosing *c, const lm_folder_image *image) {
    size_t length;
    const char *stem = lmi_vfs_stem(c->o->context.vfs, c->asset->path, &length);
    return image->stem == length && lmi_begins_same(image->name, stem, length);
}

/* Returns false for icons, maps, images that another one of the same name and size hides, and those
 * of another model, such as a player's weapon. */
static bool is_skin(const choosing *c, const lm_folder_image *image) {
    return !image->is_icon && !image->is_map && !image->is_duplicate &&
           (!image->has_model || is_namesake(c, image));
}

/* Returns whether an image has the model's name: the model uses it if it names no texture. */
static bool has_namesake(const choosing *c, const lm_folder_images *images) {
    for (uint32_t i = 0; i < images->count; i++)
        if (is_skin(c, &images->images[i]) && is_namesake(c, &images->images[i]))
            return true;
    return false;
}

/* ---- The skin in use ------------------------------------------------------------------------- */

/* Returns whether the model uses an image that it does not name itself. */
static bool uses_image(const lm_asset *asset, const char *path) {
    for (uint32_t i = 0; i < asset->num_textures; i++) {
        const lm_asset_texture *t = &asset->textures[i];
        if ((t->source == LM_TEXTURE_OF_OPTION || t->source == LM_TEXTURE_OF_FILE_NAME) &&
            t->path && strcmp(t->path, path) == 0)
            return true;
    }
    return false;
}

static uint32_t find_current(choosing *c) {
    const char *path = c->asset->skin_path;
    const char *file = path ? lmi_vfs_base_name(c->o->context.vfs, path) : NULL;
    const char *skin =
        file ? lmi_skin_name_of_file(c->o->context.vfs, c->asset->path, file, c->arena) : NULL;
    uint32_t listed = c->choices.num_choices;
    for (uint32_t i = 0; i < c->choices.num_choices; i++) {
        const lm_skin_choice *choice = &c->list[i];
        if (choice->option &&
            ((skin && lmi_same_text(skin, choice->option)) || uses_image(c->asset, choice->option)))
            return i;
        if (!choice->option && choice->skin == c->o->parts.scene.parts[0].skin)
            listed = i;
    }
    return listed;
}

/* ---- Choices --------------------------------------------------------------------------------- */

static void fill(choosing *c) {
    find_skins(c);
    const lm_folder_images *images = find_images(c);
    lmi_arena_out_of_memory(c->arena, !images);
    if (lmi_arena_failed(c->arena))
        return;
    const size_t capacity = (size_t)count_listed(c) * 2 + 1 + c->skins.count + images->count;
    c->list = lmi_arena_alloc(c->arena, capacity, sizeof *c->list);
    c->names = (lm_names){.names = lmi_arena_alloc(c->arena, capacity, sizeof *c->names.names),
                          .any_case = true};
    if (lmi_arena_failed(c->arena))
        return;
    /* Add each skin once. Two skins with the same short name keep their folders. */
    for (uint32_t i = 0; i < count_listed(c); i++) {
        const char *full = c->texture_names->num_guesses > 0 ? lmi_skin_name(c->texture_names, i)
                                                             : c->asset->model->skins[i];
        if (!is_new(c, full))
            continue;
        const char *name = *full ? short_name(c, full) : "Default";
        if (name)
            add(c, strcmp(name, full) == 0 || is_new(c, name) ? name : full, NULL, i);
    }
    if (count_listed(c) == 0 && !c->has_default && !c->o->parts.skin_name &&
        !has_namesake(c, images) && is_new(c, "Default"))
        add(c, "Default", NULL, 0);
    for (size_t i = 0; i < c->skins.count; i++)
        if (is_new(c, c->skins.names[i].name))
            add(c, c->skins.names[i].name, c->skins.names[i].name, 0);
    const char *path = c->asset->path;
    int folder = (int)(lmi_vfs_base_name(c->o->context.vfs, path) - path);
    for (uint32_t i = 0; i < images->count; i++) {
        const lm_folder_image *image = &images->images[i];
        const char *name = lmi_arena_text(c->arena, image->name, image->stem);
        const char *option = lmi_arena_printf(c->arena, "%.*s%s", folder, path, image->name);
        const bool is_listed = option && (is_skin(c, image) || uses_image(c->asset, option));
        if (name && is_listed && is_new(c, name))
            add(c, name, option, 0);
    }
    c->choices.current = find_current(c);
    c->choices.choices = c->list;
}

lm_skin_choices *lm_assets_list_skins(const lm_assets *assets, lm_error *error) {
    if (!LM_GIVEN(error, assets))
        return NULL;
    static const lm_search_path no_sources = {.own = LM_NO_SOURCE};
    static const lm_texture_names no_names = {.search = &no_sources};
    const lm_opening *o = (const lm_opening *)(const void *)assets;
    if (!assets->scene) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no scene, so no skins");
        return NULL;
    }
    choosing *c = lmi_object_new(lmi_vfs_memory(o->context.vfs), sizeof *c);
    if (!c) {
        lmi_fail_memory(error);
        return NULL;
    }
    c->arena = c->skins.arena = lmi_arena_of(c);
    c->o = o;
    c->asset = &assets->assets[0];
    c->texture_names = c->o->textures ? &c->o->textures[0].names : &no_names;
    fill(c);
    c = lmi_object_end(c, true);
    if (!c)
        lmi_fail_memory(error);
    return c ? &c->choices : NULL;
}

void lm_skin_choices_free(lm_skin_choices *choices) {
    lmi_object_free(choices);
}
