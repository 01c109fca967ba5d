/* MDC: the parts of its writer. */
#ifndef LM_MDC_WRITE_H
#define LM_MDC_WRITE_H

#include "edit/editing.h"
#include "formats/mdc/mdc_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_mdc_encode(lm_encoding *encoding, lm_buffer *out);
bool lm_mdc_optimize(lm_optimizing *optimizing, lm_buffer *out);
bool lm_mdc_adopt(lm_optimizing *optimizing, lm_bytes other, lm_buffer *out);

extern const lm_editor lm_mdc_editor;

extern const lm_writer lm_mdc_writer;

#endif
