#include "math/colours.h"

/* Quake's palette, gfx/palette.lmp: red, green and blue of each index. Its author released it into
 * the public domain (according to the source of DarkPlaces, palette.c). */
static const uint8_t palette[256 * 3] = {
#include "math/quake_palette.inc"
};

const uint8_t *lm_quake_palette(void) {
    return palette;
}
