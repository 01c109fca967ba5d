/* Reads bytes into a document: finds the lumps and verifies them. */
#include "formats/md2/md2_format.h"

#include "formats/describe.h"
#include "math/vectors.h"

lm_location lmi_md2_location(const lm_md2 *md2, int lump, uint32_t index) {
    const lm_header_lump *l = &lmi_md2_header.lumps.list[lump];
    return lmi_element_location(
        lmi_lump_location(lmi_file_location(), l->shape.name, lmi_number(md2, l->ofs)), index,
        lmi_lump_extent(l, md2, md2).element);
}

lm_location lmi_md2_field_location(size_t member) {
    return lmi_field_location(&lmi_md2_header, lmi_file_location(), member);
}

static bool parse_counts(const lm_reading *reading, const lm_md2 *md2) {
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        const lm_header_lump *lump = &lmi_md2_header.lumps.list[i];
        if (!lmi_read_count(reading, &lmi_md2_header, md2, lump->count.member, lump->shape.name))
            return false;
    }
    if (md2->num_xyz <= 0)
        return lmi_report_fatal(reading->reporter, LM_CODE_BAD_COUNT, LM_MD2_IN_HEADER(num_xyz),
                                "a frame needs vertices, but num_xyz is %d", (int)md2->num_xyz);
    return md2->num_frames > 0 ||
           lmi_report_fatal(reading->reporter, LM_CODE_BAD_COUNT, LM_MD2_IN_HEADER(num_frames),
                            "the model has no frames");
}

static bool parse_sizes(const lm_md2 *md2, lm_reporter *reporter) {
    int64_t need = LM_MD2_FRAME_HEADER_SIZE + (int64_t)LM_MD2_VERTEX_SIZE * md2->num_xyz;
    if (md2->framesize < need)
        return lmi_report_fatal(reporter, LM_CODE_BAD_FRAMESIZE, LM_MD2_IN_HEADER(framesize),
                                "framesize is %d, but a frame of %d vertices takes %lld bytes",
                                (int)md2->framesize, (int)md2->num_xyz, (long long)need);
    if (md2->num_st > 0 && (md2->skinwidth <= 0 || md2->skinheight <= 0))
        return lmi_report_damage(
            reporter, LM_CODE_BAD_SKIN_SIZE, LM_MD2_IN_HEADER(skinwidth),
            "the skin is %d x %d pixels, but both sides must be greater than 0",
            (int)md2->skinwidth, (int)md2->skinheight);
    return true;
}

/* Finds one lump. A tolerant reader cuts a lump that ends outside the file. */
static bool parse_lump(lm_reading *reading, lm_md2 *md2, const lm_header_lump *lump) {
    const lm_bytes file = reading->file;
    if (lmi_find_lump(reading, lump, md2, md2, 0))
        return true;
    const lm_extent extent = lmi_lump_extent(lump, md2, md2);
    const int32_t offset = lmi_number(md2, lump->ofs);
    if (!lmi_report_outside(reading, lump, extent, lmi_md2_field_location(lump->ofs), offset))
        return false;
    size_t start = offset < 0 || (size_t)offset > file.size ? file.size : (size_t)offset;
    lmi_set_number(md2, lump->ofs, (int32_t)start);
    lmi_set_number(md2, lump->count.member, (int32_t)((file.size - start) / extent.element));
    lmi_set_lump_data(lump, md2, file.data + start);
    return true;
}

LM_COLD bool lmi_md2_parse(lm_reading *reading, void *document) {
    lm_md2 *md2 = document;
    if (!lmi_read_ident(reading, &lmi_md2_header))
        return false;
    lmi_get_header(&lmi_md2_header, reading->file.data, md2);
    if (!parse_counts(reading, md2) || !parse_sizes(md2, reading->reporter))
        return false;
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++)
        if (!parse_lump(reading, md2, &lmi_md2_header.lumps.list[i]))
            return false;
    if (md2->num_frames == 0)
        return lmi_report_fatal(reading->reporter, LM_CODE_BAD_OFFSET, LM_MD2_IN_HEADER(ofs_frames),
                                "the file contains no complete frame");
    return lmi_read_end(reading, &lmi_md2_header, md2, "ofs_end");
}

