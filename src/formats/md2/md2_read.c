/* From bytes to a document: where the lumps are, and whether they can be trusted. */
#include "formats/md2/md2_format.h"

#include "model/build.h"

#include <stddef.h>

#define LUMP(text, singular, NUM, OFS, num, ofs, data, size)                     \
    {                                                                            \
        text, singular, LM_MD2_AT_##NUM, LM_MD2_AT_##OFS, offsetof(lm_md2, num), \
            offsetof(lm_md2, ofs), offsetof(lm_md2, data), size                  \
    }

const lm_md2_lump lm_md2_lumps[LM_MD2_NUM_LUMPS] = {
    LUMP("skins", "skin", NUM_SKINS, OFS_SKINS, num_skins, ofs_skins, skins, LM_MD2_SKIN_SIZE),
    LUMP("st", "texture coordinate", NUM_ST, OFS_ST, num_st, ofs_st, st, LM_MD2_ST_SIZE),
    LUMP("triangles", "triangle", NUM_TRIS, OFS_TRIS, num_tris, ofs_tris, tris,
         LM_MD2_TRIANGLE_SIZE),
    LUMP("frames", "frame", NUM_FRAMES, OFS_FRAMES, num_frames, ofs_frames, frames, 0),
    LUMP("glcmds", "GL command", NUM_GLCMDS, OFS_GLCMDS, num_glcmds, ofs_glcmds, glcmds,
         LM_MD2_GL_COMMAND_SIZE),
};

lm_place lm_md2_place(const lm_md2 *md2, int lump, uint32_t index) {
    const lm_md2_lump *l = &lm_md2_lumps[lump];
    size_t start = (size_t)lm_md2_lump_offset(md2, l);
    return (lm_place){
        .section = l->name, .index = index, .offset = start + index * lm_md2_lump_element(md2, l)};
}

static lm_place in_header(size_t at) {
    return (lm_place){.section = "header", .index = (uint32_t)at / 4, .offset = at};
}

static bool parse_ident(lm_bytes file, lm_reporter *reporter) {
    if (file.size < LM_MD2_HEADER_SIZE)
        return lm_report_fatal(reporter, LM_CODE_TRUNCATED, in_header(0),
                               "the file has %zu bytes, but a header takes %d", file.size,
                               LM_MD2_HEADER_SIZE);
    int32_t version = lm_get_s32(file.data + LM_MD2_AT_VERSION);
    if (version != LM_MD2_VERSION)
        return lm_report_fatal(reporter, LM_CODE_BAD_VERSION, in_header(LM_MD2_AT_VERSION),
                               "version %d, but only version %d is known", (int)version,
                               LM_MD2_VERSION);
    return true;
}

static bool parse_counts(lm_bytes file, lm_reporter *reporter, lm_md2 *md2) {
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        const lm_md2_lump *lump = &lm_md2_lumps[i];
        int32_t count = lm_get_s32(file.data + lump->num_at);
        if (count < 0)
            return lm_report_fatal(reporter, LM_CODE_BAD_COUNT, in_header(lump->num_at),
                                   "the number of %s is negative: %d", lump->name, (int)count);
        lm_md2_set_lump(md2, lump, count, lm_get_s32(file.data + lump->ofs_at));
    }
    md2->num_xyz = lm_get_s32(file.data + LM_MD2_AT_NUM_XYZ);
    if (md2->num_xyz <= 0)
        return lm_report_fatal(reporter, LM_CODE_BAD_COUNT, in_header(LM_MD2_AT_NUM_XYZ),
                               "a frame needs vertices, but num_xyz is %d", (int)md2->num_xyz);
    if (md2->num_frames == 0)
        return lm_report_fatal(reporter, LM_CODE_BAD_COUNT, in_header(LM_MD2_AT_NUM_FRAMES),
                               "the model has no frames");
    return true;
}

