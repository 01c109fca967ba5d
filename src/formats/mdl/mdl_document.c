/* Reading documents. */
#include "formats/mdl/mdl_format.h"

static bool read(lm_reading *reading, lm_owned *owned, void *document) {
    lm_mdl *mdl = document;
    return lm_mdl_parse(reading, owned, mdl) &&
           lm_mdl_verify(reading->file, mdl, reading->reporter);
}

const lm_document_kind lm_mdl_kind = {&lm_format_mdl, "MDL", &lm_mdl_header, read};

LM_DOCUMENT_READ(mdl, lm_mdl_kind)
