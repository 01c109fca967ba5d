/* TGA, before stb decodes it: stb takes what is missing of a cut file from thin air. Layout:
 * Truevision's "TGA File Format Specification" 2.0. */
#include "pictures/picture.h"

#define HEADER_SIZE 18

enum {
    AT_ID_LENGTH = 0,
    AT_MAP_TYPE = 1,
    AT_TYPE = 2, /* 1 colour map, 2 colours, 3 greys; 9, 10, 11 the same with runs */
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

bool lm_tga_plausible(lm_bytes file) {
    if (file.size < HEADER_SIZE)
        return false;
    const uint8_t *header = file.data;
    unsigned type = header[AT_TYPE] & ~8u;
    bool mapped = header[AT_MAP_TYPE] == 1;
    if (header[AT_MAP_TYPE] > 1 || (header[AT_TYPE] & ~11u) || type < 1 || type > 3)
        return false;
    if (mapped != (type == 1) || (mapped && !known_bits(header[AT_MAP_BITS])))
        return false;
    return lm_get_u16(header + AT_WIDTH) && lm_get_u16(header + AT_HEIGHT) &&
           known_bits(header[AT_BITS]) && (!mapped || header[AT_BITS] <= 16);
}

/* How many of `count` pixels of `size` bytes are in the file from `at` on, packed in runs. */
static uint64_t pixels_in_runs(lm_bytes file, size_t at, size_t size, uint64_t count) {
    uint64_t there = 0;
    while (there < count && at < file.size) {
        unsigned packet = file.data[at++];
        unsigned pixels = (packet & 127) + 1;
        size_t need = packet & 128 ? size : pixels * size;
        if (need > file.size - at)
            return there;
        at += need;
        there += pixels;
    }
    return there;
}

bool lm_tga_complete(const lm_image_job *job) {
    lm_bytes file = job->file;
    const uint8_t *header = file.data;
    if (header[AT_MAP_TYPE] && lm_get_u16(header + AT_MAP_FIRST) != 0)
        return lm_report_fatal(job->reporter, LM_CODE_BAD_IMAGE,
                               lm_place_at("header", AT_MAP_FIRST),
                               "the colour map starts at entry %d, but only 0 is understood",
                               lm_get_u16(header + AT_MAP_FIRST));
    size_t start = HEADER_SIZE + header[AT_ID_LENGTH];
    if (header[AT_MAP_TYPE])
        start += (size_t)lm_get_u16(header + AT_MAP_LENGTH) * ((header[AT_MAP_BITS] + 7u) / 8);
    uint64_t count = (uint64_t)lm_get_u16(header + AT_WIDTH) * lm_get_u16(header + AT_HEIGHT);
    size_t size = (header[AT_BITS] + 7u) / 8;
    uint64_t there = 0;
    if (start < file.size)
        there = header[AT_TYPE] & 8 ? pixels_in_runs(file, start, size, count)
                                    : (file.size - start) / size;
    if (there >= count)
        return true;
    static const char sentence[] = "the pixels are cut off: %llu of %llu are there";
    lm_place place = lm_place_at("pixels", file.size);
    unsigned long long got = there, all = count;
    if (there < count / 2)
        return lm_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, place, sentence, got, all);
    return lm_report_damage(job->reporter, LM_CODE_BAD_IMAGE, place, sentence, got, all);
}
