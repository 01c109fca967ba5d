/* Reports things that a reader accepts but other programs may not. */
#include "formats/md2/md2_format.h"

#include "core/arena.h"
#include "core/text.h"
#include "formats/common_checks.h"

#include <stdio.h>
#include <stdlib.h>

static void check_skins(const lm_md2 *md2, lm_reporter *reporter) {
    lm_name_fields names = {.first = md2->skins,
                            .stride = LM_MD2_SKIN_SIZE,
                            .size = LM_MD2_SKIN_SIZE,
                            .count = (uint32_t)md2->num_skins};
    if (md2->num_skins == 0) {
        lmi_report_warning(
            reporter, LM_CODE_NO_SKINS, LM_MD2_IN_HEADER(num_skins), 1,
            "the file lists no skins: some engines refuse it, others search its folder");
        return;
    }
    lmi_check_name_fields(&names, lmi_md2_location(md2, LM_MD2_LUMP_SKINS, 0), reporter);
    for (uint32_t i = 0; i < names.count; i++)
        lmi_check_path(md2->skins + i * names.stride, names.size,
                       lmi_md2_location(md2, LM_MD2_LUMP_SKINS, i), reporter);
}

static void check_st(const lm_md2 *md2, lm_reporter *reporter) {
    lm_tally outside = {0};
    for (int32_t i = 0; i < md2->num_st; i++) {
        lm_md2_st st;
        lmi_md2_get_st(md2, i, &st);
        lmi_tally_add(&outside,
                      st.s < 0 || st.t < 0 || st.s >= md2->skinwidth || st.t >= md2->skinheight,
                      (uint32_t)i);
    }
    lmi_report_cases(
        reporter, LM_CODE_ST_OUTSIDE, lmi_md2_location(md2, LM_MD2_LUMP_ST, outside.first), outside,
        "texture {coordinate lies|coordinates lie} on or beyond the edge of the skin", "");
}

static bool is_degenerate(const lm_md2_triangle *t) {
    return t->vertex[0] == t->vertex[1] || t->vertex[1] == t->vertex[2] ||
           t->vertex[2] == t->vertex[0];
}

static void check_use(const lm_md2 *md2, lm_arena *arena, lm_reporter *reporter) {
    lm_location vertices = lmi_md2_location(md2, LM_MD2_LUMP_FRAMES, 0);
    lm_weld weld = {.num_vertices = (uint32_t)md2->num_xyz,
                    .num_attributes = (uint32_t)md2->num_st};
    if (!lmi_weld_alloc(&weld, (uint64_t)md2->num_tris * 3, arena))
        return;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle t;
        lmi_md2_get_triangle(md2, i, &t);
        for (int c = 0; c < 3 && lmi_md2_triangle_valid(md2, &t); c++)
            lmi_weld_put(&weld, weld.num_corners++, t.vertex[c], t.st[c]);
    }
    vertices.offset += LM_MD2_FRAME_VERTICES;
    lmi_check_use(&weld, vertices, LM_MD2_VERTEX_SIZE, lmi_md2_location(md2, LM_MD2_LUMP_TRIS, 0),
                  arena, reporter);
}

static void check_normals(const lm_md2 *md2, lm_reporter *reporter) {
    lm_tally frames = {0};
    for (int32_t f = 0; f < md2->num_frames && md2->num_xyz > 3; f++) {
        const uint8_t *normals = lmi_md2_frame_vertices(md2, f) + 3;
        int32_t v = 1;
        while (v < md2->num_xyz && normals[(size_t)v * LM_MD2_VERTEX_SIZE] == *normals)
            v++;
        lmi_tally_add(&frames, v == md2->num_xyz, (uint32_t)f);
    }
    if (frames.count)
        lmi_report_warning(reporter, LM_CODE_IDENTICAL_NORMALS,
                           lmi_md2_location(md2, LM_MD2_LUMP_FRAMES, frames.first), frames.count,
                           "in %s, all normals are the same; the first is frame %u",
                           lmi_count_words(frames.count, "{frame|frames}").text,
                           (unsigned)frames.first);
}

/* Returns a key that is equal for equal triangles: three vertices, rotated so that the smallest is
 * first, as one number. */
static uint64_t triangle_key(uint32_t a, uint32_t b, uint32_t c) {
    while (a > b || a > c) {
        uint32_t swap = a;
        a = b;
        b = c;
        c = swap;
    }
    return (uint64_t)a << 42 | (uint64_t)b << 21 | c;
}

static uint32_t list_keys(const lm_md2 *md2, uint64_t *keys) {
    uint32_t count = 0;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle t;
        lmi_md2_get_triangle(md2, i, &t);
        if (!is_degenerate(&t))
            keys[count++] = triangle_key(t.vertex[0], t.vertex[1], t.vertex[2]);
    }
    return count;
}

static uint32_t gl_keys(const lm_md2 *md2, uint64_t *keys) {
    lm_md2_gl_walk walk = lmi_md2_gl_begin(md2);
    uint32_t count = 0;
    while (lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i + 2 < walk.count; i++) {
            uint32_t v[3];
            for (uint32_t c = 0; c < 3; c++)
                v[c] = lmi_md2_gl_vertex(&walk, lmi_md2_gl_corner(walk.fan, i, c));
            if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0])
                keys[count++] = triangle_key(v[0], v[1], v[2]);
        }
    return count;
}

