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

static void carve_surfaces(lm_block *block, const lm_md3 *md3, lm_model *model) {
    lm_surface *surfaces = lm_carve(block, (uint64_t)md3->num_surfaces, sizeof *surfaces);
    lm_location start = lm_mesh_first(&lm_md3_mesh, md3);
    model->num_surfaces = (uint32_t)md3->num_surfaces;
    model->surfaces = surfaces;
    for (int32_t s = 0; s < md3->num_surfaces;
         s++, start = lm_mesh_next(&lm_md3_mesh, md3, start)) {
        const lm_mesh_surface surface = lm_mesh_surface_at(&lm_md3_mesh, md3, start);
        lm_surface out;
        lm_mesh_carve_surface(block, &surface, &out);
        out.flags = md3->surfaces[s].flags;
        out.num_keys = model->num_frames;
        out.keys = lm_carve_bytes(block, md3->surfaces[s].xyz_normals,
                                  (uint64_t)md3->surfaces[s].num_verts * out.num_keys,
                                  LM_MD3_XYZ_NORMAL_SIZE);
        if (surfaces)
            surfaces[s] = out;
    }
}

static void carve_model(lm_block *block, const void *context, lm_model *model) {
    const lm_md3 *md3 = context;
    const lm_mesh_frames frames = lm_mesh_frames_of(&lm_md3_mesh, md3);
    model->format = "md3";
    model->version = LM_MD3_VERSION;
    model->name = lm_carve_name(block, md3->name, sizeof md3->name);
    model->flags = md3->flags;
    lm_mesh_carve_frames(block, &frames, model);
    carve_tags(block, md3, model);
    carve_surfaces(block, md3, model);
}

static lm_model *decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter) {
    lm_md3 md3;
    lm_owned owned = {.allocator = heap->allocator};
    lm_reading reading = {file, heap, &reporter->base, 0};
    lm_model *model = NULL;
    (void)options; /* no quirk is known, and there are no GL commands */
    if (lm_mesh_parse(&reading, &owned, &lm_md3_mesh, &md3) && lm_md3_verify(&md3, &reporter->base))
        model = lm_build_model(heap, reporter, carve_model, &md3);
    if (model) {
        const lm_mesh_frames frames = lm_mesh_frames_of(&lm_md3_mesh, &md3);
        lm_mesh_mend_bounds(&frames, model);
    }
    lm_disown(&owned);
    return model;
}

const lm_format lm_format_md3 = {
    .info = {"md3", "Quake III Arena", "IDP3", LM_MD3_VERSION, "model/x-md3", "md3",
             LM_ABILITY_SURFACES | LM_ABILITY_TAGS},
    .header = &lm_md3_header,
    .decode = decode,
};
