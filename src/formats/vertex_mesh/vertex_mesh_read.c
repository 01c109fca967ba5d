/* The common reader of MDC and MD3: finds the parts of a file and verifies them. */
#include "formats/vertex_mesh/vertex_mesh.h"

#include "math/vectors.h"

const lm_column lmi_vertex_mesh_frame_columns[LM_VERTEX_MESH_NUM_FRAME_COLUMNS] = {
    LM_COLUMNS_F32("bboxMin ", 0),
    LM_COLUMNS_F32("bboxMax ", 12),
    LM_COLUMNS_F32("localOrigin ", 24),
    {"radius", 36, LM_CELL_F32, 0},
    {"name", 40, LM_CELL_TEXT, LM_VERTEX_MESH_FRAME_NAME_SIZE}};

const lm_column lmi_vertex_mesh_st_columns[LM_VERTEX_MESH_NUM_ST_COLUMNS] = {
    {"s", 0, LM_CELL_F32, 0}, {"t", 4, LM_CELL_F32, 0}};

const lm_column lmi_vertex_mesh_vertex_columns[LM_VERTEX_MESH_NUM_VERTEX_COLUMNS] = {
    {"x", 0, LM_CELL_S16, 0},
    {"y", 2, LM_CELL_S16, 0},
    {"z", 4, LM_CELL_S16, 0},
    {"rho", 6, LM_CELL_U8, 0},
    {"sigma", 7, LM_CELL_U8, 0},
    LM_COLUMNS_UNITS(S16, 2),
    {"rho degrees", 6, LM_CELL_U8_UNITS, 3},
    {"sigma degrees", 7, LM_CELL_U8_UNITS, 3}};

const lm_unit lmi_vertex_mesh_units[4] = {{LM_VERTEX_MESH_STEP, 0},
                                          {LM_VERTEX_MESH_STEP, 0},
                                          {LM_VERTEX_MESH_STEP, 0},
                                          {360.0f / 256, 0}};

/* The chain of surfaces: each has the offset of the next one. */
typedef struct lm_vertex_mesh_chain {
    size_t length; /* surfaces with a header inside the file */
    bool leaves;   /* the header of the next surface, at `end`, is not */
    int64_t end;
} lm_vertex_mesh_chain;

/* ---- Lumps and surfaces -------------------------------------------------------------------- */

static bool read_header(const lm_reading *reading, const lm_header *header, void *document) {
    const lm_header_lump *frames = header->lumps.list;
    const lm_header_lump *surfaces = frames + header->lumps.count - 1, *tags = surfaces - 1;
    if (!lmi_read_ident(reading, header))
        return false;
    lmi_get_part(header, reading->file, 0, document);
    if (!lmi_read_count(reading, header, document, frames->count.member, "frames") ||
        !lmi_read_count(reading, header, document, tags->count.member, "tags") ||
        !lmi_read_count(reading, header, document, surfaces->count.member, "surfaces"))
        return false;
    return lmi_number(document, frames->count.member) > 0 ||
           lmi_report_fatal(reading->reporter, LM_CODE_BAD_COUNT,
                            lmi_field_location(header, lmi_file_location(), frames->count.member),
                            "the model has no frames");
}

/* Reads the file's header and lumps. A damaged tag lump only removes the tags. */
static bool read_file(lm_reading *reading, const lm_header *header, void *document) {
    const lm_header_lump *frames = header->lumps.list;
    if (!read_header(reading, header, document))
        return false;
    for (const lm_header_lump *lump = frames; !lump->chain; lump++) {
        if (lmi_find_lump(reading, lump, document, document, 0))
            continue;
        if (!(lmi_report_outside(reading, lump, lmi_lump_extent(lump, document, document),
                                 lmi_field_location(header, lmi_file_location(), lump->ofs),
                                 lmi_number(document, lump->ofs))))
            return false;
        lmi_set_number(document, lump->count.member, 0);
    }
    return true;
}

/* Returns whether a header follows that has the ident of the surface at `start`. */
static bool is_surface(lm_bytes file, const lm_header *header, size_t start, uint64_t offset) {
    return lmi_fits(file.size, offset, 1, header->size) &&
           memcmp(file.data + offset, file.data + start, 4) == 0;
}