static bool parse_sizes(lm_bytes file, lm_reporter *reporter, lm_md2 *md2) {
    md2->skinwidth = lm_get_s32(file.data + LM_MD2_AT_SKINWIDTH);
    md2->skinheight = lm_get_s32(file.data + LM_MD2_AT_SKINHEIGHT);
    md2->framesize = lm_get_s32(file.data + LM_MD2_AT_FRAMESIZE);
    int64_t need = LM_MD2_FRAME_HEADER_SIZE + (int64_t)LM_MD2_VERTEX_SIZE * md2->num_xyz;
    if (md2->framesize < need)
        return lm_report_fatal(reporter, LM_CODE_BAD_FRAMESIZE, in_header(LM_MD2_AT_FRAMESIZE),
                               "framesize is %d, but a frame of %d vertices takes %lld bytes",
                               (int)md2->framesize, (int)md2->num_xyz, (long long)need);
    if (md2->num_st > 0 && (md2->skinwidth <= 0 || md2->skinheight <= 0))
        return lm_report_damage(reporter, LM_CODE_BAD_SKIN_SIZE, in_header(LM_MD2_AT_SKINWIDTH),
                                "the skin is %d x %d pixels, which texture coordinates cannot be "
                                "divided by",
                                (int)md2->skinwidth, (int)md2->skinheight);
    return true;
}

/* Finds one lump. One that lies outside the file is cut to what is there if that is let pass. */
static bool parse_lump(lm_bytes file, lm_reporter *reporter, lm_md2 *md2, const lm_md2_lump *lump) {
    int32_t count = lm_md2_lump_count(md2, lump), offset = lm_md2_lump_offset(md2, lump);
    size_t element = lm_md2_lump_element(md2, lump);
    if (count == 0)
        return true;
    size_t start = offset < 0 || (size_t)offset > file.size ? file.size : (size_t)offset;
    if (offset < 0 || !lm_fits(file.size, start, (uint64_t)count, element)) {
        if (!lm_report_damage(reporter, LM_CODE_BAD_OFFSET, in_header(lump->ofs_at),
                              "%d %s start at byte %d and need %llu bytes, but the file has %zu",
                              (int)count, lump->name, (int)offset,
                              (unsigned long long)count * element, file.size))
            return false;
        size_t there = (file.size - start) / element;
        lm_md2_set_lump(md2, lump, (size_t)count < there ? count : (int32_t)there, (int32_t)start);
    }
    const uint8_t *data = file.data + start;
    memcpy((char *)md2 + lump->member, &data, sizeof data);
    return true;
}

/* What follows the data, and whether the header's idea of the end is right. */
static bool parse_end(lm_bytes file, lm_reporter *reporter, lm_md2 *md2) {
    size_t data_end = LM_MD2_HEADER_SIZE;
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++) {
        const lm_md2_lump *lump = &lm_md2_lumps[i];
        size_t size = lm_md2_lump_size(md2, lump);
        size_t end = size ? (size_t)lm_md2_lump_offset(md2, lump) + size : 0;
        data_end = end > data_end ? end : data_end;
    }
    md2->ofs_end = lm_get_s32(file.data + LM_MD2_AT_OFS_END);
    bool wrong =
        md2->ofs_end < 0 || (size_t)md2->ofs_end < data_end || (size_t)md2->ofs_end > file.size;
    size_t end = wrong ? data_end : (size_t)md2->ofs_end;
    md2->trailing = file.data + end;
    md2->num_trailing = file.size - end;
    if (wrong && !lm_report_oddity(reporter, LM_CODE_WRONG_END, in_header(LM_MD2_AT_OFS_END), 1,
                                   "ofs_end is %d, but the data ends at %zu and the file at %zu",
                                   (int)md2->ofs_end, data_end, file.size))
        return false;
    if (md2->num_trailing == 0)
        return true;
    return lm_report_oddity(reporter, LM_CODE_TRAILING_BYTES,
                            (lm_place){.section = "header", .offset = end}, 1,
                            "%zu bytes follow the end of the model", md2->num_trailing);
}

