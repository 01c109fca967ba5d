/* Writes images of a model's own file (a glTF's textures, an MDL's skins) as files, for formats
 * that store skins in files. */
#include "compose/composing.h"
#include "core/names.h"

#include <stdio.h>

typedef struct naming {
    lm_image_plan *plan;
    lm_composition *made;
    const char *extension;
    const char *folder;
    bool own;           /* the files keep their names, because they are paths of a game */
    bool keep_names;    /* the names in the model stay as well */
    const char **names; /* [num_textures] */
    /* [num_textures] index of the first use, skin by skin, + 1; 0: unused */
    size_t *uses;
    lm_names stems;
} naming;

/* ---- Names ---------------------------------------------------------------------------------- */

/* Returns the model's own name of a texture, or "". */
static const char *old_name(const naming *n, uint32_t texture) {
    const lm_mesh *mesh = &n->made->mesh;
    const size_t k = (n->uses[texture] - 1) / mesh->num_surfaces;
    const lm_mesh_surface *surface = &mesh->surfaces[(n->uses[texture] - 1) % mesh->num_surfaces];
    if (mesh->num_skins == n->made->num_skins)
        return mesh->skins[k];
    return surface->num_materials > 0 ? surface->materials[k < surface->num_materials ? k : 0].name
                                      : "";
}

static bool has_paths(const naming *n) {
    for (uint32_t t = 0; t < n->made->num_textures; t++)
        if (n->uses[t] > 0 && !strchr(old_name(n, t), '.') && !strchr(old_name(n, t), '/'))
            return false;
    return true;
}

/* Names a texture's file, after the folder in the game: STEM.png if it is the only one, else
 * STEM_body.png. Exports of lerpmesh keep the texture's own name. */
static bool name_texture(naming *n, uint32_t texture, uint32_t count) {
    const size_t size = LM_COMPOSE_MAX_PATH + 1;
    char part[48];
    size_t length;
    const int room = (int)(LM_COMPOSE_MAX_PATH - strlen(n->folder) - strlen(n->extension) - 4);
    lm_composing *c = n->plan->c;
    char *stem = lm_composing_alloc(c, size + LM_NAME_ROOM, 1);
    const char *old = n->own ? old_name(n, texture) : "", *called = n->plan->called;
    const char *own = n->made->textures[texture].name;
    if (!stem)
        return false;
    const char *from = lm_compose_stem(*old ? old : own && *own ? own : "skin", "/\\:", &length);
    lm_compose_clean(from, length, "-_", false, part, sizeof part);
    if (*old || count == 1)
        snprintf(stem, size, "%.*s", room, *old ? part : called);
    else
        snprintf(stem, size, "%.*s_%s", room > (int)strlen(part) ? room - (int)strlen(part) - 1 : 1,
                 called, part);
    stem = lm_names_unique(&n->stems, stem);
    n->names[texture] =
        stem ? lm_arena_printf(&c->arena, "%s%s%s", n->folder, stem, n->extension) : NULL;
    return n->names[texture];
}

/* ---- Names in the mesh ----------------------------------------------------------------------- */

/* MD2: lists the first image of each skin. */
static bool set_model_names(const naming *n) {
    const uint32_t count = n->made->num_skins;
    const char **skins = lm_composing_alloc(n->plan->c, count, sizeof *skins);
    uint32_t used = 0;
    for (uint32_t k = 0; skins && k < count; k++)
        for (uint32_t s = 0; s < n->made->mesh.num_surfaces; s++) {
            const uint32_t texture = n->made->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE)
                continue;
            skins[used++] = n->names[texture];
            break;
        }
    n->made->mesh.num_skins = used;
    n->made->mesh.skins = skins;
    return skins != NULL;
}

/* MD3, MDC: lists each surface's images, skin by skin, without duplicates. */
static bool set_surface_names(const naming *n) {
    const uint32_t count = n->made->mesh.num_surfaces, most = n->made->num_skins;
    lm_mesh_surface *surfaces = lm_composing_surfaces(n->plan->c);
    lm_material *materials =
        lm_composing_alloc(n->plan->c, (uint64_t)count * most, sizeof *materials);
    uint32_t *last = lm_composing_alloc(n->plan->c, n->made->num_textures, sizeof *last);
    if (!surfaces || !materials || !last)
        return false;
    for (uint32_t s = 0; s < count; s++) {
        lm_material *own = materials + (size_t)s * most;
        uint32_t used = 0;
        for (uint32_t k = 0; k < most; k++) {
            const uint32_t texture = n->made->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE || last[texture] == s + 1)
                continue;
            last[texture] = s + 1; /* already listed */
            own[used++] = (lm_material){n->names[texture], 0};
        }
        if (used > 0) {
            surfaces[s].num_materials = used;
            surfaces[s].materials = own;
        }
    }
    return true;
}

