/* MD3: its description and the parts of its reader. */
#ifndef LM_MD3_FORMAT_H
#define LM_MD3_FORMAT_H

#include "formats/describe.h"
#include "formats/document.h"
#include "formats/md3/md3_elements.h"
#include "formats/vertex_mesh/vertex_mesh.h"

extern const lm_header lm_md3_header, lm_md3_surface_header;

extern const lm_vertex_mesh_kind lm_md3_mesh;

/* Checks the contents of the lumps. Returns false if a listener stopped it. */
bool lm_md3_verify(const lm_md3 *md3, lm_reporter *reporter);

/* Returns the location of a tag in the file. */
lm_location lm_md3_tag_location(const lm_md3 *md3, int32_t frame, int32_t tag);

extern const lm_document_kind lm_md3_kind;

extern const lm_format lm_format_md3;
extern const lm_examiner lm_examiner_md3;

/* Reports every problem of a parsed document. */
void lm_md3_check(lm_reading *reading, const void *document);

#endif
