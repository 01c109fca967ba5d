#include "maps.h"

#include "files/file.h"
#include "texture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The names and meanings of UFO: Alien Invasion: R_FindImage in r_image.cpp, and the shaders
 * cook-torrance_fs.glsl and write_fragment_fs.glsl. */
static const char *const suffixes[LM_NUM_MAPS] = {[LM_MAP_NORMAL] = "_nm",
                                                  [LM_MAP_EMISSIVE] = "_gm",
                                                  [LM_MAP_SPECULAR] = "_sm",
                                                  [LM_MAP_ROUGHNESS] = "_rm"};

bool lm_is_map_of(const char *name, size_t length, const char *image, size_t image_length) {
    for (unsigned map = 0; map < LM_NUM_MAPS; map++) {
        const size_t end = strlen(suffixes[map]);
        if (length == image_length + end && lm_begins_same(name, image, image_length) &&
            lm_begins_same(name + image_length, suffixes[map], end))
            return true;
    }
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
        const int length = snprintf(candidate, sizeof candidate, "%.*s%s%s", stem, path,
                                    suffixes[map], lm_extensions_beside[i]);
        if (length < (int)sizeof candidate)
            found = source->files->find(source->files->user, candidate, actual);
    }
    return found;
}

/* ---- Pixels -------------------------------------------------------------------------------- */

/* Alpha scales the colour of a glow, and not its coverage. */
static void premultiply(uint8_t *pixel) {
    for (unsigned i = 0; i < 3; i++)
        pixel[i] = (uint8_t)((pixel[i] * pixel[3] + UINT8_MAX / 2) / UINT8_MAX);
    pixel[3] = UINT8_MAX;
}

/* Red is the slope of the microfacets between 0.05 and 0.95, the square of glTF's roughness. Green
 * and blue scale reflections, which roughness does not. */
static void convert_roughness(uint8_t *pixel) {
    const float slope = fminf(fmaxf((float)pixel[0] / UINT8_MAX, 0.05f), 0.95f);
    pixel[0] = pixel[3] = UINT8_MAX;
    pixel[1] = (uint8_t)lrintf(sqrtf(slope) * UINT8_MAX);
    pixel[2] = 0;
}

bool lm_map_differs(lm_map map, bool opaque) {
    return map == LM_MAP_ROUGHNESS || (map == LM_MAP_EMISSIVE && !opaque);
}

void lm_map_convert(lm_map map, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (map == LM_MAP_ROUGHNESS)
            convert_roughness(pixels + 4 * i);
        else
            premultiply(pixels + 4 * i);
}