bool lm_md2_parse(lm_bytes file, lm_reporter *reporter, lm_md2 *md2) {
    *md2 = (lm_md2){0};
    if (!parse_ident(file, reporter) || !parse_counts(file, reporter, md2) ||
        !parse_sizes(file, reporter, md2))
        return false;
    for (int i = 0; i < LM_MD2_NUM_LUMPS; i++)
        if (!parse_lump(file, reporter, md2, &lm_md2_lumps[i]))
            return false;
    if (md2->num_frames == 0)
        return lm_report_fatal(reporter, LM_CODE_BAD_OFFSET, in_header(LM_MD2_AT_OFS_FRAMES),
                               "not one whole frame is in the file");
    return parse_end(file, reporter, md2);
}

/* Numbers as their bits. */
#define TINY_BITS 0x15F79688u /* LM_TINY */
#define HUGE_BITS 0x7149F2CAu /* LM_HUGE */

static bool verify_frame_numbers(const lm_md2 *md2, int32_t index, lm_reporter *reporter) {
    lm_md2_frame frame = lm_md2_get_frame(md2, index);
    const float numbers[6] = {frame.scale.x,     frame.scale.y,     frame.scale.z,
                              frame.translate.x, frame.translate.y, frame.translate.z};
    bool sane = true, tiny = false;
    for (int i = 0; i < 6; i++) {
        sane = sane && lm_sane(numbers[i]);
        tiny = tiny || lm_tiny(numbers[i]);
    }
    lm_place place = lm_md2_place(md2, LM_MD2_LUMP_FRAMES, (uint32_t)index);
    if (!sane)
        return lm_report_damage(reporter, LM_CODE_NOT_FINITE, place,
                                "frame %d has a scale or translate that is not a usable number",
                                (int)index);
    if (tiny)
        return lm_report_oddity(reporter, LM_CODE_DENORMAL, place, 1,
                                "frame %d has a scale or translate below 1e-25, taken as 0",
                                (int)index);
    return true;
}

static bool report_normals(const lm_md2 *md2, int32_t frame, lm_reporter *reporter) {
    for (int32_t v = 0; v < md2->num_xyz; v++) {
        lm_md2_vertex vertex = lm_md2_get_vertex(md2, frame, v);
        if (vertex.normal < LM_NUM_NORMALS_162)
            continue;
        lm_place place = lm_md2_place(md2, LM_MD2_LUMP_FRAMES, (uint32_t)frame);
        place.offset += LM_MD2_FRAME_VERTICES + (size_t)v * LM_MD2_VERTEX_SIZE + 3;
        if (!lm_report_damage(reporter, LM_CODE_NORMAL_INDEX, place,
                              "vertex %d of frame %d has normal %u, but the table has 162", (int)v,
                              (int)frame, vertex.normal))
            return false;
    }
    return true;
}

static uint8_t measure_frames(const lm_md2 *md2, lm_range_u8 *ranges) {
    lm_packed_rows rows = {lm_md2_frame_vertices(md2, 0), (size_t)md2->framesize,
                           (size_t)md2->num_frames, (size_t)md2->num_xyz};
    uint8_t max_normal = 0;
    if (!ranges)
        return lm_max_normal(&rows);
    lm_range_rows(&rows, ranges);
    for (int32_t f = 0; f < md2->num_frames; f++)
        max_normal = ranges[f].max[3] > max_normal ? ranges[f].max[3] : max_normal;
    return max_normal;
}

