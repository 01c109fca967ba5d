/* Reads bytes into a document, verifies them, and decodes the document into a model: surfaces and
 * tags stay packed as in the file. */
#include "formats/md3/md3_format.h"

#include "math/vectors.h"

lm_location lmi_md3_tag_location(const lm_md3 *md3, int32_t frame, int32_t tag) {
    const uint32_t index = (uint32_t)frame * (uint32_t)md3->num_tags + (uint32_t)tag;
    const lm_location tags = lmi_location_at("tags", 0, (size_t)md3->ofs_tags);
    return lmi_element_location(tags, index, LM_MD3_TAG_SIZE);
}

/* ---- Contents of lumps --------------------------------------------------------------------- */

static bool tag_sound(const lm_md3_tag *tag) {
    return lmi_sane_vec3(tag->origin) && lmi_sane_vec3(tag->axis[0]) &&
           lmi_sane_vec3(tag->axis[1]) && lmi_sane_vec3(tag->axis[2]);
}

static bool verify_tags(const void *document, lm_reporter *reporter) {
    const lm_md3 *md3 = document;
    for (int32_t f = 0; f < md3->num_frames; f++)
        for (int32_t t = 0; t < md3->num_tags; t++) {
            lm_md3_tag tag;
            lmi_md3_get_tag(md3, f, t, &tag);
            if (!tag_sound(&tag) &&
                !lmi_report_damage(reporter, LM_CODE_NOT_FINITE, lmi_md3_tag_location(md3, f, t),
                                   "tag %d of frame %d has a number that is not below 2^31", (int)t,
                                   (int)f))
                return false;
        }
    return true;
}

/* ---- Documents ---------------------------------------------------------------------------- */

static bool read(lm_reading *reading, void *document) {
    return lmi_vertex_mesh_parse(reading, &lmi_md3_mesh, document) &&
           lmi_vertex_mesh_verify(&lmi_md3_mesh, document, reading->reporter);
}

const lm_document_kind lmi_md3_kind = {&lmi_format_md3, "MD3", &lmi_md3_header, read};

LM_DOCUMENT_READ(md3, lmi_md3_kind)

/* ---- Models ------------------------------------------------------------------------------- */

#define POSE_SIZE (LM_MD3_TAG_SIZE - LM_MD3_TAG_ORIGIN) /* of LM_TAG_AXES: 12 floats */

/* Copies a tag's origin and axes without its name, and makes unusable numbers 0 (lmi_sanitize). */
static void copy_pose(const uint8_t *tag, uint8_t *out) {
    for (size_t i = 0; i < POSE_SIZE; i += 4)
        lmi_put_f32(out + i, lmi_sanitize(lmi_get_f32(tag + LM_MD3_TAG_ORIGIN + i)));
}

static bool decode_tags(lm_arena *arena, const void *document, lm_model *model) {
    const lm_md3 *md3 = document;
    size_t num_tags = (size_t)md3->num_tags, num_poses = num_tags * (size_t)md3->num_frames;
    lm_tag *tags = lmi_arena_alloc(arena, num_tags, sizeof *tags);
    uint8_t *poses = lmi_arena_alloc(arena, num_poses, POSE_SIZE);
    if (!tags || !poses)
        return false;
    for (size_t i = 0; i < num_poses; i++)
        copy_pose(md3->tags + i * LM_MD3_TAG_SIZE, poses + i * POSE_SIZE);
    for (size_t t = 0; t < num_tags; t++)
        tags[t] =
            (lm_tag){lmi_arena_field(arena, md3->tags + t * LM_MD3_TAG_SIZE, LM_MD3_NAME_SIZE),
                     LM_TAG_AXES, poses + t * POSE_SIZE, num_tags * POSE_SIZE};
    model->num_tags = (uint32_t)num_tags;
    model->tags = tags;
    return true;
}

static bool decode_keys(lm_arena *arena, const void *document, lm_location start, lm_surface *out) {
    const lm_md3 *md3 = document;
    const lm_md3_surface *surface = &md3->surfaces[start.surface];
    out->flags = surface->flags;
    out->num_keys = (uint32_t)md3->num_frames;
    out->keys =
        lmi_arena_bytes(arena, surface->xyz_normals, (uint64_t)surface->num_verts * out->num_keys,
                        LM_MD3_XYZ_NORMAL_SIZE);
    return true;
}

const lm_vertex_mesh_kind lmi_md3_mesh = {
    .header = &lmi_md3_header,
    .name = offsetof(lm_md3_surface, name),
    .first_count = offsetof(lm_md3_surface, num_shaders),
    .unsound = "a negative count",
    .verify_tags = verify_tags,
    .decode_tags = decode_tags,
    .decode_keys = decode_keys,
};

static bool parse(lm_reading *reading, void *document) {
    return lmi_vertex_mesh_parse(reading, &lmi_md3_mesh, document);
}

static bool decode(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model) {
    lm_arena *arena = lmi_arena_of(model);
    const lm_md3 *md3 = document;
    (void)options; /* MD3 has no quirks and no GL commands */
    if (!lmi_vertex_mesh_verify(&lmi_md3_mesh, md3, reading->reporter))
        return false;
    model->version = LM_MD3_VERSION;
    model->name = lmi_arena_field(arena, md3->name, sizeof md3->name);
    model->flags = md3->flags;
    return lmi_vertex_mesh_decode(arena, &lmi_md3_mesh, md3, model);
}

const lm_format lmi_format_md3 = {
    .info = {.name = "md3",
             .game = "Quake III Arena",
             .ident = "IDP3",
             .version = LM_MD3_VERSION,
             .mime = "model/x-md3",
             .extension = "md3",
             .features = LM_FEATURE_SURFACES | LM_FEATURE_TAGS},
    .header = &lmi_md3_header,
    .parse = parse,
    .decode = decode,
};
