/* What the encoders of MD2 and MDL have in common: one surface whose vertices are bytes on a grid,
 * with normals out of 162. */
#ifndef LM_FORMATS_PACKED_ENCODE_H
#define LM_FORMATS_PACKED_ENCODE_H

#include "encode/encoding.h"
#include "formats/describe.h"
#include "math/vectors.h"

/* What both drafts begin with. The mesh's vertices and texture coordinates are those of all its
 * surfaces, merged; the file's are numbered as the triangles first use them. */
typedef struct lm_packed {
    lm_encoding *encoding;
    lm_take_surface surface; /* all of the mesh's, with st_triangles */
    uint32_t num_corners;
    uint16_t *normals; /* [num_frames * the mesh's vertices] numbers of the nearest of 162 */
    /* [num_corners] the first vertex that moves like the corner's and has the same normals. */
    uint32_t *moves;
    uint32_t *vertices; /* of each of the file's vertices the mesh's, which the format fills in */
    lm_arena scratch;   /* of one step */
} lm_packed;

/* Merges the surfaces and finds what moves alike. Notes that surfaces are drawn with different
 * materials. Fails if there are no triangles, or if the file would have more than 2 GiB, for which
 * a triangle and a frame without vertices have so many bytes. */
bool lm_packed_begin(lm_packed *p, size_t triangle_size, size_t frame_size);

static inline void *lm_packed_alloc(lm_packed *p, uint64_t count, size_t element) {
    return lm_arena_alloc(&p->encoding->arena, count, element);
}

static inline void *lm_packed_scratch(lm_packed *p, uint64_t count, size_t element) {
    return lm_arena_alloc(&p->scratch, count, element);
}

/* A vertex of the file in a frame of the mesh. */
static inline const float *lm_packed_position(const lm_packed *p, uint32_t frame, uint32_t vertex) {
    const lm_take_surface *s = &p->surface;
    return s->positions + 3 * ((size_t)frame * s->num_vertices + p->vertices[vertex]);
}

static inline uint8_t lm_packed_normal(const lm_packed *p, uint32_t frame, uint32_t vertex) {
    return (uint8_t)p->normals[(size_t)frame * p->surface.num_vertices + p->vertices[vertex]];
}

/* The pixel of a skin that a texture coordinate is in, or with `middle` -0.5 the one whose middle
 * is nearest. Fails if it lies beyond what 16 bits count to. */
bool lm_find_texel(lm_encoding *encoding, const float st[2], int32_t width, int32_t height,
                   double middle, int16_t texel[2]);

/* Says of all of the take's vertices that became one of the file's which: `vertices` of each
 * corner, of one surface after the other. */
void lm_packed_say_where(lm_encoding *encoding, const uint32_t *vertices);

/* Where the document exceeds what the engine that was asked for loads, says so and fails. */
bool lm_check_engine(lm_encoding *encoding, const lm_header *header, const void *document);
/* Notes that the frames of a clip do not say its name. */
bool lm_say_clip_name(lm_encoding *encoding, uint32_t index);

#endif
