/* MD3: its description, and the parts of its reader. */
#ifndef LM_MD3_FORMAT_H
#define LM_MD3_FORMAT_H

#include "formats/describe.h"
#include "formats/document.h"
#include "formats/md3/md3_elements.h"
#include "formats/vertex_mesh/vertex_mesh.h"

#define LM_MD3_LUMP_SURFACES 2 /* of the file's lumps the last */

extern const lm_header lm_md3_header, lm_md3_surface_header;

/* Finds everything and checks that it lies in the file. After damage that was let pass, counts are
 * cut to what is there. False if reading cannot go on, or memory ran out (then the reporter heard
 * nothing). */
bool lm_md3_parse(lm_reading *reading, lm_owned *owned, lm_md3 *md3);
/* Checks what the lumps hold. False if a listener stopped it. */
bool lm_md3_verify(const lm_md3 *md3, lm_reporter *reporter);

lm_mesh_frames lm_md3_frames(const lm_md3 *md3);
/* A surface whose header starts at byte `start` of the file. */
lm_mesh_surface lm_md3_surface_at(const lm_md3 *md3, lm_location start);
/* Where the surface behind one starts. */
lm_location lm_md3_next(const lm_md3 *md3, lm_location start);
/* Where a tag's bytes lie in the file. */
lm_location lm_md3_tag_location(const lm_md3 *md3, int32_t frame, int32_t tag);

extern const lm_document_kind lm_md3_kind;

extern const lm_format lm_format_md3;

#endif