static bool verify_frames(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    facts->max_normal = measure_frames(md2, facts->ranges);
    bool normals_sound = facts->max_normal < LM_NUM_NORMALS_162;
    /* Scale and translate; sizes of numbers order as their bits do. */
    facts->numbers_plain = lm_sizes_within(md2->frames, (size_t)md2->framesize,
                                           (size_t)md2->num_frames, TINY_BITS, HUGE_BITS);
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
    lm_place place = lm_md2_place(md2, LM_MD2_LUMP_TRIS, (uint32_t)index);
    if (vertex >= (unsigned)md2->num_xyz &&
        !lm_report_damage(reporter, LM_CODE_VERTEX_INDEX, place,
                          "triangle %d uses vertex %u, but the model has %d", (int)index, vertex,
                          (int)md2->num_xyz))
        return false;
    return st < (unsigned)md2->num_st ||
           lm_report_damage(reporter, LM_CODE_ST_INDEX, place,
                            "triangle %d uses texture coordinate %u, but the model has %d",
                            (int)index, st, (int)md2->num_st);
}

static bool report_triangle(const lm_md2 *md2, int32_t index, lm_reporter *reporter) {
    lm_md2_triangle triangle = lm_md2_triangle_at(md2, index);
    for (int c = 0; c < 3; c++)
        if ((triangle.vertex[c] >= md2->num_xyz || triangle.st[c] >= md2->num_st) &&
            !verify_corner(md2, index, triangle.vertex[c], triangle.st[c], reporter))
            return false;
    return true;
}

static bool verify_triangles(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    const uint32_t vertices = (uint32_t)md2->num_xyz, st = (uint32_t)md2->num_st;
    const uint32_t limits[6] = {vertices, vertices, vertices, st, st, st};
    facts->triangles_sound = lm_words_below(md2->tris, (size_t)md2->num_tris, limits);
    if (facts->triangles_sound)
        return true;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle triangle = lm_md2_triangle_at(md2, i);
        if (!lm_md2_triangle_sound(md2, &triangle) && !report_triangle(md2, i, reporter))
            return false;
    }
    return true;
}

static bool gl_vertex_sound(const lm_md2 *md2, int32_t at) {
    const uint8_t *p = md2->glcmds + (size_t)at * LM_MD2_GL_COMMAND_SIZE;
    return (lm_get_u32(p) & INT32_MAX) < HUGE_BITS && (lm_get_u32(p + 4) & INT32_MAX) < HUGE_BITS &&
           lm_get_u32(p + 8) < (uint32_t)md2->num_xyz;
}

/* Walks to the end. Whether all vertices are sound, with both texture coordinates in one number:
 * its lanes, without their signs, carry into their highest bits if they are HUGE_BITS or more. An
 * index that is too large makes the difference to the last negative. */
static bool gl_vertices_sound(lm_md2_gl_walk *walk, lm_md2_gl_totals *totals) {
    const lm_md2 *md2 = walk->md2;
    const uint64_t last = (uint64_t)md2->num_xyz - 1, highest = 0x8000000080000000u;
    const uint64_t rest = highest - HUGE_BITS * 0x100000001u;
    uint64_t carries = 0, differences = 0;
    while (lm_md2_gl_next(walk)) {
        const uint8_t *p = md2->glcmds + (size_t)walk->first * LM_MD2_GL_COMMAND_SIZE;
        const uint8_t *end = p + (size_t)walk->count * (3 * LM_MD2_GL_COMMAND_SIZE);
        for (; p < end; p += 3 * LM_MD2_GL_COMMAND_SIZE) {
            carries |= (lm_get_u64(p) & ~highest) + rest;
            differences |= last - lm_get_u32(p + 8);
        }
        lm_md2_gl_count(totals, walk);
    }
    return ((carries & highest) | differences >> 63) == 0;
}

static bool report_gl_vertex(const lm_md2 *md2, int32_t at, lm_reporter *reporter) {
    lm_place place = lm_md2_place(md2, LM_MD2_LUMP_GLCMDS, (uint32_t)at);
    int32_t vertex = lm_md2_get_glcmd(md2, at + 2);
    if (vertex < 0 || vertex >= md2->num_xyz)
        return lm_report_damage(reporter, LM_CODE_GL_COMMANDS, place,
                                "GL command %d uses vertex %d, but the model has %d", (int)at,
                                (int)vertex, (int)md2->num_xyz);
    return lm_report_damage(reporter, LM_CODE_GL_COMMANDS, place,
                            "GL command %d has a texture coordinate that is not a usable number",
                            (int)at);
}

