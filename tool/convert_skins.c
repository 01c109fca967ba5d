/* Skins of models that have them as pixels: pictures that were found, in the game's colours. */
#include "convert.h"

#include "lerpmesh/image.h"
#include "lerpmesh/mdl.h"

#include <stdlib.h>
#include <string.h>

/* What id's Quake draws: no more rows, and columns by fours. */
#define MOST_ROWS 480
#define COLUMNS 4
#define MOST_COLUMNS 1024

/* The texture that a skin shows on the first surface that has one; whether one sees through it
 * there. */
static const lm_scene_texture *texture_of(const lm_scene *scene, const lm_scene_skin *skin,
                                          uint32_t num_surfaces, bool *holes) {
    for (uint32_t i = 0; i < num_surfaces; i++) {
        const lm_scene_material *material = &skin->materials[i];
        *holes = material->alpha != LM_ALPHA_OPAQUE;
        if (material->texture != LM_NO_TEXTURE && scene->textures[material->texture].pixels)
            return &scene->textures[material->texture];
    }
    return NULL;
}

/* The size of all skins: that of the first, as far as the game draws it. */
static void choose_size(const lm_scene_texture *texture, uint32_t *width, uint32_t *height) {
    uint64_t w = texture->width, h = texture->height;
    if (h > MOST_ROWS) {
        w = (w * MOST_ROWS + h / 2) / h;
        h = MOST_ROWS;
    }
    w = (w + COLUMNS / 2) / COLUMNS * COLUMNS;
    *width = (uint32_t)(w < COLUMNS ? COLUMNS : w > MOST_COLUMNS ? MOST_COLUMNS : w);
    *height = (uint32_t)h;
}

/* What is seen through has the last index, which no colour becomes. */
static bool make_holes(const uint8_t *pixels, size_t count, uint8_t *indices) {
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (pixels[4 * i + 3] < 128) {
            indices[i] = UINT8_MAX;
            any = true;
        }
    return any;
}

static uint8_t *make_indices(const lm_scene_texture *texture, uint32_t width, uint32_t height,
                             bool *holes) {
    const size_t count = (size_t)width * height;
    uint8_t *indices = malloc(count);
    uint8_t *pixels = malloc(4 * count);
    if (indices && pixels) {
        lm_pixels_resize(texture->pixels, texture->width, texture->height, pixels, width, height);
        lm_pixels_to_indices(pixels, count, lm_mdl_palette(), 256 - LM_MDL_FULLBRIGHTS, indices);
        if (*holes)
            *holes = make_holes(pixels, count, indices);
    } else {
        free(indices);
        indices = NULL;
    }
    free(pixels);
    return indices;
}

/* `holes`: what is transparent in the picture is so on the model. */
static bool make_skin(const lm_scene_texture *texture, bool holes, convert_skins *skins,
                      lm_take *take) {
    uint8_t *indices = make_indices(texture, take->skin_width, take->skin_height, &holes);
    if (!indices)
        return false;
    take->holes = take->holes || holes;
    skins->names[skins->count] = texture->name;
    skins->pixels[skins->count] = indices;
    skins->embedded[skins->count++] = (lm_embedded_skin){1, indices, NULL};
    return true;
}

bool convert_skins_make(tool_job *job, const lm_scene *scene, const convert_atlas *atlas,
                        lm_take *take, convert_skins *skins) {
    const lm_scene_part *part = &scene->parts[0];
    const uint32_t count = atlas->pixels ? 1 : part->num_skins;
    const size_t most = part->num_skins + (size_t)1;
    if (take->embedded_skins)
        return true;
    skins->names = (const char **)calloc(most, sizeof *skins->names);
    skins->pixels = (uint8_t **)calloc(most, sizeof *skins->pixels);
    skins->embedded = calloc(most, sizeof *skins->embedded);
    bool made = skins->names && skins->pixels && skins->embedded;
    for (uint32_t i = 0; made && i < count; i++) {
        bool holes = true;
        const lm_scene_texture *texture =
            atlas->pixels ? &atlas->picture
                          : texture_of(scene, &part->skins[i], part->model->num_surfaces, &holes);
        if (texture && skins->count == 0)
            choose_size(texture, &take->skin_width, &take->skin_height);
        made = !texture || make_skin(texture, holes, skins, take);
    }
    if (!made)
        tool_fail(job, "out of memory");
    if (skins->count > 0) {
        take->num_skins = skins->count;
        take->skins = skins->names;
        take->embedded_skins = skins->embedded;
    }
    return made;
}

void convert_skins_free(convert_skins *skins) {
    for (uint32_t i = 0; skins->pixels && i < skins->count; i++)
        free(skins->pixels[i]);
    free((void *)skins->pixels);
    free((void *)skins->names);
    free(skins->embedded);
}
