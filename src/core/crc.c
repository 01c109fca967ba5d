#include "core/crc.h"

#define POLYNOMIAL 0xEDB88320u
#define WIDTH 8    /* bytes per step */
#define MANY 2048u /* bytes from which the wide tables pay off */

/* Makes the checksum of each byte. A CRC is linear over XOR, so the bytes with one bit set give all
 * others. This is fast enough to need no static table. */
static void make_table(uint32_t table[256]) {
    table[0] = 0;
    for (uint32_t bit = 128, crc = 1; bit > 0; bit /= 2) {
        crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        for (uint32_t rest = 0; rest < 256; rest += 2 * bit)
            table[bit + rest] = crc ^ table[rest];
    }
}

/* Makes tables of each byte's effect with 1 to 7 bytes after it. */
static void make_wide(uint32_t tables[WIDTH][256]) {
    for (uint32_t distance = 1; distance < WIDTH; distance++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint32_t crc = tables[distance - 1][byte];
            tables[distance][byte] = crc >> 8 ^ tables[0][crc & 0xFF];
        }
}

uint32_t lmi_crc32(uint32_t crc, const void *data, size_t size) {
    const uint8_t *p = data;
    uint32_t tables[WIDTH][256];
    make_table(tables[0]);
    crc = ~crc;
    if (size >= MANY)
        make_wide(tables);
    for (; size >= MANY; size -= WIDTH, p += WIDTH) {
        crc ^= p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = tables[7][crc & 0xFF] ^ tables[6][crc >> 8 & 0xFF] ^ tables[5][crc >> 16 & 0xFF] ^
              tables[4][crc >> 24] ^ tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^
              tables[0][p[7]];
    }
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ tables[0][(crc ^ p[i]) & 0xFF];
    return ~crc;
}
