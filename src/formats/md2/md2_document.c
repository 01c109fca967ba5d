#include "formats/document.h"
#include "formats/md2/md2_format.h"

static bool read(lm_reading *reading, void *document) {
    return lm_md2_parse(reading, document) && lm_md2_verify(document, reading->reporter, NULL);
}

const lm_document_kind lm_md2_kind = {&lm_format_md2, "MD2", &lm_md2_header, read};

LM_DOCUMENT_READ(md2, lm_md2_kind)
