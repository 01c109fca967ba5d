/* Optimizes an MD2. Frames keep their grids, and vertices their bytes. */
#include "core/index.h"
#include "formats/md2/md2_write.h"
#include "model/weld.h"
#include "optimize/optimizing.h"

#include <stdlib.h>

/* Low bytes per vertex, after a frame's vertices, in files of high precision. */
#define LOW_SIZE 3

typedef struct gl_triangle {
    lm_md2_drawn corners[3]; /* the smallest first */
} gl_triangle;

typedef struct shrinking {
    lm_optimizing *o;
    lm_md2 *md2; /* the input, which becomes the output */
    uint32_t num_xyz, num_st, num_tris;
    uint32_t *xyz_firsts, *st_firsts; /* the first identical element */
    uint32_t *xyz, *st;               /* [3 * num_tris] new corners */
    uint32_t *xyz_order, *st_order;   /* old indices of the remaining elements */
    uint32_t *numbers;                /* new indices of first identical vertices */
    uint32_t *new_indices;            /* new index of each vertex; LM_UNUSED: removed */
    uint32_t num_xyz_left, num_st_left;
    bool low; /* the frames have low bytes */
    lm_md2_drawn
        *drawn; /* [3 * num_drawn] corners of the GL commands' triangles, with new indices */
    uint32_t num_drawn; /* triangles */
} shrinking;

static void *allocate(shrinking *s, uint64_t count, size_t element) {
    return lmi_arena_alloc(&s->o->arena, count, element);
}

/* ---- Identical elements --------------------------------------------------------------------- */

static size_t low_at(const shrinking *s) {
    return LM_MD2_FRAME_HEADER_SIZE + (size_t)s->num_xyz * LM_MD2_VERTEX_SIZE;
}

static const uint8_t *frame_at(const shrinking *s, int32_t frame) {
    return s->md2->frames + (size_t)frame * (size_t)s->md2->framesize;
}

static bool find_equal(shrinking *s) {
    const lm_md2 *md2 = s->md2;
    const size_t each = s->low ? 2 : 1, count = (size_t)md2->num_frames * each;
    lm_vertex_row *rows = allocate(s, count, sizeof *rows);
    s->xyz_firsts = allocate(s, s->num_xyz, sizeof *s->xyz_firsts);
    s->st_firsts = allocate(s, s->num_st, sizeof *s->st_firsts);
    if (!rows || !s->xyz_firsts || !s->st_firsts)
        return false;
    for (int32_t f = 0; f < md2->num_frames; f++) {
        lm_vertex_row *row = rows + (size_t)f * each;
        row[0] = (lm_vertex_row){lmi_md2_frame_vertices(md2, f), LM_MD2_VERTEX_SIZE};
        if (s->low)
            row[1] = (lm_vertex_row){frame_at(s, f) + low_at(s), LOW_SIZE};
    }
    if (!lmi_find_equal_vertices(rows, count, s->num_xyz, s->xyz_firsts, s->o->heap))
        return false;
    for (uint32_t v = 0; s->o->options->keep_numbers && v < s->num_xyz; v++)
        s->xyz_firsts[v] = v;
    return lmi_find_equal_vertices(&(lm_vertex_row){md2->st, LM_MD2_ST_SIZE}, 1, s->num_st,
                                   s->st_firsts, s->o->heap);
}

/* ---- Triangles ------------------------------------------------------------------------------ */

/* Numbers corners by their pair of vertex and texture coordinate, because a card transforms each
 * pair. */
static bool rank_pairs(shrinking *s, bool as_stored, uint32_t *ids, uint32_t *num_ids) {
    const size_t count = (size_t)s->num_tris * 3;
    uint64_t *keys = lmi_heap_alloc(s->o->heap, count, sizeof *keys);
    for (uint32_t t = 0; keys && t < s->num_tris; t++) {
        const lm_md2_triangle triangle = lmi_md2_triangle_at(s->md2, (int32_t)t);
        for (size_t c = 0; c < 3; c++) {
            const uint32_t v = triangle.vertex[c], st = triangle.st[c];
            keys[3 * (size_t)t + c] = as_stored
                                          ? (uint64_t)v << 32 | st
                                          : (uint64_t)s->xyz_firsts[v] << 32 | s->st_firsts[st];
        }
    }
    const bool done = keys && lmi_rank_keys(keys, (uint32_t)count, ids, num_ids, s->o->heap);
    if (keys)
        lmi_heap_free(s->o->heap, keys, count * sizeof *keys);
    return done;
}

