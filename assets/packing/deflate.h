/* Deflate: the compressor of PNG and PK3, and what unpacks members of archives. */
#ifndef LM_PACKING_DEFLATE_H
#define LM_PACKING_DEFLATE_H

#include "lerpmesh/base.h"

/* Appends `size` bytes (fewer than 2^31) as a deflate stream (RFC 1951); `out->failed` if memory
 * runs out. The same bytes on every machine. */
void lm_deflate_append(lm_buffer *out, const uint8_t *data, size_t size);
/* Appends them as a zlib stream (RFC 1950); `out->failed` if memory runs out. */
void lm_zlib_append(lm_buffer *out, const uint8_t *data, size_t size);

/* Whether any stream of `packed` bytes can become `size` of them: a bit for a length and one for
 * a distance make 258 bytes at most; and who packs stores what would grow. Asked before memory is
 * taken for either. */
static inline bool lm_inflates_to(uint64_t packed, uint64_t size) {
    return size / 1032 <= packed && packed <= INT32_MAX - 64 && packed / 2 <= size + 32768;
}

#define LM_INFLATE_MARGIN 4 /* bytes of 0 that must follow a stream */

/* Unpacks a deflate stream (RFC 1951) into at most *size bytes, and says in *size how many there
 * were. LM_CODE_BAD_MEMBER for a stream that is damaged, cut off, or longer than that;
 * LM_CODE_NOT_BUILT_IN in a build without stb. Safe on any bytes; what is missing of a stream that
 * is cut off in its last 4 bytes may be taken for 0, which a checksum tells. */
lm_code lm_inflate(const uint8_t *packed, size_t packed_size, uint8_t *out, size_t *size);

#endif
