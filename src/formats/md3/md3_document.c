#include "formats/md3/md3_format.h"

static bool read(lm_reading *reading, void *document) {
    return lm_vertex_mesh_parse(reading, &lm_md3_mesh, document) &&
           lm_md3_verify(document, reading->reporter);
}

const lm_document_kind lm_md3_kind = {&lm_format_md3, "MD3", &lm_md3_header, read};

LM_DOCUMENT_READ(md3, lm_md3_kind)
