/* From bytes to a document: where everything is. */
#include "formats/md3/md3_format.h"

#include <stddef.h>

const lm_lump_member lm_md3_lumps[LM_MD3_NUM_LUMPS] = {
    {"frames", LM_MD3_AT_OFS_FRAMES, offsetof(lm_md3, ofs_frames), offsetof(lm_md3, frames)},
    {"tags", LM_MD3_AT_OFS_TAGS, offsetof(lm_md3, ofs_tags), offsetof(lm_md3, tags)},
};

#define SURFACE_LUMP(text, AT, member)                                            \
    {                                                                             \
        text, LM_MD3_SURFACE_AT_OFS_##AT, offsetof(lm_md3_surface, ofs_##member), \
            offsetof(lm_md3_surface, member)                                      \
    }

const lm_lump_member lm_md3_surface_lumps[LM_MD3_NUM_SURFACE_LUMPS] = {
    SURFACE_LUMP("triangles", TRIANGLES, triangles),
    SURFACE_LUMP("shaders", SHADERS, shaders),
    SURFACE_LUMP("st", ST, st),
    SURFACE_LUMP("xyz normals", XYZ_NORMALS, xyz_normals),
};

lm_extent lm_md3_file_extent(const lm_md3 *md3, int lump) {
    uint64_t frames = (uint64_t)md3->num_frames, tags = (uint64_t)md3->num_tags;
    if (lump == LM_MD3_LUMP_FRAMES)
        return (lm_extent){frames, LM_MD3_FRAME_SIZE};
    return (lm_extent){frames * tags, LM_MD3_TAG_SIZE};
}

lm_extent lm_md3_surface_extent(const lm_md3 *md3, const lm_md3_surface *surface, int lump) {
    uint64_t verts = (uint64_t)surface->num_verts;
    switch (lump) {
    case LM_MD3_LUMP_TRIANGLES:
        return (lm_extent){(uint64_t)surface->num_triangles, LM_MD3_TRIANGLE_SIZE};
    case LM_MD3_LUMP_SHADERS:
        return (lm_extent){(uint64_t)surface->num_shaders, LM_MD3_SHADER_SIZE};
    case LM_MD3_LUMP_ST:
        return (lm_extent){verts, LM_MD3_ST_SIZE};
    default: /* engines go by the file's number of frames, whatever the surface says */
        return (lm_extent){verts * (uint64_t)md3->num_frames, LM_MD3_XYZ_NORMAL_SIZE};
    }
}

static lm_place place_of(const lm_md3_reading *reading, uint32_t surface, int lump) {
    const lm_lump_member *l = &lm_md3_surface_lumps[lump];
    int64_t start = (int64_t)reading->surface_starts[surface] +
                    lm_lump_offset(&reading->md3.surfaces[surface], l);
    return (lm_place){l->name, surface, true, 0, (size_t)start};
}

lm_place lm_md3_tag_place(const lm_md3 *md3, int32_t frame, int32_t tag) {
    size_t index = (size_t)frame * (size_t)md3->num_tags + (size_t)tag;
    return (lm_place){.section = "tags",
                      .index = (uint32_t)index,
                      .offset = (size_t)md3->ofs_tags + index * LM_MD3_TAG_SIZE};
}

lm_mesh_frames lm_md3_frames(const lm_md3 *md3) {
    return (lm_mesh_frames){md3->frames, md3->num_frames, (size_t)md3->ofs_frames};
}

lm_mesh_surface lm_md3_mesh_surface(const lm_md3_reading *reading, uint32_t index) {
    const lm_md3_surface *surface = &reading->md3.surfaces[index];
    return (lm_mesh_surface){
        .index = index,
        .name = surface->name,
        .num_shaders = surface->num_shaders,
        .num_vertices = surface->num_verts,
        .num_triangles = surface->num_triangles,
        .shaders = surface->shaders,
        .triangles = surface->triangles,
        .st = surface->st,
        .start = reading->surface_starts[index],
        .at_shaders = place_of(reading, index, LM_MD3_LUMP_SHADERS),
        .at_triangles = place_of(reading, index, LM_MD3_LUMP_TRIANGLES),
        .at_st = place_of(reading, index, LM_MD3_LUMP_ST),
        .at_vertices = place_of(reading, index, LM_MD3_LUMP_XYZ_NORMALS),
    };
}