static bool report_gl_vertices(const lm_md2 *md2, lm_reporter *reporter) {
    lm_md2_gl_walk walk = {.md2 = md2};
    while (lm_md2_gl_next(&walk))
        for (int32_t at = walk.first; at < walk.at; at += 3)
            if (!gl_vertex_sound(md2, at) && !report_gl_vertex(md2, at, reporter))
                return false;
    return true;
}

/* Counts faults instead of telling them: for lm_md2_gl_sound. */
static bool listen_for_any(lm_reporter *reporter, const lm_report_item *finding) {
    (void)reporter;
    (void)finding;
    return false;
}

static bool verify_gl_commands(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    if (md2->num_glcmds == 0)
        return true;
    lm_md2_gl_walk walk = {.md2 = md2};
    if (!gl_vertices_sound(&walk, &facts->gl) && !report_gl_vertices(md2, reporter))
        return false;
    lm_place place = lm_md2_place(md2, LM_MD2_LUMP_GLCMDS, (uint32_t)walk.at);
    if (walk.end == LM_MD2_GL_CUT_OFF)
        return lm_report_damage(reporter, LM_CODE_GL_COMMANDS, place,
                                "GL command %d announces %d vertices, more than are left",
                                (int)walk.at, (int)lm_md2_get_glcmd(md2, walk.at));
    if (walk.end == LM_MD2_GL_NO_STOP)
        return lm_report_damage(reporter, LM_CODE_GL_COMMANDS, place,
                                "the GL commands end without the 0 that stops them");
    return true;
}

bool lm_md2_gl_sound(const lm_md2 *md2) {
    lm_reporter reporter = {.format = "md2", .listen = listen_for_any};
    lm_md2_facts facts = {0};
    return verify_gl_commands(md2, &reporter, &facts);
}

bool lm_md2_verify(const lm_md2 *md2, lm_reporter *reporter, lm_md2_facts *facts) {
    lm_md2_facts own = {0};
    facts = facts ? facts : &own;
    return verify_triangles(md2, reporter, facts) && verify_frames(md2, reporter, facts) &&
           verify_gl_commands(md2, reporter, facts);
}

lm_md2_st lm_md2_get_st(const lm_md2 *md2, int32_t index) {
    const uint8_t *p = md2->st + (size_t)index * LM_MD2_ST_SIZE;
    return (lm_md2_st){lm_get_s16(p), lm_get_s16(p + 2)};
}

lm_md2_triangle lm_md2_get_triangle(const lm_md2 *md2, int32_t index) {
    return lm_md2_triangle_at(md2, index);
}

lm_md2_frame lm_md2_get_frame(const lm_md2 *md2, int32_t frame) {
    const uint8_t *p = md2->frames + (size_t)frame * (size_t)md2->framesize;
    lm_md2_frame out = {
        lm_get_vec3(p + LM_MD2_FRAME_SCALE), lm_get_vec3(p + LM_MD2_FRAME_TRANSLATE), {0}};
    memcpy(out.name, p + LM_MD2_FRAME_NAME, sizeof out.name);
    return out;
}

lm_md2_vertex lm_md2_get_vertex(const lm_md2 *md2, int32_t frame, int32_t vertex) {
    const uint8_t *p = md2->frames + (size_t)frame * (size_t)md2->framesize +
                       LM_MD2_FRAME_VERTICES + (size_t)vertex * LM_MD2_VERTEX_SIZE;
    return (lm_md2_vertex){{p[0], p[1], p[2]}, p[3]};
}

int32_t lm_md2_get_glcmd(const lm_md2 *md2, int32_t index) {
    return lm_md2_glcmd_at(md2, index);
}
