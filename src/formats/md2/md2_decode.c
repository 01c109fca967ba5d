/* Decodes a document into a model: splits vertices at seams and keeps positions packed as in the
 * file. */
#include "formats/md2/md2_format.h"

#include "clips/clip_names.h"
#include "core/text.h"
#include "math/vectors.h"
#include "model/weld.h"

/* The results of the checks before the model is made. Arrays are from the reading's arena. */
typedef struct lm_md2_plan {
    const lm_md2 *md2;
    uint32_t num_triangles; /* to be drawn */
    lm_weld weld;           /* of the drawn corners: three per triangle, or the GL vertices */
    bool draw_gl;
    lm_md2_facts facts;
} lm_md2_plan;

static bool triangle_valid(const lm_md2 *md2, int32_t index) {
    lm_md2_triangle triangle = lmi_md2_triangle_at(md2, index);
    return lmi_md2_triangle_valid(md2, &triangle);
}

/* Collects the corners of all triangles, or of the valid ones. Invalid ones were reported and occur
 * only in a tolerant reader. Returns the number of corners. */
static uint32_t gather_corners(const lm_md2 *md2, bool all, const lm_weld *into) {
    lm_weld weld = *into; /* a local copy, which no store can alias */
    const uint8_t *from = md2->tris;
    const int32_t num_tris = md2->num_tris;
    size_t corner = 0;
    for (int32_t i = 0; i < num_tris; i++, from += LM_MD2_TRIANGLE_SIZE) {
        if (!all && !triangle_valid(md2, i))
            continue;
        lmi_weld_put(&weld, corner, lmi_get_u16(from), lmi_get_u16(from + 6));
        lmi_weld_put(&weld, corner + 1, lmi_get_u16(from + 2), lmi_get_u16(from + 8));
        lmi_weld_put(&weld, corner + 2, lmi_get_u16(from + 4), lmi_get_u16(from + 10));
        corner += 3;
    }
    return (uint32_t)corner;
}

static bool plan_triangles(lm_md2_plan *plan, lm_arena *scratch) {
    const lm_md2 *md2 = plan->md2;
    if (!lmi_weld_alloc(&plan->weld, (uint64_t)md2->num_tris * 3, scratch))
        return false;
    plan->weld.num_corners = gather_corners(md2, plan->facts.triangles_valid, &plan->weld);
    plan->num_triangles = plan->weld.num_corners / 3;
    plan->weld.num_attributes = (uint32_t)md2->num_st;
    return lmi_weld_corners(&plan->weld, scratch->heap);
}

static inline lm_gl_vertex gl_vertex(const lm_md2_gl_walk *walk, uint32_t index) {
    const uint8_t *st = lmi_md2_gl_st(walk, index);
    return (lm_gl_vertex){lmi_get_f32(st), lmi_get_f32(st + 4), lmi_md2_gl_vertex(walk, index)};
}

static void gather_gl_corners(const lm_md2_plan *plan, uint32_t *vertices, uint64_t *keys) {
    lm_md2_gl_walk walk = {.md2 = plan->md2, .index_first = plan->facts.gl_index_first};
    uint32_t corner = 0;
    while (lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < walk.count; i++, corner++) {
            lm_gl_vertex vertex = gl_vertex(&walk, i);
            vertices[corner] = vertex.vertex;
            /* The bits of both coordinates, with -0 as 0, so that equal coordinates have equal
             * keys. */
            uint8_t bits[8];
            lmi_put_f32(bits, vertex.s + 0.0f);
            lmi_put_f32(bits + 4, vertex.t + 0.0f);
            keys[corner] = lmi_get_u32(bits) | (uint64_t)lmi_get_u32(bits + 4) << 32;
        }
}