static bool verify_frame_numbers(const lm_md2 *md2, int32_t index, lm_reporter *reporter) {
    lm_md2_frame frame;
    lmi_md2_get_frame(md2, index, &frame);
    const float numbers[6] = {frame.scale.x,     frame.scale.y,     frame.scale.z,
                              frame.translate.x, frame.translate.y, frame.translate.z};
    bool sane = true, tiny = false;
    for (int i = 0; i < 6; i++) {
        sane = sane && lmi_sane(numbers[i]);
        tiny = tiny || lmi_tiny(numbers[i]);
    }
    lm_location location = lmi_md2_location(md2, LM_MD2_LUMP_FRAMES, (uint32_t)index);
    if (!sane)
        return lmi_report_damage(
            reporter, LM_CODE_NOT_FINITE, location,
            "frame %d has a scale or translate that is not a number below 2^31", (int)index);
    if (tiny)
        return lmi_report_warning(
            reporter, LM_CODE_DENORMAL, location, 1,
            "frame %d has a scale or translate below 1e-25; 0 is used instead", (int)index);
    return true;
}

static bool report_normals(const lm_md2 *md2, int32_t frame, lm_reporter *reporter) {
    for (int32_t v = 0; v < md2->num_xyz; v++) {
        lm_md2_vertex vertex;
        lmi_md2_get_vertex(md2, frame, v, &vertex);
        if (vertex.normal < LM_NUM_NORMALS_162)
            continue;
        lm_location location = lmi_md2_location(md2, LM_MD2_LUMP_FRAMES, (uint32_t)frame);
        location.offset += LM_MD2_FRAME_VERTICES + (size_t)v * LM_MD2_VERTEX_SIZE + 3;
        if (!lmi_report_warning(reporter, LM_CODE_NORMAL_INDEX, location, 1,
                                "vertex %d of frame %d uses normal %u, but there are only 162",
                                (int)v, (int)frame, vertex.normal))
            return false;
    }
    return true;
}

static bool verify_frames(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    const lm_packed_rows rows = {lmi_md2_frame_vertices(md2, 0), (size_t)md2->framesize,
                                 (size_t)md2->num_frames, (size_t)md2->num_xyz};
    facts->max_normal = lmi_measure_rows(&rows, facts->ranges);
    bool normals_sound = facts->max_normal < LM_NUM_NORMALS_162;
    facts->numbers_plain = lmi_sizes_within(md2->frames, (size_t)md2->framesize,
                                            (size_t)md2->num_frames, LM_TINY_BITS, LM_HUGE_BITS);
    if (normals_sound && facts->numbers_plain)
        return true;
    for (int32_t f = 0; f < md2->num_frames; f++)
        if (!verify_frame_numbers(md2, f, reporter) ||
            (!normals_sound && !report_normals(md2, f, reporter)))
            return false;
    return true;
}

static bool verify_corner(const lm_md2 *md2, int32_t index, unsigned vertex, unsigned st,
                          lm_reporter *reporter) {
    lm_location location = lmi_md2_location(md2, LM_MD2_LUMP_TRIS, (uint32_t)index);
    if (vertex >= (unsigned)md2->num_xyz &&
        !lmi_report_damage(reporter, LM_CODE_VERTEX_INDEX, location,
                           "triangle %d uses vertex %u, but the model has %d", (int)index, vertex,
                           (int)md2->num_xyz))
        return false;
    return st < (unsigned)md2->num_st ||
           lmi_report_damage(reporter, LM_CODE_ST_INDEX, location,
                             "triangle %d uses texture coordinate %u, but the model has %d",
                             (int)index, st, (int)md2->num_st);
}

