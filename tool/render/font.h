/* Text on pictures. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stddef.h>
#include <stdint.h>

enum {
    FONT_WIDTH = 5,
    FONT_HEIGHT = 9,
    FONT_STEP = 6,      /* pixels from one character to the next */
    FONT_MAX_TEXT = 256 /* characters of a line; more are not looked at */
};

/* A picture: red, green, blue, alpha, rows from the top. */
typedef struct font_page {
    uint32_t width, height;
    uint8_t *pixels;
} font_page;

/* Writes a line with its top left corner at x, y, at most `width` pixels long; text that is longer
 * loses its middle. A character that the font has not is a box. What lies beyond the picture is
 * left out. */
void font_draw(const font_page *page, uint32_t x, uint32_t y, uint32_t width, const char *utf8,
               const uint8_t rgb[3]);

#endif
