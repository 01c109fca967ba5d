/* Colours of a palette. */
#ifndef LM_MATH_COLOURS_H
#define LM_MATH_COLOURS_H

#include <stddef.h>
#include <stdint.h>

#define LM_FULLBRIGHTS 32 /* the last colours of Quake's palette */

/* Returns Quake's palette: [256 * 3] red, green and blue of each index of an MDL's skin. The last
 * LM_FULLBRIGHTS colours ignore the light in the game's software renderer. */
const uint8_t *lmi_quake_palette(void);

/* Returns the perceived difference of two colours, weighted for the eye's sensitivity: highest for
 * green, lowest for blue. */
static inline uint32_t lmi_colour_distance(const uint8_t *a, const uint8_t *b) {
    const int red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
    return (uint32_t)(3 * red * red + 6 * green * green + 2 * blue * blue);
}

/* Returns the index of the nearest of `num_colors` colours [3 * num_colors: red, green, blue]. */
static inline uint8_t lmi_nearest_colour(const uint8_t *pixel, const uint8_t *rgb,
                                         uint32_t num_colors) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < num_colors && least > 0; i++) {
        const uint32_t here = lmi_colour_distance(pixel, rgb + 3 * (size_t)i);
        if (here < least) {
            least = here;
            best = i;
        }
    }
    return (uint8_t)best;
}

#endif