static bool order_triangles(shrinking *s, lm_cache_order *reduced) {
    lm_optimize_report *report = s->o->report;
    uint32_t num_ids, *ids = allocate(s, (uint64_t)s->num_tris * 3, sizeof *ids);
    if (!ids || !rank_pairs(s, true, ids, &num_ids) ||
        !lmi_optimize_count(s->o, s->num_tris, num_ids, ids, &report->transforms_before) ||
        !rank_pairs(s, false, ids, &num_ids) ||
        !lmi_order_for_cache(s->num_tris, num_ids, ids, lmi_optimize_keeps_order(s->o), reduced,
                             &s->o->arena))
        return false;
    report->num_triangles = s->num_tris;
    return lmi_optimize_count(s->o, s->num_tris, reduced->num_vertices, reduced->corners,
                              &report->transforms_after);
}

/* Marks a vertex that is drawn but has no number yet. */
#define WAITS (LM_UNUSED - 1)

static void request_vertex(shrinking *s, uint32_t vertex) {
    uint32_t *number = &s->numbers[s->xyz_firsts[vertex]];
    if (*number == LM_UNUSED)
        *number = WAITS;
}

/* Numbers vertices in their old order, so that optimizing the result again changes nothing. */
static void number_requested(shrinking *s) {
    for (uint32_t v = 0; v < s->num_xyz; v++)
        if (s->numbers[v] == WAITS) {
            s->xyz_order[s->num_xyz_left] = v;
            s->numbers[v] = s->num_xyz_left++;
        }
    for (uint32_t v = 0; v < s->num_xyz; v++)
        s->new_indices[v] = s->numbers[s->xyz_firsts[v]];
}

/* Numbers the vertices that only GL commands use, after the others: those of triangles with an
 * area, or with `all` every one. */
static void number_drawn(shrinking *s, bool all) {
    lm_md2_gl_walk walk = lmi_md2_gl_begin(s->md2);
    while (lmi_md2_gl_next(&walk)) {
        for (uint32_t i = 0; all && i < walk.count; i++)
            request_vertex(s, lmi_md2_gl_vertex(&walk, i));
        for (uint32_t t = 0; t + 2 < walk.count; t++) {
            uint32_t v[3], first[3];
            for (uint32_t c = 0; c < 3; c++) {
                v[c] = lmi_md2_gl_vertex(&walk, lmi_md2_gl_corner(walk.fan, t, c));
                first[c] = s->xyz_firsts[v[c]];
            }
            const bool flat = first[0] == first[1] || first[1] == first[2] || first[2] == first[0];
            for (uint32_t c = 0; c < 3 && !flat; c++)
                request_vertex(s, v[c]);
        }
    }
    number_requested(s);
    if (s->num_xyz_left == 0) { /* the format needs a vertex */
        request_vertex(s, 0);
        number_requested(s);
    }
}

static bool number_corners(shrinking *s, const lm_cache_order *reduced) {
    const size_t count = (size_t)s->num_tris * 3;
    uint32_t *st_numbers = allocate(s, s->num_st, sizeof *st_numbers);
    s->numbers = allocate(s, s->num_xyz, sizeof *s->numbers);
    s->new_indices = allocate(s, s->num_xyz, sizeof *s->new_indices);
    s->xyz = allocate(s, count, sizeof *s->xyz);
    s->st = allocate(s, count, sizeof *s->st);
    s->xyz_order = allocate(s, s->num_xyz, sizeof *s->xyz_order);
    s->st_order = allocate(s, s->num_st, sizeof *s->st_order);
    if (!s->numbers || !s->new_indices || !st_numbers || !s->xyz || !s->st || !s->xyz_order ||
        !s->st_order)
        return false;
    for (uint32_t t = 0; t < s->num_tris; t++) {
        const lm_md2_triangle triangle = lmi_md2_triangle_at(s->md2, (int32_t)reduced->order[t]);
        for (size_t c = 0; c < 3; c++) {
            s->xyz[3 * (size_t)t + c] = s->xyz_firsts[triangle.vertex[c]];
            s->st[3 * (size_t)t + c] = s->st_firsts[triangle.st[c]];
        }
    }
    s->num_xyz_left = s->num_xyz;
    for (uint32_t v = 0; v < s->num_xyz; v++) /* its old number, whether it is drawn or not */
        s->xyz_order[v] = s->numbers[v] = v;
    if (!s->o->options->keep_numbers)
        s->num_xyz_left = lmi_rename_by_use(s->xyz, count, s->num_xyz, s->numbers, s->xyz_order);
    s->num_st_left = lmi_rename_by_use(s->st, count, s->num_st, st_numbers, s->st_order);
    number_drawn(s, false);
    return true;
}

/* ---- GL commands ---------------------------------------------------------------------------- */

