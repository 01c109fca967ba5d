/* Reads bytes into a document, verifies them, and decodes the document into a model. */
#include "formats/mds/mds_format.h"

#include "clips/clip_names.h"
#include "core/arena.h"
#include "math/vectors.h"

/* ---- Documents ----------------------------------------------------------------------------- */

/* Returns true if the vertices end inside their surface. */
static bool sizes_sound(const void *surface) {
    return ((const lm_mds_surface *)surface)->weights_size >= 0;
}

const lm_vertex_mesh_kind lmi_mds_mesh = {
    .header = &lmi_mds_header,
    .name = offsetof(lm_mds_surface, name),
    .first_count = offsetof(lm_mds_surface, num_verts),
    .counts_sound = sizes_sound,
    .unsound = "a negative count, or vertices that do not end inside it",
};

static bool parse(lm_reading *reading, void *document) {
    lm_mds *mds = document;
    if (!lmi_read_ident(reading, &lmi_mds_header))
        return false;
    lmi_get_header(&lmi_mds_header, reading->file.data, mds);
    if (mds->num_bones < 1 || mds->num_bones > LM_MAX_BONES)
        return lmi_report_fatal(
            reading->reporter, LM_CODE_BAD_COUNT,
            lmi_field_location(&lmi_mds_header, lmi_file_location(), offsetof(lm_mds, num_bones)),
            "the number of bones is not 1 to 128");
    return lmi_vertex_mesh_parse(reading, &lmi_mds_mesh, mds);
}

static bool read(lm_reading *reading, void *document) {
    return parse(reading, document) && lmi_mds_verify(document, reading->reporter);
}

const lm_document_kind lmi_mds_kind = {&lmi_format_mds, "MDS", &lmi_mds_header, read};

LM_DOCUMENT_READ(mds, lmi_mds_kind)

lm_vertex_mesh_surface lmi_mds_view(const lm_mds_surface *surface, lm_location start) {
    return (lm_vertex_mesh_surface){
        .start = start,
        .name = surface->name,
        .num_vertices = surface->num_verts,
        .num_triangles = surface->num_triangles,
        .triangles = surface->triangles,
        .ofs_triangles = surface->ofs_triangles,
        .ofs_vertices = surface->ofs_verts,
    };
}

/* ---- Contents of lumps --------------------------------------------------------------------- */

/* Numbers of real files are rounded. */
static bool sound_weight(float weight) {
    return weight >= -0.001f && weight <= 1.001f;
}

float lmi_mds_usable_weight(float weight) {
    return sound_weight(weight) ? lmi_sanitize(weight) : 0.0f;
}

static bool sound_bone(const lm_mds *mds, const uint8_t *index) {
    return lmi_get_u32(index) < (uint32_t)mds->num_bones;
}

bool lmi_mds_get_weights(const lm_mds *mds, const uint8_t *vertex, float *weights) {
    const uint32_t count = lmi_mds_num_weights(vertex);
    bool sound = count > 0;
    float sum = 0;
    uint32_t num_bones = 0;
    for (uint32_t w = 0; w < count; w++) {
        const uint8_t *raw = lmi_mds_weight(vertex, w);
        const float stored = lmi_get_f32(raw + LM_MDS_WEIGHT_WEIGHT);
        const bool has_bone = sound_bone(mds, raw);
        weights[w] = has_bone ? lmi_mds_usable_weight(stored) : 0;
        sound = sound && has_bone && sound_weight(stored);
        num_bones += has_bone;
        sum += weights[w] > 0 ? weights[w] : 0;
    }
    /* Without the damaged weights, the vertex stays between its bones. */
    for (uint32_t w = 0; w < count && !sound; w++)
        weights[w] = sum > 0 ? (weights[w] > 0 ? weights[w] / sum : 0)
                             : 1 / (float)(num_bones > 0 ? num_bones : 1);
    return sound;
}

