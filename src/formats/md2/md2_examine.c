#include "formats/md2/md2_format.h"

static void layout(lm_bytes file, lm_layout_builder *builder) {
    lm_layout_described(&lm_md2_header, file, builder);
    lm_layout_more_tables(builder, "vertices, frame N vertices");
}

/* Sources: Quake II, ref_gl/gl_mesh.c draws by the GL commands, and gl_model.c refuses a model
 * without triangles; UFO: Alien Invasion, docs/reference/formats/ufoai.md. */
static const lm_refusal refusals[] = {
    {LM_ENGINE_QUAKE2, LM_CODE_BIT(GL_COMMANDS) | LM_CODE_BIT(GL_COMMAND_ORDER) |
                           LM_CODE_BIT(NO_GL_COMMANDS) | LM_CODE_BIT(EMPTY_SURFACE)},
    {LM_ENGINE_UFOAI, LM_CODE_BIT(WRONG_END) | LM_CODE_BIT(TRAILING_BYTES) | LM_CODE_BIT(NO_SKINS)},
};

const lm_examiner lm_examiner_md2 = {.format = &lm_format_md2,
                                     .refusals = {LM_LIST(refusals)},
                                     .check = lm_md2_check,
                                     .layout = layout,
                                     .table = lm_md2_table};
