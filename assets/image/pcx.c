/* PCX: ZSoft's "Technical Reference Manual" (1991) for the header and the runs, and the deviations
 * of other programs that write skins. */
#include "image/pcx.h"

#include <string.h>

bool lm_pcx_plausible(lm_bytes file) {
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
        return lm_report_fatal(job->reporter, LM_CODE_TRUNCATED, lm_location_at("header", 0, 0),
                               "the file has only %zu bytes, but its header needs %d",
                               job->file.size, LM_PCX_HEADER_SIZE);
    if (header[LM_PCX_AT_VERSION] > 5)
        return lm_report_fatal(
            job->reporter, LM_CODE_BAD_VERSION, lm_location_at("header", 0, LM_PCX_AT_VERSION),
            "version %d is not supported; lerpmesh reads 0 to 5", header[LM_PCX_AT_VERSION]);
    *pcx = (lm_pcx){.version = header[LM_PCX_AT_VERSION],
                    .runs = header[LM_PCX_AT_ENCODING] == 1,
                    .bits = header[LM_PCX_AT_BITS],
                    .planes = header[LM_PCX_AT_PLANES],
                    .line = lm_get_u16(header + LM_PCX_AT_BYTES_PER_LINE)};
    if (!depth_is_known(pcx->bits, pcx->planes))
        return lm_report_fatal(
            job->reporter, LM_CODE_BAD_IMAGE, lm_location_at("header", 0, LM_PCX_AT_BITS),
            "a PCX with %u bits in %u planes is not supported", pcx->bits, pcx->planes);
    int width = lm_get_u16(header + LM_PCX_AT_XMAX) - lm_get_u16(header + LM_PCX_AT_XMIN) + 1;
    int height = lm_get_u16(header + LM_PCX_AT_YMAX) - lm_get_u16(header + LM_PCX_AT_YMIN) + 1;
    if (!lm_decoded_image_size(job, width > 0 ? (uint64_t)width : 0,
                               height > 0 ? (uint64_t)height : 0, LM_PCX_AT_XMIN, image))
        return false;
    uint32_t need = (image->width * pcx->bits + 7) / 8;
    if (pcx->line < need) {
        if (!lm_report_damage(job->reporter, LM_CODE_BAD_IMAGE,
                              lm_location_at("header", 0, LM_PCX_AT_BYTES_PER_LINE),
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
    if (pcx->bits * pcx->planes == 8 && lm_pcx_marked(file) &&
        pcx->end > file.size - LM_PCX_PALETTE_SIZE && (missing || pcx->end < file.size))
        pcx->end = pixels_end(pcx, file, file.size - LM_PCX_PALETTE_SIZE, total, &missing);
    if (missing == 0)
        return true;
    static const char sentence[] = "the pixels are cut off: %llu of %llu bytes are missing";
    lm_location location = lm_location_at("pixels", 0, pcx->end);
    unsigned long long num_missing = missing, num_total = total;
    /* An image that is mostly missing is not repaired, and a small file must not use much
     * memory. */
    if (missing > total / 2)
        return lm_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, num_missing,
                               num_total);
    return lm_report_damage(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, num_missing,
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
        lm_decoded_image_colour(image, job->options->transparent_255 && pcx->bits == 8);
}

bool lm_pcx_decode(const lm_image_job *job, lm_decoded_image *image) {
    lm_pcx pcx = {0};
    bool sound = read_header(job, &pcx, image) && measure(job, &pcx, image);
    bool indexed = sound && pcx.bits * pcx.planes <= 8;
    if (!sound || (indexed && !lm_pcx_choose_palette(job, &pcx, &image->palette)))
        return false;
    size_t size = (size_t)pcx.line * pcx.planes;
    uint8_t *line = lm_heap_alloc(job->heap, size, 1);
    bool done = line && lm_decoded_image_alloc(job, indexed, image);
    if (done)
        decode_lines(job, &pcx, line, image);
    lm_heap_free(job->heap, line, size);
    image->had_alpha = pcx.bits == 8 && pcx.planes == 4;
    return done;
}
