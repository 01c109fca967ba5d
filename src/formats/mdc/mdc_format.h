/* MDC: its description and the parts of its reader. */
#ifndef LM_MDC_FORMAT_H
#define LM_MDC_FORMAT_H

#include "formats/describe.h"
#include "formats/document.h"
#include "formats/mdc/mdc_elements.h"
#include "formats/vertex_mesh/vertex_mesh.h"

/* The step of a compressed offset in units: in the engine, and as Prinz assumed (1.2.4: 4 base
 * steps). */
#define LM_MDC_COMP_STEP 0.05f
#define LM_MDC_COMP_STEP_PRINZ (4.0f / 64)

extern const lm_header lm_mdc_header, lm_mdc_surface_header;

extern const lm_vertex_mesh_kind lm_mdc_mesh;

/* Checks the contents of the lumps. Returns false if a listener stopped it. */
bool lm_mdc_verify(const lm_mdc *mdc, lm_reporter *reporter);

extern const lm_document_kind lm_mdc_kind;

extern const lm_format lm_format_mdc;
extern const lm_examiner lm_examiner_mdc;

/* Reports every problem of a parsed document. */
void lm_mdc_check(lm_reading *reading, const void *document);

#endif
