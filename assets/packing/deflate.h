/* Deflate: the compressor of PNG and PK3, and the decompressor of archives' members. */
#ifndef LM_PACKING_DEFLATE_H
#define LM_PACKING_DEFLATE_H

#include "lerpmesh/base.h"

/* Appends `size` bytes (fewer than 2^31) as a deflate stream (RFC 1951), the same on every machine.
 * Sets `out->failed` if there is no memory. */
void lmi_deflate_append(lm_buffer *out, const uint8_t *data, size_t size);
/* Appends `size` bytes as a zlib stream (RFC 1950). Sets `out->failed` if there is no memory. */
void lmi_zlib_append(lm_buffer *out, const uint8_t *data, size_t size);

/* Returns whether a stream of `packed` bytes can unpack to `size` bytes. One bit for a length and
 * one for a distance make at most 258 bytes, and packers store data that would grow. Called before
 * memory is allocated for either. */
static inline bool lmi_inflates_to(uint64_t packed, uint64_t size) {
    return size / 1032 <= packed && packed <= INT32_MAX - 64 && packed / 2 <= size + 32768;
}

#define LM_INFLATE_MARGIN 4 /* bytes of 0 that must follow a stream */

/* Unpacks a deflate stream (RFC 1951) into at most *size bytes, and sets *size to their number.
 * Returns LM_CODE_BAD_MEMBER if the stream is damaged, cut off or longer than that, and
 * LM_CODE_NOT_BUILT_IN in a build without stb. Safe on any bytes. If the stream is cut off in its
 * last 4 bytes, the missing ones may be read as 0; a checksum detects this. */
lm_code lmi_inflate(const uint8_t *packed, size_t packed_size, uint8_t *out, size_t *size);

#endif
