#include "formats/md3/md3_format.h"

static void layout(lm_bytes file, lm_layout_builder *builder) {
    lm_layout_described(&lm_md3_header, file, builder);
}

const lm_examiner lm_examiner_md3 = {
    .format = &lm_format_md3, .check = lm_md3_check, .layout = layout};
