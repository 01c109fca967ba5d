#include "formats/vertex_mesh/vertex_mesh_write.h"

#include "core/report.h"
#include "core/text.h"
#include "encode/encoding.h"
#include "encode/triangles.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

/* ---- Welding -------------------------------------------------------------------------------- */

/* A surface under construction: its corners become vertices, which are then split into pieces. */
typedef struct cutting {
    lm_encoding *encoding;
    uint32_t surface;
    bool keep; /* keep_numbers */
    const lm_mesh_surface *from;
    uint32_t num_vertices;
    uint32_t *corners;  /* [3 * num_triangles] vertices */
    uint32_t *vertices; /* [num_vertices] vertex of the mesh */
    uint32_t *st;       /* [num_vertices] texture coordinate of the mesh; LM_UNUSED: none */
    uint16_t *normals;  /* [num_frames * the mesh's vertices] nearest encoded normals */
    uint32_t *order;    /* [num_triangles] sorted by part */
    uint32_t *numbers;  /* [num_vertices] scratch; LM_UNUSED between pieces */
    lm_encoded_vertex *locations; /* [num_vertices] in the file */
    const uint8_t *shaders;
    uint8_t name[LM_VERTEX_MESH_NAME_SIZE];
    lm_arena scratch;
} cutting;

/* Merges corners into vertices: one per pair of a movement and a texture coordinate, numbered in
 * the order of first use. With keep_numbers, vertices keep their numbers. */
static bool weld_corners(cutting *cut) {
    const lm_mesh_surface *s = cut->from;
    lm_arena *scratch = &cut->scratch;
    const size_t corners = (size_t)s->num_triangles * 3;
    uint32_t num_ids, *ids = cut->corners;
    uint32_t *firsts = lmi_arena_alloc(scratch, s->num_vertices, sizeof *firsts);
    if (!firsts || !lmi_weld_trajectories(cut->encoding, s, cut->normals, firsts, scratch->heap))
        return false;
    for (size_t c = 0; c < corners; c++)
        ids[c] = firsts[s->triangles[c]];
    if (!lmi_rank_corners(s, ids, ids, &num_ids, scratch))
        return false;
    cut->num_vertices = cut->keep
                            ? lmi_number_by_vertex(ids, corners, s->triangles, s->num_vertices,
                                                   cut->numbers, cut->vertices)
                            : lmi_number_by_use(ids, corners, cut->numbers, cut->vertices);
    for (uint32_t v = 0; cut->keep && v < s->num_vertices; v++) { /* stays if no triangle uses it */
        cut->vertices[v] = v;
        cut->st[v] = LM_UNUSED;
    }
    for (size_t c = corners; c-- > 0;) {
        cut->vertices[ids[c]] = firsts[s->triangles[c]];
        cut->st[ids[c]] = s->num_st > 0 ? s->st_triangles[c] : LM_UNUSED;
    }
    memset(cut->numbers, 0xFF, num_ids * sizeof *cut->numbers);
    return true;
}

static bool weld_surface(cutting *cut) {
    lm_arena *scratch = &cut->scratch;
    const uint64_t triangles = cut->from->num_triangles, corners = triangles * 3;
    const uint64_t most = corners + cut->from->num_vertices;
    cut->corners = lmi_arena_alloc(scratch, corners, sizeof *cut->corners);
    cut->vertices = lmi_arena_alloc(scratch, most, sizeof *cut->vertices);
    cut->st = lmi_arena_alloc(scratch, most, sizeof *cut->st);
    cut->numbers = lmi_unused_numbers(scratch, most);
    cut->order = lmi_arena_alloc(scratch, triangles, sizeof *cut->order);
    cut->locations = lmi_arena_alloc(scratch, most, sizeof *cut->locations);
    const uint64_t normals = (uint64_t)cut->encoding->mesh->num_frames * cut->from->num_vertices;
    const float *p = cut->from->normals;
    cut->normals = lmi_arena_alloc(scratch, normals, sizeof *cut->normals);
    for (uint64_t i = 0; cut->normals && i < normals; i++, p += 3) {
        uint8_t rho, sigma;
        lmi_nearest_normal_angles((const lm_vec3 *)(const void *)p, &rho, &sigma);
        cut->normals[i] = (uint16_t)(rho | sigma << 8);
    }
    return cut->corners && cut->vertices && cut->st && cut->numbers && cut->order &&
           cut->locations && cut->normals && weld_corners(cut);
}

