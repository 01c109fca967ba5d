/* Text on pictures. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stddef.h>
#include <stdint.h>

#define FONT_LINE 16u /* pixels from one line to the next */

/* A picture: red, green, blue, alpha, rows from the top. */
typedef struct font_page {
    uint32_t width, height;
    uint8_t *pixels;
} font_page;

/* How many bytes of the text make a line of at most `width` pixels, so that the text can go on
 * below: all, or up to a good place to break, at least one character. */
size_t font_break(const char *utf8, uint32_t width);

/* Writes `length` bytes with the top left corner of their line at x, y. A character that the font
 * has not is a question mark in a diamond. What lies beyond the picture is left out. */
void font_draw(const font_page *page, uint32_t x, uint32_t y, const char *utf8, size_t length,
               const uint8_t rgb[3]);

#endif