static bool verify_bones(const lm_mds *mds, lm_reporter *reporter) {
    const lm_location first = lmi_lump_location(lmi_file_location(), "bones", mds->ofs_bones);
    bool continues = true;
    for (int32_t b = 0; b < mds->num_bones && continues; b++) {
        const uint8_t *bone = mds->bones + (size_t)b * LM_MDS_BONE_SIZE;
        const lm_location at = lmi_element_location(first, (uint32_t)b, LM_MDS_BONE_SIZE);
        const int32_t parent = lmi_get_s32(bone + LM_MDS_BONE_PARENT);
        if (parent < -1 || parent >= b)
            continues = lmi_report_damage(reporter, LM_CODE_BONE_INDEX, at,
                                          "bone %d: its parent, %d, does not come before it",
                                          (int)b, (int)parent);
        if (continues && !sound_weight(lmi_get_f32(bone + LM_MDS_BONE_TORSO_WEIGHT)))
            continues =
                lmi_report_damage(reporter, LM_CODE_BAD_WEIGHT, at,
                                  "bone %d: its torso weight is not between 0 and 1", (int)b);
        if (continues && !lmi_sane(lmi_get_f32(bone + LM_MDS_BONE_PARENT_DIST)))
            continues =
                lmi_report_damage(reporter, LM_CODE_NOT_FINITE, at,
                                  "bone %d: its distance is not a number below 2^31", (int)b);
    }
    if (continues && (mds->torso_parent < 0 || mds->torso_parent >= mds->num_bones))
        continues = lmi_report_damage(reporter, LM_CODE_BONE_INDEX,
                                      lmi_field_location(&lmi_mds_header, lmi_file_location(),
                                                         offsetof(lm_mds, torso_parent)),
                                      "the torso turns about bone %d, but there are %d",
                                      (int)mds->torso_parent, (int)mds->num_bones);
    return continues;
}

static bool verify_tags(const lm_mds *mds, lm_reporter *reporter) {
    const lm_location first = lmi_lump_location(lmi_file_location(), "tags", mds->ofs_tags);
    for (int32_t t = 0; t < mds->num_tags; t++) {
        const uint8_t *bone = mds->tags + (size_t)t * LM_MDS_TAG_SIZE + LM_MDS_TAG_BONE;
        if (!sound_bone(mds, bone) &&
            !lmi_report_damage(reporter, LM_CODE_BONE_INDEX,
                               lmi_element_location(first, (uint32_t)t, LM_MDS_TAG_SIZE),
                               "tag %d is bone %d, but there are %d", (int)t,
                               (int)lmi_get_s32(bone), (int)mds->num_bones))
            return false;
    }
    return true;
}

static bool verify_frames(const lm_mds *mds, lm_reporter *reporter) {
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(&lmi_mds_mesh, mds);
    const lm_location first = lmi_location_at("frames", 0, frames.offset);
    bool continues = lmi_vertex_mesh_verify_frames(&frames, reporter);
    for (int32_t f = 0; f < frames.count && continues; f++) {
        const uint8_t *frame = frames.data + (size_t)f * frames.size;
        if (!lmi_sane_vec3(lmi_get_vec3(frame + LM_MDS_FRAME_PARENT_OFFSET)))
            continues = lmi_report_damage(
                reporter, LM_CODE_NOT_FINITE, lmi_element_location(first, (uint32_t)f, frames.size),
                "frame %d: the position of its bones is not made of numbers below 2^31", (int)f);
    }
    return continues;
}

static bool verify_vertex(const lm_mds *mds, const uint8_t *vertex, lm_location at,
                          lm_reporter *reporter) {
    const unsigned surface = at.surface, index = at.index;
    const uint32_t count = lmi_mds_num_weights(vertex);
    const lm_vec3 st = {lmi_get_f32(vertex + LM_MDS_VERTEX_ST),
                        lmi_get_f32(vertex + LM_MDS_VERTEX_ST + 4), 0};
    bool continues = true;
    if (!lmi_sane_vec3(lmi_get_vec3(vertex)) || !lmi_sane_vec3(st))
        continues = lmi_report_damage(reporter, LM_CODE_NOT_FINITE, at,
                                      "surface %u: the normal or texture coordinate of vertex %u "
                                      "is not made of numbers below 2^31",
                                      surface, index);
    if (continues && count == 0)
        continues = lmi_report_damage(
            reporter, LM_CODE_BAD_WEIGHT, at,
            "surface %u: vertex %u has %d weights instead of 1 to %d", surface, index,
            (int)lmi_get_s32(vertex + LM_MDS_VERTEX_NUM_WEIGHTS), LM_MAX_BONES);
    for (uint32_t w = 0; w < count && continues; w++) {
        const uint8_t *weight = lmi_mds_weight(vertex, w);
        if (!sound_bone(mds, weight))
            continues =
                lmi_report_damage(reporter, LM_CODE_BONE_INDEX, at,
                                  "surface %u: vertex %u uses bone %d, but there are %d", surface,
                                  index, (int)lmi_get_s32(weight), (int)mds->num_bones);
        if (continues && !sound_weight(lmi_get_f32(weight + LM_MDS_WEIGHT_WEIGHT)))
            continues = lmi_report_damage(
                reporter, LM_CODE_BAD_WEIGHT, at,
                "surface %u: a weight of vertex %u is not between 0 and 1", surface, index);
        if (continues && !lmi_sane_vec3(lmi_get_vec3(weight + LM_MDS_WEIGHT_OFFSET)))
            continues = lmi_report_damage(
                reporter, LM_CODE_NOT_FINITE, at,
                "surface %u: an offset of vertex %u is not made of numbers below 2^31", surface,
                index);
    }
    return continues;
}

