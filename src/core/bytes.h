/* Bounds-checked views of bytes, and little-endian numbers assembled from bytes. */
#ifndef LM_CORE_BYTES_H
#define LM_CORE_BYTES_H

#include "lerpmesh/base.h"

#include <string.h>

static inline uint16_t lmi_get_u16(const uint8_t *p) {
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline int16_t lmi_get_s16(const uint8_t *p) {
    return (int16_t)lmi_get_u16(p);
}

static inline uint32_t lmi_get_u32(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline int32_t lmi_get_s32(const uint8_t *p) {
    return (int32_t)lmi_get_u32(p);
}

static inline uint64_t lmi_get_u64(const uint8_t *p) {
    return lmi_get_u32(p) | (uint64_t)lmi_get_u32(p + 4) << 32;
}

static inline float lmi_get_f32(const uint8_t *p) {
    uint32_t bits = lmi_get_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline lm_vec3 lmi_get_vec3(const uint8_t *p) {
    return (lm_vec3){lmi_get_f32(p), lmi_get_f32(p + 4), lmi_get_f32(p + 8)};
}

static inline void lmi_put_u16(uint8_t *p, uint16_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void lmi_put_u32(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

static inline void lmi_put_s32(uint8_t *p, int32_t value) {
    lmi_put_u32(p, (uint32_t)value);
}

static inline void lmi_put_f32(uint8_t *p, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    lmi_put_u32(p, bits);
}

static inline void lmi_put_vec3(uint8_t *p, lm_vec3 v) {
    lmi_put_f32(p, v.x);
    lmi_put_f32(p + 4, v.y);
    lmi_put_f32(p + 8, v.z);
}

/* A view of bytes owned elsewhere. */
typedef struct lm_bytes {
    const uint8_t *data;
    size_t size;
} lm_bytes;

/* Returns true if `count` elements of `element` bytes at `offset` lie inside `size` bytes. */
static inline bool lmi_fits(uint64_t size, uint64_t offset, uint64_t count, uint64_t element) {
    return offset <= size && (element == 0 || count <= (size - offset) / element);
}

#endif
