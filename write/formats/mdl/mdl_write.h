/* The MDL writer's own declarations. */
#ifndef LM_MDL_WRITE_H
#define LM_MDL_WRITE_H

#include "edit/editing.h"
#include "formats/edit_document.h"
#include "formats/mdl/mdl_format.h"
#include "formats/writer.h"

bool lmi_mdl_encode(lm_encoding *encoding, lm_buffer *out);
/* Appends a document without reading it back. */
bool lmi_mdl_put(const void *mdl, lm_buffer *out, lm_error *error);
/* Compares the contents of two documents. */
bool lmi_mdl_equal(const void *one, const void *other);

static inline uint32_t lmi_mdl_count_poses(const lm_mdl *mdl) {
    uint32_t count = 0;
    for (int32_t f = 0; f < mdl->num_frames; f++)
        count += (uint32_t)mdl->frames[f].num_poses;
    return count;
}

/* Computes the bounds of all poses and groups, and the radius. `poses` is the block of all poses,
 * to which the frames point. */
void lmi_mdl_find_bounds(lm_mdl *mdl, uint8_t *poses);

extern const lm_editor lmi_mdl_editor;

#endif
