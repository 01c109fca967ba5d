/* Palettes: 768 bytes, GIMP's text, or a PCX's. */
#include "pictures/picture.h"

#include <string.h>

#define RAW_SIZE (3 * 256)

typedef struct text_cursor {
    const char *at, *end;
} text_cursor;

/* The next line without its end; false at the end of the text. */
static bool next_line(text_cursor *text, text_cursor *line) {
    if (text->at == text->end)
        return false;
    *line = (text_cursor){text->at, text->at};
    while (line->end < text->end && *line->end != '\n' && *line->end != '\r')
        line->end++;
    text->at = line->end;
    if (text->at < text->end)
        text->at += *text->at == '\r' && text->end - text->at > 1 && text->at[1] == '\n' ? 2 : 1;
    return true;
}

static bool next_number(text_cursor *line, uint8_t *value) {
    unsigned number = 0, digits = 0;
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
    while (line->at < line->end && *line->at >= '0' && *line->at <= '9' && digits < 4) {
        number = 10 * number + (unsigned)(*line->at++ - '0');
        digits++;
    }
    *value = (uint8_t)number;
    return digits > 0 && number <= 255;
}

/* Lines that begin with three numbers are colours; "Name:", "Columns:" and comments are not. */
static bool read_gimp(lm_bytes file, lm_palette *palette, lm_error *error) {
    text_cursor text = {(const char *)file.data, (const char *)file.data + file.size}, line;
    *palette = (lm_palette){0};
    for (size_t number = 1; next_line(&text, &line); number++) {
        size_t offset = (size_t)(line.at - (const char *)file.data);
        while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
            line.at++;
        if (line.at == line.end || *line.at < '0' || *line.at > '9')
            continue;
        if (palette->num_colors == 256)
            return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                           "line %zu is the 257th colour, but 256 is the most", number);
        uint8_t *rgb = palette->rgb[palette->num_colors++];
        if (!next_number(&line, rgb) || !next_number(&line, rgb + 1) ||
            !next_number(&line, rgb + 2))
            return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                           "line %zu is not three numbers from 0 to 255", number);
    }
    if (palette->num_colors == 0)
        return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", 0, "it has no colours");
    return true;
}

bool lm_palette_read(const void *data, size_t size, lm_palette *palette, lm_error *error) {
    static const char gimp[] = "GIMP Palette";
    lm_bytes file = {data, size};
    if (size >= sizeof gimp - 1 && memcmp(data, gimp, sizeof gimp - 1) == 0)
        return read_gimp(file, palette, error);
    if (size == RAW_SIZE) {
        lm_palette_from_rgb(data, 256, palette);
        return true;
    }
    if (!lm_pcx_plausible(file))
        return lm_fail(error, LM_CODE_UNKNOWN_FORMAT, "palette", "header", 0,
                       "it is neither 768 bytes nor a GIMP palette nor a PCX");
    if (!lm_pcx_palette(file, palette))
        return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "palette", 0,
                       "the PCX has no palette in its header or behind 0x0C at its end");
    return true;
}
