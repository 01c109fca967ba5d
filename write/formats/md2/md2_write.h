/* MD2: the parts of its writer. */
#ifndef LM_MD2_WRITE_H
#define LM_MD2_WRITE_H

#include "edit/editing.h"
#include "formats/md2/md2_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_md2_encode(lm_encoding *encoding, lm_buffer *out);
bool lm_md2_optimize(lm_optimizing *o, void *document);

extern const lm_editor lm_md2_editor;

extern const lm_writer lm_md2_writer;

#endif
