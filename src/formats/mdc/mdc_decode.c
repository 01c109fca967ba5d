/* Decodes a document into a model: surfaces and tags stay packed as in the file. */
#include "formats/mdc/mdc_format.h"

#include "model/build.h"

static bool decode_frame_tables(lm_arena *arena, const lm_mdc *mdc, const lm_mdc_surface *surface,
                                lm_surface *out) {
    const bool has_deltas = surface->num_comp_frames > 0;
    const uint64_t count = (uint64_t)mdc->num_frames;
    uint16_t *keys = lm_arena_alloc(arena, count, sizeof *keys);
    uint16_t *deltas = has_deltas ? lm_arena_alloc(arena, count, sizeof *deltas) : NULL;
    if (!keys || (has_deltas && !deltas))
        return false;
    out->frame_keys = keys;
    out->frame_deltas = deltas;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        int32_t base = lm_mdc_get_frame_base_frame(surface, f);
        int32_t comp = lm_mdc_get_frame_comp_frame(surface, f);
        /* Entries out of range were reported. A tolerant reader uses base frame 0 and no compressed
         * frame for them. */
        keys[f] = (uint16_t)(base >= 0 && base < surface->num_base_frames ? base : 0);
        if (deltas)
            deltas[f] =
                (uint16_t)(comp >= 0 && comp < surface->num_comp_frames ? comp : LM_NO_DELTA);
    }
    return true;
}

static bool decode_keys(lm_arena *arena, const void *document, lm_location start, lm_surface *out) {
    const lm_mdc *mdc = document;
    const lm_mdc_surface *s = &mdc->surfaces[start.surface];
    uint64_t vertices = (uint64_t)s->num_vertices;
    out->flags = s->flags;
    out->num_keys = (uint32_t)s->num_base_frames;
    out->keys =
        lm_arena_bytes(arena, s->base_vertices, vertices * out->num_keys, LM_MDC_BASE_VERTEX_SIZE);
    out->num_deltas = (uint32_t)s->num_comp_frames;
    out->delta_stride = (size_t)vertices * LM_MDC_COMP_VERTEX_SIZE;
    out->deltas = lm_arena_bytes(arena, s->comp_vertices, vertices * out->num_deltas,
                                 LM_MDC_COMP_VERTEX_SIZE);
    return decode_frame_tables(arena, mdc, s, out);
}

static lm_vec3 sum(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Adds the local origin to every vertex, as the quirk requires. */
static void move_frames(const lm_mdc *mdc, lm_model *model) {
    lm_frame *frames = (lm_frame *)model->frames;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        lm_mdc_frame frame;
        lm_mdc_get_frame(mdc, f, &frame);
        lm_vec3 origin = lm_sanitize_vec3(frame.local_origin);
        frames[f].translate = origin;
        frames[f].min = sum(frames[f].min, origin);
        frames[f].max = sum(frames[f].max, origin);
    }
}

static bool decode_tags(lm_arena *arena, const lm_mdc *mdc, bool prinz, lm_model *model) {
    const lm_tag_encoding encoding = prinz ? LM_TAG_U16 : LM_TAG_S16;
    const size_t num_tags = (size_t)mdc->num_tags, stride = num_tags * LM_MDC_TAG_SIZE;
    lm_tag *tags = lm_arena_alloc(arena, num_tags, sizeof *tags);
    const uint8_t *poses = lm_arena_bytes(arena, mdc->tags, model->num_frames, stride);
    if (!tags || (!poses && num_tags > 0))
        return false;
    for (size_t t = 0; t < num_tags; t++)
        tags[t] = (lm_tag){
            lm_arena_field(arena, mdc->tag_names + t * LM_MDC_TAG_NAME_SIZE, LM_MDC_TAG_NAME_SIZE),
            encoding, poses + t * LM_MDC_TAG_SIZE, stride};
    model->num_tags = (uint32_t)num_tags;
    model->tags = tags;
    return true;
}

static bool parse(lm_reading *reading, void *document) {
    return lm_vertex_mesh_parse(reading, &lm_mdc_mesh, document);
}

static bool decode(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model) {
    const bool prinz = (options->quirks & LM_QUIRK_MDC_PRINZ) != 0;
    lm_arena *arena = lm_arena_of(model);
    const lm_mdc *mdc = document;
    if (!lm_mdc_verify(mdc, reading->reporter))
        return false;
    const lm_vertex_mesh_frames frames = lm_vertex_mesh_frames_of(&lm_mdc_mesh, mdc);
    model->version = LM_MDC_VERSION;
    model->name = lm_arena_field(arena, mdc->name, sizeof mdc->name);
    model->delta_scale = prinz ? LM_MDC_COMP_STEP_PRINZ : LM_MDC_COMP_STEP;
    model->delta_normals_add = prinz;
    model->flags = mdc->flags;
    if (!lm_vertex_mesh_decode_frames(arena, &frames, model))
        return false;
    if (prinz)
        move_frames(mdc, model);
    if (!decode_tags(arena, mdc, prinz, model) ||
        !lm_vertex_mesh_decode_surfaces(arena, &lm_mdc_mesh, mdc, decode_keys, model))
        return false;
    lm_vertex_mesh_repair_bounds(&frames, model);
    return true;
}

const lm_format lm_format_mdc = {
    .info = {"mdc", "Return to Castle Wolfenstein", "IDPC", LM_MDC_VERSION, "model/x-mdc", "mdc",
             LM_FEATURE_SURFACES | LM_FEATURE_TAGS | LM_FEATURE_BASE_FRAMES},
    .header = &lm_mdc_header,
    .parse = parse,
    .decode = decode,
};
