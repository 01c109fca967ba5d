/* Palettes: 768 bytes, GIMP's text, or the palette of a PCX, which writers put in different
 * places. */
#include "core/text.h"
#include "image/pcx.h"

#include <string.h>

#define RAW_SIZE (3 * 256)

/* ---- PCX ------------------------------------------------------------------------------------- */

/* Reads the header's palette: up to 16 colours, for images of up to 4 bits. */
static void header_colours(lm_bytes file, unsigned version, unsigned bits, lm_palette *palette) {
    bool standard = version == 0 || version == 3;
    if (standard) {
        /* The 16 default colours of the EGA, which versions 0 and 3 use: 2/3 for each of the low
         * bits blue, green, red, and 1/3 for the intensity bit. Dark yellow is brown. */
        *palette = (lm_palette){.num_colors = 16};
        for (unsigned i = 0; i < 16; i++)
            for (unsigned c = 0; c < 3; c++)
                palette->rgb[i][c] = (uint8_t)((i >> (2 - c) & 1 ? 0xAA : 0) + (i & 8 ? 0x55 : 0));
        palette->rgb[6][1] = 0x55;
    } else
        lm_palette_from_rgb(file.data + LM_PCX_AT_COLOURS, 16, palette);
    palette->num_colors = 1u << bits;
    /* One bit is black and white unless the header has two different colours. */
    if (bits == 1 && (standard || memcmp(palette->rgb[0], palette->rgb[1], 3) == 0))
        memcpy(palette->rgb, "\0\0\0\xff\xff\xff", 6);
}

/* Returns the file's 256 colours, or NULL. Reports a palette in an unusual place. */
static const uint8_t *file_colours(const lm_image_job *job, size_t end) {
    lm_bytes file = job->file;
    size_t left = file.size - end;
    if (lm_pcx_marked(file) && left >= LM_PCX_PALETTE_SIZE)
        return file.data + file.size - LM_PCX_PALETTE_SIZE + 1;
    if (left >= LM_PCX_PALETTE_SIZE && file.data[end] == LM_PCX_MARKER) {
        lm_report_warning(
            job->reporter, LM_CODE_TRAILING_BYTES,
            lm_location_at("palette", 0, end + LM_PCX_PALETTE_SIZE), 1, "%s the palette",
            lm_count_words(left - LM_PCX_PALETTE_SIZE, "{byte follows|bytes follow}").text);
        return file.data + end + 1;
    }
    if (left < LM_PCX_PALETTE_SIZE - 1)
        return NULL;
    /* Quake's loaders look nowhere else. */
    lm_report_warning(job->reporter, LM_CODE_NO_PALETTE,
                      lm_location_at("palette", 0, file.size - (LM_PCX_PALETTE_SIZE - 1)), 1,
                      "no byte 0x0C marks the palette; using the last 768 bytes");
    return file.data + file.size - (LM_PCX_PALETTE_SIZE - 1);
}

bool lm_pcx_choose_palette(const lm_image_job *job, const lm_pcx *pcx, lm_palette *palette) {
    if (pcx->bits * pcx->planes < 8) {
        header_colours(job->file, pcx->version, pcx->bits * pcx->planes, palette);
        return true;
    }
    if (job->options->palette) {
        *palette = *job->options->palette;
        return true;
    }
    const uint8_t *rgb = file_colours(job, pcx->end);
    if (rgb) {
        lm_palette_from_rgb(rgb, 256, palette);
        return true;
    }
    if (job->options->fallback) {
        *palette = *job->options->fallback;
    } else {
        palette->num_colors = 256;
        for (unsigned i = 0; i < 256; i++)
            memset(palette->rgb[i], (int)i, 3);
    }
    return lm_report_warning(job->reporter, LM_CODE_NO_PALETTE,
                             lm_location_at("palette", 0, pcx->end), 1,
                             "the file has no palette; using %s",
                             job->options->fallback ? "the given one" : "shades of grey");
}

/* Reads the palette of a PCX file without its pixels. */
static bool pcx_palette(lm_bytes file, lm_palette *palette) {
    if (file.size < LM_PCX_HEADER_SIZE)
        return false;
    if (lm_pcx_marked(file)) {
        lm_palette_from_rgb(file.data + file.size - LM_PCX_PALETTE_SIZE + 1, 256, palette);
        return true;
    }
    unsigned bits = file.data[LM_PCX_AT_BITS] * (unsigned)file.data[LM_PCX_AT_PLANES];
    if (bits == 0 || bits > 4)
        return false;
    header_colours(file, file.data[LM_PCX_AT_VERSION], bits, palette);
    return true;
}

/* ---- Palettes as files ---------------------------------------------------------------------- */

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

/* Lines that begin with three numbers are colours. "Name:", "Columns:" and comments are skipped. */
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
                           "line %zu is the 257th colour; a palette has at most 256", lines.number);
        uint8_t *rgb = palette->rgb[palette->num_colors++];
        if (!next_number(&line, rgb) || !next_number(&line, rgb + 1) ||
            !next_number(&line, rgb + 2))
            return lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                           "line %zu is not three numbers from 0 to 255", lines.number);
    }
    return palette->num_colors > 0 ||
           lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", 0, "the palette has no colours");
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
                       "not a palette: neither 768 bytes, nor a GIMP palette, nor a PCX");
    return pcx_palette(file, palette) ||
           lm_fail(error, LM_CODE_BAD_IMAGE, "palette", "palette", 0,
                   "the PCX has no palette in its header or after 0x0C at its end");
}
