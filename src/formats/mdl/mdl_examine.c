#include "formats/mdl/mdl_format.h"

const lm_examiner lm_examiner_mdl = {.format = &lm_format_mdl,
                                     .check = lm_mdl_check,
                                     .layout = lm_mdl_layout,
                                     .table = lm_mdl_table};
