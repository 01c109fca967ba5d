/* CRC-32 of PNG, zip and gzip (polynomial 0xEDB88320, reflected). */
#ifndef LM_CORE_CRC_H
#define LM_CORE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Continues a checksum with `size` more bytes and returns it. Start with `crc` 0. */
uint32_t lmi_crc32(uint32_t crc, const void *data, size_t size);

#endif