static lm_md2_drawn corner_at(const shrinking *s, const lm_md2_gl_walk *walk, uint32_t index) {
    const uint8_t *st = lmi_md2_gl_st(walk, index);
    return (lm_md2_drawn){s->new_indices[lmi_md2_gl_vertex(walk, index)], lmi_get_u32(st),
                          lmi_get_u32(st + LM_MD2_GL_COMMAND_SIZE)};
}

static int compare_corners(const lm_md2_drawn *a, const lm_md2_drawn *b) {
    if (a->vertex != b->vertex)
        return a->vertex < b->vertex ? -1 : 1;
    if (a->s != b->s)
        return a->s < b->s ? -1 : 1;
    return (a->t > b->t) - (a->t < b->t);
}

static int compare_triangles(const void *a, const void *b) {
    const gl_triangle *x = a, *y = b;
    for (int c = 0; c < 3; c++) {
        const int order = compare_corners(&x->corners[c], &y->corners[c]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Lists the triangles of a strip or fan that have an area. Each begins with its smallest corner. */
static void list_triangles(shrinking *s, const lm_md2_gl_walk *walk, gl_triangle *out) {
    for (uint32_t t = 0; t + 2 < walk->count; t++) {
        lm_md2_drawn c[3];
        for (uint32_t i = 0; i < 3; i++)
            c[i] = corner_at(s, walk, lmi_md2_gl_corner(walk->fan, t, i));
        if (c[0].vertex == c[1].vertex || c[1].vertex == c[2].vertex || c[2].vertex == c[0].vertex)
            continue; /* its vertices may have been removed */
        int least = compare_corners(&c[1], &c[0]) < 0 ? 1 : 0;
        least = compare_corners(&c[2], &c[least]) < 0 ? 2 : least;
        out[s->num_drawn++] = (gl_triangle){{c[least], c[(least + 1) % 3], c[(least + 2) % 3]}};
    }
}

/* Lists the triangles of all GL commands, in an order that is independent of the input's strips,
 * triangles and vertices. */
static bool list_drawn(shrinking *s, int32_t *used) {
    lm_md2_gl_totals totals = {0};
    lm_md2_gl_walk walk = lmi_md2_gl_begin(s->md2);
    while (lmi_md2_gl_next(&walk))
        lmi_md2_gl_count(&totals, &walk);
    *used = walk.at < s->md2->num_glcmds ? walk.at + 1 : s->md2->num_glcmds;
    gl_triangle *list = allocate(s, totals.triangles, sizeof *list);
    walk = lmi_md2_gl_begin(s->md2);
    while (list && lmi_md2_gl_next(&walk))
        list_triangles(s, &walk, list);
    if (list && s->num_drawn > 0)
        qsort(list, s->num_drawn, sizeof *list, compare_triangles);
    s->drawn = list ? list->corners : NULL;
    return list;
}

static bool rank_drawn(shrinking *s, uint32_t *ids, uint32_t *num_ids) {
    lm_heap *heap = s->o->heap;
    const uint32_t count = s->num_drawn * 3;
    uint64_t *keys = lmi_heap_alloc(heap, count, sizeof *keys);
    for (uint32_t c = 0; keys && c < count; c++)
        keys[c] = (uint64_t)s->drawn[c].s << 32 | s->drawn[c].t;
    bool done = keys && lmi_rank_keys(keys, count, ids, num_ids, heap);
    for (uint32_t c = 0; done && c < count; c++)
        keys[c] = (uint64_t)s->drawn[c].vertex << 32 | ids[c];
    done = done && lmi_rank_keys(keys, count, ids, num_ids, heap);
    if (keys)
        lmi_heap_free(heap, keys, count * sizeof *keys);
    return done;
}

/* Keeps the commands, with new vertex indices. */
static bool keep_commands(shrinking *s, int32_t used) {
    uint8_t *out = allocate(s, (uint64_t)used, LM_MD2_GL_COMMAND_SIZE);
    if (!out)
        return false;
    number_drawn(s, true);
    if (used > 0)
        memcpy(out, s->md2->glcmds, (size_t)used * LM_MD2_GL_COMMAND_SIZE);
    lm_md2_gl_walk walk = lmi_md2_gl_begin(s->md2);
    while (lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < walk.count; i++)
            lmi_md2_put_drawn(out + ((size_t)walk.first + 3 * (size_t)i) * LM_MD2_GL_COMMAND_SIZE,
                              corner_at(s, &walk, i));
    s->md2->glcmds = out;
    s->md2->num_glcmds = used;
    return true;
}

/* Finds strips for the triangles of the commands. Keeps the commands if these are not larger. */
static bool find_commands(shrinking *s, int32_t used) {
    const lm_strips request = s->o->options->strips;
    uint32_t num_ids, *ids = allocate(s, s->num_drawn, 3 * sizeof *ids);
    uint32_t *firsts = allocate(s, s->num_drawn, 3 * sizeof *firsts);
    lm_strips_found found;
    if (!ids || !firsts || !rank_drawn(s, ids, &num_ids) ||
        !lmi_find_strips(ids, s->num_drawn, num_ids, request == LM_STRIPS_BEST, &found,
                         &s->o->arena))
        return false;
    if (lmi_md2_count_strips(&found) >= (uint64_t)used)
        return keep_commands(s, used);
    for (uint32_t c = s->num_drawn * 3; c-- > 0;)
        firsts[ids[c]] = c;
    return lmi_md2_put_strips(s->md2, &found, s->drawn, firsts, &s->o->arena);
}

static bool shrink_commands(shrinking *s) {
    const int32_t before = s->md2->num_glcmds;
    int32_t used;
    if (before > 0 && lmi_md2_gl_begin(s->md2).at > 0)
        return lmi_call_fail(&s->o->heap->call, LM_CODE_GL_COMMANDS,
                             "the GL commands are damaged, so they cannot be optimized");
    if (!list_drawn(s, &used))
        return false;
    const lm_optimize_options *options = s->o->options;
    const bool keep = options->strips == LM_STRIPS_NONE || options->keep_draw_order;
    const bool done = keep || s->num_drawn == 0 ? keep_commands(s, used) : find_commands(s, used);
    lmi_optimize_gained(s->o, LM_OPTIMIZE_COMMANDS, (uint32_t)(before - s->md2->num_glcmds),
                        LM_MD2_GL_COMMAND_SIZE);
    return done;
}

/* ---- Output --------------------------------------------------------------------------------- */

static bool write_st(shrinking *s) {
    uint8_t *out = allocate(s, s->num_st_left, LM_MD2_ST_SIZE);
    if (!out)
        return false;
    lmi_pick_vertices((lm_vertex_row){s->md2->st, LM_MD2_ST_SIZE}, s->st_order, s->num_st_left,
                      out);
    s->md2->st = out;
    s->md2->num_st = (int32_t)s->num_st_left;
    lmi_optimize_gained(s->o, LM_OPTIMIZE_ST, s->num_st - s->num_st_left, LM_MD2_ST_SIZE);
    return true;
}

static bool write_frames(shrinking *s) {
    lm_md2 *md2 = s->md2;
    const size_t each = LM_MD2_VERTEX_SIZE + (s->low ? LOW_SIZE : 0), reduced = s->num_xyz_left;
    const size_t size = LM_MD2_FRAME_HEADER_SIZE + reduced * each;
    uint8_t *frames = allocate(s, (uint64_t)md2->num_frames, size);
    for (int32_t f = 0; frames && f < md2->num_frames; f++) {
        uint8_t *out = frames + (size_t)f * size;
        memcpy(out, frame_at(s, f), LM_MD2_FRAME_HEADER_SIZE);
        lmi_pick_vertices((lm_vertex_row){lmi_md2_frame_vertices(md2, f), LM_MD2_VERTEX_SIZE},
                          s->xyz_order, (uint32_t)reduced, out + LM_MD2_FRAME_VERTICES);
        if (s->low)
            lmi_pick_vertices((lm_vertex_row){frame_at(s, f) + low_at(s), LOW_SIZE}, s->xyz_order,
                              (uint32_t)reduced,
                              out + LM_MD2_FRAME_VERTICES + reduced * LM_MD2_VERTEX_SIZE);
    }
    lmi_optimize_gained(s->o, LM_OPTIMIZE_VERTICES, s->num_xyz - s->num_xyz_left,
                        (uint64_t)md2->num_frames * each);
    md2->framesize = (int32_t)size;
    md2->num_xyz = (int32_t)reduced;
    md2->frames = frames;
    return frames;
}

bool lmi_md2_optimize(lm_optimizing *o, void *document) {
    lm_md2 *md2 = document;
    lm_cache_order reduced;
    shrinking s = {.o = o,
                   .md2 = md2,
                   .num_xyz = (uint32_t)md2->num_xyz,
                   .num_st = (uint32_t)md2->num_st,
                   .num_tris = (uint32_t)md2->num_tris};
    s.low = (int64_t)md2->framesize ==
            LM_MD2_FRAME_HEADER_SIZE + (int64_t)md2->num_xyz * (LM_MD2_VERTEX_SIZE + LOW_SIZE);
    if (!find_equal(&s) || !order_triangles(&s, &reduced) || !number_corners(&s, &reduced) ||
        !shrink_commands(&s) || !lmi_md2_put_triangles(md2, s.xyz, s.st, s.num_tris, &o->arena) ||
        !write_st(&s) || !write_frames(&s))
        return false;
    o->surfaces[0] = (lm_optimized_surface){s.num_tris, s.num_xyz, reduced.order, s.new_indices};
    return true;
}
