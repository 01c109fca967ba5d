/* Finding the parts, and their elements byte by byte. */
#include "formats/vertex_mesh/vertex_mesh.h"

lm_place lm_mesh_in_header(size_t at) {
    return (lm_place){.section = "header", .index = (uint32_t)at / 4, .offset = at};
}

lm_place lm_mesh_in_surface(size_t start, uint32_t surface, size_t at) {
    return (lm_place){"header", surface, true, (uint32_t)at / 4, start + at};
}

static bool parse_ident(lm_bytes file, lm_reporter *reporter, int32_t version, size_t header_size) {
    if (file.size < header_size)
        return lm_report_fatal(reporter, LM_CODE_TRUNCATED, lm_mesh_in_header(0),
                               "the file has %zu bytes, but a header takes %zu", file.size,
                               header_size);
    int32_t found = lm_get_s32(file.data + LM_MESH_AT_VERSION);
    return found == version ||
           lm_report_fatal(reporter, LM_CODE_BAD_VERSION, lm_mesh_in_header(LM_MESH_AT_VERSION),
                           "version %d, but only version %d is known", (int)found, (int)version);
}

static bool parse_count(lm_bytes file, lm_reporter *reporter, size_t at, const char *what,
                        int32_t *count) {
    *count = lm_get_s32(file.data + at);
    return *count >= 0 || lm_report_fatal(reporter, LM_CODE_BAD_COUNT, lm_mesh_in_header(at),
                                          "the number of %s is negative: %d", what, (int)*count);
}

bool lm_mesh_parse_header(lm_bytes file, lm_reporter *reporter, int32_t version, size_t header_size,
                          lm_mesh_header *header) {
    if (!parse_ident(file, reporter, version, header_size))
        return false;
    header->name = file.data + LM_MESH_AT_NAME;
    header->flags = lm_get_s32(file.data + LM_MESH_AT_FLAGS);
    header->num_skins = lm_get_s32(file.data + LM_MESH_AT_NUM_SKINS);
    if (!parse_count(file, reporter, LM_MESH_AT_NUM_FRAMES, "frames", &header->num_frames) ||
        !parse_count(file, reporter, LM_MESH_AT_NUM_TAGS, "tags", &header->num_tags) ||
        !parse_count(file, reporter, LM_MESH_AT_NUM_SURFACES, "surfaces", &header->num_surfaces))
        return false;
    return header->num_frames > 0 ||
           lm_report_fatal(reporter, LM_CODE_BAD_COUNT, lm_mesh_in_header(LM_MESH_AT_NUM_FRAMES),
                           "the model has no frames");
}

void lm_mesh_put_header(uint8_t *out, uint32_t ident, int32_t version,
                        const lm_mesh_header *header) {
    lm_put_u32(out + LM_MESH_AT_IDENT, ident);
    lm_put_s32(out + LM_MESH_AT_VERSION, version);
    memcpy(out + LM_MESH_AT_NAME, header->name, LM_MESH_NAME_SIZE);
    lm_put_s32(out + LM_MESH_AT_FLAGS, header->flags);
    lm_put_s32(out + LM_MESH_AT_NUM_FRAMES, header->num_frames);
    lm_put_s32(out + LM_MESH_AT_NUM_TAGS, header->num_tags);
    lm_put_s32(out + LM_MESH_AT_NUM_SURFACES, header->num_surfaces);
    lm_put_s32(out + LM_MESH_AT_NUM_SKINS, header->num_skins);
}

bool lm_mesh_parse_lump(lm_bytes file, lm_reporter *reporter, void *owner,
                        const lm_lump_member *lump, lm_extent extent, bool needed,
                        int32_t *num_tags, uint64_t *claimed) {
    int32_t offset = lm_get_s32(file.data + lump->ofs_at);
    lm_set_lump_offset(owner, lump, offset);
    if (lm_find_lump(file, owner, lump, extent, 0, claimed))
        return true;
    bool go_on = lm_report_damage(reporter, LM_CODE_BAD_OFFSET, lm_mesh_in_header(lump->ofs_at),
                                  "%llu %s of %zu bytes start at byte %d, but the file has %zu",
                                  (unsigned long long)extent.count, lump->name, extent.element,
                                  (int)offset, file.size);
    if (go_on && needed)
        return lm_report_fatal(reporter, LM_CODE_BAD_OFFSET, lm_mesh_in_header(lump->ofs_at),
                               "without frames nothing can be read");
    *num_tags = 0;
    return go_on;
}