/* ---- Lumps ---------------------------------------------------------------------------------- */

static bool round_position(const cutting *cut, uint32_t frame, uint32_t vertex, int16_t out[3]) {
    const float *p = cut->from->positions + 3 * ((size_t)frame * cut->from->num_vertices + vertex);
    for (int i = 0; i < 3; i++)
        if (!lmi_vertex_mesh_round((double)p[i], &out[i])) {
            lmi_call_fail(&cut->encoding->heap->call, LM_CODE_LIMIT,
                          "surface %u: vertex %u is at %g in frame %u, but the format stores "
                          "-511.98 to 511.98 units; scale the model down",
                          (unsigned)cut->surface, (unsigned)vertex, (double)p[i], (unsigned)frame);
            return lmi_fail_at(cut->encoding->heap->call.error, cut->surface, "vertices", vertex);
        }
    return true;
}

static const lm_vertex_mesh_vertex *make_rows(const cutting *cut,
                                              const lm_vertex_mesh_piece *piece) {
    const uint32_t num_frames = cut->encoding->mesh->num_frames;
    const size_t stride = cut->from->num_vertices;
    lm_vertex_mesh_vertex *rows = lmi_arena_alloc(
        &cut->encoding->arena, (uint64_t)num_frames * piece->num_vertices, sizeof *rows);
    lm_vertex_mesh_vertex *out = rows;
    for (uint32_t f = 0; rows && f < num_frames; f++)
        for (uint32_t v = 0; v < piece->num_vertices; v++, out++) {
            const uint32_t vertex = piece->vertices[v];
            if (!round_position(cut, f, vertex, out->v))
                return NULL;
            out->normal = cut->normals[f * stride + vertex];
        }
    return rows;
}

/* `own`: the welded vertex of each vertex in the piece. */
static const uint8_t *make_st(const cutting *cut, const uint32_t *own, uint32_t count) {
    uint8_t *lump = lmi_arena_alloc(&cut->encoding->arena, count, LM_VERTEX_MESH_ST_SIZE);
    for (size_t v = 0; lump && v < count; v++) {
        const uint32_t at = cut->st[own[v]];
        lm_vec2 st = {0, 0};
        if (at != LM_UNUSED)
            memcpy(&st, cut->from->st + 2 * (size_t)at, sizeof st);
        lmi_vertex_mesh_put_st(lump + v * LM_VERTEX_MESH_ST_SIZE, st);
    }
    return lump;
}

static const uint8_t *make_shaders(lm_encoding *encoding, uint32_t surface) {
    const lm_mesh_surface *s = &encoding->mesh->surfaces[surface];
    uint8_t *lump = lmi_arena_alloc(&encoding->arena, s->num_materials, LM_VERTEX_MESH_SHADER_SIZE);
    for (uint32_t m = 0; lump && m < s->num_materials; m++) {
        uint8_t *out = lump + (size_t)m * LM_VERTEX_MESH_SHADER_SIZE;
        lmi_put_u32(out + LM_VERTEX_MESH_NAME_SIZE, s->materials[m].flags);
        if (!lmi_encode_text(encoding, out, LM_VERTEX_MESH_NAME_SIZE, s->materials[m].name,
                             "surfaces", "the shader's name", surface))
            return NULL;
    }
    return lump;
}

/* ---- Names of parts ------------------------------------------------------------------------- */

/* Parts whose names differ only after lmi_skin_name_length get the skin of the whole surface. */
#define SUFFIXES "123456789abcdefghijklmnopqrstuvwxyz0"

