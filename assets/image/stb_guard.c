/* Checks files before stb reads them. stb (2.27) invents the missing part of a file that is cut
 * off, and writes beyond its tables if a JPEG has too many Huffman codes. stb's own checks of PNG
 * are sufficient. */
#include "image/decoded_image.h"

/* ---- JPEG: the segments, in the order in which stb reads them (ITU-T T.81, B) ---------------- */

enum {
    RST0 = 0xD0,
    RST7 = 0xD7,
    EOI = 0xD9,
    DHT = 0xC4,
    SOS = 0xDA
};

#define MAX_CODES 256

/* Finds the next marker from *at on, and moves *at past it; 0 if present is none. Between segments
 * (not `scan`) all bytes but 0xFF are padding. In a scan, 0xFF00 and restarts are part of the
 * data. */
static unsigned next_marker(lm_bytes file, size_t *at, bool scan) {
    for (size_t i = *at; i + 1 < file.size; i++) {
        unsigned marker = file.data[i + 1];
        if (file.data[i] != 0xFF || marker == 0xFF)
            continue;
        if (scan && (marker == 0 || (marker >= RST0 && marker <= RST7)))
            continue;
        *at = i + 2;
        return marker;
    }
    *at = file.size;
    return 0;
}

/* Tables of Huffman codes: one byte, the number of codes of each of 16 lengths, one byte per
 * code. */
static bool tables_are_sound(const uint8_t *data, size_t size) {
    while (size > 0) {
        size_t codes = 0;
        for (size_t i = 1; i <= 16 && i < size; i++)
            codes += data[i];
        if (size < 17 || codes > MAX_CODES || codes > size - 17)
            return false;
        data += 17 + codes;
        size -= 17 + codes;
    }
    return true;
}

static bool jpeg_is_sound(const lm_image_job *job) {
    lm_bytes file = job->file;
    size_t at = 2; /* after SOI */
    bool scan = false;
    for (;;) {
        unsigned marker = next_marker(file, &at, scan);
        if (marker == EOI)
            return true;
        const size_t left = file.size - at;
        const size_t length = left < 2 ? 0 : (size_t)file.data[at] << 8 | file.data[at + 1];
        if (marker == 0 || length < 2 || length > left)
            break;
        if (marker == DHT && !tables_are_sound(file.data + at + 2, length - 2))
            return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE,
                                    lmi_location_at("Huffman tables", 0, at),
                                    "a table of Huffman codes is longer than its segment");
        at += length;
        scan = marker == SOS;
    }
    /* Not repaired: a decoder would invent the image. */
    return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, lmi_location_at("data", 0, at),
                            "the image is cut off, or its segments are not contiguous");
}

/* ---- TGA: Truevision's "TGA File Format Specification" 2.0 ----------------------------------- */

#define TGA_HEADER_SIZE 18

enum {
    AT_ID_LENGTH = 0,
    AT_MAP_TYPE = 1,
    AT_TYPE = 2, /* 1 colour map, 2 colours, 3 greys; 9, 10, 11 the same, run-length encoded */
    AT_MAP_FIRST = 3,
    AT_MAP_LENGTH = 5,
    AT_MAP_BITS = 7,
    AT_WIDTH = 12,
    AT_HEIGHT = 14,
    AT_BITS = 16
};

static bool known_bits(unsigned bits) {
    return bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

bool lmi_tga_plausible(lm_bytes file) {
    if (file.size < TGA_HEADER_SIZE)
        return false;
    const uint8_t *header = file.data;
    unsigned type = header[AT_TYPE] & ~8u;
    bool mapped = header[AT_MAP_TYPE] == 1;
    if (header[AT_MAP_TYPE] > 1 || (header[AT_TYPE] & ~11u) || type < 1 || type > 3)
        return false;
    if (mapped != (type == 1) || (mapped && !known_bits(header[AT_MAP_BITS])))
        return false;
    return lmi_get_u16(header + AT_WIDTH) && lmi_get_u16(header + AT_HEIGHT) &&
           known_bits(header[AT_BITS]) && (!mapped || header[AT_BITS] <= 16);
}

/* Returns how many of `count` run-length encoded pixels, of `size` bytes each, the file has from
 * `at` on. */
static uint64_t pixels_in_runs(lm_bytes file, size_t at, size_t size, uint64_t count) {
    uint64_t present = 0;
    while (present < count && at < file.size) {
        unsigned packet = file.data[at++];
        unsigned pixels = (packet & 127) + 1;
        size_t need = packet & 128 ? size : pixels * size;
        if (need > file.size - at)
            return present;
        at += need;
        present += pixels;
    }
    return present;
}

static bool tga_is_complete(const lm_image_job *job) {
    lm_bytes file = job->file;
    const uint8_t *header = file.data;
    if (header[AT_MAP_TYPE] && lmi_get_u16(header + AT_MAP_FIRST) != 0)
        return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE,
                                lmi_location_at("header", 0, AT_MAP_FIRST),
                                "the colour map starts at entry %d, but only 0 is supported",
                                lmi_get_u16(header + AT_MAP_FIRST));
    size_t start = TGA_HEADER_SIZE + header[AT_ID_LENGTH];
    if (header[AT_MAP_TYPE])
        start += (size_t)lmi_get_u16(header + AT_MAP_LENGTH) * ((header[AT_MAP_BITS] + 7u) / 8);
    uint64_t count = (uint64_t)lmi_get_u16(header + AT_WIDTH) * lmi_get_u16(header + AT_HEIGHT);
    size_t size = (header[AT_BITS] + 7u) / 8;
    uint64_t present = 0;
    if (start < file.size)
        present = header[AT_TYPE] & 8 ? pixels_in_runs(file, start, size, count)
                                      : (file.size - start) / size;
    if (present >= count)
        return true;
    static const char sentence[] = "the pixels are cut off: %llu of %llu are present";
    lm_location location = lmi_location_at("pixels", 0, file.size);
    unsigned long long got = present, all = count;
    if (present < count / 2)
        return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, got, all);
    return lmi_report_damage(job->reporter, LM_CODE_BAD_IMAGE, location, sentence, got, all);
}

bool lmi_stb_guard(const lm_image_job *job, const char *format) {
    if (strcmp(format, "tga") == 0)
        return tga_is_complete(job);
    return strcmp(format, "jpeg") != 0 || jpeg_is_sound(job);
}