bool lm_mesh_report_lump(lm_bytes file, lm_reporter *reporter, uint32_t index, size_t start,
                         const lm_lump_member *lump, int32_t offset, lm_extent extent) {
    return lm_report_damage(
        reporter, LM_CODE_BAD_OFFSET, lm_mesh_in_surface(start, index, lump->ofs_at),
        "surface %u: %s (%llu times %zu bytes) at byte %lld, but the file has %zu", (unsigned)index,
        lump->name, (unsigned long long)extent.count, extent.element, (long long)start + offset,
        file.size);
}

/* Whether the chain can go on behind a surface. Lumps may share bytes, but a chain whose surfaces
 * all claim the same megabyte would make reading cost the square of the file. */
static bool chain_sound(lm_bytes file, lm_reporter *reporter, const lm_mesh_chain *chain,
                        uint32_t index, size_t start, int32_t ofs_end) {
    if (*chain->claimed / LM_MEMORY_MULTIPLE > file.size)
        return lm_report_fatal(reporter, LM_CODE_OVERLAP, lm_mesh_in_surface(start, index, 0),
                               "the surfaces take %llu bytes of a file of %zu",
                               (unsigned long long)*chain->claimed, file.size);
    if (ofs_end > 0 || index + 1 == (uint32_t)chain->num_surfaces)
        return true;
    return lm_report_damage(
        reporter, LM_CODE_BAD_OFFSET, lm_mesh_in_surface(start, index, chain->ofs_end_at),
        "surface %u ends %d bytes after its start, so that the next one cannot be found",
        (unsigned)index, (int)ofs_end);
}

bool lm_mesh_parse_chain(lm_bytes file, lm_reporter *reporter, const lm_mesh_chain *chain) {
    int64_t start = chain->ofs_surfaces;
    for (int32_t i = 0; i < chain->num_surfaces; i++) {
        if (start < 0 || !lm_fits(file.size, (uint64_t)start, 1, chain->surface_header_size))
            return lm_report_damage(reporter, LM_CODE_BAD_OFFSET,
                                    lm_mesh_in_header(chain->ofs_surfaces_at),
                                    "surface %d of %d starts at byte %lld, but the file has %zu",
                                    (int)i, (int)chain->num_surfaces, (long long)start, file.size);
        int32_t ofs_end = lm_get_s32(file.data + start + chain->ofs_end_at);
        if (!chain->parse(chain->context, (uint32_t)i, (size_t)start) ||
            !chain_sound(file, reporter, chain, (uint32_t)i, (size_t)start, ofs_end))
            return false;
        if (ofs_end <= 0)
            return true;
        start += ofs_end;
    }
    return true;
}

bool lm_mesh_parse_end(lm_bytes file, lm_reporter *reporter, size_t ofs_end_at, int32_t ofs_end,
                       size_t last, lm_bytes *trailing) {
    bool wrong = ofs_end < 0 || (size_t)ofs_end < last || (size_t)ofs_end > file.size;
    size_t end = wrong ? last : (size_t)ofs_end;
    *trailing = (lm_bytes){file.data + end, file.size - end};
    if (wrong && !lm_report_oddity(reporter, LM_CODE_WRONG_END, lm_mesh_in_header(ofs_end_at), 1,
                                   "ofsEnd is %d, but the data ends at %zu and the file at %zu",
                                   (int)ofs_end, last, file.size))
        return false;
    if (trailing->size == 0)
        return true;
    return lm_report_oddity(reporter, LM_CODE_TRAILING_BYTES,
                            (lm_place){.section = "header", .offset = end}, 1,
                            "%zu bytes follow the end of the model", trailing->size);
}

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

uint64_t lm_mesh_place_lumps(void *owner, const lm_lump_member *lumps, const lm_extent *extents,
                             int count, size_t header_size, int *order) {
    int32_t offsets[LM_MESH_MOST_LUMPS] = {0}; /* gcc cannot see that count is not 0 */
    uint64_t at = header_size;
    for (int i = 0; i < count; i++)
        offsets[i] = lm_lump_offset(owner, &lumps[i]);
    lm_order_lumps(offsets, count, order);
    for (int i = 0; i < count; i++) {
        lm_set_lump_offset(owner, &lumps[order[i]], (int32_t)at);
        at += lm_extent_size(extents[order[i]]);
    }
    return at;
}
