/* PCX files, as defined in ZSoft's "Technical Reference Manual" (1991). */
#ifndef LM_IMAGE_PCX_H
#define LM_IMAGE_PCX_H

#include "image/decoded_image.h"

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
static inline bool lm_pcx_marked(lm_bytes file) {
    return file.size >= LM_PCX_HEADER_SIZE + LM_PCX_PALETTE_SIZE &&
           file.data[file.size - LM_PCX_PALETTE_SIZE] == LM_PCX_MARKER;
}

#endif
