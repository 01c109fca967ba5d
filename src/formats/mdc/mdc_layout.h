/* MDC's anatomy: its entry in the list of formats uses these two. */
#ifndef LM_MDC_LAYOUT_H
#define LM_MDC_LAYOUT_H

#include "core/layout_builder.h"

void lm_mdc_layout(lm_bytes file, lm_layout_builder *builder);
bool lm_mdc_table(lm_bytes file, const char *lump, lm_buffer *out);

#endif
