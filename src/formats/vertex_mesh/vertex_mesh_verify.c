/* Whether what the lumps hold can be trusted. */
#include "formats/vertex_mesh/vertex_mesh.h"

#include "model/build.h"

bool lm_mesh_frame_sound(const lm_mesh_frame *frame) {
    return lm_sane_vec3(frame->bbox_min) && lm_sane_vec3(frame->bbox_max) &&
           lm_sane_vec3(frame->local_origin) && lm_sane(frame->radius) &&
           frame->bbox_min.x <= frame->bbox_max.x && frame->bbox_min.y <= frame->bbox_max.y &&
           frame->bbox_min.z <= frame->bbox_max.z;
}

static bool verify_frames(const lm_mesh_reading *reading, lm_reporter *reporter) {
    const lm_mesh_frames frames = lm_mesh_get_frames(reading);
    for (int32_t f = 0; f < frames.count; f++) {
        size_t at = (size_t)f * LM_MESH_FRAME_SIZE;
        lm_mesh_frame frame = lm_mesh_get_frame(frames.data + at);
        lm_place place = {.section = "frames", .index = (uint32_t)f, .offset = frames.offset + at};
        if (!lm_mesh_frame_sound(&frame) &&
            !lm_report_oddity(reporter, LM_CODE_BAD_BOUNDS, place, 1,
                              "the bounds of frame %d are not finite or inside out; they are "
                              "computed instead",
                              (int)f))
            return false;
    }
    return true;
}

static lm_place element(lm_place first, int32_t index, size_t size) {
    first.index = (uint32_t)index;
    first.offset += (size_t)index * size;
    return first;
}

static bool verify_triangles(const lm_mesh_surface *surface, lm_reporter *reporter) {
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t vertex[3];
        lm_mesh_get_triangle(surface->triangles + (size_t)i * LM_MESH_TRIANGLE_SIZE, vertex);
        for (int c = 0; c < 3; c++)
            if (vertex[c] >= (uint32_t)surface->num_vertices &&
                !lm_report_damage(reporter, LM_CODE_VERTEX_INDEX,
                                  element(surface->at_triangles, i, LM_MESH_TRIANGLE_SIZE),
                                  "surface %u: triangle %d uses vertex %u, but the surface has %d",
                                  (unsigned)surface->index, (int)i, (unsigned)vertex[c],
                                  (int)surface->num_vertices))
                return false;
    }
    return true;
}

static bool verify_st(const lm_mesh_surface *surface, lm_reporter *reporter) {
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        lm_vec2 st = lm_mesh_get_st(surface->st + (size_t)v * LM_MESH_ST_SIZE);
        if ((!lm_sane(st.x) || !lm_sane(st.y)) &&
            !lm_report_damage(reporter, LM_CODE_NOT_FINITE,
                              element(surface->at_st, v, LM_MESH_ST_SIZE),
                              "surface %u: the texture coordinate of vertex %d is not a usable "
                              "number",
                              (unsigned)surface->index, (int)v))
            return false;
    }
    return true;
}

bool lm_mesh_verify(const lm_mesh_reading *reading, lm_reporter *reporter) {
    const lm_mesh_kind *kind = reading->kind;
    if (!verify_frames(reading, reporter) ||
        (kind->verify_file && !kind->verify_file(reading, reporter)))
        return false;
    for (uint32_t s = 0; s < reading->num_surfaces; s++) {
        const lm_mesh_surface surface = lm_mesh_get_surface(reading, s);
        if (!verify_triangles(&surface, reporter) || !verify_st(&surface, reporter) ||
            (kind->verify_surface && !kind->verify_surface(reading, s, reporter)))
            return false;
    }
    return true;
}
