#include "image/labels.h"

#include "internals.h"

#include <stdbool.h>
#include <string.h>

#define BASELINE 12 /* pixels from the top of a line */
#define UNKNOWN 0xfffd

/* A glyph: the pixels from it to the next, to its bitmap's left side, and from the baseline up to
 * its top; then the bitmap's size, and its coverage: a hexadecimal digit per pixel, f is full. */
typedef struct font_glyph {
    uint16_t character;
    uint8_t advance;
    int8_t left, top;
    uint8_t width, height;
    const char *coverage;
} font_glyph;

#include "font_table.inc"

#define NUM_GLYPHS (sizeof font_glyphs / sizeof *font_glyphs)

static const font_glyph *find_glyph(uint32_t character) {
    size_t first = 0, end = NUM_GLYPHS;
    while (end - first > 1) {
        size_t middle = (first + end) / 2;
        if (font_glyphs[middle].character <= character)
            first = middle;
        else
            end = middle;
    }
    return &font_glyphs[font_glyphs[first].character == character ? first : NUM_GLYPHS - 1];
}

/* Returns the length of the first character of `text`, and the character. Invalid bytes become
 * UNKNOWN, as which the font shows characters that it lacks. */
static size_t next_character(const char *text, size_t length, uint32_t *character) {
    const size_t count = lmi_utf8_decode(text, length, character);
    if (count == 0)
        *character = UNKNOWN;
    return count > 0 ? count : 1;
}

/* Returns the number of bytes that fit on a line of `width` pixels: all, or up to a good place to
 * break, but at least one character. */
static size_t break_line(const char *utf8, uint32_t width) {
    size_t length = strlen(utf8), at = 0, last_break = 0;
    uint32_t used = 0, character;
    while (at < length) {
        size_t count = next_character(utf8 + at, length - at, &character);
        used += find_glyph(character)->advance;
        if (used > width && at > 0)
            /* A break too far back would waste space. */
            return last_break > at / 2 ? last_break : at;
        at += count;
        if (strchr(" _-./,+", utf8[at - 1]) != NULL)
            last_break = at;
    }
    return length;
}

static void blend(uint8_t *pixel, const uint8_t rgb[3], unsigned coverage) {
    unsigned below = pixel[3] * (255 - coverage) / 255, alpha = coverage + below;
    for (int i = 0; i < 3 && alpha > 0; i++)
        pixel[i] = (uint8_t)((rgb[i] * coverage + pixel[i] * below + alpha / 2) / alpha);
    pixel[3] = (uint8_t)alpha;
}

static void draw_glyph(const font_page *page, const font_glyph *g, int64_t x, int64_t y,
                       const uint8_t rgb[3]) {
    for (uint32_t i = 0; i < (uint32_t)g->width * g->height; i++) {
        int64_t px = x + g->left + i % g->width, py = y - g->top + i / g->width;
        const char digit = g->coverage[i];
        const unsigned level = (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
        if (px >= 0 && px < page->width && py >= 0 && py < page->height)
            blend(page->pixels + 4 * ((size_t)py * page->width + (size_t)px), rgb, level * 17);
    }
}

void font_draw(const font_page *page, uint32_t x, uint32_t y, const char *utf8, size_t length,
               const uint8_t rgb[3]) {
    uint32_t character;
    for (size_t at = 0; at < length;) {
        at += next_character(utf8 + at, length - at, &character);
        const font_glyph *g = find_glyph(character);
        draw_glyph(page, g, x, (int64_t)y + BASELINE, rgb);
        x += g->advance;
    }
}

uint32_t font_draw_lines(const font_page *page, uint32_t x, uint32_t y, uint32_t width,
                         uint32_t max_lines, const char *utf8, const uint8_t rgb[3]) {
    uint32_t lines = 0;
    for (; *utf8 && lines < max_lines; lines++) {
        const size_t length = break_line(utf8, width);
        if (page)
            font_draw(page, x, y + lines * FONT_LINE, utf8, length, rgb);
        utf8 += length;
        utf8 += strspn(utf8, " ");
    }
    return lines;
}
