#include "formats/md2/md2_format.h"

static void layout(lm_bytes file, lm_layout_builder *builder) {
    lm_layout_described(&lm_md2_header, file, builder);
    lm_layout_more_tables(builder, "vertices, frame N vertices");
}

const lm_examiner lm_examiner_md2 = {
    .format = &lm_format_md2, .check = lm_md2_check, .layout = layout, .table = lm_md2_table};
