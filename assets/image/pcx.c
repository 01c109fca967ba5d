/* PCX: ZSoft's "Technical Reference Manual" (1991) for the header and the runs, and the deviations
 * of other programs that write skins. */
#include "image/decoded_image.h"

#include "core/bytes.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "core/writing.h"
#include "lerpmesh/image.h"
#include "math/colours.h"

#include <string.h>

/* ---- The header ------------------------------------------------------------------------------ */

#define LM_PCX_HEADER_SIZE 128
#define LM_PCX_MANUFACTURER 0x0A
#define LM_PCX_MARKER 0x0C
#define LM_PCX_PALETTE_SIZE (1 + 3 * 256) /* the marker and 256 colours */

/* Offsets of the header's fields. */
enum {
    LM_PCX_AT_MANUFACTURER = 0,
    LM_PCX_AT_VERSION = 1,
    LM_PCX_AT_ENCODING = 2, /* 1: runs, 0: raw */
    LM_PCX_AT_BITS = 3,     /* per pixel and plane */
    LM_PCX_AT_XMIN = 4,
    LM_PCX_AT_YMIN = 6,
    LM_PCX_AT_XMAX = 8,
    LM_PCX_AT_YMAX = 10,
    LM_PCX_AT_COLOURS = 16, /* 16 colours of 3 bytes */
    LM_PCX_AT_PLANES = 65,
    LM_PCX_AT_BYTES_PER_LINE = 66 /* per plane */
};

typedef struct lm_pcx {
    unsigned version;
    bool runs;
    unsigned bits, planes;
    uint32_t line; /* bytes per line of one plane */
    size_t end;    /* end of the pixels in the file */
} lm_pcx;

/* Returns whether the file ends with a marker and a palette. */
static bool lmi_pcx_marked(lm_bytes file) {
    return file.size >= LM_PCX_HEADER_SIZE + LM_PCX_PALETTE_SIZE &&
           file.data[file.size - LM_PCX_PALETTE_SIZE] == LM_PCX_MARKER;
}

bool lmi_pcx_size(lm_bytes file, uint32_t *width, uint32_t *height) {
    if (file.size < LM_PCX_HEADER_SIZE)
        return false;
    int across = lmi_get_u16(file.data + LM_PCX_AT_XMAX) - lmi_get_u16(file.data + LM_PCX_AT_XMIN);
    int down = lmi_get_u16(file.data + LM_PCX_AT_YMAX) - lmi_get_u16(file.data + LM_PCX_AT_YMIN);
    *width = across >= 0 ? (uint32_t)across + 1 : 0;
    *height = down >= 0 ? (uint32_t)down + 1 : 0;
    return true;
}

/* ---- Palettes ----------------------------------------------------------------------------- */

/* Palettes: 768 bytes, GIMP's text, or the palette of a PCX, which writers put in different
 * places. */

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
        lmi_palette_from_rgb(file.data + LM_PCX_AT_COLOURS, 16, palette);
    palette->num_colors = 1u << bits;
    /* One bit is black and white unless the header has two different colours. */
    if (bits == 1 && (standard || memcmp(palette->rgb[0], palette->rgb[1], 3) == 0))
        memcpy(palette->rgb, "\0\0\0\xff\xff\xff", 6);
}

/* Returns the file's 256 colours, or NULL. Reports a palette in an unusual place. */
static const uint8_t *file_colours(const lm_image_job *job, size_t end) {
    lm_bytes file = job->file;
    size_t left = file.size - end;
    if (lmi_pcx_marked(file) && left >= LM_PCX_PALETTE_SIZE)
        return file.data + file.size - LM_PCX_PALETTE_SIZE + 1;
    if (left >= LM_PCX_PALETTE_SIZE && file.data[end] == LM_PCX_MARKER) {
        lmi_report_warning(
            job->reporter, LM_CODE_TRAILING_BYTES,
            lmi_location_at("palette", 0, end + LM_PCX_PALETTE_SIZE), 1, "%s the palette",
            lmi_count_words(left - LM_PCX_PALETTE_SIZE, "{byte follows|bytes follow}").text);
        return file.data + end + 1;
    }
    if (left < LM_PCX_PALETTE_SIZE - 1)
        return NULL;
    /* Quake's loaders look nowhere else. */
    lmi_report_warning(job->reporter, LM_CODE_NO_PALETTE,
                       lmi_location_at("palette", 0, file.size - (LM_PCX_PALETTE_SIZE - 1)), 1,
                       "no byte 0x0C marks the palette; using the last 768 bytes");
    return file.data + file.size - (LM_PCX_PALETTE_SIZE - 1);
}

