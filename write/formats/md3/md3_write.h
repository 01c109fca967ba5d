/* MD3: the parts of its writer. */
#ifndef LM_MD3_WRITE_H
#define LM_MD3_WRITE_H

#include "edit/editing.h"
#include "formats/md3/md3_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_md3_encode(lm_encoding *encoding, lm_buffer *out);
bool lm_md3_optimize(lm_optimizing *optimizing, lm_buffer *out);

/* Parts of editing (edit/editing.h). */
bool lm_md3_append(lm_edit *edit, const void *document);
bool lm_md3_trim(lm_edit *edit);
bool lm_md3_place(lm_edit *edit, const lm_edit_turn *turn);
bool lm_md3_add_tag(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin);
bool lm_md3_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
bool lm_md3_put_normals(lm_edit *edit, const struct lm_take *take);
bool lm_md3_bounds(lm_edit *edit);
extern const lm_editor lm_md3_editor;

extern const lm_writer lm_md3_writer;

#endif
