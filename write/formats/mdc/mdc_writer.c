/* MDC as a format that is written: its table, comparing and writing documents. */
#include "formats/mdc/mdc_write.h"

LM_DOCUMENT_WRITE(mdc, lm_mdc_kind)

bool lm_mdc_set_frame_name(lm_mdc *mdc, int32_t frame, const char *name, lm_error *error) {
    const lm_name_array names = {.what = "frame",
                                 .lump = &mdc->frames,
                                 .at = LM_MESH_FRAME_NAME,
                                 .stride = LM_MDC_FRAME_SIZE,
                                 .room = LM_MDC_FRAME_NAME_SIZE,
                                 .count = mdc->num_frames};
    return lm_set_name(&lm_mdc_kind, mdc->owned, &names, frame, name, error);
}

bool lm_mdc_set_shader(lm_mdc *mdc, int32_t surface, int32_t shader, const char *path,
                       lm_error *error) {
    if (surface < 0 || surface >= mdc->num_surfaces)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "mdc: no surface %d: there are %d",
                             (int)surface, (int)mdc->num_surfaces);
    const lm_name_array names = {.what = "shader",
                                 .lump = &mdc->surfaces[surface].shaders,
                                 .stride = LM_MDC_SHADER_SIZE,
                                 .room = LM_MDC_NAME_SIZE,
                                 .count = mdc->surfaces[surface].num_shaders};
    return lm_set_name(&lm_mdc_kind, mdc->owned, &names, shader, path, error);
}

const lm_writer lm_mdc_writer = {
    .format = &lm_format_mdc,
    .encode = lm_mdc_encode,
    .edit = &lm_mdc_editor,
    .optimize = lm_mdc_optimize,
    .adopt = lm_mdc_adopt,
};