/* Checks that the numbers of a lump are below a limit. */
static bool verify_indices(const uint8_t *indices, int32_t count, int32_t limit, lm_code code,
                           lm_location lump, lm_reporter *reporter) {
    for (int32_t i = 0; i < count; i++) {
        const uint8_t *index = indices + (size_t)i * LM_MDS_INDEX_SIZE;
        if (lmi_get_u32(index) >= (uint32_t)limit &&
            !lmi_report_damage(
                reporter, code, lmi_element_location(lump, (uint32_t)i, LM_MDS_INDEX_SIZE),
                "surface %u: entry %d of the %s is %d, but must be below %d",
                (unsigned)lump.surface, (int)i, lump.section, (int)lmi_get_s32(index), (int)limit))
            return false;
    }
    return true;
}

static bool verify_surface(const lm_mds *mds, const lm_mds_surface *s, lm_location start,
                           lm_reporter *reporter) {
    const lm_vertex_mesh_surface view = lmi_mds_view(s, start);
    lm_location at = lmi_lump_location(start, "vertices", s->ofs_verts);
    const uint8_t *vertex = s->verts;
    /* The engine finds the file's header by it when it draws. */
    bool continues =
        (int64_t)s->ofs_header == -(int64_t)start.offset ||
        lmi_report_damage(reporter, LM_CODE_BAD_OFFSET,
                          lmi_field_location(&lmi_mds_surface_header, start,
                                             offsetof(lm_mds_surface, ofs_header)),
                          "surface %u: the file's header is at %lld, not at %d",
                          (unsigned)start.surface, -(long long)start.offset, (int)s->ofs_header);
    for (int32_t v = 0; v < s->num_verts && continues; v++) {
        at.index = (uint32_t)v;
        continues = verify_vertex(mds, vertex, at, reporter);
        at.offset += (size_t)(lmi_mds_next_vertex(vertex) - vertex);
        vertex = lmi_mds_next_vertex(vertex);
    }
    return continues && lmi_vertex_mesh_verify_triangles(&view, reporter) &&
           verify_indices(s->collapse_map, s->num_verts, s->num_verts, LM_CODE_VERTEX_INDEX,
                          lmi_lump_location(start, "collapse map", s->ofs_collapse_map),
                          reporter) &&
           verify_indices(
               s->bone_references, s->num_bone_references, mds->num_bones, LM_CODE_BONE_INDEX,
               lmi_lump_location(start, "bone references", s->ofs_bone_references), reporter);
}

bool lmi_mds_verify(const lm_mds *mds, lm_reporter *reporter) {
    lm_location start = lmi_vertex_mesh_first(&lmi_mds_mesh, mds);
    bool continues =
        verify_frames(mds, reporter) && verify_bones(mds, reporter) && verify_tags(mds, reporter);
    for (int32_t s = 0; s < mds->num_surfaces && continues; s++) {
        continues = verify_surface(mds, &mds->surfaces[s], start, reporter);
        start = lmi_vertex_mesh_next(&lmi_mds_mesh, mds, start);
    }
    return continues;
}

/* ---- Models: damage was reported, and occurs only in a tolerant reader ----------------------- */