static bool plan_gl_commands(lm_md2_plan *plan, lm_arena *scratch) {
    uint32_t corners = plan->facts.gl.vertices;
    lm_weld *weld = &plan->weld;
    uint64_t *keys = lmi_arena_alloc(scratch, corners, sizeof *keys);
    if (!keys || !lmi_weld_alloc(weld, corners, scratch))
        return false;
    weld->num_corners = corners;
    gather_gl_corners(plan, weld->corners, keys);
    if (!lmi_rank_keys(keys, corners, weld->attributes, &weld->num_attributes, scratch->heap))
        return false;
    for (uint32_t c = 0; c < corners; c++)
        lmi_weld_put(weld, c, weld->corners[c], weld->attributes[c]);
    return lmi_weld_corners(weld, scratch->heap);
}

/* Returns the number of triangles that have three different vertices. */
static uint32_t fill_gl_commands(const lm_md2_plan *plan, lm_gl_primitive *primitives,
                                 lm_gl_vertex *vertices) {
    lm_md2_gl_walk walk = {.md2 = plan->md2, .index_first = plan->facts.gl_index_first};
    uint32_t first = 0, num_triangles = 0;
    while (lmi_md2_gl_next(&walk)) {
        *primitives++ = (lm_gl_primitive){walk.fan, first, walk.count};
        for (uint32_t i = 0, a = 0, b = 0; i < walk.count; i++) {
            vertices[i] = gl_vertex(&walk, i);
            const uint32_t c = vertices[i].vertex;
            num_triangles += i >= 2 && a != b && b != c && c != a;
            a = walk.fan && i >= 2 ? a : b;
            b = c;
        }
        vertices += walk.count;
        first += walk.count;
    }
    return num_triangles;
}

static bool decode_gl_commands(lm_arena *arena, const lm_md2_plan *plan, lm_model *model) {
    const lm_md2_gl_totals totals = plan->facts.gl;
    const uint32_t num_primitives = totals.strips + totals.fans;
    if (!plan->facts.gl_valid)
        return true;
    lm_gl_primitive *primitives = lmi_arena_alloc(arena, num_primitives, sizeof *primitives);
    lm_gl_vertex *vertices = lmi_arena_alloc(arena, totals.vertices, sizeof *vertices);
    uint32_t *drawn = plan->draw_gl ? lmi_arena_alloc(arena, totals.vertices, sizeof *drawn) : NULL;
    if (!primitives || !vertices || (plan->draw_gl && !drawn))
        return false;
    model->gl_commands = (lm_gl_commands){.num_integers = (uint32_t)plan->md2->num_glcmds,
                                          .num_strips = totals.strips,
                                          .num_fans = totals.fans,
                                          .num_primitives = num_primitives,
                                          .primitives = primitives,
                                          .num_vertices = totals.vertices,
                                          .vertices = vertices,
                                          .drawn = drawn};
    if (drawn)
        memcpy(drawn, plan->weld.corners, totals.vertices * sizeof *drawn);
    model->gl_commands.num_triangles = fill_gl_commands(plan, primitives, vertices);
    return true;
}

static void fill_gl_triangles(const lm_model *model, uint32_t *triangles) {
    const lm_gl_commands *gl = &model->gl_commands;
    for (uint32_t p = 0; p < gl->num_primitives; p++)
        for (uint32_t i = 0; i + 2 < gl->primitives[p].count; i++)
            for (uint32_t c = 0; c < 3; c++)
                *triangles++ = gl->drawn[gl->primitives[p].first +
                                         lmi_md2_gl_corner(gl->primitives[p].fan, i, c)];
}

/* Returns the texture coordinate of an attribute in pixels. */
static inline lm_vec2 texel_of(const lm_md2 *md2, uint32_t attribute) {
    if (attribute == LM_UNUSED)
        return (lm_vec2){0, 0};
    const uint8_t *p = md2->st + (size_t)attribute * LM_MD2_ST_SIZE;
    return (lm_vec2){(float)lmi_get_s16(p), (float)lmi_get_s16(p + 2)};
}

