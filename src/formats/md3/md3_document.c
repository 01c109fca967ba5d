/* Reading documents. */
#include "formats/md3/md3_format.h"

static bool read(lm_reading *reading, lm_owned *owned, void *document) {
    lm_md3 *md3 = document;
    return lm_mesh_parse(reading, owned, &lm_md3_mesh, md3) &&
           lm_md3_verify(md3, reading->reporter);
}

const lm_document_kind lm_md3_kind = {&lm_format_md3, "MD3", &lm_md3_header, read};

LM_DOCUMENT_READ(md3, lm_md3_kind)
