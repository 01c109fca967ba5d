#include "formats/mdc/mdc_format.h"

static bool read(lm_reading *reading, void *document) {
    return lm_vertex_mesh_parse(reading, &lm_mdc_mesh, document) &&
           lm_mdc_verify(document, reading->reporter);
}

const lm_document_kind lm_mdc_kind = {&lm_format_mdc, "MDC", &lm_mdc_header, read};

LM_DOCUMENT_READ(mdc, lm_mdc_kind)
