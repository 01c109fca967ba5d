/* From a document to the neutral model: surfaces and tags as they are packed in the file. */
#include "formats/mdc/mdc_format.h"

#include "lerpmesh/sample.h"
#include "model/build.h"
#include "model/clip_names.h"
#include "model/ranges.h"

typedef struct lm_mdc_plan {
    const lm_mdc_reading *reading;
    bool prinz;
} lm_mdc_plan;

static uint32_t usable_triangles(const lm_mdc_surface *surface, uint32_t *out) {
    uint32_t num_vertices = (uint32_t)surface->num_vertices, count = 0;
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t vertex[3];
        lm_mdc_get_triangle(surface, i, vertex);
        /* Others were reported; only a tolerant reader gets here with any. */
        if (vertex[0] >= num_vertices || vertex[1] >= num_vertices || vertex[2] >= num_vertices)
            continue;
        if (out)
            memcpy(out + (size_t)count * 3, vertex, sizeof vertex);
        count++;
    }
    return count;
}

static void carve_materials(lm_block *block, const lm_mdc_surface *surface, lm_surface *out) {
    uint32_t count = (uint32_t)surface->num_shaders;
    lm_material *materials = lm_carve(block, count, sizeof *materials);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *shader = surface->shaders + (size_t)i * LM_MDC_SHADER_SIZE;
        const char *name = lm_carve_name(block, shader, LM_MDC_NAME_SIZE);
        if (materials)
            materials[i] = (lm_material){name, lm_get_u32(shader + LM_MDC_NAME_SIZE)};
    }
    out->num_materials = count;
    out->materials = materials;
}

static void carve_geometry(lm_block *block, const lm_mdc_surface *surface, lm_surface *out) {
    uint32_t count = (uint32_t)surface->num_vertices;
    uint32_t *file_vertices = lm_carve(block, count, sizeof *file_vertices);
    lm_vec2 *st = lm_carve(block, count, sizeof *st);
    uint32_t *triangles = lm_carve(block, (uint64_t)surface->num_triangles * 3, sizeof *triangles);
    out->num_vertices = out->num_file_vertices = count;
    out->file_vertices = file_vertices;
    out->st = st;
    out->triangles = triangles;
    if (!block->base)
        return;
    for (uint32_t v = 0; v < count; v++) {
        lm_vec2 raw = lm_mdc_get_st(surface, (int32_t)v);
        file_vertices[v] = v;
        st[v] = (lm_vec2){lm_tame(raw.x), lm_tame(raw.y)};
    }
    out->num_triangles = usable_triangles(surface, triangles);
}

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

static const uint8_t *carve_copy(lm_block *block, const uint8_t *data, uint64_t count,
                                 size_t size) {
    uint8_t *copy = lm_carve(block, count, size);
    if (copy && data)
        memcpy(copy, data, (size_t)count * size);
    return copy;
}

static void carve_surface(lm_block *block, const lm_mdc *mdc, const lm_mdc_surface *surface,
                          lm_surface *out) {
    size_t vertices = (size_t)surface->num_vertices;
    *out = (lm_surface){
        .name = lm_carve_name(block, surface->name, sizeof surface->name),
        .encoding = LM_VERTEX_S16,
        .num_keys = (uint32_t)surface->num_base_frames,
        .key_size = LM_MDC_BASE_VERTEX_SIZE,
        .key_stride = vertices * LM_MDC_BASE_VERTEX_SIZE,
        .num_deltas = (uint32_t)surface->num_comp_frames,
        .delta_stride = vertices * LM_MDC_COMP_VERTEX_SIZE,
    };
    carve_materials(block, surface, out);
    carve_geometry(block, surface, out);
    carve_frame_tables(block, mdc, surface, out);
    out->keys = carve_copy(block, surface->base_vertices, vertices * out->num_keys,
                           LM_MDC_BASE_VERTEX_SIZE);
    out->deltas = carve_copy(block, surface->comp_vertices, vertices * out->num_deltas,
                             LM_MDC_COMP_VERTEX_SIZE);
}

static void carve_surfaces(lm_block *block, const lm_mdc *mdc, lm_model *model) {
    model->num_surfaces = (uint32_t)mdc->num_surfaces;
    lm_surface *surfaces = lm_carve(block, model->num_surfaces, sizeof *surfaces);
    model->surfaces = surfaces;
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        lm_surface surface;
        carve_surface(block, mdc, &mdc->surfaces[s], &surface);
        if (surfaces)
            surfaces[s] = surface;
    }
}