static bool report_triangle(const lm_md2 *md2, int32_t index, lm_reporter *reporter) {
    lm_md2_triangle triangle = lmi_md2_triangle_at(md2, index);
    for (int c = 0; c < 3; c++)
        if ((triangle.vertex[c] >= md2->num_xyz || triangle.st[c] >= md2->num_st) &&
            !verify_corner(md2, index, triangle.vertex[c], triangle.st[c], reporter))
            return false;
    return true;
}

static bool verify_triangles(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    const uint32_t vertices = (uint32_t)md2->num_xyz, st = (uint32_t)md2->num_st;
    const uint32_t limits[6] = {vertices, vertices, vertices, st, st, st};
    facts->triangles_valid = lmi_words_below(md2->tris, (size_t)md2->num_tris, limits);
    if (facts->triangles_valid)
        return true;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle triangle = lmi_md2_triangle_at(md2, i);
        if (!lmi_md2_triangle_valid(md2, &triangle) && !report_triangle(md2, i, reporter))
            return false;
    }
    return true;
}

static bool gl_vertex_valid(const lm_md2_gl_walk *walk, uint32_t index) {
    const uint8_t *st = lmi_md2_gl_st(walk, index);
    return (lmi_get_u32(st) & INT32_MAX) < LM_HUGE_BITS &&
           (lmi_get_u32(st + 4) & INT32_MAX) < LM_HUGE_BITS &&
           lmi_md2_gl_vertex(walk, index) < (uint32_t)walk->md2->num_xyz;
}

/* Walks to the end. Returns true if all vertices are valid. Checks both texture coordinates in one
 * number: without their signs, its lanes carry into their highest bits if they are at least
 * LM_HUGE_BITS. For an index that is too large, the difference to the last one is negative. */
static bool gl_vertices_valid(lm_md2_gl_walk *walk, lm_md2_gl_totals *totals) {
    const lm_md2 *md2 = walk->md2;
    const uint64_t last = (uint64_t)md2->num_xyz - 1, highest = 0x8000000080000000u;
    const uint64_t rest = highest - LM_HUGE_BITS * 0x100000001u;
    uint64_t carries = 0, differences = 0;
    while (lmi_md2_gl_next(walk)) {
        const uint8_t *p = md2->glcmds + (size_t)walk->first * LM_MD2_GL_COMMAND_SIZE;
        const uint8_t *end = p + (size_t)walk->count * (3 * LM_MD2_GL_COMMAND_SIZE);
        for (; p < end; p += 3 * LM_MD2_GL_COMMAND_SIZE) {
            carries |= (lmi_get_u64(p) & ~highest) + rest;
            differences |= last - lmi_get_u32(p + 8);
        }
        lmi_md2_gl_count(totals, walk);
    }
    return ((carries & highest) | differences >> 63) == 0;
}

/* Returns true if the GL commands store index, s, t for each vertex, and are valid so. In the usual
 * order, the index stands where a texture coordinate would be, and is tiny as a float. */
static bool is_index_first(const lm_md2 *md2) {
    lm_md2_gl_walk walk = {.md2 = md2, .index_first = true};
    bool valid = true;
    while (lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < 2 * walk.count; i++) {
            const uint8_t *st = lmi_md2_gl_st(&walk, i / 2) + (size_t)4 * (i % 2);
            const uint32_t bits = lmi_get_u32(st) & INT32_MAX;
            valid = valid && (bits == 0 || (bits >= LM_TINY_BITS && bits < LM_HUGE_BITS)) &&
                    lmi_md2_gl_vertex(&walk, i / 2) < (uint32_t)md2->num_xyz;
        }
    return valid && walk.end == LM_MD2_GL_STOPPED;
}

