/* Labels over a drawn scene, in front of everything: the names of its tags, with their axes, and
 * letters at the ends of its axes. X is red, Y green, Z blue. */
#ifndef IMAGE_LABELS_H
#define IMAGE_LABELS_H

#include "lerpmesh/gl.h"

/* The image that is drawn. */
typedef struct labels_image {
    uint32_t width, height; /* pixels */
    uint32_t scale;         /* pixels per pixel of the font: >= 1 */
} labels_image;

/* Draws the labels of a posed scene. `show`: LM_GL_SHOW_ flags, of which LM_GL_SHOW_TAGS and
 * LM_GL_SHOW_AXES have labels. Call it after lm_gl_scene_draw with the same flags. */
bool labels_draw(lm_gl *gl, const lm_gl_view *view, const lm_scene *scene, const lm_pose *poses,
                 unsigned show, const labels_image *image, lm_error *error);

/* ---- Text on images -------------------------------------------------------------------------- */

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
