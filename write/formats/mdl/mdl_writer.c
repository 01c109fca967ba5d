/* The MDL writer. */
#include "formats/mdl/mdl_write.h"

const lm_writer lm_mdl_writer = {
    .format = &lm_format_mdl,
    .encode = lm_mdl_encode,
    .edit = &lm_mdl_editor,
    .optimize = lm_mdl_optimize,
};
