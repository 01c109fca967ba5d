/* MDC: its description, and the parts of its reader. */
#ifndef LM_MDC_FORMAT_H
#define LM_MDC_FORMAT_H

#include "formats/describe.h"
#include "formats/document.h"
#include "formats/mdc/mdc_elements.h"
#include "formats/vertex_mesh/vertex_mesh.h"

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

extern const lm_document_kind lm_mdc_kind;

extern const lm_format lm_format_mdc;

#endif