static void fill_st(const lm_md2_plan *plan, lm_vec2 *st) {
    const lm_md2 *md2 = plan->md2;
    const lm_weld *weld = &plan->weld;
    const float width = (float)(md2->skinwidth > 0 ? md2->skinwidth : 1);
    const float height = (float)(md2->skinheight > 0 ? md2->skinheight : 1);
    for (uint32_t v = 0; v < weld->num_vertices; v++)
        st[v] = texel_of(md2, weld->vertex_attributes[v]);
    for (uint32_t i = 0; i < weld->num_copies; i++)
        st[weld->num_vertices + i] = texel_of(md2, weld->copy_attributes[i]);
    /* A separate loop, which the compiler can vectorise. */
    for (uint32_t v = 0; v < weld->num_vertices + weld->num_copies; v++) {
        st[v].x /= width;
        st[v].y /= height;
    }
}

/* Returns the frames' packed vertices: those in the file if they can be borrowed, else one copy
 * with the bytes between frames. */
static const uint8_t *decode_keys(lm_arena *arena, const lm_md2_plan *plan) {
    const lm_md2 *md2 = plan->md2;
    const uint8_t *vertices = lmi_md2_frame_vertices(md2, 0);
    size_t size = ((size_t)md2->num_frames - 1) * (size_t)md2->framesize + 4 * (size_t)md2->num_xyz;
    if (plan->facts.max_normal < LM_NUM_NORMALS_162)
        return lmi_arena_bytes(arena, vertices, size, 1);
    uint8_t *keys = lmi_arena_alloc(arena, size, 1);
    if (keys) {
        memcpy(keys, vertices, size);
        /* Replace normals that are out of range. */
        size_t framesize = (size_t)plan->md2->framesize;
        for (int32_t f = 0; f < plan->md2->num_frames; f++)
            for (int32_t v = 0; v < plan->md2->num_xyz; v++) {
                uint8_t *normal = keys + (size_t)f * framesize + 4 * (size_t)v + 3;
                *normal = lmi_known_normal(*normal);
            }
    }
    return keys;
}

static bool decode_surface(lm_arena *arena, const lm_md2_plan *plan, lm_model *model) {
    uint32_t *triangles;
    lm_vec2 *st =
        lmi_weld_surface(&plan->weld, decode_keys(arena, plan), (size_t)plan->md2->framesize,
                         plan->num_triangles, arena, model, &triangles);
    if (st && plan->draw_gl) {
        const lm_gl_commands *gl = &model->gl_commands;
        memset(st, 0, plan->weld.num_vertices * sizeof *st); /* for unused vertices */
        for (uint32_t i = 0; i < gl->num_vertices; i++)
            st[gl->drawn[i]] = (lm_vec2){gl->vertices[i].s, gl->vertices[i].t};
        fill_gl_triangles(model, triangles);
    } else if (st) {
        fill_st(plan, st);
    }
    return st != NULL;
}

#define NAME_ROOM (LM_MD2_FRAME_NAME_SIZE + 1)

static void fill_frame(const lm_md2_plan *plan, int32_t index, lm_frame *frame, char *name) {
    const uint8_t *raw = plan->md2->frames + (size_t)index * (size_t)plan->md2->framesize;
    /* Copies the whole field, including any bytes after its NUL. */
    memcpy(name, raw + LM_MD2_FRAME_NAME, LM_MD2_FRAME_NAME_SIZE);
    name[LM_MD2_FRAME_NAME_SIZE] = '\0';
    frame->name = name;
    frame->scale = lmi_get_vec3(raw + LM_MD2_FRAME_SCALE);
    frame->translate = lmi_get_vec3(raw + LM_MD2_FRAME_TRANSLATE);
    if (!plan->facts.numbers_plain) {
        frame->scale = lmi_sanitize_vec3(frame->scale);
        frame->translate = lmi_sanitize_vec3(frame->translate);
    }
    lmi_range_bounds(&plan->facts.ranges[index], frame);
}

