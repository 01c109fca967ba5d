/* From a document to the neutral model: surfaces and tags as they are packed in the file. */
#include "formats/md3/md3_format.h"

#include "model/build.h"

#define POSE_SIZE (LM_MD3_TAG_SIZE - LM_MD3_TAG_ORIGIN) /* what LM_TAG_AXES takes: 12 floats */

/* A tag's origin and axes without its name; numbers that a tolerant reader let pass become 0. */
static void copy_pose(const uint8_t *tag, uint8_t *out) {
    for (size_t i = 0; i < POSE_SIZE; i += 4)
        lm_put_f32(out + i, lm_tame(lm_get_f32(tag + LM_MD3_TAG_ORIGIN + i)));
}

static void carve_tags(lm_block *block, const lm_md3 *md3, lm_model *model) {
    size_t num_tags = (size_t)md3->num_tags, num_poses = num_tags * (size_t)md3->num_frames;
    lm_tag *tags = lm_carve(block, num_tags, sizeof *tags);
    uint8_t *poses = lm_carve(block, num_poses, POSE_SIZE);
    model->num_tags = (uint32_t)num_tags;
    model->tags = tags;
    for (size_t i = 0; poses && i < num_poses; i++)
        copy_pose(md3->tags + i * LM_MD3_TAG_SIZE, poses + i * POSE_SIZE);
    for (size_t t = 0; t < num_tags; t++) {
        const char *name = lm_carve_name(block, md3->tags + t * LM_MD3_TAG_SIZE, LM_MD3_NAME_SIZE);
        if (tags)
            tags[t] = (lm_tag){name, LM_TAG_AXES, poses + t * POSE_SIZE, num_tags * POSE_SIZE};
    }
}

void lm_md3_carve_keys(lm_block *block, const void *document, const void *surface,
                       lm_surface *out) {
    const lm_md3 *md3 = document;
    const lm_md3_surface *s = surface;
    out->num_keys = (uint32_t)md3->num_frames;
    out->keys = lm_carve_bytes(block, s->xyz_normals, (uint64_t)s->num_verts * out->num_keys,
                               LM_MD3_XYZ_NORMAL_SIZE);
}

static void carve_model(lm_block *block, const void *context, lm_model *model) {
    const lm_mesh_reading *reading = context;
    const lm_md3 *md3 = reading->document;
    model->format = "md3";
    model->version = LM_MD3_VERSION;
    model->name = lm_carve_name(block, md3->name, sizeof md3->name);
    lm_mesh_carve_frames(block, reading, model);
    carve_tags(block, md3, model);
    lm_mesh_carve_surfaces(block, reading, model);
}

lm_model *lm_md3_decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter) {
    lm_md3 md3;
    lm_mesh_reading reading = {.kind = &lm_md3_kind, .document = &md3};
    (void)options; /* no quirk is known, and there are no GL commands */
    return lm_mesh_decode(&reading, file, heap, reporter, carve_model, &reading);
}

const lm_format lm_format_md3 = {
    .info = {"md3", "Quake III Arena", "IDP3", LM_MD3_VERSION, "model/x-md3", "md3",
             LM_ABILITY_SURFACES | LM_ABILITY_TAGS},
    .decode = lm_md3_decode,
    .check = lm_md3_check,
    .layout = lm_md3_layout,
    .table = lm_md3_table,
};
