/* The MD3 writer's own declarations. */
#ifndef LM_MD3_WRITE_H
#define LM_MD3_WRITE_H

#include "edit/editing.h"
#include "formats/md3/md3_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_md3_encode(lm_encoding *encoding, lm_buffer *out);

extern const lm_editor lm_md3_editor;

extern const lm_writer lm_md3_writer;

#endif
