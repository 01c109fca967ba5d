/* The MDC writer's own declarations. */
#ifndef LM_MDC_WRITE_H
#define LM_MDC_WRITE_H

#include "edit/editing.h"
#include "formats/mdc/mdc_format.h"
#include "formats/write_document.h"
#include "formats/writer.h"

bool lm_mdc_encode(lm_encoding *encoding, lm_buffer *out);

/* Rows of vertices, and the table with the row of each frame. */
typedef struct lm_mdc_rows {
    uint16_t lump, count, table; /* offsetof in a surface */
    int32_t (*entry)(const lm_mdc_surface *surface, int32_t frame);
} lm_mdc_rows;
extern const lm_mdc_rows lm_mdc_base_rows, lm_mdc_comp_rows;

bool lm_mdc_share_rows(lm_optimizing *o, void *surface, uint32_t num_frames);

extern const lm_editor lm_mdc_editor;

extern const lm_writer lm_mdc_writer;

#endif
