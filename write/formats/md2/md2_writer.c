/* The MD2 writer: its table, and functions that compare and write documents. */
#include "formats/md2/md2_write.h"

LM_DOCUMENT_WRITE(md2, lm_md2_kind)

const lm_writer lm_md2_writer = {
    .format = &lm_format_md2,
    .encode = lm_md2_encode,
    .edit = &lm_md2_editor,
    .optimize = lm_md2_optimize,
};