/* Lays out the lumps of a surface whose end is not stated: some exporters write an empty surface
 * with offsets of 0, and the next surface follows its lumps. An offset of 0 then means the byte
 * after the lump before, except for a lump that was measured where it is stated to be. Returns the
 * length of the surface; 0, and changes nothing, if no other surface follows there. */
static int32_t lay_out(lm_bytes file, const lm_header *header, const void *document, void *surface,
                       size_t start) {
    const size_t rest = file.size - start;
    int32_t offsets[LM_MAX_LUMPS];
    uint64_t end = header->size;
    if (!lmi_counts_valid(header, surface))
        return 0;
    for (size_t i = 0; i < header->lumps.count; i++) {
        const lm_header_lump *lump = &header->lumps.list[i];
        const lm_extent extent = lmi_lump_extent(lump, document, surface);
        const bool needed = extent.count > 0 && (!lump->needed || lump->needed(surface));
        offsets[i] = lmi_number(surface, lump->ofs);
        if (needed && offsets[i] == 0 && !lump->extra && end <= INT32_MAX)
            offsets[i] = (int32_t)end;
        const bool inside = offsets[i] > 0 && lmi_extent_fits(rest, (uint32_t)offsets[i], extent);
        if (needed && !inside)
            return 0;
        if (inside && (uint32_t)offsets[i] + lmi_extent_size(extent) > end)
            end = (uint32_t)offsets[i] + lmi_extent_size(extent);
    }
    if (end > INT32_MAX || !is_surface(file, header, start, start + end))
        return 0;
    for (size_t i = 0; i < header->lumps.count; i++)
        lmi_set_number(surface, header->lumps.list[i].ofs, offsets[i]);
    return (int32_t)end;
}

/* Such exporters do not count their empty surfaces: for each, the chain has one more than the
 * header, if the file has one. `scratch`: a surface's struct. */
static lm_vertex_mesh_chain find_chain(lm_bytes file, const lm_header_lump *lump,
                                       const void *document, void *scratch) {
    const lm_header *surface = lump->chain;
    const size_t end_at = lmi_field_at(surface, surface->end);
    const size_t counted = (size_t)lmi_number(document, lump->count.member);
    size_t count = counted, before = 0;
    lm_vertex_mesh_chain chain = {.end = lmi_number(document, lump->ofs)};
    while (chain.length < count) {
        chain.leaves =
            chain.length < counted &&
            (chain.end < 0 || !lmi_fits(file.size, (uint64_t)chain.end, 1, surface->size));
        if (chain.leaves ||
            (chain.length >= counted && !is_surface(file, surface, before, (uint64_t)chain.end)))
            break;
        before = (size_t)chain.end;
        int32_t length = lmi_get_s32(file.data + before + end_at);
        chain.length++;
        if (length <= 0) {
            lmi_get_part(surface, file, before, scratch);
            length = lay_out(file, surface, document, scratch, before);
            count += length > 0 && lmi_number(scratch, surface->lumps.list->count.member) == 0;
        }
        if (length <= 0)
            break;
        chain.end += length;
    }
    return chain;
}

static bool report_chain(const lm_reading *reading, const lm_header *header,
                         const lm_vertex_mesh_chain *chain, int32_t count) {
    const size_t ofs = header->lumps.list[header->lumps.count - 1].ofs;
    return lmi_report_damage(reading->reporter, LM_CODE_BAD_OFFSET,
                             lmi_field_location(header, lmi_file_location(), ofs),
                             "surface %zu of %d starts at byte %lld, but the file ends at %zu",
                             chain->length, (int)count, (long long)chain->end, reading->file.size);
}

/* Finds a lump of a surface. An absent lump has offset 0 (the surface's header) or an offset
 * outside the file or before its surface. It counts as claimed too, because processing it takes as
 * long as a lump in the file. */
static bool find_surface_lump(lm_reading *reading, const lm_header_lump *lump, const void *document,
                              void *surface, size_t start) {
    const bool optional = lump->needed && !lump->needed(surface);
    const bool none = optional && lmi_number(surface, lump->ofs) == 0;
    if (!none && lmi_find_lump(reading, lump, document, surface, start))
        return true;
    if (optional)
        reading->lump_bytes += lmi_extent_size(lmi_lump_extent(lump, document, surface));
    return optional;
}