static bool parse_header(lm_bytes file, lm_reporter *reporter, lm_md3 *md3) {
    lm_mesh_header header;
    if (!lm_mesh_parse_header(file, reporter, LM_MD3_VERSION, LM_MD3_HEADER_SIZE, &header))
        return false;
    memcpy(md3->name, header.name, sizeof md3->name);
    md3->flags = header.flags;
    md3->num_frames = header.num_frames;
    md3->num_tags = header.num_tags;
    md3->num_surfaces = header.num_surfaces;
    md3->num_skins = header.num_skins;
    md3->ofs_surfaces = lm_get_s32(file.data + LM_MD3_AT_OFS_SURFACES);
    md3->ofs_end = lm_get_s32(file.data + LM_MD3_AT_OFS_END);
    return true;
}

static void read_surface_header(lm_bytes file, size_t start, lm_md3_surface *surface) {
    const uint8_t *p = file.data + start;
    *surface = (lm_md3_surface){
        .ident = lm_get_s32(p + LM_MESH_SURFACE_AT_IDENT),
        .flags = lm_get_s32(p + LM_MESH_SURFACE_AT_FLAGS),
        .num_frames = lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_FRAMES),
        .num_shaders = lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_SHADERS),
        .num_verts = lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_VERTS),
        .num_triangles = lm_get_s32(p + LM_MD3_SURFACE_AT_NUM_TRIANGLES),
        .ofs_end = lm_get_s32(p + LM_MD3_SURFACE_AT_OFS_END),
    };
    memcpy(surface->name, p + LM_MESH_SURFACE_AT_NAME, sizeof surface->name);
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++)
        lm_set_lump_offset(surface, &lm_md3_surface_lumps[i],
                           lm_get_s32(p + lm_md3_surface_lumps[i].ofs_at));
}

/* What is left of a damaged surface: its name. */
static void empty_surface(lm_md3_surface *surface) {
    surface->num_shaders = surface->num_verts = surface->num_triangles = 0;
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++)
        lm_set_lump_data(surface, &lm_md3_surface_lumps[i], NULL);
}

static bool counts_sound(const lm_md3_surface *surface) {
    return surface->num_shaders >= 0 && surface->num_verts >= 0 && surface->num_triangles >= 0;
}

static bool parse_surface(lm_bytes file, lm_reporter *reporter, lm_md3 *md3, uint32_t index,
                          size_t start, uint64_t *claimed) {
    lm_md3_surface *surface = &md3->surfaces[index];
    read_surface_header(file, start, surface);
    if (!counts_sound(surface)) {
        empty_surface(surface);
        return lm_report_damage(reporter, LM_CODE_BAD_COUNT,
                                lm_mesh_in_surface(start, index, LM_MD3_SURFACE_AT_NUM_SHADERS),
                                "surface %u has a negative count", (unsigned)index);
    }
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++) {
        const lm_lump_member *lump = &lm_md3_surface_lumps[i];
        lm_extent extent = lm_md3_surface_extent(md3, surface, i);
        if (lm_find_lump(file, surface, lump, extent, start, claimed))
            continue;
        int32_t offset = lm_lump_offset(surface, lump);
        empty_surface(surface);
        return lm_mesh_report_lump(file, reporter, index, start, lump, offset, extent);
    }
    return true;
}

static bool grow_surfaces(lm_heap *heap, lm_md3_reading *reading, size_t need) {
    void *surfaces = reading->md3.surfaces, *starts = reading->surface_starts;
    bool grown = lm_heap_grow(heap, &surfaces, &reading->capacity, need, sizeof(lm_md3_surface)) &&
                 lm_heap_grow(heap, &starts, &reading->capacity_starts, need, sizeof(size_t));
    reading->md3.surfaces = surfaces;
    reading->surface_starts = starts;
    return grown;
}

typedef struct parsing {
    lm_bytes file;
    lm_heap *heap;
    lm_reporter *reporter;
    lm_md3_reading *reading;
    uint64_t claimed;
} parsing;

static bool parse_next_surface(void *context, uint32_t index, size_t start) {
    parsing *p = context;
    if (!grow_surfaces(p->heap, p->reading, (size_t)index + 1))
        return false;
    p->reading->md3.num_surfaces = (int32_t)index + 1;
    p->reading->surface_starts[index] = start;
    return parse_surface(p->file, p->reporter, &p->reading->md3, index, start, &p->claimed);
}

static bool parse_surfaces(parsing *p) {
    lm_md3 *md3 = &p->reading->md3;
    const lm_mesh_chain chain = {.ofs_surfaces = md3->ofs_surfaces,
                                 .num_surfaces = md3->num_surfaces,
                                 .ofs_surfaces_at = LM_MD3_AT_OFS_SURFACES,
                                 .surface_header_size = LM_MD3_SURFACE_HEADER_SIZE,
                                 .ofs_end_at = LM_MD3_SURFACE_AT_OFS_END,
                                 .claimed = &p->claimed,
                                 .parse = parse_next_surface,
                                 .context = p};
    md3->num_surfaces = 0;
    return lm_mesh_parse_chain(p->file, p->reporter, &chain);
}

