#include "maps.h"

#include "files/file.h"
#include "texture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The endings of maps' names. The first, in the order of lm_map, are those of UFO: Alien Invasion
 * (R_FindImage in r_image.cpp; the meanings in cook-torrance_fs.glsl and write_fragment_fs.glsl).
 * Materials do not use the others: those of DarkPlaces and FTEQW (R_SkinFrame_LoadExternal in
 * gl_rmain.c), Doom 3's local, and what tools for textures write. */
static const char endings[] = "nm\0gm\0sm\0rm\0norm\0normal\0local\0bump\0gloss\0spec\0glow\0luma\0"
                              "pants\0shirt\0";
#define LENGTH_OF_ENDING 3 /* of the first ones, with the NUL */

bool lm_is_map_of(const char *name, size_t length, const char *image, size_t image_length) {
    if (!lm_begins_same(name, image, image_length) || name[image_length++] != '_')
        return false;
    size_t size;
    for (const char *end = endings; (size = strlen(end)) > 0; end += size + 1)
        if (image_length + size == length && lm_begins_same(name + image_length, end, size))
            return true;
    return false;
}

lm_find lm_map_find(const lm_source *source, const char *path, lm_map map,
                    char actual[LM_PATH_SIZE]) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const int stem = dot ? (int)(dot - path) : (int)strlen(path);
    lm_find found = LM_FIND_NOTHING;
    for (unsigned i = 0; i < LM_NUM_EXTENSIONS && found == LM_FIND_NOTHING; i++) {
        char candidate[LM_PATH_SIZE];
        const int length = snprintf(candidate, sizeof candidate, "%.*s_%s%s", stem, path,
                                    endings + map * LENGTH_OF_ENDING, lm_extensions_beside[i]);
        if (length < (int)sizeof candidate)
            found = source->files->find(source->files->user, candidate, actual);
    }
    return found;
}

/* ---- Pixels -------------------------------------------------------------------------------- */

bool lm_map_differs(lm_map map, bool opaque) {
    return map == LM_MAP_ROUGHNESS || (map == LM_MAP_EMISSIVE && !opaque);
}

void lm_map_convert(lm_map map, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + 4 * i;
        if (map == LM_MAP_ROUGHNESS) {
            /* Red is the slope of the microfacets between 0.05 and 0.95, the square of glTF's
             * roughness. Green and blue scale reflections, which roughness does not. */
            const float slope = fminf(fmaxf((float)pixel[0] / UINT8_MAX, 0.05f), 0.95f);
            pixel[0] = pixel[3] = UINT8_MAX;
            pixel[1] = (uint8_t)lrintf(sqrtf(slope) * UINT8_MAX);
            pixel[2] = 0;
        } else { /* alpha scales the colour of a glow, and not its coverage */
            for (unsigned k = 0; k < 3; k++)
                pixel[k] = (uint8_t)((pixel[k] * pixel[3] + UINT8_MAX / 2) / UINT8_MAX);
            pixel[3] = UINT8_MAX;
        }
    }
}