/* Marks the byte after the stem and '_' in a name of this form. */
static void mark_suffix(const char *name, const char *stem, size_t size, bool used[UINT8_MAX + 1]) {
    if (strlen(name) == size + 2 && memcmp(name, stem, size) == 0 && name[size] == '_')
        used[(uint8_t)name[size + 1]] = true;
}

/* Names the parts of a surface. The first keeps the name; the others get unused suffixes. When all
 * are used, parts share the name, which engines accept. */
static void name_parts(const lm_encoding *encoding, lm_vertex_mesh_pieces *pieces, uint32_t first) {
    const char *name = (const char *)pieces->list[first].name, *next = SUFFIXES;
    const size_t size = lmi_skin_name_length(name);
    bool used[UINT8_MAX + 1] = {false};
    if (first + 1 == pieces->count || size + 2 >= LM_VERTEX_MESH_NAME_SIZE)
        return;
    for (uint32_t i = 0; i < encoding->mesh->num_surfaces; i++)
        mark_suffix(encoding->mesh->surfaces[i].name, name, size, used);
    for (uint32_t i = 0; i < pieces->count; i++)
        mark_suffix((const char *)pieces->list[i].name, name, size, used);
    for (uint32_t i = first + 1; i < pieces->count; i++) {
        while (*next && used[(uint8_t)*next])
            next++;
        if (!*next)
            return;
        uint8_t *field = pieces->list[i].name;
        memset(field, 0, LM_VERTEX_MESH_NAME_SIZE);
        memcpy(field, name, size);
        field[size] = '_';
        field[size + 1] = (uint8_t)*next++;
    }
}

/* ---- Pieces --------------------------------------------------------------------------------- */

/* `index`: the piece's index in the file. */
static bool make_piece(cutting *cut, const uint32_t *list, uint32_t count, uint32_t index,
                       lm_vertex_mesh_piece *piece) {
    lm_arena *arena = &cut->encoding->arena;
    uint32_t *corners = lmi_arena_alloc(&cut->scratch, (uint64_t)count * 3, sizeof *corners);
    uint32_t *own =
        lmi_arena_alloc(&cut->scratch, (uint64_t)count * 3 + cut->num_vertices, sizeof *own);
    *piece = (lm_vertex_mesh_piece){.surface = cut->surface,
                                    .num_shaders = cut->from->num_materials,
                                    .num_triangles = count,
                                    .shaders = cut->shaders};
    if (!corners || !own)
        return false;
    for (size_t t = 0; t < count; t++) /* in the mesh's order, which blended surfaces show */
        memcpy(corners + 3 * t, cut->corners + 3 * (size_t)list[t], 3 * sizeof *corners);
    for (uint32_t i = 0; cut->keep && i < cut->num_vertices; i++)
        own[i] = i;
    piece->num_vertices = cut->keep
                              ? cut->num_vertices
                              : lmi_number_by_use(corners, (size_t)count * 3, cut->numbers, own);
    for (uint32_t i = 0; i < piece->num_vertices; i++)
        cut->numbers[own[i]] = LM_UNUSED;
    uint32_t *vertices = lmi_arena_alloc(arena, piece->num_vertices, sizeof *vertices);
    for (uint32_t v = 0; vertices && v < piece->num_vertices; v++) {
        vertices[v] = cut->vertices[own[v]];
        cut->locations[own[v]] = (lm_encoded_vertex){index, v};
    }
    uint8_t *triangles = lmi_arena_alloc(arena, count, LM_VERTEX_MESH_TRIANGLE_SIZE);
    for (size_t t = 0; triangles && t < count; t++)
        lmi_vertex_mesh_put_triangle(triangles + t * LM_VERTEX_MESH_TRIANGLE_SIZE, corners + 3 * t);
    piece->vertices = vertices;
    piece->triangles = triangles;
    memcpy(piece->name, cut->name, sizeof piece->name);
    return vertices && triangles && (piece->st = make_st(cut, own, piece->num_vertices)) &&
           (piece->rows = make_rows(cut, piece));
}