/* Checks the chain after each surface. Lumps may share bytes, but if all surfaces claimed the same
 * megabyte, reading would take quadratic time. */
static bool chain_sound(const lm_reading *reading, const lm_header *header, lm_location start,
                        int32_t ofs_end, bool last) {
    if (reading->lump_bytes / LM_MEMORY_MULTIPLE > reading->file.size)
        return lmi_report_fatal(reading->reporter, LM_CODE_OVERLAP, start,
                                "the surfaces use %llu bytes, but the file has only %zu",
                                (unsigned long long)reading->lump_bytes, reading->file.size);
    return ofs_end > 0 || last ||
           lmi_report_damage(
               reading->reporter, LM_CODE_BAD_OFFSET,
               lmi_field_location(header, start, header->end),
               "surface %u ends %d bytes after its start, so the next one cannot be found",
               (unsigned)start.surface, (int)ofs_end);
}

/* Gives a surface that others follow its end, if it is not stated. */
static bool find_end(const lm_reading *reading, const lm_header *header, const void *document,
                     void *surface, lm_location start) {
    const int32_t stated = lmi_number(surface, header->end);
    const int32_t length =
        stated > 0 ? 0 : lay_out(reading->file, header, document, surface, start.offset);
    if (length == 0)
        return true;
    lmi_set_number(surface, header->end, length);
    return lmi_report_damage(reading->reporter, LM_CODE_BAD_OFFSET,
                             lmi_field_location(header, start, header->end),
                             "surface %u ends %d bytes after its start, but the next one starts "
                             "after %d",
                             (unsigned)start.surface, (int)stated, (int)length);
}

static bool parse_surface(lm_reading *reading, const lm_vertex_mesh_kind *kind,
                          const void *document, void *surface, lm_location start, bool last) {
    const lm_header *header = lmi_vertex_mesh_chain_lump(kind)->chain;
    lmi_get_part(header, reading->file, start.offset, surface);
    if (!last && !find_end(reading, header, document, surface, start))
        return false;
    if (lmi_counts_valid(header, surface) && (!kind->counts_sound || kind->counts_sound(surface))) {
        for (size_t i = 0; i < header->lumps.count; i++) {
            const lm_header_lump *lump = &header->lumps.list[i];
            if (find_surface_lump(reading, lump, document, surface, start.offset))
                continue;
            const lm_extent extent = lmi_lump_extent(lump, document, surface);
            lmi_empty_part(header, surface);
            return lmi_report_outside(reading, lump, extent,
                                      lmi_field_location(header, start, lump->ofs),
                                      (int64_t)start.offset + lmi_number(surface, lump->ofs));
        }
        return true;
    }
    lmi_empty_part(header, surface);
    return lmi_report_damage(reading->reporter, LM_CODE_BAD_COUNT,
                             lmi_field_location(header, start, kind->first_count),
                             "surface %u has %s", (unsigned)start.surface, kind->unsound);
}

static bool parse_surfaces(lm_reading *reading, const lm_vertex_mesh_kind *kind, void *document) {
    const lm_header_lump *lump = lmi_vertex_mesh_chain_lump(kind);
    const lm_header *header = lump->chain;
    const int32_t count = lmi_number(document, lump->count.member);
    void *scratch = lmi_arena_alloc(reading->arena, 1, header->struct_size);
    if (!scratch)
        return false;
    const lm_vertex_mesh_chain chain = find_chain(reading->file, lump, document, scratch);
    lm_location start = lmi_vertex_mesh_first(kind, document);
    uint8_t *surface = lmi_arena_alloc(reading->arena, chain.length, header->struct_size);
    lmi_set_number(document, lump->count.member, 0);
    lmi_set_lump_data(lump, document, surface);
    if (!surface)
        return false;
    for (size_t i = 0; i < chain.length; i++, surface += header->struct_size) {
        const bool last = i + 1 == chain.length;
        lmi_set_number(document, lump->count.member, (int32_t)i + 1);
        if (!parse_surface(reading, kind, document, surface, start, last) ||
            !chain_sound(reading, header, start, lmi_number(surface, header->end),
                         last && (int32_t)i + 1 >= count))
            return false;
        start = lmi_vertex_mesh_next(kind, document, start);
    }
    return !chain.leaves || report_chain(reading, kind->header, &chain, count);
}

