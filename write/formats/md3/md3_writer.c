/* MD3 as a format that is written: its table, comparing and writing documents. */
#include "formats/md3/md3_write.h"

LM_DOCUMENT_WRITE(md3, lm_md3_kind)

bool lm_md3_set_frame_name(lm_md3 *md3, int32_t frame, const char *name, lm_error *error) {
    const lm_name_array names = {.what = "frame",
                                 .lump = &md3->frames,
                                 .at = LM_MESH_FRAME_NAME,
                                 .stride = LM_MD3_FRAME_SIZE,
                                 .room = LM_MD3_FRAME_NAME_SIZE,
                                 .count = md3->num_frames};
    return lm_set_name(&lm_md3_kind, md3->owned, &names, frame, name, error);
}

bool lm_md3_set_shader(lm_md3 *md3, int32_t surface, int32_t shader, const char *path,
                       lm_error *error) {
    if (surface < 0 || surface >= md3->num_surfaces)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "md3: no surface %d: there are %d",
                             (int)surface, (int)md3->num_surfaces);
    const lm_name_array names = {.what = "shader",
                                 .lump = &md3->surfaces[surface].shaders,
                                 .stride = LM_MD3_SHADER_SIZE,
                                 .room = LM_MD3_NAME_SIZE,
                                 .count = md3->surfaces[surface].num_shaders};
    return lm_set_name(&lm_md3_kind, md3->owned, &names, shader, path, error);
}

const lm_writer lm_md3_writer = {
    .format = &lm_format_md3,
    .encode = lm_md3_encode,
    .edit = &lm_md3_editor,
    .optimize = lm_md3_optimize,
};
