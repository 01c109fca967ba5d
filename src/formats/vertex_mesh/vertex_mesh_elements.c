/* Headers and elements, byte by byte, and where they lie. */
#include "formats/vertex_mesh/vertex_mesh.h"

/* ---- Headers ------------------------------------------------------------------------------- */

lm_mesh_head lm_mesh_get_head(const void *document) {
    lm_mesh_head head;
    memcpy(&head, document, sizeof head);
    return head;
}

lm_mesh_tail lm_mesh_get_tail(const lm_mesh_kind *kind, const void *document) {
    lm_mesh_tail tail;
    memcpy(&tail, (const char *)document + kind->tail, sizeof tail);
    return tail;
}

void lm_mesh_set_tail(const lm_mesh_kind *kind, void *document, lm_mesh_tail tail) {
    memcpy((char *)document + kind->tail, &tail, sizeof tail);
}

int32_t lm_mesh_number(const lm_mesh_part *part, const void *owner, size_t at) {
    int32_t number;
    memcpy(&number, (const char *)owner + (at - part->from), sizeof number);
    return number;
}

void lm_mesh_set_number(const lm_mesh_part *part, void *owner, size_t at, int32_t number) {
    memcpy((char *)owner + (at - part->from), &number, sizeof number);
}

bool lm_mesh_counts_positive(const lm_mesh_part *part, const void *owner) {
    for (size_t at = part->counts_at; at < part->offsets_at; at += 4)
        if (lm_mesh_number(part, owner, at) < 0)
            return false;
    return true;
}

static bool in_name(const lm_mesh_part *part, size_t at) {
    return at >= part->name_at && at < part->name_at + LM_MESH_NAME_SIZE;
}

void lm_mesh_get_header(const lm_mesh_part *part, const uint8_t *p, void *owner) {
    memcpy((char *)owner + (part->name_at - part->from), p + part->name_at, LM_MESH_NAME_SIZE);
    for (size_t at = part->from; at < part->header_size; at += 4)
        if (!in_name(part, at))
            lm_mesh_set_number(part, owner, at, lm_get_s32(p + at));
    for (int i = 0; i < part->num_lumps; i++)
        lm_set_lump_data(owner, &part->lumps[i], NULL);
}

void lm_mesh_put_header(const lm_mesh_part *part, const void *owner, uint8_t *out) {
    memcpy(out + part->name_at, (const char *)owner + (part->name_at - part->from),
           LM_MESH_NAME_SIZE);
    for (size_t at = part->from; at < part->header_size; at += 4)
        if (!in_name(part, at))
            lm_put_s32(out + at, lm_mesh_number(part, owner, at));
}

/* ---- Lumps --------------------------------------------------------------------------------- */

/* Of a surface's counts the last three, in this order. */
typedef struct counts {
    int32_t shaders, vertices, triangles;
} counts;

static counts surface_counts(const lm_mesh_part *part, const void *surface) {
    return (counts){lm_mesh_number(part, surface, part->offsets_at - 12),
                    lm_mesh_number(part, surface, part->offsets_at - 8),
                    lm_mesh_number(part, surface, part->offsets_at - 4)};
}

lm_extent lm_mesh_file_extent(const lm_mesh_kind *kind, const void *document, int lump) {
    if (lump == LM_MESH_LUMP_FRAMES)
        return (lm_extent){(uint64_t)lm_mesh_get_head(document).num_frames, LM_MESH_FRAME_SIZE};
    return kind->file_extent(document, lump);
}

lm_extent lm_mesh_surface_extent(const lm_mesh_kind *kind, const void *document,
                                 const void *surface, int lump) {
    const counts count = surface_counts(&kind->surface, surface);
    switch (lump) {
    case LM_MESH_LUMP_TRIANGLES:
        return (lm_extent){(uint64_t)count.triangles, LM_MESH_TRIANGLE_SIZE};
    case LM_MESH_LUMP_SHADERS:
        return (lm_extent){(uint64_t)count.shaders, LM_MESH_SHADER_SIZE};
    case LM_MESH_LUMP_ST:
        return (lm_extent){(uint64_t)count.vertices, LM_MESH_ST_SIZE};
    default:
        return kind->surface_extent(document, surface, lump);
    }
}

/* ---- Places and views ---------------------------------------------------------------------- */

lm_place lm_mesh_in_header(size_t at) {
    return (lm_place){.section = "header", .index = (uint32_t)at / 4, .offset = at};
}

lm_place lm_mesh_in_surface(size_t start, uint32_t surface, size_t at) {
    return (lm_place){"header", surface, true, (uint32_t)at / 4, start + at};
}

const void *lm_mesh_surface_at(const lm_mesh_reading *reading, uint32_t index) {
    const lm_mesh_tail tail = lm_mesh_get_tail(reading->kind, reading->document);
    return (const char *)tail.surfaces + index * reading->kind->surface.struct_size;
}