static bool make_pieces(cutting *cut, const uint32_t *parts, uint32_t num_parts, size_t *capacity,
                        lm_vertex_mesh_pieces *pieces) {
    const uint32_t first = pieces->count;
    uint32_t *ends = lmi_arena_zeros(&cut->scratch, num_parts, sizeof *ends);
    cut->shaders = make_shaders(cut->encoding, cut->surface);
    if (!ends || !cut->shaders ||
        !lmi_arena_grow(&cut->encoding->arena, &pieces->list, capacity, (size_t)first + num_parts,
                        sizeof *pieces->list))
        return false;
    /* Sort triangles by part; ends[i] is the end of part i. */
    const uint32_t count = cut->from->num_triangles;
    for (uint32_t t = 0; t < count; t++)
        if (parts[t] + 1 < num_parts)
            ends[parts[t] + 1]++;
    for (uint32_t i = 1; i < num_parts; i++)
        ends[i] += ends[i - 1];
    for (uint32_t t = 0; t < count; t++)
        cut->order[ends[parts[t]]++] = t;
    for (uint32_t i = 0; i < num_parts; i++, pieces->count++) {
        const uint32_t begin = i == 0 ? 0 : ends[i - 1];
        if (!make_piece(cut, cut->order + begin, ends[i] - begin, pieces->count,
                        &pieces->list[pieces->count]))
            return false;
    }
    name_parts(cut->encoding, pieces, first);
    /* Record for each vertex of the mesh its vertex in the file. */
    const lm_mesh_surface *s = cut->from;
    for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
        cut->encoding->vertices[cut->surface][s->triangles[c]] = cut->locations[cut->corners[c]];
    return true;
}

/* ---- Limits --------------------------------------------------------------------------------- */

/* Returns the smallest limit of the requested engine for an element of a file, or of a surface;
 * UINT32_MAX if it has none. */
static uint32_t find_limit(const lm_encoding *encoding, const char *element, bool of_surface) {
    lm_format_limit limit;
    uint32_t max = UINT32_MAX;
    for (uint32_t i = 0; lm_format_limits(encoding->format, i, &limit); i++)
        if (limit.of_surface == of_surface && limit.engine == encoding->options->engine &&
            strcmp(limit.element, element) == 0 && max > (uint32_t)limit.max)
            max = (uint32_t)limit.max;
    return max;
}

/* Fails if a count exceeds the limit of the requested engine. Without an engine, the report lists
 * the problem instead. */
static bool check_limit(lm_encoding *encoding, const char *what, uint32_t count) {
    const uint32_t max = find_limit(encoding, what, false);
    return count <= max || lmi_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                         "the model has %u %s, but %s loads at most %u; remove "
                                         "some or choose another engine",
                                         (unsigned)count, what,
                                         lm_engine_name(encoding->options->engine), (unsigned)max);
}

/* ---- Encoding ------------------------------------------------------------------------------- */

