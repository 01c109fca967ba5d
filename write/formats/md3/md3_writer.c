/* The MD3 writer: its table, and functions that compare and write documents. */
#include "formats/md3/md3_write.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"

LM_DOCUMENT_WRITE(md3, lm_md3_kind)

const lm_writer lm_md3_writer = {
    .format = &lm_format_md3,
    .encode = lm_md3_encode,
    .edit = &lm_md3_editor,
    .optimize = lm_vertex_mesh_optimize,
};