static uint32_t gl_triangles(const lm_md2 *md2) {
    lm_md2_gl_walk walk = lmi_md2_gl_begin(md2);
    uint32_t count = 0;
    while (lmi_md2_gl_next(&walk))
        count += walk.count >= 3 ? walk.count - 2 : 0;
    return count;
}

/* Returns the number of triangles that only one of the two lists has, counting repetitions. */
static uint32_t count_differing(const uint32_t *ids, uint32_t num_list, uint32_t num_gl,
                                int32_t *balance) {
    uint32_t differing = 0;
    for (uint32_t i = 0; i < num_list; i++)
        balance[ids[i]]++;
    for (uint32_t i = 0; i < num_gl; i++)
        balance[ids[num_list + i]]--;
    for (uint32_t i = 0; i < num_list + num_gl; i++) {
        differing += (uint32_t)abs(balance[ids[i]]);
        balance[ids[i]] = 0;
    }
    return differing;
}

static void check_gl_commands(const lm_md2 *md2, lm_arena *arena, lm_reporter *reporter) {
    /* A triangle list with 16-bit indices cannot match GL commands with more than 2^21 vertices. */
    if (md2->num_glcmds == 0 || md2->num_xyz >= 1 << 21 || lmi_md2_gl_begin(md2).at > 0)
        return;
    uint64_t most = (uint64_t)md2->num_tris + gl_triangles(md2);
    uint64_t *keys = lmi_arena_alloc(arena, most, sizeof *keys);
    uint32_t *ids = lmi_arena_alloc(arena, most, sizeof *ids), differing = 0;
    int32_t *balance = lmi_arena_zeros(arena, most, sizeof *balance);
    if (keys && ids && balance) {
        uint32_t num_list = list_keys(md2, keys), num_gl = gl_keys(md2, keys + num_list), num_ids;
        if (lmi_rank_keys(keys, num_list + num_gl, ids, &num_ids, arena->heap))
            differing = count_differing(ids, num_list, num_gl, balance);
    }
    if (differing)
        lmi_report_warning(reporter, LM_CODE_GL_COMMANDS_DIFFER,
                           lmi_md2_location(md2, LM_MD2_LUMP_GLCMDS, 0), differing,
                           "the GL commands and the triangle list differ by %s",
                           lmi_count_words(differing, "{triangle|triangles}").text);
}

void lmi_md2_check(lm_reading *reading, const void *document) {
    lm_reporter *reporter = reading->reporter;
    const lm_md2 *md2 = document;
    lmi_md2_verify(md2, reporter, NULL);
    lmi_check_limits(&lmi_md2_header, md2, lmi_file_location(), reporter);
    if (md2->num_glcmds == 0 &&
        (reporter->engine == LM_ENGINE_ANY || reporter->engine == LM_ENGINE_QUAKE2))
        lmi_report_warning(reporter, LM_CODE_NO_GL_COMMANDS, LM_MD2_IN_HEADER(num_glcmds), 1,
                           "there are no GL commands, so Quake II draws nothing");
    check_skins(md2, reporter);
    check_st(md2, reporter);
    lm_tally degenerate = {0};
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle t;
        lmi_md2_get_triangle(md2, i, &t);
        lmi_tally_add(&degenerate, is_degenerate(&t), (uint32_t)i);
    }
    lmi_report_cases(
        reporter, LM_CODE_DEGENERATE_TRIANGLES,
        lmi_md2_location(md2, LM_MD2_LUMP_TRIS, degenerate.first), degenerate,
        "{triangle uses a vertex twice and has|triangles use a vertex twice and have} no area", "");
    check_normals(md2, reporter);
    if (md2->num_tris == 0)
        lmi_report_warning(reporter, LM_CODE_EMPTY_SURFACE, LM_MD2_IN_HEADER(num_tris), 1,
                           "the model has no triangles, so Quake II refuses it");
    lm_name_fields names = {.first = md2->frames + LM_MD2_FRAME_NAME,
                            .stride = (size_t)md2->framesize,
                            .size = LM_MD2_FRAME_NAME_SIZE,
                            .count = (uint32_t)md2->num_frames};
    lm_location location = lmi_md2_location(md2, LM_MD2_LUMP_FRAMES, 0);
    location.offset += LM_MD2_FRAME_NAME;
    lmi_check_name_fields(&names, location, reporter);
    lmi_check_frame_names(&names, location, reading->arena, reporter);
    check_use(md2, reading->arena, reporter);
    check_gl_commands(md2, reading->arena, reporter);
}

/* ---- Tables ------------------------------------------------------------------------------- */

/* ---- GL commands --------------------------------------------------------------------------- */

/* Prints a line: the integer's index in the lump, its offset and its meaning. */
static void print_command(lm_buffer *out, uint64_t index, size_t offset, const char *command) {
    lm_buffer_printf(out, "%8llu  %10zu  %s\n", (unsigned long long)index, offset, command);
}

