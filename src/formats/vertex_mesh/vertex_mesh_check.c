/* What a file's reader need not refuse, but other programs stumble over. */
#include "formats/vertex_mesh/vertex_mesh.h"

#include "formats/names.h"
#include "lerpmesh/check.h"

/* How far a vertex may lie outside its frame's bounds: converters round and ignore offsets. */
#define BOUNDS_SLACK 1.0f /* units */

void lm_mesh_check_frame_names(const lm_mesh_frames *frames, lm_reporter *reporter) {
    lm_name_fields names = {.first = frames->data + LM_MESH_FRAME_NAME,
                            .stride = LM_MESH_FRAME_SIZE,
                            .size = LM_MESH_FRAME_NAME_SIZE,
                            .count = (uint32_t)frames->count};
    lm_location location = {.section = "frames", .offset = frames->offset + LM_MESH_FRAME_NAME};
    lm_check_name_fields(&names, location, reporter);
}

static void check_shaders(const lm_mesh_surface *surface, lm_reporter *reporter) {
    lm_name_fields names = {.first = surface->shaders,
                            .stride = LM_MESH_SHADER_SIZE,
                            .size = LM_MESH_NAME_SIZE,
                            .count = (uint32_t)surface->num_shaders};
    lm_location location = lm_lump_location(surface->start, "shaders", surface->ofs_shaders);
    lm_check_name_fields(&names, location, reporter);
    for (uint32_t i = 0; i < names.count; i++) {
        location.index = i;
        lm_check_path(surface->shaders + i * names.stride, names.size, location, reporter);
        location.offset += names.stride;
    }
}

/* Reports `count` elements of a lump that are `what`, of which `first` is the first; none, if there
 * are none. */
static void report_cases(lm_reporter *reporter, lm_code code, const lm_mesh_surface *surface,
                         lm_location lump, size_t element, uint32_t count, uint32_t first,
                         const char *what) {
    if (count > 0)
        lm_report_oddity(reporter, code, lm_element_location(lump, first, element), count,
                         "surface %u: %u %s, the first is %u", (unsigned)surface->start.surface,
                         (unsigned)count, what, (unsigned)first);
}

static void check_st(const lm_mesh_surface *surface, lm_reporter *reporter) {
    uint32_t outside = 0, first = 0;
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        lm_vec2 st = lm_mesh_get_st(surface->st + (size_t)v * LM_MESH_ST_SIZE);
        if (!(st.x >= 0 && st.x <= 1 && st.y >= 0 && st.y <= 1))
            first = outside++ ? first : (uint32_t)v;
    }
    report_cases(reporter, LM_CODE_ST_OUTSIDE, surface,
                 lm_lump_location(surface->start, "st", surface->ofs_st), LM_MESH_ST_SIZE, outside,
                 first, "texture coordinates lie beyond 0..1");
}

static bool check_use(const lm_mesh_surface *surface, const char *vertices, lm_heap *heap,
                      lm_reporter *reporter) {
    size_t count = (size_t)surface->num_vertices;
    uint8_t *used = lm_heap_alloc(heap, count, 1);
    uint32_t unused = 0, first_unused = 0, degenerate = 0, first_degenerate = 0;
    if (!used)
        return false;
    memset(used, 0, count);
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t v[3];
        lm_mesh_get_triangle(surface->triangles + (size_t)i * LM_MESH_TRIANGLE_SIZE, v);
        for (int c = 0; c < 3; c++)
            if (v[c] < count)
                used[v[c]] = 1;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            first_degenerate = degenerate++ ? first_degenerate : (uint32_t)i;
    }
    for (size_t v = 0; v < count; v++)
        if (!used[v])
            first_unused = unused++ ? first_unused : (uint32_t)v;
    lm_heap_free(heap, used, count);
    report_cases(reporter, LM_CODE_UNUSED_VERTICES, surface,
                 lm_lump_location(surface->start, vertices, surface->ofs_vertices),
                 LM_MESH_VERTEX_SIZE, unused, first_unused, "vertices belong to no triangle");
    report_cases(reporter, LM_CODE_DEGENERATE_TRIANGLES, surface,
                 lm_lump_location(surface->start, "triangles", surface->ofs_triangles),
                 LM_MESH_TRIANGLE_SIZE, degenerate, first_degenerate,
                 "triangles use a vertex twice");
    return true;
}

bool lm_mesh_outside_bounds(lm_vec3 p, const lm_mesh_frame *bounds) {
    return p.x < bounds->bbox_min.x - BOUNDS_SLACK || p.x > bounds->bbox_max.x + BOUNDS_SLACK ||
           p.y < bounds->bbox_min.y - BOUNDS_SLACK || p.y > bounds->bbox_max.y + BOUNDS_SLACK ||
           p.z < bounds->bbox_min.z - BOUNDS_SLACK || p.z > bounds->bbox_max.z + BOUNDS_SLACK;
}

void lm_mesh_report_outside(const lm_mesh_frames *frames, uint32_t surface, uint32_t count,
                            uint32_t first, lm_reporter *reporter) {
    const lm_location location = {"frames", surface, false, first,
                                  frames->offset + first * (size_t)LM_MESH_FRAME_SIZE};
    if (count > 0)
        lm_report_oddity(reporter, LM_CODE_OUTSIDE_BOUNDS, location, count,
                         "surface %u leaves the bounds of %u frames, so that engines may cull it, "
                         "the first is frame %u",
                         (unsigned)surface, (unsigned)count, (unsigned)first);
}

bool lm_mesh_check_surface(const lm_mesh_surface *surface, lm_location triangles,
                           const char *vertices, const lm_reading *reading) {
    lm_reporter *reporter = reading->reporter;
    /* As the file says: a damaged surface was reported, and emptied. */
    if (lm_get_s32(reading->file.data + triangles.offset) == 0)
        lm_report_oddity(reporter, LM_CODE_EMPTY_SURFACE, triangles, 1,
                         "surface %u has no triangles", (unsigned)surface->start.surface);
    check_shaders(surface, reporter);
    check_st(surface, reporter);
    return check_use(surface, vertices, reading->heap, reporter);
}
