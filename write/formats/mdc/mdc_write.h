/* MDC: the parts of its writer. */
#ifndef LM_MDC_WRITE_H
#define LM_MDC_WRITE_H

#include "edit/editing.h"
#include "formats/mdc/mdc_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_mdc_encode(lm_encoding *encoding, lm_buffer *out);
bool lm_mdc_optimize(lm_optimizing *optimizing, lm_buffer *out);
bool lm_mdc_adopt(lm_optimizing *optimizing, lm_bytes other, lm_buffer *out);

/* Parts of editing (edit/editing.h). */
bool lm_mdc_append(lm_edit *edit, const void *document);
bool lm_mdc_trim(lm_edit *edit);
bool lm_mdc_place(lm_edit *edit, const lm_edit_turn *turn);
bool lm_mdc_add_tag(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin);
bool lm_mdc_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
bool lm_mdc_put_normals(lm_edit *edit, const struct lm_take *take);
bool lm_mdc_bounds(lm_edit *edit);
extern const lm_editor lm_mdc_editor;

extern const lm_writer lm_mdc_writer;

#endif
