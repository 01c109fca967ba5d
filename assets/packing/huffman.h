/* Codes of the deflate format (RFC 1951, 3.2.2). */
#ifndef LM_PACKING_HUFFMAN_H
#define LM_PACKING_HUFFMAN_H

#include <stdint.h>

#define LM_HUFFMAN_SYMBOLS 286
#define LM_HUFFMAN_BITS 15

typedef struct lm_huffman {
    uint8_t lengths[LM_HUFFMAN_SYMBOLS]; /* 0: not used */
    uint16_t codes[LM_HUFFMAN_SYMBOLS];  /* the first bit to write is the lowest */
} lm_huffman;

/* Makes the codes for symbols that occur `counts` times; the counts are changed. Always at least
 * two symbols get a code, because some decoders want a complete one. */
void lm_huffman_make(lm_huffman *code, uint32_t *counts, unsigned num_symbols);

#endif
