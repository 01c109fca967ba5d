/* The MDC writer's own declarations. */
#ifndef LM_MDC_WRITE_H
#define LM_MDC_WRITE_H

#include "formats/mdc/mdc_format.h"
#include "formats/vertex_mesh/vertex_mesh_write.h"
#include "formats/write_document.h"
#include "formats/writer.h"

/* Angle steps per turn; 16 bits hold slightly more than one turn. */
#define LM_MDC_ANGLE_STEPS 32700

bool lmi_mdc_encode(lm_encoding *encoding, lm_buffer *out);

/* Finds the first identical row of each of `count` rows of `size` bytes. Returns false if memory
 * ran out. */
bool lmi_mdc_find_equal_rows(const void *rows, size_t size, uint32_t count, uint32_t *firsts,
                             lm_heap *heap);

/* The choice for a piece: both are [num_frames]. */
typedef struct lm_mdc_bases {
    uint32_t *first; /* the first frame with identical vertices */
    uint32_t *base;  /* the frame itself, or a base frame within reach; both are `first` frames */
} lm_mdc_bases;

/* Chooses the base frames, as few as it finds, and the base frame of each compressed frame. Pieces
 * of one group share them. All pieces are one group; with the option `smallest`, the pieces of each
 * surface are. `out` has one entry per piece. Returns false if memory ran out. */
bool lmi_mdc_choose_bases(lm_encoding *encoding, const lm_vertex_mesh_pieces *pieces,
                          lm_mdc_bases *out);

extern const lm_editor lmi_mdc_editor;

#endif
