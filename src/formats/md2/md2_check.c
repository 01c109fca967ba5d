/* What a file's reader need not refuse, but other programs stumble over. */
#include "formats/md2/md2_format.h"

#include "formats/names.h"
#include "model/weld.h"

#include <stdlib.h>

static void check_skins(const lm_md2 *md2, lm_reporter *reporter) {
    lm_name_fields names = {.first = md2->skins,
                            .stride = LM_MD2_SKIN_SIZE,
                            .size = LM_MD2_SKIN_SIZE,
                            .count = (uint32_t)md2->num_skins};
    if (md2->num_skins == 0) {
        lm_report_oddity(reporter, LM_CODE_NO_SKINS, LM_MD2_IN_HEADER(num_skins), 1,
                         "no skin is listed: a client looks for one beside the model");
        return;
    }
    lm_check_name_fields(&names, lm_md2_location(md2, LM_MD2_LUMP_SKINS, 0), reporter);
    for (uint32_t i = 0; i < names.count; i++)
        lm_check_path(md2->skins + i * names.stride, names.size,
                      lm_md2_location(md2, LM_MD2_LUMP_SKINS, i), reporter);
}

static void check_st(const lm_md2 *md2, lm_reporter *reporter) {
    uint32_t outside = 0, first = 0;
    for (int32_t i = 0; i < md2->num_st; i++) {
        lm_md2_st st;
        lm_md2_get_st(md2, i, &st);
        if (st.s < 0 || st.t < 0 || st.s >= md2->skinwidth || st.t >= md2->skinheight)
            first = outside++ ? first : (uint32_t)i;
    }
    if (outside)
        lm_report_oddity(reporter, LM_CODE_ST_OUTSIDE, lm_md2_location(md2, LM_MD2_LUMP_ST, first),
                         outside,
                         "%u texture coordinates lie on or beyond the edge of the skin, the first "
                         "is %u",
                         (unsigned)outside, (unsigned)first);
}

static void check_degenerate(const lm_md2 *md2, lm_reporter *reporter) {
    uint32_t degenerate = 0, first = 0;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle t;
        lm_md2_get_triangle(md2, i, &t);
        if (t.vertex[0] == t.vertex[1] || t.vertex[1] == t.vertex[2] || t.vertex[2] == t.vertex[0])
            first = degenerate++ ? first : (uint32_t)i;
    }
    if (degenerate)
        lm_report_oddity(reporter, LM_CODE_DEGENERATE_TRIANGLES,
                         lm_md2_location(md2, LM_MD2_LUMP_TRIS, first), degenerate,
                         "%u triangles use a vertex twice and have no area, the first is %u",
                         (unsigned)degenerate, (unsigned)first);
}

/* Which vertices are used, and which with more than one texture coordinate. */
static bool check_use(const lm_md2 *md2, lm_heap *heap, lm_reporter *reporter) {
    enum {
        UNUSED = -1,
        SEAM = -2
    };
    int32_t *st_of = lm_heap_alloc(heap, (uint64_t)md2->num_xyz, sizeof *st_of);
    uint32_t unused = 0, first = 0, seams = 0;
    if (!st_of)
        return false;
    for (int32_t v = 0; v < md2->num_xyz; v++)
        st_of[v] = UNUSED;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        lm_md2_triangle t;
        lm_md2_get_triangle(md2, i, &t);
        for (int c = 0; c < 3 && lm_md2_triangle_sound(md2, &t); c++) {
            int32_t *st = &st_of[t.vertex[c]];
            *st = *st == UNUSED || *st == t.st[c] ? t.st[c] : SEAM;
        }
    }
    for (int32_t v = 0; v < md2->num_xyz; v++) {
        if (st_of[v] == UNUSED)
            first = unused++ ? first : (uint32_t)v;
        seams += st_of[v] == SEAM;
    }
    lm_heap_free(heap, st_of, (size_t)md2->num_xyz * sizeof *st_of);
    lm_location location = lm_md2_location(md2, LM_MD2_LUMP_FRAMES, 0);
    location.offset += LM_MD2_FRAME_VERTICES + first * (size_t)LM_MD2_VERTEX_SIZE;
    if (unused)
        lm_report_oddity(reporter, LM_CODE_UNUSED_VERTICES, location, unused,
                         "%u vertices belong to no triangle, the first is %u", (unsigned)unused,
                         (unsigned)first);
    if (seams)
        lm_report_oddity(reporter, LM_CODE_SEAMS, lm_md2_location(md2, LM_MD2_LUMP_TRIS, 0), seams,
                         "%u vertices have several texture coordinates (seams)", (unsigned)seams);
    return true;
}

static void check_normals(const lm_md2 *md2, lm_reporter *reporter) {
    uint32_t frames = 0, first = 0;
    for (int32_t f = 0; f < md2->num_frames && md2->num_xyz > 3; f++) {
        const uint8_t *normals = lm_md2_frame_vertices(md2, f) + 3;
        int32_t v = 1;
        while (v < md2->num_xyz && normals[(size_t)v * LM_MD2_VERTEX_SIZE] == *normals)
            v++;
        if (v == md2->num_xyz)
            first = frames++ ? first : (uint32_t)f;
    }
    if (frames)
        lm_report_oddity(reporter, LM_CODE_IDENTICAL_NORMALS,
                         lm_md2_location(md2, LM_MD2_LUMP_FRAMES, first), frames,
                         "in %u frames every normal is the same, the first is frame %u",
                         (unsigned)frames, (unsigned)first);
}

