/* Decodes the common part of MDC and MD3 into a model. */
#include "formats/vertex_mesh/vertex_mesh.h"

#include "clips/clip_names.h"
#include "lerpmesh/sample.h"
#include "math/vectors.h"

void lmi_vertex_mesh_decode_bounds(const lm_vertex_mesh_frame *frame, lm_frame *out) {
    if (!lmi_vertex_mesh_frame_valid(frame))
        return;
    out->min = frame->bbox_min;
    out->max = frame->bbox_max;
    out->origin = frame->local_origin;
    out->radius = frame->radius;
}

static bool decode_frames(lm_arena *arena, const lm_vertex_mesh_frames *frames, lm_model *model) {
    model->num_frames = (uint32_t)frames->count;
    lm_frame *out = lmi_arena_alloc(arena, model->num_frames, sizeof *out);
    if (!out)
        return false;
    model->frames = out;
    for (int32_t f = 0; f < frames->count; f++) {
        const uint8_t *raw = frames->data + (size_t)f * LM_VERTEX_MESH_FRAME_SIZE;
        const lm_vertex_mesh_frame frame = lmi_vertex_mesh_get_frame(raw);
        out[f] =
            (lm_frame){.name = lmi_arena_field(arena, raw + LM_VERTEX_MESH_FRAME_NAME,
                                               LM_VERTEX_MESH_FRAME_NAME_SIZE),
                       .scale = {LM_VERTEX_MESH_STEP, LM_VERTEX_MESH_STEP, LM_VERTEX_MESH_STEP}};
        lmi_vertex_mesh_decode_bounds(&frame, &out[f]);
    }
    const lm_name_fields names = {.first = frames->data + LM_VERTEX_MESH_FRAME_NAME,
                                  .stride = LM_VERTEX_MESH_FRAME_SIZE,
                                  .size = LM_VERTEX_MESH_FRAME_NAME_SIZE,
                                  .count = model->num_frames};
    return lmi_clips_of_names(arena, &names, &model->clips, &model->num_clips);
}

uint32_t lmi_vertex_mesh_usable_triangles(const lm_vertex_mesh_surface *surface, uint32_t *out) {
    const size_t count = (size_t)surface->num_triangles;
    const uint32_t num_vertices = (uint32_t)surface->num_vertices;
    size_t at = 0;
    /* The next one overwrites an invalid one. Those were reported and occur only in a tolerant
     * reader. */
    for (size_t i = 0; i < count; i++) {
        uint32_t *vertex = out + at;
        lmi_vertex_mesh_get_triangle(surface->triangles + i * LM_VERTEX_MESH_TRIANGLE_SIZE, vertex);
        at += 3 * (size_t)((vertex[0] < num_vertices) & (vertex[1] < num_vertices) &
                           (vertex[2] < num_vertices));
    }
    return (uint32_t)(at / 3);
}

static bool decode_geometry(lm_arena *arena, const lm_vertex_mesh_surface *from, lm_surface *out) {
    const uint32_t count = (uint32_t)from->num_vertices;
    uint32_t *file_vertices = lmi_arena_alloc(arena, count, sizeof *file_vertices);
    lm_vec2 *st = lmi_arena_alloc(arena, count, sizeof *st);
    uint32_t *triangles =
        lmi_arena_alloc(arena, (uint64_t)from->num_triangles * 3, sizeof *triangles);
    if (!file_vertices || !st || !triangles)
        return false;
    for (uint32_t v = 0; v < count; v++) {
        lm_vec2 raw = lmi_vertex_mesh_get_st(from->st + (size_t)v * LM_VERTEX_MESH_ST_SIZE);
        file_vertices[v] = v;
        st[v] = (lm_vec2){lmi_sanitize(raw.x), lmi_sanitize(raw.y)};
    }
    out->num_vertices = out->num_file_vertices = count;
    out->file_vertices = file_vertices;
    out->st = st;
    out->triangles = triangles;
    out->num_triangles = lmi_vertex_mesh_usable_triangles(from, triangles);
    return true;
}

static bool decode_surface(lm_arena *arena, const lm_vertex_mesh_surface *from, lm_surface *out) {
    *out = (lm_surface){
        .name = lmi_arena_field(arena, from->name, LM_VERTEX_MESH_NAME_SIZE),
        .encoding = LM_VERTEX_S16,
        .key_size = LM_VERTEX_MESH_VERTEX_SIZE,
        .key_stride = (size_t)from->num_vertices * LM_VERTEX_MESH_VERTEX_SIZE,
    };
    const uint32_t count = (uint32_t)from->num_shaders;
    lm_material *materials = lmi_arena_alloc(arena, count, sizeof *materials);
    for (uint32_t i = 0; materials && i < count; i++) {
        const uint8_t *shader = from->shaders + (size_t)i * LM_VERTEX_MESH_SHADER_SIZE;
        materials[i] =
            (lm_material){.name = lmi_arena_field(arena, shader, LM_VERTEX_MESH_NAME_SIZE),
                          .flags = lmi_get_u32(shader + LM_VERTEX_MESH_NAME_SIZE)};
    }
    out->num_materials = count;
    out->materials = materials;
    return materials && decode_geometry(arena, from, out);
}

static bool decode_surfaces(lm_arena *arena, const lm_vertex_mesh_kind *kind, const void *document,
                            lm_model *model) {
    const uint32_t count =
        (uint32_t)lmi_number(document, lmi_vertex_mesh_chain_lump(kind)->count.member);
    lm_surface *surfaces = lmi_arena_alloc(arena, count, sizeof *surfaces);
    if (!surfaces)
        return false;
    model->num_surfaces = count;
    model->surfaces = surfaces;
    lm_location start = lmi_vertex_mesh_first(kind, document);
    for (uint32_t s = 0; s < count; s++, start = lmi_vertex_mesh_next(kind, document, start)) {
        const lm_vertex_mesh_surface surface = lmi_vertex_mesh_surface_at(kind, document, start);
        if (!decode_surface(arena, &surface, &surfaces[s]) ||
            !kind->decode_keys(arena, document, start, &surfaces[s]))
            return false;
    }
    return !lmi_arena_failed(arena);
}

void lmi_vertex_mesh_repair_bounds(const lm_vertex_mesh_frames *frames, lm_model *model) {
    lm_frame *out = (lm_frame *)model->frames;
    for (int32_t f = 0; f < frames->count; f++) {
        const lm_vertex_mesh_frame frame = lmi_vertex_mesh_frame_at(frames, f);
        if (lmi_vertex_mesh_frame_valid(&frame))
            continue;
        out[f].min = out[f].max = (lm_vec3){0};
        lm_model_bounds(model, (uint32_t)f, 1, &out[f].min, &out[f].max);
        lmi_box_sphere(out[f].min, out[f].max, &out[f].origin, &out[f].radius);
    }
}

bool lmi_vertex_mesh_decode(lm_arena *arena, const lm_vertex_mesh_kind *kind, const void *document,
                            lm_model *model) {
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(kind, document);
    if (!decode_frames(arena, &frames, model) || !kind->decode_tags(arena, document, model) ||
        !decode_surfaces(arena, kind, document, model))
        return false;
    lmi_vertex_mesh_repair_bounds(&frames, model);
    return true;
}