static bool decode_frames(lm_arena *arena, const lm_md2_plan *plan, lm_model *model) {
    const lm_md2 *md2 = plan->md2;
    const lm_name_fields fields = {.first = md2->frames + LM_MD2_FRAME_NAME,
                                   .stride = (size_t)md2->framesize,
                                   .size = LM_MD2_FRAME_NAME_SIZE,
                                   .count = (uint32_t)md2->num_frames};
    lm_frame *frames = lmi_arena_alloc(arena, fields.count, sizeof *frames);
    char *names = lmi_arena_alloc(arena, fields.count, NAME_ROOM);
    if (!frames || !names)
        return false;
    for (int32_t f = 0; f < md2->num_frames; f++)
        fill_frame(plan, f, &frames[f], names + (size_t)f * NAME_ROOM);
    model->num_frames = fields.count;
    model->frames = frames;
    return lmi_clips_of_names(arena, &fields, &model->clips, &model->num_clips);
}

static bool decode_skins(lm_arena *arena, const lm_md2 *md2, lm_model *model) {
    const char **skins = lmi_arena_alloc(arena, (uint64_t)md2->num_skins, sizeof *skins);
    for (size_t i = 0; skins && i < (size_t)md2->num_skins; i++)
        skins[i] = lmi_arena_field(arena, md2->skins + i * LM_MD2_SKIN_SIZE, LM_MD2_SKIN_SIZE);
    model->num_skins = (uint32_t)md2->num_skins;
    model->skins = skins;
    model->skin_width = (uint32_t)(md2->skinwidth > 0 ? md2->skinwidth : 0);
    model->skin_height = (uint32_t)(md2->skinheight > 0 ? md2->skinheight : 0);
    return skins != NULL;
}

static bool report_parts(const lm_md2 *md2, lm_reporter *reporter) {
    if (md2->num_skins == 0 &&
        !lmi_report_warning(reporter, LM_CODE_NO_SKINS, LM_MD2_IN_HEADER(num_skins), 1,
                            "the file lists no skins"))
        return false;
    if (md2->num_tris == 0)
        return lmi_report_warning(reporter, LM_CODE_EMPTY_SURFACE, LM_MD2_IN_HEADER(num_tris), 1,
                                  "the model has no triangles");
    return true;
}

static bool make_plan(lm_md2_plan *plan, const lm_reading *reading) {
    plan->weld.num_vertices = (uint32_t)plan->md2->num_xyz;
    if (!plan->draw_gl)
        return plan_triangles(plan, reading->arena);
    if (!plan->facts.gl_valid)
        return lmi_report_fatal(reading->reporter, LM_CODE_GL_COMMANDS,
                                LM_MD2_IN_HEADER(num_glcmds), "the model has no GL commands");
    plan->num_triangles = plan->facts.gl.triangles;
    return plan_gl_commands(plan, reading->arena);
}

static bool decode(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model) {
    lm_arena *arena = lmi_arena_of(model);
    const lm_md2 *md2 = document;
    lm_md2_plan plan = {.md2 = md2, .draw_gl = options->topology == LM_TOPOLOGY_GL_COMMANDS};
    lm_md2_facts *facts = &plan.facts;
    model->version = LM_MD2_VERSION;
    facts->ranges =
        lmi_arena_alloc(reading->arena, (uint64_t)md2->num_frames, sizeof *facts->ranges);
    return facts->ranges && lmi_md2_verify(md2, reading->reporter, facts) &&
           report_parts(md2, reading->reporter) && make_plan(&plan, reading) &&
           decode_frames(arena, &plan, model) && decode_skins(arena, md2, model) &&
           decode_gl_commands(arena, &plan, model) && decode_surface(arena, &plan, model);
}

const lm_format lmi_format_md2 = {
    .info = {.name = "md2",
             .game = "Quake II",
             .ident = "IDP2",
             .version = LM_MD2_VERSION,
             .mime = "model/x-md2",
             .extension = "md2",
             .features = LM_FEATURE_SKINS | LM_FEATURE_GL_COMMANDS},
    .header = &lmi_md2_header,
    .parse = lmi_md2_parse,
    .decode = decode,
};