/* Chooses the palette: the options', the file's, else a substitute with a warning. */
static bool pcx_choose_palette(const lm_image_job *job, const lm_pcx *pcx, lm_palette *palette) {
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
        lmi_palette_from_rgb(rgb, 256, palette);
        return true;
    }
    if (job->options->fallback) {
        *palette = *job->options->fallback;
    } else {
        palette->num_colors = 256;
        for (unsigned i = 0; i < 256; i++)
            memset(palette->rgb[i], (int)i, 3);
    }
    return lmi_report_warning(job->reporter, LM_CODE_NO_PALETTE,
                              lmi_location_at("palette", 0, pcx->end), 1,
                              "the file has no palette; using %s",
                              job->options->fallback ? "the given one" : "shades of grey");
}

/* Reads the palette of a PCX file without its pixels. */
static bool pcx_palette(lm_bytes file, lm_palette *palette) {
    if (file.size < LM_PCX_HEADER_SIZE)
        return false;
    if (lmi_pcx_marked(file)) {
        lmi_palette_from_rgb(file.data + file.size - LM_PCX_PALETTE_SIZE + 1, 256, palette);
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
    lm_lines lines = lmi_lines_of(file.data, file.size);
    lm_text_span line;
    *palette = (lm_palette){0};
    while (lmi_next_line(&lines, &line)) {
        const size_t offset = (size_t)(line.at - file.data);
        pass_spaces(&line);
        if (!is_digit(&line))
            continue;
        if (palette->num_colors == 256)
            return lmi_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                            "line %zu is the 257th colour; a palette has at most 256",
                            lines.number);
        uint8_t *rgb = palette->rgb[palette->num_colors++];
        if (!next_number(&line, rgb) || !next_number(&line, rgb + 1) ||
            !next_number(&line, rgb + 2))
            return lmi_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", offset,
                            "line %zu is not three numbers from 0 to 255", lines.number);
    }
    return palette->num_colors > 0 || lmi_fail(error, LM_CODE_BAD_IMAGE, "palette", "colours", 0,
                                               "the palette has no colours");
}

bool lm_palette_read(const void *data, size_t size, lm_palette *palette, lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error) || !LM_GIVEN(error, palette))
        return false;
    static const char gimp[] = "GIMP Palette";
    lm_bytes file = {data, size};
    if (size >= sizeof gimp - 1 && memcmp(data, gimp, sizeof gimp - 1) == 0)
        return read_gimp(file, palette, error);
    if (size == RAW_SIZE) {
        lmi_palette_from_rgb(data, 256, palette);
        return true;
    }
    if (!lmi_pcx_plausible(file))
        return lmi_fail(error, LM_CODE_UNKNOWN_FORMAT, "palette", "header", 0,
                        "the file is neither 768 bytes, nor a GIMP palette, nor a PCX");
    return pcx_palette(file, palette) ||
           lmi_fail(error, LM_CODE_BAD_IMAGE, "palette", "palette", 0,
                    "the PCX has no palette in its header or after 0x0C at its end");
}

/* ---- Reading PCX -------------------------------------------------------------------------- */

bool lmi_pcx_plausible(lm_bytes file) {
    return file.size >= 4 && file.data[LM_PCX_AT_MANUFACTURER] == LM_PCX_MANUFACTURER &&
           file.data[LM_PCX_AT_VERSION] <= 9 && file.data[LM_PCX_AT_ENCODING] <= 1 &&
           file.data[LM_PCX_AT_BITS] != 0;
}

static bool depth_is_known(unsigned bits, unsigned planes) {
    if (bits == 8)
        return planes == 1 || planes == 3 || planes == 4;
    return (bits == 1 || bits == 2 || bits == 4) && planes >= 1 && bits * planes <= 4;
}

