/* MDC: its description, and the parts of its reader. */
#ifndef LM_MDC_FORMAT_H
#define LM_MDC_FORMAT_H

#include "edit/editing.h"
#include "formats/describe.h"
#include "formats/document.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "lerpmesh/mdc.h"

/* One step of a compressed offset in the engine, and as Prinz guessed (1.2.4: 4 base steps). */
#define LM_MDC_COMP_STEP 0.05f
#define LM_MDC_COMP_STEP_PRINZ (4.0f / 64)

#define LM_MDC_LUMP_SURFACES 3 /* of the file's lumps the last */

extern const lm_header lm_mdc_header, lm_mdc_surface_header;

/* Finds everything and checks that it lies in the file. After damage that was let pass, counts are
 * cut to what is there. False if reading cannot go on, or memory ran out (then the reporter heard
 * nothing). */
bool lm_mdc_parse(lm_reading *reading, lm_owned *owned, lm_mdc *mdc);
/* Checks what the lumps hold. False if a listener stopped it. */
bool lm_mdc_verify(const lm_mdc *mdc, lm_reporter *reporter);

lm_mesh_frames lm_mdc_frames(const lm_mdc *mdc);
/* A surface whose header starts at byte `start` of the file. */
lm_mesh_surface lm_mdc_surface_at(const lm_mdc *mdc, lm_location start);
/* Where the surface behind one starts. */
lm_location lm_mdc_next(const lm_mdc *mdc, lm_location start);

bool lm_mdc_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter);

bool lm_mdc_encode(lm_encoding *encoding, lm_buffer *out);
bool lm_mdc_optimize(lm_optimizing *optimizing, lm_buffer *out);
bool lm_mdc_adopt(lm_optimizing *optimizing, lm_bytes other, lm_buffer *out);

extern const lm_document_kind lm_mdc_kind;
/* Parts of editing (edit/editing.h). */
bool lm_mdc_append(lm_edit *edit, const void *document);
bool lm_mdc_trim(lm_edit *edit);
bool lm_mdc_place(lm_edit *edit, const lm_edit_turn *turn);
bool lm_mdc_add_tag(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin);
bool lm_mdc_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
bool lm_mdc_put_normals(lm_edit *edit, const struct lm_take *take);
bool lm_mdc_bounds(lm_edit *edit);
extern const lm_editor lm_mdc_editor;

extern const lm_format lm_format_mdc;

#endif
