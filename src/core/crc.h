/* CRC-32 as PNG, zip and gzip have it (polynomial 0xEDB88320, reflected). */
#ifndef LM_CORE_CRC_H
#define LM_CORE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The check of what `crc` is the check of (0: of nothing), and `size` bytes more. */
uint32_t lm_crc32(uint32_t crc, const void *data, size_t size);

#endif