static bool decode_frames(lm_arena *arena, const lm_mds *mds, lm_model *model) {
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(&lmi_mds_mesh, mds);
    const lm_name_fields names = {.first = frames.data, .count = (uint32_t)frames.count};
    lm_frame *out = lmi_arena_alloc(arena, (uint64_t)frames.count, sizeof *out);
    model->num_frames = (uint32_t)frames.count;
    model->frames = out;
    for (int32_t f = 0; out && f < frames.count; f++) {
        const uint8_t *raw = frames.data + (size_t)f * frames.size;
        const lm_vertex_mesh_frame frame = lmi_vertex_mesh_get_frame(raw);
        out[f] = (lm_frame){.name = "",
                            .translate =
                                lmi_sanitize_vec3(lmi_get_vec3(raw + LM_MDS_FRAME_PARENT_OFFSET))};
        lmi_vertex_mesh_decode_bounds(&frame, &out[f]);
    }
    return out && lmi_clips_of_names(arena, &names, &model->clips, &model->num_clips);
}

static bool decode_bones(lm_arena *arena, const lm_mds *mds, lm_model *model) {
    const uint32_t count = (uint32_t)mds->num_bones;
    const size_t stride = (size_t)mds->frame_size;
    lm_bones *out = lmi_arena_zeros(arena, 1, sizeof *out);
    lm_bone *bones = lmi_arena_alloc(arena, count, sizeof *bones);
    const uint8_t *frames = lmi_arena_bytes(arena, mds->frames, model->num_frames, stride);
    if (!out || !bones || !frames)
        return false;
    for (uint32_t b = 0; b < count; b++) {
        const uint8_t *raw = mds->bones + (size_t)b * LM_MDS_BONE_SIZE;
        const uint32_t parent = lmi_get_u32(raw + LM_MDS_BONE_PARENT);
        bones[b] = (lm_bone){
            .name = lmi_arena_field(arena, raw, LM_MDS_NAME_SIZE),
            .parent = parent < b ? parent : LM_NO_BONE,
            .parent_dist = lmi_sanitize(lmi_get_f32(raw + LM_MDS_BONE_PARENT_DIST)),
            .torso_weight = lmi_mds_usable_weight(lmi_get_f32(raw + LM_MDS_BONE_TORSO_WEIGHT)),
            .flags = lmi_get_u32(raw + LM_MDS_BONE_FLAGS),
        };
    }
    const uint32_t torso = (uint32_t)mds->torso_parent;
    *out = (lm_bones){.num_bones = count,
                      .bones = bones,
                      .torso_parent = torso < count ? torso : 0,
                      .poses = frames + LM_MDS_FRAME_SIZE,
                      .pose_stride = stride};
    model->bones = out;
    return true;
}

static bool decode_tags(lm_arena *arena, const lm_mds *mds, lm_model *model) {
    lm_tag *tags = lmi_arena_alloc(arena, (uint64_t)mds->num_tags, sizeof *tags);
    uint32_t *bones = lmi_arena_alloc(arena, (uint64_t)mds->num_tags, sizeof *bones);
    if (!tags || !bones)
        return false;
    for (int32_t t = 0; t < mds->num_tags; t++) {
        const uint8_t *raw = mds->tags + (size_t)t * LM_MDS_TAG_SIZE;
        if (!sound_bone(mds, raw + LM_MDS_TAG_BONE))
            continue;
        bones[model->num_tags] = lmi_get_u32(raw + LM_MDS_TAG_BONE);
        tags[model->num_tags++] = (lm_tag){.name = lmi_arena_field(arena, raw, LM_MDS_NAME_SIZE),
                                           .encoding = LM_TAG_BONE};
    }
    model->tags = tags;
    ((lm_bones *)model->bones)->tag_bones = bones;
    return true;
}

/* Decodes the weights of a vertex. One without usable weights stays at the first bone. Returns
 * their number. */
static uint32_t decode_weights(const lm_mds *mds, const uint8_t *vertex, lm_weight *out) {
    const uint32_t count = lmi_mds_num_weights(vertex);
    float weights[LM_MAX_BONES];
    uint32_t used = 0;
    lmi_mds_get_weights(mds, vertex, weights);
    for (uint32_t w = 0; w < count; w++) {
        const uint8_t *raw = lmi_mds_weight(vertex, w);
        if (sound_bone(mds, raw))
            out[used++] = (lm_weight){lmi_get_u32(raw), weights[w],
                                      lmi_sanitize_vec3(lmi_get_vec3(raw + LM_MDS_WEIGHT_OFFSET))};
    }
    if (used == 0)
        out[used++] = (lm_weight){.weight = 1};
    return used;
}

static lm_vec3 decode_normal(const uint8_t *raw) {
    const lm_vec3 normal = lmi_unit(lmi_sanitize_vec3(lmi_get_vec3(raw)));
    return normal.x != 0 || normal.y != 0 || normal.z != 0 ? normal : (lm_vec3){0, 0, 1};
}

