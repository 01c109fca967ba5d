/* The MDC writer: its table, and functions that compare and write documents. */
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"

LM_DOCUMENT_WRITE(mdc, lm_mdc_kind)

const lm_writer lm_mdc_writer = {
    .format = &lm_format_mdc,
    .encode = lm_mdc_encode,
    .edit = &lm_mdc_editor,
    .optimize = lm_vertex_mesh_optimize,
    .adopt = lm_mdc_adopt,
};
