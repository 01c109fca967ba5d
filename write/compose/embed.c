/* Converts textures to embedded skins, in Quake's palette. */
#include "compose/composing.h"
#include "lerpmesh/mdl.h"

/* The original Quake draws at most 480 rows, and needs a width that is a multiple of 4. */
#define MAX_ROWS 480
#define COLUMNS 4
#define MAX_COLUMNS 1024

/* Returns the texture of the first surface for which the skin has one. Sets `transparent` if its
 * transparent pixels stay transparent. */
static const lm_scene_texture *texture_of(const lm_composition *made, const lm_material_set *skin,
                                          bool *transparent) {
    for (uint32_t i = 0; i < made->num_skin_surfaces; i++) {
        const lm_scene_material *material = &skin->materials[i];
        *transparent = material->alpha != LM_ALPHA_OPAQUE;
        if (material->texture != LM_NO_TEXTURE && made->textures[material->texture].pixels)
            return &made->textures[material->texture];
    }
    return NULL;
}

/* Chooses the size of all skins: that of the first, reduced to the game's limits. */
static void choose_size(const lm_scene_texture *texture, lm_mesh *mesh) {
    uint64_t w = texture->width, h = texture->height;
    if (h > MAX_ROWS) {
        w = (w * MAX_ROWS + h / 2) / h;
        h = MAX_ROWS;
    }
    w = (w + COLUMNS / 2) / COLUMNS * COLUMNS;
    mesh->skin_width = (uint32_t)(w < COLUMNS ? COLUMNS : w > MAX_COLUMNS ? MAX_COLUMNS : w);
    mesh->skin_height = (uint32_t)h;
}

/* Returns NULL if memory ran out. */
static uint8_t *make_skin(lm_composing *c, const lm_scene_texture *texture, bool transparent) {
    lm_mesh *mesh = &c->made.mesh;
    const size_t count = (size_t)mesh->skin_width * mesh->skin_height;
    uint8_t *indices = lm_composing_alloc(c, count, 1);
    uint8_t *pixels = indices ? lm_heap_alloc(&c->heap, count, 4) : NULL;
    if (!pixels)
        return NULL;
    lm_pixels_resize(texture->pixels, texture->width, texture->height, pixels, mesh->skin_width,
                     mesh->skin_height);
    lm_pixels_to_indices(pixels, count, lm_mdl_palette(), 256 - LM_MDL_FULLBRIGHTS, indices);
    for (size_t i = 0; transparent && i < count; i++)
        if (pixels[4 * i + 3] < 128) {
            indices[i] = UINT8_MAX; /* no colour maps to it */
            mesh->transparent_255 = true;
        }
    lm_heap_free(&c->heap, pixels, 4 * count);
    return indices;
}

bool lm_compose_embed(lm_image_plan *plan) {
    lm_composing *c = plan->c;
    const lm_composition *made = &c->made;
    lm_mesh *mesh = &c->made.mesh;
    const uint32_t most = plan->atlas ? 1 : made->num_skins;
    uint32_t count = 0;
    if (mesh->embedded_skins)
        return true;
    const char **names = lm_composing_alloc(c, most, sizeof *names);
    lm_embedded_skin *skins = lm_composing_alloc(c, most, sizeof *skins);
    if (!names || !skins)
        return false;
    for (uint32_t i = 0; i < most; i++) {
        bool transparent = true;
        const lm_scene_texture *texture =
            plan->atlas ? plan->atlas : texture_of(made, &made->skins[i], &transparent);
        if (!texture)
            continue;
        if (count == 0)
            choose_size(texture, mesh);
        uint8_t *pixels = make_skin(c, texture, transparent);
        if (!pixels)
            return false;
        names[count] = texture->name;
        skins[count++] = (lm_embedded_skin){1, pixels, NULL};
    }
    if (count > 0) {
        mesh->num_skins = count;
        mesh->skins = names;
        mesh->embedded_skins = skins;
    }
    return true;
}
