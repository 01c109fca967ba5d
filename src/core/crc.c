#include "core/crc.h"

#define POLYNOMIAL 0xEDB88320u

/* What each byte does. The check of a sum is the sum of the checks, so that bytes of one bit make
 * all others: that is done in no time, and no table need be kept. */
static void make_table(uint32_t table[256]) {
    table[0] = 0;
    for (uint32_t bit = 128, crc = 1; bit > 0; bit /= 2) {
        crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        for (uint32_t rest = 0; rest < 256; rest += 2 * bit)
            table[bit + rest] = crc ^ table[rest];
    }
}

uint32_t lm_crc32(uint32_t crc, const void *data, size_t size) {
    const uint8_t *p = data;
    uint32_t table[256];
    make_table(table);
    crc = ~crc;
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ p[i]) & 0xFF];
    return ~crc;
}
