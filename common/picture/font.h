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

/* Writes `length` bytes with the top left corner of their line at x, y. A character that the font
 * has not is a question mark in a diamond. What lies beyond the picture is left out. */
void font_draw(const font_page *page, uint32_t x, uint32_t y, const char *utf8, size_t length,
               const uint8_t rgb[3]);

/* Writes a text in lines of at most `width` pixels, broken at good places where there are any, and
 * leaves out those behind the first `most`. Returns how many lines it has; `page` may be NULL, to
 * count them. */
uint32_t font_draw_lines(const font_page *page, uint32_t x, uint32_t y, uint32_t width,
                         uint32_t most, const char *utf8, const uint8_t rgb[3]);

#endif