lm_place lm_mesh_in_lump(const lm_mesh_reading *reading, uint32_t surface, int lump,
                         uint32_t index) {
    const lm_mesh_kind *kind = reading->kind;
    const lm_lump_member *member = &kind->surface.lumps[lump];
    const void *owner = lm_mesh_surface_at(reading, surface);
    int64_t start = (int64_t)reading->surface_starts[surface] + lm_lump_offset(owner, member);
    size_t element = lm_mesh_surface_extent(kind, reading->document, owner, lump).element;
    return (lm_place){member->name, surface, true, index, (size_t)start + index * element};
}

lm_mesh_frames lm_mesh_get_frames(const lm_mesh_reading *reading) {
    const lm_lump_member *member = &reading->kind->file.lumps[LM_MESH_LUMP_FRAMES];
    return (lm_mesh_frames){lm_lump_data(reading->document, member),
                            lm_mesh_get_head(reading->document).num_frames,
                            (size_t)lm_lump_offset(reading->document, member)};
}

lm_mesh_surface lm_mesh_get_surface(const lm_mesh_reading *reading, uint32_t index) {
    const lm_mesh_part *part = &reading->kind->surface;
    const void *surface = lm_mesh_surface_at(reading, index);
    const counts count = surface_counts(part, surface);
    return (lm_mesh_surface){
        .index = index,
        .name = (const uint8_t *)surface + part->name_at,
        .num_shaders = count.shaders,
        .num_vertices = count.vertices,
        .num_triangles = count.triangles,
        .shaders = lm_lump_data(surface, &part->lumps[LM_MESH_LUMP_SHADERS]),
        .triangles = lm_lump_data(surface, &part->lumps[LM_MESH_LUMP_TRIANGLES]),
        .st = lm_lump_data(surface, &part->lumps[LM_MESH_LUMP_ST]),
        .start = reading->surface_starts[index],
        .at_shaders = lm_mesh_in_lump(reading, index, LM_MESH_LUMP_SHADERS, 0),
        .at_triangles = lm_mesh_in_lump(reading, index, LM_MESH_LUMP_TRIANGLES, 0),
        .at_st = lm_mesh_in_lump(reading, index, LM_MESH_LUMP_ST, 0),
        .at_vertices = lm_mesh_in_lump(reading, index, LM_MESH_LUMP_VERTICES, 0),
    };
}

/* ---- Elements ------------------------------------------------------------------------------ */

lm_mesh_frame lm_mesh_get_frame(const uint8_t *p) {
    lm_mesh_frame out = {lm_get_vec3(p + LM_MESH_FRAME_BBOX_MIN),
                         lm_get_vec3(p + LM_MESH_FRAME_BBOX_MAX),
                         lm_get_vec3(p + LM_MESH_FRAME_LOCAL_ORIGIN),
                         lm_get_f32(p + LM_MESH_FRAME_RADIUS),
                         {0}};
    memcpy(out.name, p + LM_MESH_FRAME_NAME, sizeof out.name);
    return out;
}

void lm_mesh_put_frame(uint8_t *out, const lm_mesh_frame *frame) {
    lm_put_vec3(out + LM_MESH_FRAME_BBOX_MIN, frame->bbox_min);
    lm_put_vec3(out + LM_MESH_FRAME_BBOX_MAX, frame->bbox_max);
    lm_put_vec3(out + LM_MESH_FRAME_LOCAL_ORIGIN, frame->local_origin);
    lm_put_f32(out + LM_MESH_FRAME_RADIUS, frame->radius);
    memcpy(out + LM_MESH_FRAME_NAME, frame->name, sizeof frame->name);
}

void lm_mesh_get_triangle(const uint8_t *p, uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        vertex[c] = lm_get_u32(p + 4 * c);
}

void lm_mesh_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    for (size_t c = 0; c < 3; c++)
        lm_put_u32(out + 4 * c, vertex[c]);
}

lm_vec2 lm_mesh_get_st(const uint8_t *p) {
    return (lm_vec2){lm_get_f32(p), lm_get_f32(p + 4)};
}

void lm_mesh_put_st(uint8_t *out, lm_vec2 st) {
    lm_put_f32(out, st.x);
    lm_put_f32(out + 4, st.y);
}

lm_mesh_vertex lm_mesh_get_vertex(const uint8_t *p) {
    return (lm_mesh_vertex){{lm_get_s16(p), lm_get_s16(p + 2), lm_get_s16(p + 4)},
                            lm_get_u16(p + 6)};
}

void lm_mesh_put_vertex(uint8_t *out, lm_mesh_vertex vertex) {
    for (size_t i = 0; i < 3; i++)
        lm_put_u16(out + 2 * i, (uint16_t)vertex.v[i]);
    lm_put_u16(out + 6, vertex.normal);
}
