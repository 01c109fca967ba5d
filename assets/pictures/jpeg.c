/* JPEG, before stb decodes it: stb (2.27) writes beyond its tables for Huffman codes that are too
 * many, and makes up what is cut off. The segments are walked as stb walks them (ITU-T T.81, B). */
#include "pictures/picture.h"

enum {
    RST0 = 0xD0,
    RST7 = 0xD7,
    EOI = 0xD9,
    DHT = 0xC4,
    SOS = 0xDA
};

#define MAX_CODES 256

/* The next marker at or behind *at, which moves behind it; 0 if there is none. Between segments
 * (not `scan`) anything but 0xFF is padding; in a scan, 0xFF00 and restarts belong to the data. */
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

/* Tables of Huffman codes: a byte, how many codes of each of 16 lengths, a byte for each code. */
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

bool lm_jpeg_sound(const lm_image_job *job) {
    lm_bytes file = job->file;
    size_t at = 2; /* behind SOI */
    bool scan = false;
    for (;;) {
        unsigned marker = next_marker(file, &at, scan);
        if (marker == EOI)
            return true;
        if (marker == 0)
            break;
        if (file.size - at < 2)
            break;
        size_t length = (size_t)file.data[at] << 8 | file.data[at + 1];
        if (length < 2 || length > file.size - at)
            break;
        if (marker == DHT && !tables_are_sound(file.data + at + 2, length - 2))
            return lm_report_fatal(job->reporter, LM_CODE_BAD_IMAGE,
                                   lm_place_at("Huffman tables", at),
                                   "a table of Huffman codes is longer than its segment");
        at += length;
        scan = marker == SOS;
    }
    /* Not repaired: what a decoder shows of such a file is its own invention. */
    return lm_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, lm_place_at("data", at),
                           "the picture is cut off, or its segments do not follow each other");
}
