/* Which colours a PCX picture has: several writers put them in several places. */
#include "pictures/pcx.h"

#include "core/text.h"

/* The 16 colours of the EGA at power-up, which versions 0 and 3 mean: 2/3 for each of the low bits
 * blue, green, red, and 1/3 for the intensity bit; but dark yellow is brown. */
static void ega_colours(lm_palette *palette) {
    *palette = (lm_palette){.num_colors = 16};
    for (unsigned i = 0; i < 16; i++)
        for (unsigned c = 0; c < 3; c++)
            palette->rgb[i][c] = (uint8_t)((i >> (2 - c) & 1 ? 0xAA : 0) + (i & 8 ? 0x55 : 0));
    palette->rgb[6][1] = 0x55;
}

static void grey_ramp(lm_palette *palette) {
    palette->num_colors = 256;
    for (unsigned i = 0; i < 256; i++)
        palette->rgb[i][0] = palette->rgb[i][1] = palette->rgb[i][2] = (uint8_t)i;
}

static bool header_is_bare(const lm_palette *palette) {
    for (unsigned c = 0; c < 3; c++)
        if (palette->rgb[0][c] != palette->rgb[1][c])
            return false;
    return true;
}

/* Up to 16 colours, for pictures of up to 4 bits. */
static void header_colours(lm_bytes file, unsigned version, unsigned bits, lm_palette *palette) {
    bool standard = version == 0 || version == 3;
    if (standard)
        ega_colours(palette);
    else
        lm_palette_from_rgb(file.data + LM_PCX_AT_COLOURS, 16, palette);
    palette->num_colors = 1u << bits;
    /* One bit is black and white unless the header says otherwise. */
    if (bits == 1 && (standard || header_is_bare(palette)))
        for (unsigned c = 0; c < 3; c++) {
            palette->rgb[0][c] = 0;
            palette->rgb[1][c] = 255;
        }
}

/* The 256 colours in the file, if it has any; says so where their place is odd. */
static const uint8_t *file_colours(const lm_image_job *job, size_t end) {
    lm_bytes file = job->file;
    size_t left = file.size - end;
    if (lm_pcx_marked(file) && left >= LM_PCX_PALETTE_SIZE)
        return file.data + file.size - LM_PCX_PALETTE_SIZE + 1;
    if (left >= LM_PCX_PALETTE_SIZE && file.data[end] == LM_PCX_MARKER) {
        lm_report_oddity(
            job->reporter, LM_CODE_TRAILING_BYTES,
            lm_location_at("palette", 0, end + LM_PCX_PALETTE_SIZE), 1, "%s the palette",
            lm_count_words(left - LM_PCX_PALETTE_SIZE, "{byte follows|bytes follow}").text);
        return file.data + end + 1;
    }
    if (left < LM_PCX_PALETTE_SIZE - 1)
        return NULL;
    /* As Quake's loaders do, which look at nothing else. */
    lm_report_oddity(job->reporter, LM_CODE_NO_PALETTE,
                     lm_location_at("palette", 0, file.size - (LM_PCX_PALETTE_SIZE - 1)), 1,
                     "no 0x0C marks the palette; the last 768 bytes are used");
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
    if (job->options->fallback)
        *palette = *job->options->fallback;
    else
        grey_ramp(palette);
    return lm_report_oddity(job->reporter, LM_CODE_NO_PALETTE,
                            lm_location_at("palette", 0, pcx->end), 1,
                            "the file has no palette; %s",
                            job->options->fallback ? "the given one is used" : "greys are used");
}

bool lm_pcx_palette(lm_bytes file, lm_palette *palette) {
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
