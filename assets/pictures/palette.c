/* Palettes: 768 bytes, GIMP's text, or a PCX's. */
#include "core/lines.h"
#include "pictures/picture.h"

#include <string.h>

#define RAW_SIZE (3 * 256)

static bool is_digit(const lm_text_span *line) {
    return line->at < line->end && *line->at >= '0' && *line->at <= '9';
}

static void pass_spaces(lm_text_span *line) {
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
}

static bool next_number(lm_text_span *line, uint8_t *value) {
    unsigned number = 0, digits = 0;
    for (pass_spaces(line); is_digit(line) && digits < 4; digits++)
        number = 10 * number + (unsigned)(*line->at++ - '0');
    *value = (uint8_t)number;
    return digits > 0 && number <= 255;
}

/* Lines that begin with three numbers are colours; "Name:", "Columns:" and comments are not. */
static bool read_gimp(lm_bytes file, lm_palette *palette, lm_error *error) {
    lm_lines lines = lm_lines_of(file.data, file.size);
    lm_text_span line;
    *palette = (lm_palette){0};
    while (lm_next_line(&lines, &line)) {
        const size_t offset = (size_t)(line.at - file.data);
        pass_spaces(&line);
        if (!is_digit(&line))
            continue;
        if (palette->num_colors == 256)
            return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                           "line %zu is the 257th colour, but 256 is the most", lines.number);
        uint8_t *rgb = palette->rgb[palette->num_colors++];
        if (!next_number(&line, rgb) || !next_number(&line, rgb + 1) ||
            !next_number(&line, rgb + 2))
            return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                           "line %zu is not three numbers from 0 to 255", lines.number);
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
                       "the PCX has no palette in its header or after 0x0C at its end");
    return true;
}
