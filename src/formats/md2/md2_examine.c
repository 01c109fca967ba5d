#include "formats/md2/md2_format.h"

static void layout(lm_bytes file, lm_layout_builder *builder) {
    lm_layout_described(&lm_md2_header, file, builder);
    lm_layout_more_tables(builder, "vertices, frame N vertices");
}

/* Source: Quake II, ref_gl/gl_mesh.c draws by the GL commands, and gl_model.c refuses a model
 * without triangles. */
const lm_examiner lm_examiner_md2 = {.format = &lm_format_md2,
                                     .engine = LM_ENGINE_QUAKE2,
                                     .refused =
                                         LM_CODE_BIT(GL_COMMANDS) | LM_CODE_BIT(GL_COMMAND_ORDER) |
                                         LM_CODE_BIT(NO_GL_COMMANDS) | LM_CODE_BIT(EMPTY_SURFACE),
                                     .check = lm_md2_check,
                                     .layout = layout,
                                     .table = lm_md2_table};
