/* From a document to the neutral model: surfaces and tags as they are packed in the file. */
#include "formats/mdc/mdc_format.h"

#include "model/build.h"

typedef struct lm_mdc_plan {
    const lm_mdc *mdc;
    bool prinz;
} lm_mdc_plan;

static void carve_frame_tables(lm_block *block, const lm_mdc *mdc, const lm_mdc_surface *surface,
                               lm_surface *out) {
    bool has_deltas = surface->num_comp_frames > 0;
    uint16_t *keys = lm_carve(block, (uint64_t)mdc->num_frames, sizeof *keys);
    uint16_t *deltas =
        has_deltas ? lm_carve(block, (uint64_t)mdc->num_frames, sizeof *deltas) : NULL;
    out->frame_keys = keys;
    out->frame_deltas = deltas;
    for (int32_t f = 0; keys && f < mdc->num_frames; f++) {
        int32_t base = lm_mdc_get_frame_base_frame(surface, f);
        int32_t comp = lm_mdc_get_frame_comp_frame(surface, f);
        /* Entries out of range were reported; a tolerant reader takes base frame 0 and no
         * compressed frame. */
        keys[f] = (uint16_t)(base >= 0 && base < surface->num_base_frames ? base : 0);
        if (deltas)
            deltas[f] =
                (uint16_t)(comp >= 0 && comp < surface->num_comp_frames ? comp : LM_NO_DELTA);
    }
}

static void carve_keys(lm_block *block, const lm_mdc *mdc, const lm_mdc_surface *s,
                       lm_surface *out) {
    uint64_t vertices = (uint64_t)s->num_vertices;
    carve_frame_tables(block, mdc, s, out);
    out->num_keys = (uint32_t)s->num_base_frames;
    out->keys =
        lm_carve_bytes(block, s->base_vertices, vertices * out->num_keys, LM_MDC_BASE_VERTEX_SIZE);
    out->num_deltas = (uint32_t)s->num_comp_frames;
    out->delta_stride = (size_t)vertices * LM_MDC_COMP_VERTEX_SIZE;
    out->deltas = lm_carve_bytes(block, s->comp_vertices, vertices * out->num_deltas,
                                 LM_MDC_COMP_VERTEX_SIZE);
}

static void carve_surfaces(lm_block *block, const lm_mdc *mdc, lm_model *model) {
    lm_surface *surfaces = lm_carve(block, (uint64_t)mdc->num_surfaces, sizeof *surfaces);
    lm_location start = lm_mesh_first(&lm_mdc_mesh, mdc);
    model->num_surfaces = (uint32_t)mdc->num_surfaces;
    model->surfaces = surfaces;
    for (int32_t s = 0; s < mdc->num_surfaces;
         s++, start = lm_mesh_next(&lm_mdc_mesh, mdc, start)) {
        const lm_mesh_surface surface = lm_mesh_surface_at(&lm_mdc_mesh, mdc, start);
        lm_surface out;
        lm_mesh_carve_surface(block, &surface, &out);
        out.flags = mdc->surfaces[s].flags;
        carve_keys(block, mdc, &mdc->surfaces[s], &out);
        if (surfaces)
            surfaces[s] = out;
    }
}

static lm_vec3 sum(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Under the quirk the local origin is added to every vertex. */
static void move_frames(const lm_mdc *mdc, lm_model *model) {
    lm_frame *frames = (lm_frame *)model->frames;
    for (int32_t f = 0; frames && f < mdc->num_frames; f++) {
        lm_mdc_frame frame;
        lm_mdc_get_frame(mdc, f, &frame);
        lm_vec3 origin = lm_tame_vec3(frame.local_origin);
        frames[f].translate = origin;
        frames[f].min = sum(frames[f].min, origin);
        frames[f].max = sum(frames[f].max, origin);
    }
}

static void carve_tags(lm_block *block, const lm_mdc_plan *plan, lm_model *model) {
    const lm_mdc *mdc = plan->mdc;
    lm_tag_encoding encoding = plan->prinz ? LM_TAG_U16 : LM_TAG_S16;
    size_t num_tags = (size_t)mdc->num_tags;
    size_t stride = num_tags * LM_MDC_TAG_SIZE;
    lm_tag *tags = lm_carve(block, num_tags, sizeof *tags);
    const uint8_t *poses = lm_carve_bytes(block, mdc->tags, model->num_frames, stride);
    model->num_tags = (uint32_t)num_tags;
    model->tags = tags;
    for (size_t t = 0; t < num_tags; t++) {
        const char *name =
            lm_carve_name(block, mdc->tag_names + t * LM_MDC_TAG_NAME_SIZE, LM_MDC_TAG_NAME_SIZE);
        if (tags)
            tags[t] = (lm_tag){name, encoding, poses + t * LM_MDC_TAG_SIZE, stride};
    }
}

static void carve_model(lm_block *block, const void *context, lm_model *model) {
    const lm_mdc_plan *plan = context;
    const lm_mdc *mdc = plan->mdc;
    const lm_mesh_frames frames = lm_mesh_frames_of(&lm_mdc_mesh, mdc);
    model->format = "mdc";
    model->version = LM_MDC_VERSION;
    model->name = lm_carve_name(block, mdc->name, sizeof mdc->name);
    model->delta_scale = plan->prinz ? LM_MDC_COMP_STEP_PRINZ : LM_MDC_COMP_STEP;
    model->delta_normals_add = plan->prinz;
    model->flags = mdc->flags;
    lm_mesh_carve_frames(block, &frames, model);
    if (plan->prinz)
        move_frames(mdc, model);
    carve_tags(block, plan, model);
    carve_surfaces(block, mdc, model);
}

static lm_model *decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter) {
    lm_mdc mdc;
    lm_owned owned = {.allocator = heap->allocator};
    lm_reading reading = {file, heap, &reporter->base, 0};
    const lm_mdc_plan plan = {&mdc, (options->quirks & LM_QUIRK_MDC_PRINZ) != 0};
    lm_model *model = NULL;
    if (lm_mesh_parse(&reading, &owned, &lm_mdc_mesh, &mdc) && lm_mdc_verify(&mdc, &reporter->base))
        model = lm_build_model(heap, reporter, carve_model, &plan);
    if (model) {
        const lm_mesh_frames frames = lm_mesh_frames_of(&lm_mdc_mesh, &mdc);
        lm_mesh_mend_bounds(&frames, model);
    }
    lm_disown(&owned);
    return model;
}

const lm_format lm_format_mdc = {
    .info = {"mdc", "Return to Castle Wolfenstein", "IDPC", LM_MDC_VERSION, "model/x-mdc", "mdc",
             LM_ABILITY_SURFACES | LM_ABILITY_TAGS | LM_ABILITY_BASE_FRAMES},
    .header = &lm_mdc_header,
    .decode = decode,
};
