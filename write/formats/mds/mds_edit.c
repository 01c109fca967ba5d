/* Editing MDS, and its writer, which encodes no meshes: names, surfaces, tags and frames. */
#include "core/text.h"
#include "formats/edit_document.h"
#include "formats/mds/mds_format.h"
#include "formats/writer.h"

/* Frames fit if the bones are the same. */
static bool fits(lm_edit *edit, const void *document) {
    const lm_mds *mds = edit->document, *other = document;
    return (mds->num_bones == other->num_bones &&
            memcmp(mds->bones, other->bones, (size_t)mds->num_bones * LM_MDS_BONE_SIZE) == 0) ||
           lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                         "the other model has different bones, so its frames cannot be appended");
}

/* The shader is a part of its surface. */
static bool fail_skins(lm_edit *edit) {
    return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                         "each surface of this format has exactly one skin");
}

static bool add_skin(lm_edit *edit, uint32_t surface, const uint8_t *field) {
    (void)surface;
    (void)field;
    return fail_skins(edit);
}

static bool select_items(lm_edit *edit, lm_edit_list list, uint32_t surface,
                         const uint32_t *indices, uint32_t count) {
    return list == LM_EDIT_SKINS ? fail_skins(edit)
                                 : lmi_described_select(edit, list, surface, indices, count);
}

static bool clean(lm_edit *edit) {
    lm_mds *mds = edit->document;
    const size_t count = (size_t)mds->num_bones;
    uint8_t *bones = lmi_own_lump(lmi_edit_arena(edit), mds->bones, count * LM_MDS_BONE_SIZE);
    for (size_t b = 0; bones && b < count; b++) {
        uint8_t *name = bones + b * LM_MDS_BONE_SIZE;
        const size_t length = lmi_field_length(name, LM_MDS_NAME_SIZE);
        memset(name + length, 0, LM_MDS_NAME_SIZE - length);
    }
    mds->bones = bones ? bones : mds->bones;
    return bones;
}

static const lm_edit_tables tables = {
    .names = {[LM_EDIT_SKINS] = {.at = offsetof(lm_mds_surface, shader), .room = LM_MDS_NAME_SIZE},
              [LM_EDIT_FRAMES] = LM_EDIT_NAMES(lm_mds, frames, num_frames, .room = 0),
              [LM_EDIT_CLIPS] = {0},
              [LM_EDIT_SURFACES] = {.count = offsetof(lm_mds, num_surfaces),
                                    .at = offsetof(lm_mds_surface, name),
                                    .room = LM_MDS_NAME_SIZE},
              [LM_EDIT_TAGS] = LM_EDIT_NAMES(lm_mds, tags, num_tags, .room = LM_MDS_NAME_SIZE),
              [LM_EDIT_HEADER] = {.at = offsetof(lm_mds, name), .room = LM_MDS_NAME_SIZE}},
    .fits = fits,
};

static const lm_editor editor = {
    .kind = &lmi_mds_kind,
    .tables = &tables,
    .count = lmi_described_count,
    .name = lmi_described_name,
    .put_name = lmi_described_put_name,
    .select = select_items,
    .add_skin = add_skin,
    .append = lmi_described_append,
    .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES | 1 << LM_EDIT_SURFACES | 1 << LM_EDIT_TAGS |
             1 << LM_EDIT_HEADER,
    .skin_room = LM_MDS_NAME_SIZE,
    .clean = clean,
};

const lm_writer lmi_mds_writer = {.format = &lmi_format_mds, .edit = &editor};
