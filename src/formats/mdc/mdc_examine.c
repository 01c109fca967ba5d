#include "formats/mdc/mdc_format.h"

static void layout(lm_bytes file, lm_layout_builder *builder) {
    lm_layout_described(&lm_mdc_header, file, builder);
}

const lm_examiner lm_examiner_mdc = {
    .format = &lm_format_mdc, .check = lm_mdc_check, .layout = layout};
