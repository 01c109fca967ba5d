/* Shared by the encoders of MD2 and MDL: one surface whose vertices are bytes on a grid, with
 * normals from a table of 162. */
#ifndef LM_FORMATS_PACKED_ENCODE_H
#define LM_FORMATS_PACKED_ENCODE_H

#include "encode/encoding.h"
#include "formats/describe.h"
#include "math/vectors.h"

/* The beginning of both drafts. The mesh's surfaces are merged. The file's vertices are numbered in
 * the order in which triangles first use them, or keep their numbers. */
typedef struct lm_packed {
    lm_encoding *encoding;
    lm_mesh_surface surface; /* merged from all surfaces, with st_triangles */
    uint32_t num_corners;
    uint16_t *normals; /* [num_frames * the mesh's vertices] nearest indices in the table */
    /* [num_corners] the first vertex that moves like the corner's, with equal normals; with
     * keep_numbers, the corner's. */
    uint32_t *moves;
    uint32_t *vertices; /* [file's vertices] vertex of the mesh; filled in by the format */
    lm_arena scratch;   /* for one step */
} lm_packed;

/* Merges the surfaces and finds vertices that move alike. Reports surfaces with different
 * materials. Fails if there are no triangles, or if the file would exceed 2 GiB. `triangle_size`
 * and `frame_size` are in bytes; a frame's vertices do not count. */
bool lmi_packed_begin(lm_packed *p, size_t triangle_size, size_t frame_size);

static inline void *lmi_packed_alloc(lm_packed *p, uint64_t count, size_t element) {
    return lmi_arena_alloc(&p->encoding->arena, count, element);
}

static inline void *lmi_packed_scratch(lm_packed *p, uint64_t count, size_t element) {
    return lmi_arena_alloc(&p->scratch, count, element);
}

/* Return the position and the normal of a vertex of the file in a frame of the mesh. */
static inline const float *lmi_packed_position(const lm_packed *p, uint32_t frame,
                                               uint32_t vertex) {
    const lm_mesh_surface *s = &p->surface;
    return s->positions + 3 * ((size_t)frame * s->num_vertices + p->vertices[vertex]);
}

static inline uint8_t lmi_packed_normal(const lm_packed *p, uint32_t frame, uint32_t vertex) {
    return (uint8_t)p->normals[(size_t)frame * p->surface.num_vertices + p->vertices[vertex]];
}

/* Finds the pixel that contains a texture coordinate; with `middle` -0.5, the one with the nearest
 * centre. Moves a coordinate on the right or lower edge of the skin into the last pixel: engines
 * that draw triangles, and not MD2's GL commands, reject the edge. Fails if it exceeds 16 bits. */
bool lmi_find_texel(lm_encoding *encoding, const float st[2], int32_t width, int32_t height,
                    double middle, int16_t texel[2]);

/* Records for each vertex of the mesh its vertex in the file, and for each of the `count` vertices
 * of the file its source. `vertices` has those of each corner, surface by surface. */
bool lmi_packed_locate_vertices(lm_packed *p, const uint32_t *vertices, uint32_t count);

/* Fails if the document exceeds the limits of the requested engine. */
bool lmi_check_engine(lm_encoding *encoding, const lm_header *header, const void *document);
/* Reports a clip whose name does not match its frames' names. */
bool lmi_note_clip_name(lm_encoding *encoding, uint32_t index);

#endif