static bool decode_vertices(lm_arena *arena, const lm_mds *mds, const lm_mds_surface *from,
                            lm_surface *out) {
    const uint32_t count = (uint32_t)from->num_verts;
    const uint64_t most = count + lmi_count(from->weights_size) / LM_MDS_WEIGHT_SIZE;
    uint32_t *file_vertices = lmi_arena_alloc(arena, count, sizeof *file_vertices);
    lm_vec2 *st = lmi_arena_alloc(arena, count, sizeof *st);
    lm_weights *weights = lmi_arena_alloc(arena, 1, sizeof *weights);
    uint32_t *firsts = lmi_arena_alloc(arena, (uint64_t)count + 1, sizeof *firsts);
    lm_weight *list = lmi_arena_alloc(arena, most, sizeof *list);
    lm_vec3 *normals = lmi_arena_alloc(arena, count, sizeof *normals);
    if (!file_vertices || !st || !weights || !firsts || !list || !normals)
        return false;
    const uint8_t *raw = from->verts;
    firsts[0] = 0;
    for (uint32_t v = 0; v < count; v++, raw = lmi_mds_next_vertex(raw)) {
        file_vertices[v] = v;
        st[v] = (lm_vec2){lmi_sanitize(lmi_get_f32(raw + LM_MDS_VERTEX_ST)),
                          lmi_sanitize(lmi_get_f32(raw + LM_MDS_VERTEX_ST + 4))};
        normals[v] = decode_normal(raw);
        firsts[v + 1] = firsts[v] + decode_weights(mds, raw, list + firsts[v]);
    }
    *weights = (lm_weights){firsts, list, normals};
    out->num_vertices = out->num_file_vertices = count;
    out->file_vertices = file_vertices;
    out->st = st;
    out->weights = weights;
    return true;
}

static bool decode_surface(lm_arena *arena, const lm_mds *mds, const lm_mds_surface *from,
                           lm_surface *out) {
    const lm_vertex_mesh_surface view = lmi_mds_view(from, lmi_surface_location(0, 0));
    lm_material *material = lmi_arena_zeros(arena, 1, sizeof *material);
    uint32_t *triangles =
        lmi_arena_alloc(arena, (uint64_t)from->num_triangles * 3, sizeof *triangles);
    if (!material || !triangles)
        return false;
    material->name = lmi_arena_field(arena, from->shader, sizeof from->shader);
    *out = (lm_surface){.name = lmi_arena_field(arena, from->name, sizeof from->name),
                        .num_triangles = lmi_vertex_mesh_usable_triangles(&view, triangles),
                        .triangles = triangles,
                        .num_materials = 1,
                        .materials = material,
                        .encoding = LM_VERTEX_WEIGHTS};
    return decode_vertices(arena, mds, from, out);
}

static bool decode(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model) {
    lm_arena *arena = lmi_arena_of(model);
    const lm_mds *mds = document;
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(&lmi_mds_mesh, mds);
    (void)options;
    if (!lmi_mds_verify(mds, reading->reporter) || !decode_frames(arena, mds, model) ||
        !decode_bones(arena, mds, model) || !decode_tags(arena, mds, model))
        return false;
    lm_surface *surfaces = lmi_arena_alloc(arena, (uint64_t)mds->num_surfaces, sizeof *surfaces);
    model->version = LM_MDS_VERSION;
    model->name = lmi_arena_field(arena, mds->name, sizeof mds->name);
    model->surfaces = surfaces;
    for (int32_t s = 0; surfaces && s < mds->num_surfaces; s++) {
        if (!decode_surface(arena, mds, &mds->surfaces[s], &surfaces[s]))
            return false;
        model->num_surfaces++;
    }
    if (!surfaces || lmi_arena_failed(arena))
        return false;
    lmi_vertex_mesh_repair_bounds(&frames, model);
    return true;
}

const lm_format lmi_format_mds = {
    .info = {.name = "mds",
             .game = "Return to Castle Wolfenstein",
             .ident = "MDSW",
             .version = LM_MDS_VERSION,
             .mime = "model/x-mds",
             .extension = "mds",
             .features = LM_FEATURE_SURFACES | LM_FEATURE_TAGS | LM_FEATURE_BONES},
    .header = &lmi_mds_header,
    .parse = parse,
    .decode = decode,
};
