/* MD2 as a format that is written: its table, comparing and writing documents. */
#include "formats/md2/md2_write.h"

LM_DOCUMENT_WRITE(md2, lm_md2_kind)

bool lm_md2_set_skin(lm_md2 *md2, int32_t skin, const char *path, lm_error *error) {
    const lm_name_array names = {.what = "skin",
                                 .lump = &md2->skins,
                                 .count = md2->num_skins,
                                 .stride = LM_MD2_SKIN_SIZE,
                                 .room = LM_MD2_SKIN_SIZE};
    return lm_set_name(&lm_md2_kind, md2->owned, &names, skin, path, error);
}

bool lm_md2_set_frame_name(lm_md2 *md2, int32_t frame, const char *name, lm_error *error) {
    const lm_name_array names = {.what = "frame",
                                 .lump = &md2->frames,
                                 .count = md2->num_frames,
                                 .stride = (size_t)md2->framesize,
                                 .at = LM_MD2_FRAME_NAME,
                                 .room = LM_MD2_FRAME_NAME_SIZE};
    return lm_set_name(&lm_md2_kind, md2->owned, &names, frame, name, error);
}

const lm_writer lm_md2_writer = {
    .format = &lm_format_md2,
    .encode = lm_md2_encode,
    .edit = &lm_md2_editor,
    .optimize = lm_md2_optimize,
};
