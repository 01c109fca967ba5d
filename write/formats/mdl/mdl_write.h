/* The MDL writer's own declarations. */
#ifndef LM_MDL_WRITE_H
#define LM_MDL_WRITE_H

#include "edit/editing.h"
#include "formats/edit_document.h"
#include "formats/mdl/mdl_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_mdl_encode(lm_encoding *encoding, lm_buffer *out);
bool lm_mdl_optimize(lm_optimizing *o, void *document);
/* Appends a document without reading it back. */
bool lm_mdl_put(const void *mdl, lm_buffer *out, lm_error *error);

static inline uint32_t lm_mdl_count_poses(const lm_mdl *mdl) {
    uint32_t count = 0;
    for (int32_t f = 0; f < mdl->num_frames; f++)
        count += (uint32_t)mdl->frames[f].num_poses;
    return count;
}

/* Copies all frames into `frames`. Returns their poses in one block, or NULL if `frames` is NULL or
 * memory ran out. */
uint8_t *lm_mdl_copy_frames(const lm_mdl *mdl, lm_arena *arena, lm_mdl_frame *frames);

/* Members of lm_editor (edit/editing.h). */
extern const lm_editor lm_mdl_editor;

extern const lm_writer lm_mdl_writer;

#endif
