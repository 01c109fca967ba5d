/* CRC-32 as zip and PNG have it (ISO 3309). */
#ifndef LM_CORE_CRC_H
#define LM_CORE_CRC_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t lm_crc32(const uint8_t *data, size_t size) {
    uint32_t table[256], crc = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320u : 0);
    }
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
    return ~crc;
}

#endif
