/* What a file's reader need not refuse, but other programs stumble over. */
#include "formats/md3/md3_format.h"

#include "core/utf8.h"
#include "formats/names.h"
#include "lerpmesh/check.h"

#include <stddef.h>

/* What Quake III takes: the format's own limits, which its tools allocate by, and of a surface also
 * what its renderer draws at once. */
static const lm_mesh_limit header_limits[] = {
    {LM_ENGINE_QUAKE3, offsetof(lm_md3, num_frames), LM_MESH_AT_NUM_FRAMES, 1024, "frames", ""},
    {LM_ENGINE_QUAKE3, offsetof(lm_md3, num_tags), LM_MESH_AT_NUM_TAGS, 16, "tags", ""},
    {LM_ENGINE_QUAKE3, offsetof(lm_md3, num_surfaces), LM_MESH_AT_NUM_SURFACES, 32, "surfaces", ""},
};

#define LIMIT(member, AT, most, what, why) \
    { LM_ENGINE_QUAKE3, offsetof(lm_md3_surface, member), LM_MD3_SURFACE_AT_##AT, most, what, why }

static const lm_mesh_limit surface_limits[] = {
    LIMIT(num_shaders, NUM_SHADERS, 256, "shaders", ""),
    LIMIT(num_verts, NUM_VERTS, 4096, "vertices", ""),
    LIMIT(num_triangles, NUM_TRIANGLES, 8192, "triangles", ""),
    LIMIT(num_verts, NUM_VERTS, 1000, "vertices", " to draw (SHADER_MAX_VERTEXES)"),
    LIMIT(num_triangles, NUM_TRIANGLES, 2000, "triangles",
          " to draw (SHADER_MAX_INDEXES: 6000 indices)"),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool same_name(const uint8_t *a, const uint8_t *b) {
    size_t length = lm_field_length(a, LM_MD3_NAME_SIZE);
    return length == lm_field_length(b, LM_MD3_NAME_SIZE) && memcmp(a, b, length) == 0;
}

/* Engines look a tag up by the names of frame 0, or of the frame they draw: they should agree. */
static void check_tags(const lm_md3 *md3, lm_reporter *reporter) {
    lm_name_fields names = {md3->tags, LM_MD3_TAG_SIZE, LM_MD3_NAME_SIZE, (uint32_t)md3->num_tags};
    uint32_t renamed = 0;
    lm_place first = {0};
    if (names.count > 0)
        lm_check_name_fields(&names, lm_md3_tag_place(md3, 0, 0), reporter);
    for (int32_t f = 1; f < md3->num_frames; f++)
        for (int32_t t = 0; t < md3->num_tags; t++) {
            size_t index = (size_t)f * names.count + (size_t)t;
            if (same_name(md3->tags + index * LM_MD3_TAG_SIZE,
                          md3->tags + (size_t)t * LM_MD3_TAG_SIZE))
                continue;
            first = renamed++ ? first : lm_md3_tag_place(md3, f, t);
        }
    if (renamed)
        lm_report_oddity(reporter, LM_CODE_TAG_NAME, first, renamed,
                         "%u tags have another name than in frame 0, the first is tag %u of "
                         "frame %u",
                         (unsigned)renamed, (unsigned)(first.index % names.count),
                         (unsigned)(first.index / names.count));
}

void lm_md3_check_file(const lm_mesh_reading *reading, lm_reporter *reporter) {
    const lm_md3 *md3 = reading->document;
    lm_mesh_check_header_limits(header_limits, COUNT(header_limits), md3, reporter);
    lm_mesh_check_frame_names(reading, reporter);
    check_tags(md3, reporter);
}

void lm_md3_check_surface(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter) {
    const lm_md3 *md3 = reading->document;
    const lm_md3_surface *surface = &md3->surfaces[index];
    size_t start = reading->surface_starts[index];
    lm_mesh_check_limits(surface_limits, COUNT(surface_limits), reading, index, reporter);
    if (surface->ident != LM_MD3_IDENT)
        lm_report_oddity(reporter, LM_CODE_SURFACE_IDENT,
                         lm_mesh_in_surface(start, index, LM_MESH_SURFACE_AT_IDENT), 1,
                         "surface %u does not begin with IDP3", (unsigned)index);
    if (surface->num_frames != md3->num_frames)
        lm_report_oddity(reporter, LM_CODE_SURFACE_FRAMES,
                         lm_mesh_in_surface(start, index, LM_MD3_SURFACE_AT_NUM_FRAMES), 1,
                         "surface %u says that it has %d frames, but the model has %d",
                         (unsigned)index, (int)surface->num_frames, (int)md3->num_frames);
}

bool lm_md3_outside(const void *surface, int32_t frame, int32_t vertex,
                    const lm_mesh_frame *bounds) {
    lm_md3_xyz_normal packed = lm_md3_get_xyz_normal(surface, frame, vertex);
    lm_vec3 p = {(float)packed.v[0] * LM_MESH_STEP, (float)packed.v[1] * LM_MESH_STEP,
                 (float)packed.v[2] * LM_MESH_STEP};
    return lm_mesh_outside_bounds(p, bounds);
}

bool lm_md3_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter) {
    lm_md3 md3;
    lm_mesh_reading reading = {.kind = &lm_md3_kind, .document = &md3};
    return lm_mesh_check(&reading, file, heap, reporter);
}
