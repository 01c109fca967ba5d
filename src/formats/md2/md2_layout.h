/* MD2's anatomy: its entry in the list of formats uses these two. */
#ifndef LM_MD2_LAYOUT_H
#define LM_MD2_LAYOUT_H

#include "core/layout_builder.h"

void lm_md2_layout(lm_bytes file, lm_layout_builder *builder);
bool lm_md2_table(lm_bytes file, const char *lump, lm_buffer *out);

#endif