LM_COLD bool lmi_vertex_mesh_parse(lm_reading *reading, const lm_vertex_mesh_kind *kind,
                                   void *document) {
    return read_file(reading, kind->header, document) && parse_surfaces(reading, kind, document) &&
           lmi_read_end(reading, kind->header, document, "ofsEnd");
}

/* ---- Views --------------------------------------------------------------------------------- */

const void *lmi_vertex_mesh_struct_of(const lm_vertex_mesh_kind *kind, const void *document,
                                      uint32_t surface) {
    const lm_header_lump *lump = lmi_vertex_mesh_chain_lump(kind);
    return lmi_lump_data(lump, document) + (size_t)surface * lump->chain->struct_size;
}

lm_vertex_mesh_frames lmi_vertex_mesh_frames_of(const lm_vertex_mesh_kind *kind,
                                                const void *document) {
    const lm_header_lump *lump = &kind->header->lumps.list[0];
    return (lm_vertex_mesh_frames){
        lmi_lump_data(lump, document), lmi_number(document, lump->count.member),
        lmi_lump_extent(lump, document, document).element, (size_t)lmi_number(document, lump->ofs)};
}

lm_vertex_mesh_surface lmi_vertex_mesh_surface_at(const lm_vertex_mesh_kind *kind,
                                                  const void *document, lm_location start) {
    const lm_header_lump *lumps = lmi_vertex_mesh_chain_lump(kind)->chain->lumps.list;
    const lm_header_lump *triangles = &lumps[0], *shaders = &lumps[1], *st = &lumps[2];
    const void *surface = lmi_vertex_mesh_struct_of(kind, document, start.surface);
    return (lm_vertex_mesh_surface){
        .start = start,
        .name = (const uint8_t *)surface + kind->name,
        .num_shaders = lmi_number(surface, shaders->count.member),
        .num_vertices = lmi_number(surface, st->count.member),
        .num_triangles = lmi_number(surface, triangles->count.member),
        .shaders = lmi_lump_data(shaders, surface),
        .triangles = lmi_lump_data(triangles, surface),
        .st = lmi_lump_data(st, surface),
        .ofs_shaders = lmi_number(surface, shaders->ofs),
        .ofs_triangles = lmi_number(surface, triangles->ofs),
        .ofs_st = lmi_number(surface, st->ofs),
        .ofs_vertices = lmi_number(surface, lumps[3].ofs),
    };
}

lm_location lmi_vertex_mesh_first(const lm_vertex_mesh_kind *kind, const void *document) {
    return lmi_surface_location(
        0, (size_t)lmi_number(document, lmi_vertex_mesh_chain_lump(kind)->ofs));
}

lm_location lmi_vertex_mesh_next(const lm_vertex_mesh_kind *kind, const void *document,
                                 lm_location start) {
    const void *surface = lmi_vertex_mesh_struct_of(kind, document, start.surface);
    const int32_t length = lmi_number(surface, lmi_vertex_mesh_chain_lump(kind)->chain->end);
    return lmi_surface_location(start.surface + 1, start.offset + (size_t)length);
}

/* ---- Contents of lumps --------------------------------------------------------------------- */

bool lmi_vertex_mesh_frame_valid(const lm_vertex_mesh_frame *frame) {
    return lmi_sane_vec3(frame->bbox_min) && lmi_sane_vec3(frame->bbox_max) &&
           lmi_sane_vec3(frame->local_origin) && lmi_sane(frame->radius) &&
           frame->bbox_min.x <= frame->bbox_max.x && frame->bbox_min.y <= frame->bbox_max.y &&
           frame->bbox_min.z <= frame->bbox_max.z;
}

bool lmi_vertex_mesh_verify_frames(const lm_vertex_mesh_frames *frames, lm_reporter *reporter) {
    const lm_location first = lmi_location_at("frames", 0, frames->offset);
    for (int32_t f = 0; f < frames->count; f++) {
        const lm_vertex_mesh_frame frame = lmi_vertex_mesh_frame_at(frames, f);
        if (!lmi_vertex_mesh_frame_valid(&frame) &&
            !lmi_report_warning(
                reporter, LM_CODE_BAD_BOUNDS,
                lmi_element_location(first, (uint32_t)f, frames->size), 1,
                "the bounds of frame %d are not finite or are inside out; computed bounds are used",
                (int)f))
            return false;
    }
    return true;
}

