/* Editing MDS, and its writer, which encodes no meshes: names, surfaces, tags and frames. */
#include "core/text.h"
#include "formats/edit_document.h"
#include "formats/mds/mds_format.h"
#include "formats/vertex_mesh/vertex_mesh_write.h"
#include "formats/writer.h"
#include "lerpmesh/load.h"

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

/* ---- Repairs: what a tolerant reader makes of a file ------------------------------------------
 */

static bool mend_bones(lm_edit *edit, const lm_part *file, lm_mds *made) {
    uint8_t *bone = lmi_copy_lump(edit, file, offsetof(lm_mds, bones), made);
    const uint32_t count = (uint32_t)made->num_bones;
    made->torso_parent = (uint32_t)made->torso_parent < count ? made->torso_parent : 0;
    for (uint32_t b = 0; bone && b < count; b++, bone += LM_MDS_BONE_SIZE) {
        uint8_t *weight = bone + LM_MDS_BONE_TORSO_WEIGHT;
        if (lmi_get_u32(bone + LM_MDS_BONE_PARENT) >= b)
            lmi_put_u32(bone + LM_MDS_BONE_PARENT, LM_NO_BONE);
        lmi_put_f32(weight, lmi_mds_usable_weight(lmi_get_f32(weight)));
        lmi_mend_floats(bone + LM_MDS_BONE_PARENT_DIST, 1);
    }
    return bone;
}

/* Removes the tags that are no bone. */
static bool mend_tags(lm_edit *edit, const lm_part *file, lm_mds *made) {
    uint32_t *kept = lmi_arena_alloc(lmi_edit_arena(edit), (uint64_t)made->num_tags, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t t = 0; kept && t < (uint32_t)made->num_tags; t++) {
        kept[count] = t;
        count += lmi_get_u32(made->tags + (size_t)t * LM_MDS_TAG_SIZE + LM_MDS_TAG_BONE) <
                 (uint32_t)made->num_bones;
    }
    return kept &&
           lmi_select_counted(edit, file, offsetof(lm_mds, num_tags), true, kept, count, made);
}

/* Gives frames without usable bounds those of their vertices. */
static bool mend_frames(lm_edit *edit, const lm_part *file, lm_mds *made) {
    const lm_load_options repair = {.memory = {.allocator = edit->heap.allocator}, .repair = true};
    uint8_t *frame = lmi_copy_lump(edit, file, offsetof(lm_mds, frames), made);
    lm_model *model =
        frame ? lm_load_memory(edit->file.data, edit->file.size, &repair, edit->call->error) : NULL;
    for (uint32_t f = 0; model && f < model->num_frames; f++, frame += made->frame_size) {
        const lm_frame *from = &model->frames[f];
        lmi_mend_floats(frame + LM_MDS_FRAME_PARENT_OFFSET, 3);
        lm_vertex_mesh_frame whole = lmi_vertex_mesh_get_frame(frame); /* with other bytes */
        if (lmi_vertex_mesh_frame_valid(&whole))
            continue;
        whole.bbox_min = from->min;
        whole.bbox_max = from->max;
        whole.local_origin = from->origin;
        whole.radius = from->radius;
        lmi_vertex_mesh_put_frame(frame, &whole);
    }
    lm_model_free(model);
    return lmi_call_join(edit->call, model);
}

/* Copies a vertex with those of its weights that have a bone. Returns the end of the copy. */
static uint8_t *mend_vertex(const lm_mds *mds, const uint8_t *vertex, uint8_t *out) {
    uint32_t count = 0;
    float weights[LM_MAX_BONES];
    memcpy(out, vertex, LM_MDS_VERTEX_SIZE);
    lmi_mend_floats(out, 5); /* normal, texture coordinates */
    lmi_mds_get_weights(mds, vertex, weights);
    uint8_t *to = out + LM_MDS_VERTEX_SIZE;
    for (uint32_t w = 0; w < lmi_mds_num_weights(vertex); w++) {
        const uint8_t *from = lmi_mds_weight(vertex, w);
        if (lmi_get_u32(from) >= (uint32_t)mds->num_bones)
            continue;
        memcpy(to, from, LM_MDS_WEIGHT_SIZE);
        lmi_put_f32(to + LM_MDS_WEIGHT_WEIGHT, weights[w]);
        lmi_mend_floats(to + LM_MDS_WEIGHT_OFFSET, 3);
        to += LM_MDS_WEIGHT_SIZE;
        count++;
    }
    if (count == 0) {
        memset(to, 0, LM_MDS_WEIGHT_SIZE);
        lmi_put_f32(to + LM_MDS_WEIGHT_WEIGHT, 1);
        to += LM_MDS_WEIGHT_SIZE;
        count = 1;
    }
    lmi_put_u32(out + LM_MDS_VERTEX_NUM_WEIGHTS, count);
    return to;
}

/* Makes numbers in a lump 0 that are not below a limit. */
static bool mend_indices(lm_edit *edit, const lm_part *part, size_t lump, int32_t count,
                         int32_t limit, lm_mds_surface *made) {
    uint8_t *indices = lmi_copy_lump(edit, part, lump, made);
    for (int32_t i = 0; indices && i < count; i++)
        if (lmi_get_u32(indices + (size_t)i * LM_MDS_INDEX_SIZE) >= (uint32_t)limit)
            lmi_put_u32(indices + (size_t)i * LM_MDS_INDEX_SIZE, 0);
    return indices;
}

static bool mend_surface(lm_edit *edit, const lm_part *part, lm_mds_surface *made) {
    const lm_mds *mds = edit->document;
    const uint64_t vertices = (uint64_t)made->num_verts;
    const uint64_t most =
        vertices * (LM_MDS_VERTEX_SIZE + LM_MDS_WEIGHT_SIZE) + lmi_count(made->weights_size);
    uint8_t *verts = lmi_arena_alloc(lmi_edit_arena(edit), most, 1), *end = verts;
    const uint8_t *vertex = made->verts;
    for (uint64_t v = 0; end && v < vertices; v++, vertex = lmi_mds_next_vertex(vertex))
        end = mend_vertex(mds, vertex, end);
    made->verts = verts;
    made->weights_size = (int32_t)((uint64_t)(end - verts) - vertices * LM_MDS_VERTEX_SIZE);
    return verts &&
           lmi_mend_triangles(edit, part, offsetof(lm_mds_surface, triangles), (uint32_t)vertices,
                              made) &&
           mend_indices(edit, part, offsetof(lm_mds_surface, collapse_map), made->num_verts,
                        made->num_verts, made) &&
           mend_indices(edit, part, offsetof(lm_mds_surface, bone_references),
                        made->num_bone_references, mds->num_bones, made);
}

static bool mend(lm_edit *edit) {
    const lm_part file = lmi_edit_part(edit);
    lm_mds *made = lmi_begin_change(edit);
    bool done = made && mend_bones(edit, &file, made) && mend_tags(edit, &file, made) &&
                mend_frames(edit, &file, made);
    for (uint32_t s = 0; done && s < lmi_num_surfaces(file.header, file.document); s++) {
        const lm_part part = lmi_surface_part(&file, s);
        done = mend_surface(edit, &part, lmi_new_surface(edit, made, s));
    }
    return done && lmi_commit_change(edit, made);
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
    .mend = mend,
};

const lm_writer lmi_mds_writer = {.format = &lmi_format_mds, .edit = &editor};