static void fill_frame(const lm_mdc_plan *plan, int32_t index, lm_frame *frame) {
    lm_mdc_frame raw = lm_mdc_get_frame(&plan->reading->mdc, index);
    if (lm_mdc_frame_sound(&raw)) {
        frame->min = raw.bbox_min;
        frame->max = raw.bbox_max;
        frame->origin = raw.local_origin;
        frame->radius = raw.radius;
    }
    frame->scale = (lm_vec3){LM_MDC_BASE_STEP, LM_MDC_BASE_STEP, LM_MDC_BASE_STEP};
    if (!plan->prinz)
        return;
    lm_vec3 origin = lm_tame_vec3(raw.local_origin);
    frame->translate = origin;
    frame->min =
        (lm_vec3){frame->min.x + origin.x, frame->min.y + origin.y, frame->min.z + origin.z};
    frame->max =
        (lm_vec3){frame->max.x + origin.x, frame->max.y + origin.y, frame->max.z + origin.z};
}

static void carve_frames(lm_block *block, const lm_mdc_plan *plan, lm_model *model) {
    const lm_mdc *mdc = &plan->reading->mdc;
    model->num_frames = (uint32_t)mdc->num_frames;
    lm_frame *frames = lm_carve(block, model->num_frames, sizeof *frames);
    model->frames = frames;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        const uint8_t *raw = mdc->frames + (size_t)f * LM_MDC_FRAME_SIZE;
        const char *name = lm_carve_name(block, raw + LM_MDC_FRAME_NAME, LM_MDC_FRAME_NAME_SIZE);
        if (!frames)
            continue;
        frames[f] = (lm_frame){.name = name};
        fill_frame(plan, f, &frames[f]);
    }
}

static void carve_tags(lm_block *block, const lm_mdc_plan *plan, lm_model *model) {
    const lm_mdc *mdc = &plan->reading->mdc;
    lm_tag_encoding encoding = plan->prinz ? LM_TAG_U16 : LM_TAG_S16;
    size_t num_tags = (size_t)mdc->num_tags;
    size_t stride = num_tags * LM_MDC_TAG_SIZE;
    lm_tag *tags = lm_carve(block, num_tags, sizeof *tags);
    const uint8_t *poses = carve_copy(block, mdc->tags, model->num_frames, stride);
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
    const lm_mdc *mdc = &plan->reading->mdc;
    model->format = "mdc";
    model->version = LM_MDC_VERSION;
    model->name = lm_carve_name(block, mdc->name, sizeof mdc->name);
    model->delta_scale = plan->prinz ? LM_MDC_COMP_STEP_PRINZ : LM_MDC_COMP_STEP;
    model->delta_normals_add = plan->prinz;
    carve_frames(block, plan, model);
    carve_tags(block, plan, model);
    carve_surfaces(block, mdc, model);
    lm_name_fields names = {mdc->frames + LM_MDC_FRAME_NAME, LM_MDC_FRAME_SIZE,
                            LM_MDC_FRAME_NAME_SIZE, model->num_frames};
    model->num_clips = lm_clips_carve(block, &names, &model->clips);
}

/* Computes the bounds that the file does not know. */
static void mend_bounds(const lm_mdc *mdc, lm_model *model) {
    lm_frame *frames = (lm_frame *)model->frames;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        lm_mdc_frame raw = lm_mdc_get_frame(mdc, f);
        if (lm_mdc_frame_sound(&raw))
            continue;
        frames[f].min = frames[f].max = (lm_vec3){0};
        lm_bounds(model, (uint32_t)f, 1, &frames[f].min, &frames[f].max);
        lm_box_sphere(frames[f].min, frames[f].max, &frames[f].origin, &frames[f].radius);
    }
}

lm_model *lm_mdc_decode(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter) {
    lm_mdc_reading reading;
    lm_mdc_plan plan = {&reading, (options->quirks & LM_QUIRK_MDC_PRINZ) != 0};
    lm_model *model = NULL;
    if (lm_mdc_parse(file, heap, &reporter->base, &reading) &&
        lm_mdc_verify(&reading, &reporter->base))
        model = lm_build_model(heap, reporter, carve_model, &plan);
    if (model)
        mend_bounds(&reading.mdc, model);
    lm_mdc_release(heap, &reading);
    return model;
}

const lm_format lm_format_mdc = {"mdc",        "IDPC",        lm_mdc_decode,
                                 lm_mdc_check, lm_mdc_layout, lm_mdc_table};