static bool triangles_valid(const lm_vertex_mesh_surface *surface) {
    const size_t count = 3 * (size_t)surface->num_triangles;
    const uint32_t num_vertices = (uint32_t)surface->num_vertices;
    bool valid = true;
    for (size_t i = 0; i < count; i++)
        valid &= lmi_get_u32(surface->triangles + 4 * i) < num_vertices;
    return valid;
}

bool lmi_vertex_mesh_verify_triangles(const lm_vertex_mesh_surface *surface,
                                      lm_reporter *reporter) {
    if (triangles_valid(surface))
        return true;
    for (int32_t i = 0; i < surface->num_triangles; i++) {
        uint32_t vertex[3];
        lmi_vertex_mesh_get_triangle(surface->triangles + (size_t)i * LM_VERTEX_MESH_TRIANGLE_SIZE,
                                     vertex);
        for (int c = 0; c < 3; c++)
            if (vertex[c] >= (uint32_t)surface->num_vertices &&
                !lmi_report_damage(
                    reporter, LM_CODE_VERTEX_INDEX,
                    lmi_element_location(
                        lmi_lump_location(surface->start, "triangles", surface->ofs_triangles),
                        (uint32_t)i, LM_VERTEX_MESH_TRIANGLE_SIZE),
                    "surface %u: triangle %d uses vertex %u, but the surface has %d",
                    (unsigned)surface->start.surface, (int)i, (unsigned)vertex[c],
                    (int)surface->num_vertices))
                return false;
    }
    return true;
}

static bool verify_surface(const lm_vertex_mesh_surface *surface, lm_reporter *reporter) {
    if (!lmi_vertex_mesh_verify_triangles(surface, reporter))
        return false;
    for (int32_t v = 0; v < surface->num_vertices; v++) {
        lm_vec2 st = lmi_vertex_mesh_get_st(surface->st + (size_t)v * LM_VERTEX_MESH_ST_SIZE);
        if ((!lmi_sane(st.x) || !lmi_sane(st.y)) &&
            !lmi_report_warning(
                reporter, LM_CODE_BAD_ST,
                lmi_element_location(lmi_lump_location(surface->start, "st", surface->ofs_st),
                                     (uint32_t)v, LM_VERTEX_MESH_ST_SIZE),
                1,
                "surface %u: the texture coordinate of vertex %d is not a number below 2^31; 0 is "
                "used",
                (unsigned)surface->start.surface, (int)v))
            return false;
    }
    return true;
}

/* Returns whether there is anything to bound: a hand has only tags. */
static bool has_vertices(const lm_vertex_mesh_kind *kind, const void *document, int32_t count) {
    const lm_header_lump *chain = lmi_vertex_mesh_chain_lump(kind);
    const size_t member = chain->chain->lumps.list[2].count.member; /* of texture coordinates */
    for (int32_t s = 0; s < count; s++)
        if (lmi_number(lmi_vertex_mesh_struct_of(kind, document, (uint32_t)s), member) > 0)
            return true;
    return false;
}

bool lmi_vertex_mesh_verify(const lm_vertex_mesh_kind *kind, const void *document,
                            lm_reporter *reporter) {
    const lm_vertex_mesh_frames frames = lmi_vertex_mesh_frames_of(kind, document);
    const int32_t count = lmi_number(document, lmi_vertex_mesh_chain_lump(kind)->count.member);
    lm_location start = lmi_vertex_mesh_first(kind, document);
    bool continues = (!has_vertices(kind, document, count) ||
                      lmi_vertex_mesh_verify_frames(&frames, reporter)) &&
                     (!kind->verify_tags || kind->verify_tags(document, reporter));
    for (int32_t s = 0; s < count && continues; s++) {
        const lm_vertex_mesh_surface surface = lmi_vertex_mesh_surface_at(kind, document, start);
        continues = verify_surface(&surface, reporter) &&
                    (!kind->verify_tables || kind->verify_tables(document, start, reporter));
        start = lmi_vertex_mesh_next(kind, document, start);
    }
    return continues;
}