static bool read_header(const lm_image_job *job, lm_pcx *pcx, lm_decoded_image *image) {
    const uint8_t *header = job->file.data;
    if (job->file.size < LM_PCX_HEADER_SIZE)
        return lmi_report_fatal(job->reporter, LM_CODE_TRUNCATED, lmi_location_at("header", 0, 0),
                                "the file has only %zu bytes, but its header needs %d",
                                job->file.size, LM_PCX_HEADER_SIZE);
    if (header[LM_PCX_AT_VERSION] > 5)
        return lmi_report_fatal(
            job->reporter, LM_CODE_BAD_VERSION, lmi_location_at("header", 0, LM_PCX_AT_VERSION),
            "version %d is not supported; lerpmesh reads 0 to 5", header[LM_PCX_AT_VERSION]);
    *pcx = (lm_pcx){.version = header[LM_PCX_AT_VERSION],
                    .runs = header[LM_PCX_AT_ENCODING] == 1,
                    .bits = header[LM_PCX_AT_BITS],
                    .planes = header[LM_PCX_AT_PLANES],
                    .line = lmi_get_u16(header + LM_PCX_AT_BYTES_PER_LINE)};
    if (!depth_is_known(pcx->bits, pcx->planes))
        return lmi_report_fatal(
            job->reporter, LM_CODE_BAD_IMAGE, lmi_location_at("header", 0, LM_PCX_AT_BITS),
            "a PCX with %u bits in %u planes is not supported", pcx->bits, pcx->planes);
    int width = lmi_get_u16(header + LM_PCX_AT_XMAX) - lmi_get_u16(header + LM_PCX_AT_XMIN) + 1;
    int height = lmi_get_u16(header + LM_PCX_AT_YMAX) - lmi_get_u16(header + LM_PCX_AT_YMIN) + 1;
    if (!lmi_decoded_image_size(job, width > 0 ? (uint64_t)width : 0,
                                height > 0 ? (uint64_t)height : 0, LM_PCX_AT_XMIN, image))
        return false;
    uint32_t need = (image->width * pcx->bits + 7) / 8;
    if (pcx->line < need) {
        if (!lmi_report_damage(job->reporter, LM_CODE_BAD_IMAGE,
                               lmi_location_at("header", 0, LM_PCX_AT_BYTES_PER_LINE),
                               "a line has %u bytes, but %u pixels need %u", (unsigned)pcx->line,
                               (unsigned)image->width, (unsigned)need))
            return false;
        pcx->line = need;
    }
    return true;
}

/* ---- Bytes of the pixels -------------------------------------------------------------------- */

typedef struct stream {
    const uint8_t *at, *end;
    unsigned run; /* bytes left of the current run: runs may cross lines */
    uint8_t value;
    bool runs;
} stream;

/* Unpacks up to `count` bytes into `out` (NULL: only counts). Returns their number. */
static uint64_t unpack(stream *from, uint8_t *out, uint64_t count) {
    uint64_t done = 0;
    while (done < count) {
        if (from->run == 0) {
            if (from->at == from->end)
                break;
            from->value = *from->at++;
            from->run = 1;
            if (from->runs && from->value >= 0xC0) {
                if (from->at == from->end) {
                    from->run = 0;
                    break;
                }
                from->run = from->value & 0x3F;
                from->value = *from->at++;
            }
        }
        uint64_t part = from->run < count - done ? from->run : count - done;
        if (out)
            memset(out + done, from->value, (size_t)part);
        from->run -= (unsigned)part;
        done += part;
    }
    return done;
}

static stream stream_of(const lm_pcx *pcx, lm_bytes file, size_t end) {
    return (stream){file.data + LM_PCX_HEADER_SIZE, file.data + end, 0, 0, pcx->runs};
}

/* Returns the end of the pixels if they may use the file's bytes up to `limit`, and the number of
 * missing bytes. */
static size_t pixels_end(const lm_pcx *pcx, lm_bytes file, size_t limit, uint64_t total,
                         uint64_t *missing) {
    stream from = stream_of(pcx, file, limit);
    *missing = total - unpack(&from, NULL, total);
    return (size_t)(from.at - file.data);
}

/* Finds the end of the pixels. */
static bool measure(const lm_image_job *job, lm_pcx *pcx, const lm_decoded_image *image) {
    lm_bytes file = job->file;
    uint64_t total = (uint64_t)pcx->line * pcx->planes * image->height, missing;
    pcx->end = pixels_end(pcx, file, file.size, total, &missing);
    /* Incomplete pixels must not use the bytes of the palette at the end. */
    if (pcx->bits * pcx->planes == 8 && lmi_pcx_marked(file) &&
        pcx->end > file.size - LM_PCX_PALETTE_SIZE && (missing || pcx->end < file.size))
        pcx->end = pixels_end(pcx, file, file.size - LM_PCX_PALETTE_SIZE, total, &missing);
    if (missing == 0)
        return true;
    static const char sentence[] = "the pixels are cut off: %llu of %llu bytes are missing";
    lm_location location = lmi_location_at("pixels", 0, pcx->end);
    unsigned long long num_missing = missing, num_total = total;
    /* An image that is mostly missing is not repaired, and a small file must not use much
     * memory. */
    if (missing > total / 2)
        return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, num_missing,
                                num_total);
    return lmi_report_damage(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, num_missing,
                             num_total);
}

/* ---- Pixels --------------------------------------------------------------------------------- */

/* Returns the index of pixel x of a line, whose planes are consecutive: the first has the lowest
 * bit. */
static uint8_t index_at(const lm_pcx *pcx, const uint8_t *line, uint32_t x) {
    unsigned index = 0, bit = x * pcx->bits;
    for (unsigned plane = 0; plane < pcx->planes; plane++) {
        unsigned byte = line[(size_t)plane * pcx->line + bit / 8];
        unsigned value = byte >> (8 - pcx->bits - bit % 8) & ((1u << pcx->bits) - 1);
        index |= value << (plane * pcx->bits);
    }
    return (uint8_t)index;
}