/* ---- Images as files ------------------------------------------------------------------------ */

/* Finds the first use of each texture in all skins. Returns the number of textures in use. */
static uint32_t find_uses(const naming *n) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < n->made->num_skins; k++)
        for (uint32_t s = 0; s < n->made->mesh.num_surfaces; s++) {
            const uint32_t texture = n->made->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE || n->uses[texture] > 0 ||
                !n->made->textures[texture].pixels)
                continue;
            n->uses[texture] = (size_t)k * n->made->mesh.num_surfaces + s + 1;
            count++;
        }
    return count;
}

/* Returns true if the selected skin uses different textures; they are then merged into an atlas. */
static bool shows_several(const naming *n) {
    const lm_material_set *skin = &n->made->skins[n->made->skin];
    for (uint32_t s = 1; s < n->made->mesh.num_surfaces; s++)
        if (skin->materials[s].texture != skin->materials[0].texture)
            return true;
    return false;
}

/* Clears the skin size if every image has it: then the images preserve it. Otherwise it stays, and
 * the encoder reports its loss, because the format stores texture coordinates as fractions. */
static void clear_skin_size(const naming *n) {
    for (uint32_t t = 0; t < n->made->num_textures; t++) {
        const lm_scene_texture *image = &n->made->textures[t];
        if (n->uses[t] > 0 && (image->width != n->made->mesh.skin_width ||
                               image->height != n->made->mesh.skin_height))
            return;
    }
    n->made->mesh.skin_width = n->made->mesh.skin_height = 0;
}

static bool name_all(naming *n, uint32_t count, bool surfaces) {
    for (uint32_t t = 0; t < n->made->num_textures; t++)
        if (n->uses[t] > 0 &&
            (!name_texture(n, t, count) ||
             !lm_composing_add_image(n->plan->c, n->names[t], &n->made->textures[t])))
            return false;
    if (surfaces)
        clear_skin_size(n);
    return n->keep_names || (surfaces ? set_surface_names(n) : set_model_names(n));
}

bool lm_compose_files(lm_image_plan *plan) {
    lm_composition *made = &plan->c->made;
    const bool surfaces = lm_has_feature(plan, LM_FEATURE_SURFACES);
    naming n = {
        .plan = plan, .made = made, .extension = surfaces ? ".tga" : lm_compose_extension(plan->c)};
    if (!made->embedded || lm_has_feature(plan, LM_FEATURE_EMBEDDED_SKINS) ||
        made->num_textures == 0 || made->num_skins == 0 || made->mesh.num_surfaces == 0 ||
        made->mesh.num_surfaces != made->num_skin_surfaces)
        return true;
    if (!surfaces && shows_several(&n)) {
        if (made->num_skins > 1)
            lm_composing_note(
                plan->c, LM_WARNING,
                "only one of the %u skins is written, because the textures become one",
                (unsigned)made->num_skins);
        return true;
    }
    n.uses = lm_composing_alloc(plan->c, made->num_textures, sizeof *n.uses);
    n.names = lm_composing_alloc(plan->c, made->num_textures, sizeof *n.names);
    n.stems.arena = &plan->c->arena;
    if (!n.uses || !n.names)
        return false;
    const uint32_t count = find_uses(&n);
    if (count == 0)
        return true;
    /* A glTF that was exported from an MDL has names that are not paths. */
    n.own = made->from_game && has_paths(&n);
    n.keep_names = n.own && !plan->folder_given;
    n.folder = n.keep_names ? "" : plan->folder;
    plan->filed = true;
    /* Warn about MDL skins that consist of several images. */
    const lm_mesh *mesh = &n.made->mesh;
    uint32_t animated = 0;
    for (uint32_t i = 0; mesh->embedded_skins && i < mesh->num_skins; i++)
        animated += mesh->embedded_skins[i].num_images > 1;
    if (animated > 0)
        lm_composing_note(n.plan->c, LM_WARNING,
                          "%u of the skins %s animated: only the first image is written",
                          (unsigned)animated, animated == 1 ? "is" : "are");
    made->mesh.embedded_skins = NULL;
    return name_all(&n, count, surfaces);
}