/* Walks all GL commands, and sets gl_valid, gl_index_first and gl. Returns the end of the walk. */
static lm_md2_gl_walk examine_gl(const lm_md2 *md2, lm_md2_facts *facts) {
    lm_md2_gl_walk walk = {.md2 = md2};
    facts->gl = (lm_md2_gl_totals){0};
    facts->gl_valid = gl_vertices_valid(&walk, &facts->gl) && walk.end == LM_MD2_GL_STOPPED;
    facts->gl_index_first = !facts->gl_valid && is_index_first(md2);
    facts->gl_valid = facts->gl_valid || facts->gl_index_first;
    return walk;
}

lm_md2_gl_walk lmi_md2_gl_begin(const lm_md2 *md2) {
    lm_md2_facts facts;
    examine_gl(md2, &facts);
    return (lm_md2_gl_walk){.md2 = md2,
                            .index_first = facts.gl_index_first,
                            .at = facts.gl_valid ? 0 : md2->num_glcmds};
}

static bool report_gl_vertex(const lm_md2_gl_walk *walk, uint32_t index, lm_reporter *reporter) {
    const lm_md2 *md2 = walk->md2;
    const int32_t at = walk->first + 3 * (int32_t)index;
    const lm_location location = lmi_md2_location(md2, LM_MD2_LUMP_GLCMDS, (uint32_t)at);
    const int32_t vertex = (int32_t)lmi_md2_gl_vertex(walk, index);
    if (vertex < 0 || vertex >= md2->num_xyz)
        return lmi_report_warning(reporter, LM_CODE_GL_COMMANDS, location, 1,
                                  "GL command %d uses vertex %d, but the model has %d", (int)at,
                                  (int)vertex, (int)md2->num_xyz);
    return lmi_report_warning(
        reporter, LM_CODE_GL_COMMANDS, location, 1,
        "GL command %d has a texture coordinate that is not a number below 2^31", (int)at);
}

static bool report_gl_vertices(const lm_md2 *md2, lm_reporter *reporter) {
    lm_md2_gl_walk walk = {.md2 = md2};
    while (lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < walk.count; i++)
            if (!gl_vertex_valid(&walk, i) && !report_gl_vertex(&walk, i, reporter))
                return false;
    return true;
}

static bool verify_gl_commands(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    if (md2->num_glcmds == 0)
        return true;
    const lm_md2_gl_walk walk = examine_gl(md2, facts);
    if (facts->gl_index_first)
        return lmi_report_warning(reporter, LM_CODE_GL_COMMAND_ORDER,
                                  lmi_md2_location(md2, LM_MD2_LUMP_GLCMDS, 0), 1,
                                  "the GL commands store index, s, t instead of s, t, index");
    if (!facts->gl_valid && !report_gl_vertices(md2, reporter))
        return false;
    lm_location location = lmi_md2_location(md2, LM_MD2_LUMP_GLCMDS, (uint32_t)walk.at);
    const int32_t count = walk.end == LM_MD2_GL_CUT_OFF ? lmi_md2_get_glcmd(md2, walk.at) : 0;
    if (walk.end == LM_MD2_GL_CUT_OFF)
        return lmi_report_warning(
            reporter, LM_CODE_GL_COMMANDS, location, 1,
            "GL command %d has the count %d, but the lump ends before its last vertex",
            (int)walk.at, (int)count);
    if (walk.end == LM_MD2_GL_NO_STOP)
        return lmi_report_warning(reporter, LM_CODE_GL_COMMANDS, location, 1,
                                  "the GL commands do not end with 0");
    return true;
}

bool lmi_md2_verify(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    lm_md2_facts own = {0};
    facts = facts ? facts : &own;
    return verify_triangles(md2, reporter, facts) && verify_frames(md2, reporter, facts) &&
           verify_gl_commands(md2, reporter, facts);
}

/* ---- Documents ---------------------------------------------------------------------------- */

static bool read(lm_reading *reading, void *document) {
    return lmi_md2_parse(reading, document) && lmi_md2_verify(document, reading->reporter, NULL);
}

const lm_document_kind lmi_md2_kind = {&lmi_format_md2, "MD2", &lmi_md2_header, read};

LM_DOCUMENT_READ(md2, lmi_md2_kind)
