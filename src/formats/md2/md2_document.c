/* Documents: reading for those who edit, comparing, writing, editing. */
#include "formats/document.h"
#include "formats/md2/md2_format.h"

static bool read(lm_reading *reading, lm_owned *owned, void *document) {
    lm_md2 *md2 = document;
    (void)owned; /* there is nothing but the lumps, which are the caller's */
    return lm_md2_parse(reading->file, reading->reporter, md2) &&
           lm_md2_verify(md2, reading->reporter, NULL);
}

const lm_document_kind lm_md2_kind = {&lm_format_md2, "MD2", &lm_md2_header, read};

LM_DOCUMENT_READ(md2, lm_md2_kind)
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