/* Triangles to compare: three vertices, turned so that the smallest comes first, as one number. */
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
        lm_md2_get_triangle(md2, i, &t);
        bool degenerate =
            t.vertex[0] == t.vertex[1] || t.vertex[1] == t.vertex[2] || t.vertex[2] == t.vertex[0];
        if (!degenerate)
            keys[count++] = triangle_key(t.vertex[0], t.vertex[1], t.vertex[2]);
    }
    return count;
}

static uint32_t gl_keys(const lm_md2 *md2, uint64_t *keys) {
    lm_md2_gl_walk walk = {.md2 = md2};
    uint32_t count = 0;
    while (lm_md2_gl_next(&walk))
        for (uint32_t i = 0; i + 2 < walk.count; i++) {
            uint32_t v[3];
            for (uint32_t c = 0; c < 3; c++)
                v[c] = (uint32_t)lm_md2_get_glcmd(
                    md2, walk.first + 3 * (int32_t)lm_md2_gl_corner(walk.fan, i, c) + 2);
            if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0])
                keys[count++] = triangle_key(v[0], v[1], v[2]);
        }
    return count;
}

static uint32_t gl_triangles(const lm_md2 *md2) {
    lm_md2_gl_walk walk = {.md2 = md2};
    uint32_t count = 0;
    while (lm_md2_gl_next(&walk))
        count += walk.count >= 3 ? walk.count - 2 : 0;
    return count;
}

/* How many triangles one list has that the other has not, counting repetitions, both ways. */
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

static bool check_gl_commands(const lm_md2 *md2, lm_heap *heap, lm_reporter *reporter) {
    /* Beyond 2^21 vertices no triangle list of 16-bit indices can say the same anyway. */
    if (md2->num_glcmds == 0 || md2->num_xyz >= 1 << 21 || !lm_md2_gl_sound(md2))
        return true;
    uint64_t most = (uint64_t)md2->num_tris + gl_triangles(md2);
    uint64_t *keys = lm_heap_alloc(heap, most, sizeof *keys);
    uint32_t *ids = lm_heap_alloc(heap, most * 2, sizeof *ids);
    bool done = keys && ids;
    if (done) {
        uint32_t num_list = list_keys(md2, keys), num_ids;
        uint32_t num_gl = gl_keys(md2, keys + num_list);
        done = lm_rank_keys(keys, num_list + num_gl, ids, &num_ids, heap);
        if (done)
            memset(ids + most, 0, (size_t)most * sizeof *ids);
        uint32_t differing =
            done ? count_differing(ids, num_list, num_gl, (int32_t *)(ids + most)) : 0;
        if (differing)
            lm_report_oddity(reporter, LM_CODE_GL_COMMANDS_DIFFER,
                             lm_md2_location(md2, LM_MD2_LUMP_GLCMDS, 0), differing,
                             "GL commands and triangle list differ by %u triangles",
                             (unsigned)differing);
    }
    lm_heap_free(heap, ids, (size_t)most * 2 * sizeof *ids);
    lm_heap_free(heap, keys, (size_t)most * sizeof *keys);
    return done;
}

bool lm_md2_check(lm_bytes file, lm_heap *heap, lm_reporter *reporter) {
    lm_md2 md2;
    if (!lm_md2_parse(file, reporter, &md2))
        return true;
    lm_md2_verify(&md2, reporter, NULL);
    lm_check_limits(&lm_md2_header, &md2, lm_file_location(), reporter);
    if (md2.num_glcmds == 0)
        lm_report_oddity(reporter, LM_CODE_NO_GL_COMMANDS, LM_MD2_IN_HEADER(num_glcmds), 1,
                         "there are no GL commands, and Quake II draws by nothing else");
    check_skins(&md2, reporter);
    check_st(&md2, reporter);
    check_degenerate(&md2, reporter);
    check_normals(&md2, reporter);
    if (md2.num_tris == 0)
        lm_report_oddity(reporter, LM_CODE_EMPTY_SURFACE, LM_MD2_IN_HEADER(num_tris), 1,
                         "the model has no triangles");
    lm_name_fields names = {.first = md2.frames + LM_MD2_FRAME_NAME,
                            .stride = (size_t)md2.framesize,
                            .size = LM_MD2_FRAME_NAME_SIZE,
                            .count = (uint32_t)md2.num_frames};
    lm_location location = lm_md2_location(&md2, LM_MD2_LUMP_FRAMES, 0);
    location.offset += LM_MD2_FRAME_NAME;
    lm_check_name_fields(&names, location, reporter);
    return lm_check_frame_names(&names, location, heap, reporter) &&
           check_use(&md2, heap, reporter) && check_gl_commands(&md2, heap, reporter);
}
