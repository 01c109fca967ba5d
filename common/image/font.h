/* Draws text on images. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stddef.h>
#include <stdint.h>

#define FONT_LINE 16u /* pixels from one line to the next */

/* An image: red, green, blue, alpha; rows from the top. */
typedef struct font_page {
    uint32_t width, height;
    uint8_t *pixels;
} font_page;

/* Draws `length` bytes, with the line's top left corner at x, y. A character that the font does not
 * have becomes a question mark in a diamond. Pixels outside the image are clipped. */
void font_draw(const font_page *page, uint32_t x, uint32_t y, const char *utf8, size_t length,
               const uint8_t rgb[3]);

/* Draws text in lines of at most `width` pixels, broken at good places if possible. Omits all lines
 * after the first `max_lines`. Returns the number of lines; with `page` NULL, only counts them. */
uint32_t font_draw_lines(const font_page *page, uint32_t x, uint32_t y, uint32_t width,
                         uint32_t max_lines, const char *utf8, const uint8_t rgb[3]);

#endif