/* Where the last lump or header ends. */
static size_t data_end(lm_bytes file, const lm_md3_reading *reading) {
    const lm_md3 *md3 = &reading->md3;
    size_t end = LM_MD3_HEADER_SIZE, next;
    for (int i = 0; i < LM_MD3_NUM_LUMPS; i++) {
        next = lm_lump_end(file, md3, &lm_md3_lumps[i], lm_md3_file_extent(md3, i));
        end = next > end ? next : end;
    }
    for (int32_t s = 0; s < md3->num_surfaces; s++) {
        const lm_md3_surface *surface = &md3->surfaces[s];
        next = reading->surface_starts[s] + LM_MD3_SURFACE_HEADER_SIZE;
        end = next > end ? next : end;
        for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++) {
            next = lm_lump_end(file, surface, &lm_md3_surface_lumps[i],
                               lm_md3_surface_extent(md3, surface, i));
            end = next > end ? next : end;
        }
    }
    return end;
}

static bool parse_end(lm_bytes file, lm_reporter *reporter, lm_md3_reading *reading) {
    lm_md3 *md3 = &reading->md3;
    lm_bytes trailing;
    bool go_on = lm_mesh_parse_end(file, reporter, LM_MD3_AT_OFS_END, md3->ofs_end,
                                   data_end(file, reading), &trailing);
    md3->trailing = trailing.data;
    md3->num_trailing = trailing.size;
    return go_on;
}

bool lm_md3_parse(lm_bytes file, lm_heap *heap, lm_reporter *reporter, lm_md3_reading *reading) {
    parsing p = {file, heap, reporter, reading, 0};
    lm_md3 *md3 = &reading->md3;
    *reading = (lm_md3_reading){0};
    if (!parse_header(file, reporter, md3))
        return false;
    for (int i = 0; i < LM_MD3_NUM_LUMPS; i++)
        if (!lm_mesh_parse_lump(file, reporter, md3, &lm_md3_lumps[i], lm_md3_file_extent(md3, i),
                                i == LM_MD3_LUMP_FRAMES, &md3->num_tags, &p.claimed))
            return false;
    return parse_surfaces(&p) && parse_end(file, reporter, reading);
}

void lm_md3_release(lm_heap *heap, lm_md3_reading *reading) {
    lm_heap_free(heap, reading->md3.surfaces, reading->capacity * sizeof(lm_md3_surface));
    lm_heap_free(heap, reading->surface_starts, reading->capacity_starts * sizeof(size_t));
}

lm_md3_frame lm_md3_get_frame(const lm_md3 *md3, int32_t frame) {
    return lm_mesh_get_frame(md3->frames + (size_t)frame * LM_MD3_FRAME_SIZE);
}

lm_md3_tag lm_md3_get_tag(const lm_md3 *md3, int32_t frame, int32_t tag) {
    size_t index = (size_t)frame * (size_t)md3->num_tags + (size_t)tag;
    const uint8_t *p = md3->tags + index * LM_MD3_TAG_SIZE;
    lm_md3_tag out = {.origin = lm_get_vec3(p + LM_MD3_TAG_ORIGIN)};
    memcpy(out.name, p + LM_MD3_TAG_NAME, sizeof out.name);
    for (size_t i = 0; i < 3; i++)
        out.axis[i] = lm_get_vec3(p + LM_MD3_TAG_AXES + 12 * i);
    return out;
}

void lm_md3_get_triangle(const lm_md3_surface *surface, int32_t index, uint32_t vertex[3]) {
    lm_mesh_get_triangle(surface->triangles + (size_t)index * LM_MD3_TRIANGLE_SIZE, vertex);
}

lm_vec2 lm_md3_get_st(const lm_md3_surface *surface, int32_t vertex) {
    return lm_mesh_get_st(surface->st + (size_t)vertex * LM_MD3_ST_SIZE);
}

lm_md3_xyz_normal lm_md3_get_xyz_normal(const lm_md3_surface *surface, int32_t frame,
                                        int32_t vertex) {
    size_t index = (size_t)frame * (size_t)surface->num_verts + (size_t)vertex;
    return lm_mesh_get_vertex(surface->xyz_normals + index * LM_MD3_XYZ_NORMAL_SIZE);
}
