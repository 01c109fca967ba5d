/* The MD2 writer's own declarations. */
#ifndef LM_MD2_WRITE_H
#define LM_MD2_WRITE_H

#include "edit/editing.h"
#include "encode/triangles.h"
#include "formats/md2/md2_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lmi_md2_optimize(lm_optimizing *o, void *document);

/* A corner in GL commands. */
typedef struct lm_md2_drawn {
    uint32_t vertex, s, t; /* s and t as bits of floats */
} lm_md2_drawn;

/* Writes a corner of a strip or fan. */
static inline void lmi_md2_put_drawn(uint8_t *out, lm_md2_drawn corner) {
    lmi_put_u32(out, corner.s);
    lmi_put_u32(out + LM_MD2_GL_COMMAND_SIZE, corner.t);
    lmi_put_u32(out + (size_t)2 * LM_MD2_GL_COMMAND_SIZE, corner.vertex);
}

/* Set the document's triangles, and its GL commands. corners[firsts[id]] is the corner with the
 * number `id` in `found`. Return false if memory ran out. */
bool lmi_md2_put_triangles(lm_md2 *md2, const uint32_t *xyz, const uint32_t *st, uint32_t count,
                           lm_arena *arena);
bool lmi_md2_put_strips(lm_md2 *md2, const lm_strips_found *found, const lm_md2_drawn *corners,
                        const uint32_t *firsts, lm_arena *arena);
/* Returns the number of integers in the GL commands. */
static inline uint64_t lmi_md2_count_strips(const lm_strips_found *found) {
    return (uint64_t)found->num_strips + (uint64_t)found->num_corners * 3 + 1;
}

extern const lm_editor lmi_md2_editor;

#endif