static bool cut_surface(cutting *cut, size_t *capacity, lm_vertex_mesh_pieces *pieces) {
    const lm_engine engine = cut->encoding->options->engine;
    const uint32_t count = cut->from->num_triangles;
    uint32_t num_parts = 1, *parts = lmi_arena_zeros(&cut->scratch, count, sizeof *parts);
    if (!parts || !weld_surface(cut))
        return false;
    const lm_split split = {count, cut->num_vertices, cut->corners,
                            find_limit(cut->encoding, "triangles", true),
                            find_limit(cut->encoding, "vertices", true)};
    const bool large = count > split.max_triangles || cut->num_vertices > split.max_vertices;
    if (large && cut->keep)
        return lmi_call_fail(&cut->encoding->heap->call, LM_CODE_LIMIT,
                             "surface %u has %u vertices and %u triangles, but %s draws at most %u "
                             "and %u; without keep_numbers it is split",
                             (unsigned)cut->surface, (unsigned)cut->num_vertices, (unsigned)count,
                             lm_engine_name(engine), (unsigned)split.max_vertices,
                             (unsigned)split.max_triangles) ||
               lmi_fail_in(cut->encoding->heap->call.error, LM_SECTION_TRIANGLES);
    if (large && (!lmi_split_triangles(&split, parts, &num_parts, cut->scratch.heap) ||
                  !lmi_encode_note(
                      cut->encoding, LM_CODE_ENGINE_LIMIT, "surfaces", cut->surface,
                      "surface %u, \"%s\", is split into %u: it has %u vertices and %u triangles, "
                      "but %s draws at most %u and %u",
                      (unsigned)cut->surface, cut->from->name, (unsigned)num_parts,
                      (unsigned)cut->num_vertices, (unsigned)count, lm_engine_name(engine),
                      (unsigned)split.max_vertices, (unsigned)split.max_triangles)))
        return false;
    return lmi_encode_text(cut->encoding, cut->name, sizeof cut->name, cut->from->name, "surfaces",
                           "its name", cut->surface) &&
           make_pieces(cut, parts, num_parts, capacity, pieces);
}

static bool list_sources(lm_encoding *encoding, const lm_vertex_mesh_pieces *pieces) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < pieces->count; i++)
        count += pieces->list[i].num_vertices;
    lm_vertex_source *to = lmi_arena_alloc(&encoding->arena, count, sizeof *to);
    encoding->sources = to;
    encoding->num_sources = (uint32_t)count;
    for (uint32_t i = 0; to && i < pieces->count; i++)
        for (uint32_t v = 0; v < pieces->list[i].num_vertices; v++)
            *to++ = (lm_vertex_source){pieces->list[i].surface, pieces->list[i].vertices[v]};
    return encoding->sources;
}

bool lmi_vertex_mesh_encode_pieces(lm_encoding *encoding, lm_vertex_mesh_pieces *pieces) {
    const lm_mesh *mesh = encoding->mesh;
    size_t capacity = 0;
    *pieces = (lm_vertex_mesh_pieces){0, NULL};
    if (!check_limit(encoding, "frames", mesh->num_frames) ||
        !check_limit(encoding, "tags", mesh->num_tags))
        return false;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        cutting cut = {.encoding = encoding,
                       .surface = i,
                       .keep = encoding->options->keep_numbers,
                       .from = &mesh->surfaces[i],
                       .scratch = {.heap = encoding->heap}};
        const bool done = cut_surface(&cut, &capacity, pieces);
        lmi_arena_free(&cut.scratch);
        if (!done)
            return false;
    }
    return check_limit(encoding, "surfaces", pieces->count) && list_sources(encoding, pieces) &&
           lmi_encode_report_loss(encoding, LM_STORES_NAMES | LM_STORES_TAGS | LM_STORES_FLAGS);
}

/* ---- Frames --------------------------------------------------------------------------------- */

bool lmi_vertex_mesh_encode_frames(lm_encoding *encoding, const lm_editor *editor,
                                   const void *document, uint8_t *frames) {
    const lm_mesh *mesh = encoding->mesh;
    for (uint32_t f = 0; f < mesh->num_frames; f++, frames += LM_VERTEX_MESH_FRAME_SIZE) {
        lm_vertex_mesh_frame frame = {.radius = 0};
        float radius;
        if (!lmi_encode_text(encoding, (uint8_t *)frame.name, sizeof frame.name,
                             mesh->frame_names[f], "frames", "its name", f))
            return false;
        lmi_vertex_mesh_put_frame(frames, &frame);
        lmi_vertex_mesh_put_bounds(editor, document, (int32_t)f, frames);
        frame = lmi_vertex_mesh_get_frame(frames);
        lmi_box_sphere(frame.bbox_min, frame.bbox_max, &frame.local_origin, &radius);
        lmi_vertex_mesh_put_frame(frames, &frame);
        lmi_vertex_mesh_put_bounds(editor, document, (int32_t)f, frames); /* for the radius */
    }
    return true;
}
