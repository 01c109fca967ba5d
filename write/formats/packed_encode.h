/* What the encoders of MD2 and MDL have in common: one surface whose vertices are bytes on a grid,
 * with normals out of 162. */
#ifndef LM_FORMATS_PACKED_ENCODE_H
#define LM_FORMATS_PACKED_ENCODE_H

#include "encode/encoding.h"
#include "formats/describe.h"

/* [num_frames * num_vertices] for each vertex the exactly nearest normal's index. NULL if memory
 * ran out. */
uint16_t *lm_packed_normals(lm_encoding *encoding, const lm_take_surface *surface);

/* Numbers things in the order in which the corners first use them: ids[c] is one of `num_ids` and
 * becomes its number; `order` gets the corner where each came first. Returns how many there are;
 * UINT32_MAX if memory ran out. */
uint32_t lm_number_by_use(uint32_t *ids, size_t num_corners, uint32_t num_ids, uint32_t *order,
                          lm_arena *scratch);

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
