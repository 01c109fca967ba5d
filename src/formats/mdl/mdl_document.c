#include "formats/mdl/mdl_format.h"

static bool read(lm_reading *reading, void *document) {
    return lm_mdl_parse(reading, document) &&
           lm_mdl_verify(reading->file, document, reading->reporter);
}

const lm_document_kind lm_mdl_kind = {&lm_format_mdl, "MDL", &lm_mdl_header, read};

LM_DOCUMENT_READ(mdl, lm_mdl_kind)