static void print_command_vertex(const uint8_t *p, uint64_t index, size_t offset, lm_buffer *out) {
    lm_buffer_printf(out, "%8llu  %10zu  %-22s", (unsigned long long)index, offset, "");
    for (int i = 0; i < 2; i++) {
        lm_buffer_text(out, "  ");
        size_t start = out->size;
        lmi_print_float(out, lmi_get_f32(p + 4 * i));
        lmi_align_right(out, start, 13);
    }
    lm_buffer_printf(out, "  %10ld\n", (long)lmi_get_s32(p + 8));
}

/* Prints a strip (positive count) or fan (negative count) with its vertices. Returns the number of
 * integers it takes. If it is cut off, prints a note and returns 0. */
static uint64_t print_primitive(lm_bytes lump, size_t lump_offset, uint64_t index, lm_buffer *out) {
    int64_t count = lmi_get_s32(lump.data + 4 * index);
    uint64_t vertices = (uint64_t)(count < 0 ? -count : count);
    uint64_t left = lump.size / 4 - index - 1;
    char command[96];
    snprintf(command, sizeof command, "%s of %llu", count > 0 ? "strip" : "fan",
             (unsigned long long)vertices);
    print_command(out, index, lump_offset + (size_t)index * 4, command);
    uint64_t there = vertices <= left / 3 ? vertices : left / 3;
    for (uint64_t i = 0; i < there && !out->failed; i++) {
        uint64_t at = index + 1 + 3 * i;
        print_command_vertex(lump.data + 4 * at, at, lump_offset + (size_t)at * 4, out);
    }
    if (there == vertices)
        return 1 + 3 * vertices;
    lm_buffer_printf(out, "(cut off: %llu vertices are missing)\n",
                     (unsigned long long)(vertices - there));
    return 0;
}

static void print_glcmds(lm_bytes file, const lm_md2 *md2, lm_buffer *out) {
    size_t offset = (uint32_t)md2->ofs_glcmds;
    uint64_t count = lmi_count(md2->num_glcmds);
    uint64_t there = offset < file.size ? (file.size - offset) / 4 : 0;
    there = there < count ? there : count;
    lm_bytes lump = {there ? file.data + offset : file.data, (size_t)there * 4};
    lm_buffer_printf(out, "%8s  %10s  %-22s  %13s  %13s  %10s\n", "index", "offset", "command", "s",
                     "t", "vertex");
    uint64_t index = 0;
    while (index < there && !out->failed) {
        if (lmi_get_s32(lump.data + 4 * index) == 0) {
            print_command(out, index, offset + (size_t)index * 4, "stop");
            if (index + 1 < count)
                lm_buffer_printf(out, "(after the stop: %llu integers)\n",
                                 (unsigned long long)(count - index - 1));
            return;
        }
        uint64_t taken = print_primitive(lump, offset, index, out);
        if (taken == 0)
            return;
        index += taken;
    }
    if (there < count)
        lm_buffer_printf(out, "(the file ends here, after %llu of %llu integers)\n",
                         (unsigned long long)there, (unsigned long long)count);
    else if (count)
        lm_buffer_text(out, "(no stop)\n");
}

/* ---- Vertices ------------------------------------------------------------------------------ */

static const lm_shape vertex_shape = {.name = "vertices",
                                      LM_COLUMNS(lmi_packed_columns),
                                      .index_name = "vertex",
                                      .group_name = "frame"};

/* Prints the vertices of `frames` frames from `first` on. */
static void print_vertices(lm_bytes file, const lm_md2 *md2, uint64_t first, uint64_t frames,
                           lm_buffer *out) {
    const uint64_t framesize = lmi_count(md2->framesize);
    const lm_table table = {.shape = &vertex_shape,
                            .offset = (uint32_t)md2->ofs_frames + first * framesize +
                                      LM_MD2_FRAME_HEADER_SIZE,
                            .groups = frames,
                            .count = lmi_count(md2->num_xyz),
                            .stride = LM_MD2_VERTEX_SIZE,
                            .group_stride = framesize,
                            .first_group = first,
                            .grid = (uint32_t)md2->ofs_frames + first * framesize,
                            .grid_stride = framesize};
    lmi_table_print(file, &table, out);
}

bool lmi_md2_table(lm_bytes file, const char *lump, lm_buffer *out) {
    lm_md2 md2;
    lmi_get_header(&lmi_md2_header, file.data, &md2);
    if (strcmp(lump, "glcmds") != 0) {
        /* Print the vertices of all frames ("vertices") or of one ("frame 12 vertices"). Return
         * false for any other name. */
        uint64_t frames = lmi_count(md2.num_frames), frame;
        if (strcmp(lump, "vertices") == 0) {
            print_vertices(file, &md2, 0, frames, out);
            return true;
        }
        if (!lmi_table_of(lump, "frame", "vertices", frames, &frame))
            return false;
        print_vertices(file, &md2, frame, 1, out);
        return true;
    }
    print_glcmds(file, &md2, out);
    return true;
}