static void decode_lines(const lm_image_job *job, const lm_pcx *pcx, uint8_t *line,
                         lm_decoded_image *image) {
    stream from = stream_of(pcx, job->file, pcx->end);
    uint64_t size = (uint64_t)pcx->line * pcx->planes;
    for (uint32_t y = 0; y < image->height; y++) {
        size_t start = (size_t)y * image->width;
        uint64_t got = unpack(&from, line, size);
        memset(line + got, 0, (size_t)(size - got));
        if (!image->indices) {
            uint8_t *pixel = image->pixels + 4 * start;
            for (uint32_t x = 0; x < image->width; x++, pixel += 4) {
                pixel[3] = 255;
                for (unsigned plane = 0; plane < pcx->planes; plane++)
                    pixel[plane] = line[(size_t)plane * pcx->line + x];
            }
        }
        for (uint32_t x = 0; image->indices && x < image->width; x++)
            image->indices[start + x] = pcx->bits == 8 ? line[x] : index_at(pcx, line, x);
    }
    if (image->indices)
        lmi_decoded_image_colour(image, job->options->transparent_255 && pcx->bits == 8);
}

bool lmi_pcx_decode(const lm_image_job *job, lm_decoded_image *image) {
    lm_pcx pcx = {0};
    bool sound = read_header(job, &pcx, image) && measure(job, &pcx, image);
    bool indexed = sound && pcx.bits * pcx.planes <= 8;
    if (!sound || (indexed && !pcx_choose_palette(job, &pcx, &image->palette)))
        return false;
    size_t size = (size_t)pcx.line * pcx.planes;
    uint8_t *line = lmi_heap_alloc(job->heap, size, 1);
    bool done = line && lmi_decoded_image_alloc(job, indexed, image);
    if (done)
        decode_lines(job, &pcx, line, image);
    lmi_heap_free(job->heap, line, size);
    image->had_alpha = pcx.bits == 8 && pcx.planes == 4;
    return done;
}

/* ---- Writing PCX -------------------------------------------------------------------------- */

/* Writes PCX in the form that Quake II reads: version 5, run-length encoded, lines of exactly the
 * image's width, and runs that end with their line. */

#define VERSION 5
#define COLOURED 1 /* the kind of palette */
#define AT_PALETTE_KIND 68
#define RUN 0xC0 /* added to the length of a run */
#define MAX_RUN 63

static void put_run(uint8_t index, uint32_t count, lm_buffer *out) {
    const uint8_t bytes[2] = {(uint8_t)(RUN + count), index};
    const bool plain = count == 1 && index < RUN;
    lm_buffer_append(out, plain ? bytes + 1 : bytes, plain ? 1 : 2);
}

static void put_line(const uint8_t *pixels, uint32_t width, const lm_palette *palette,
                     lm_buffer *out) {
    const uint32_t num_colors = palette->num_colors < UINT8_MAX ? palette->num_colors : UINT8_MAX;
    uint32_t run = 0;
    uint8_t last = 0;
    for (uint32_t x = 0; x < width; x++, pixels += 4) {
        const bool same = x > 0 && memcmp(pixels, pixels - 4, 3) == 0;
        const uint8_t index = same ? last : lmi_nearest_colour(pixels, palette->rgb[0], num_colors);
        if (run > 0 && (index != last || run == MAX_RUN)) {
            put_run(last, run, out);
            run = 0;
        }
        last = index;
        run++;
    }
    put_run(last, run, out);
}

bool lmi_pcx_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                   const lm_palette *palette, lm_buffer *out, lm_error *error) {
    static const uint8_t marker = LM_PCX_MARKER;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    uint8_t header[LM_PCX_HEADER_SIZE] = {[LM_PCX_AT_MANUFACTURER] = LM_PCX_MANUFACTURER,
                                          [LM_PCX_AT_VERSION] = VERSION,
                                          [LM_PCX_AT_ENCODING] = 1,
                                          [LM_PCX_AT_BITS] = 8,
                                          [LM_PCX_AT_PLANES] = 1,
                                          [AT_PALETTE_KIND] = COLOURED};
    lmi_put_u16(header + LM_PCX_AT_XMAX, (uint16_t)(width - 1));
    lmi_put_u16(header + LM_PCX_AT_YMAX, (uint16_t)(height - 1));
    lmi_put_u16(header + LM_PCX_AT_BYTES_PER_LINE, (uint16_t)width);
    lm_buffer_append(out, header, sizeof header);
    for (uint32_t y = 0; y < height; y++)
        put_line(pixels + 4 * (size_t)width * y, width, palette, out);
    lm_buffer_append(out, &marker, 1);
    lm_buffer_append(out, palette->rgb, sizeof palette->rgb);
    return lmi_buffer_end(out, mark, true, "PCX", error);
}
