#include "formats/vertex_mesh/vertex_mesh_encode.h"

#include "encode/cache.h"
#include "encode/split.h"
#include "encode/trajectory.h"
#include "lerpmesh/base.h"
#include "math/vectors.h"
#include "model/build.h"
#include "model/weld.h"

/* ---- Vertices ------------------------------------------------------------------------------- */

#define STEPS 64.0 /* a unit */
#define MOST_STEPS 32767

bool lm_mesh_round(double units, int16_t *steps) {
    /* Positive, so that cutting rounds down. */
    const double lifted = units * STEPS + (MOST_STEPS + 0.5);
    if (!(lifted >= 0 && lifted < 2 * MOST_STEPS + 1))
        return false;
    *steps = (int16_t)((int32_t)lifted - MOST_STEPS);
    return true;
}

static bool round_position(lm_encoding *encoding, uint32_t surface, uint32_t frame, uint32_t vertex,
                           int16_t out[3]) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    const float *p = s->positions + 3 * ((size_t)frame * s->num_vertices + vertex);
    for (int i = 0; i < 3; i++)
        if (!lm_mesh_round((double)p[i], &out[i]))
            return lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                "surface %u: vertex %u is at %g in frame %u, but the format "
                                "reaches from -511.98 to 511.98 units; make the model smaller",
                                (unsigned)surface, (unsigned)vertex, (double)p[i], (unsigned)frame);
    return true;
}

/* The normals' numbers, of every vertex in every frame. */
static void find_normals(const lm_take_surface *s, uint32_t num_frames, uint16_t *normals) {
    const float *p = s->normals;
    for (size_t i = 0; i < (size_t)num_frames * s->num_vertices; i++, p += 3) {
        uint8_t rho, sigma;
        lm_nearest_normal_angles((const lm_vec3 *)(const void *)p, &rho, &sigma);
        normals[i] = (uint16_t)(rho | sigma << 8);
    }
}

/* ---- Welding -------------------------------------------------------------------------------- */

/* A surface whose corners became vertices, before it is split. */
typedef struct welded {
    uint32_t surface;
    uint32_t num_vertices;
    uint32_t *corners;  /* [3 * num_triangles] its vertices */
    uint32_t *vertices; /* [num_vertices] of the take */
    uint32_t *st;       /* [num_vertices] of the take; LM_UNUSED: none */
    uint16_t *normals;  /* [num_frames * the take's vertices] */
} welded;

/* A number for each texture coordinate: the same for equal ones. */
static bool rank_st(lm_encoding *encoding, const lm_take_surface *s, uint32_t *ids) {
    uint64_t *keys = lm_arena_alloc(&encoding->arena, s->num_st, sizeof *keys);
    uint32_t num_ids;
    for (uint32_t i = 0; keys && i < s->num_st; i++) {
        const float plain[2] = {s->st[2 * (size_t)i] + 0.0f, s->st[2 * (size_t)i + 1] + 0.0f};
        memcpy(&keys[i], plain, sizeof plain);
    }
    return keys && lm_rank_keys(keys, s->num_st, ids, &num_ids, encoding->heap);
}

/* Corners become vertices: one for each pair of a movement and a texture coordinate, numbered as
 * the triangles first use them. */
static bool weld_corners(lm_encoding *encoding, const lm_take_surface *s, welded *w) {
    lm_arena *arena = &encoding->arena;
    const size_t corners = (size_t)s->num_triangles * 3;
    uint32_t num_ids = 0, *ids = w->corners;
    uint32_t *firsts = lm_arena_alloc(arena, s->num_vertices, sizeof *firsts);
    uint32_t *st_ids = lm_arena_alloc(arena, s->num_st, sizeof *st_ids);
    uint64_t *keys = lm_arena_alloc(arena, corners, sizeof *keys);
    uint32_t *numbers = lm_arena_alloc(arena, corners, sizeof *numbers);
    if (!firsts || !st_ids || !keys || !numbers || !rank_st(encoding, s, st_ids) ||
        !lm_weld_trajectories(encoding->take->num_frames, s->num_vertices, s->positions, w->normals,
                              firsts, encoding->heap))
        return false;
    for (size_t c = 0; c < corners; c++) {
        const uint32_t st = s->num_st > 0 ? st_ids[s->st_triangles[c]] : 0;
        keys[c] = (uint64_t)firsts[s->triangles[c]] << 32 | st;
    }
    if (!lm_rank_keys(keys, (uint32_t)corners, ids, &num_ids, encoding->heap))
        return false;
    memset(numbers, 0xFF, num_ids * sizeof *numbers);
    for (size_t c = 0; c < corners; c++) {
        uint32_t *number = &numbers[ids[c]];
        if (*number == LM_UNUSED) {
            w->vertices[w->num_vertices] = firsts[s->triangles[c]];
            w->st[w->num_vertices] = s->num_st > 0 ? s->st_triangles[c] : LM_UNUSED;
            *number = w->num_vertices++;
        }
        ids[c] = *number;
    }
    return true;
}

static bool weld_surface(lm_encoding *encoding, uint32_t surface, welded *w) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    lm_arena *arena = &encoding->arena;
    const uint64_t corners = (uint64_t)s->num_triangles * 3;
    *w = (welded){.surface = surface,
                  .corners = lm_arena_alloc(arena, corners, sizeof(uint32_t)),
                  .vertices = lm_arena_alloc(arena, corners, sizeof(uint32_t)),
                  .st = lm_arena_alloc(arena, corners, sizeof(uint32_t)),
                  .normals =
                      lm_arena_alloc(arena, (uint64_t)encoding->take->num_frames * s->num_vertices,
                                     sizeof(uint16_t))};
    if (!w->corners || !w->vertices || !w->st || !w->normals)
        return false;
    find_normals(s, encoding->take->num_frames, w->normals);
    return weld_corners(encoding, s, w);
}

/* ---- Lumps ---------------------------------------------------------------------------------- */

static const lm_mesh_vertex *make_rows(lm_encoding *encoding, const welded *w,
                                       const lm_mesh_piece *piece) {
    const uint32_t num_frames = encoding->take->num_frames;
    const size_t stride = encoding->take->surfaces[w->surface].num_vertices;
    lm_mesh_vertex *rows =
        lm_arena_alloc(&encoding->arena, (uint64_t)num_frames * piece->num_vertices, sizeof *rows);
    lm_mesh_vertex *out = rows;
    for (uint32_t f = 0; rows && f < num_frames; f++)
        for (uint32_t v = 0; v < piece->num_vertices; v++, out++) {
            const uint32_t vertex = piece->vertices[v];
            if (!round_position(encoding, w->surface, f, vertex, out->v))
                return NULL;
            out->normal = w->normals[f * stride + vertex];
        }
    return rows;
}

static const uint8_t *make_triangles(lm_encoding *encoding, const uint32_t *corners,
                                     uint32_t count) {
    uint8_t *lump = lm_arena_alloc(&encoding->arena, count, LM_MESH_TRIANGLE_SIZE);
    for (size_t t = 0; lump && t < count; t++)
        lm_mesh_put_triangle(lump + t * LM_MESH_TRIANGLE_SIZE, corners + 3 * t);
    return lump;
}

/* `own`: for each vertex of the piece, the welded one. */
static const uint8_t *make_st(lm_encoding *encoding, const welded *w, const uint32_t *own,
                              uint32_t count) {
    const lm_take_surface *s = &encoding->take->surfaces[w->surface];
    uint8_t *lump = lm_arena_alloc(&encoding->arena, count, LM_MESH_ST_SIZE);
    for (size_t v = 0; lump && v < count; v++) {
        const uint32_t at = w->st[own[v]];
        lm_vec2 st = {0, 0};
        if (at != LM_UNUSED)
            memcpy(&st, s->st + 2 * (size_t)at, sizeof st);
        lm_mesh_put_st(lump + v * LM_MESH_ST_SIZE, st);
    }
    return lump;
}

static const uint8_t *make_shaders(lm_encoding *encoding, uint32_t surface) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    uint8_t *lump = lm_arena_zeros(&encoding->arena, s->num_materials, LM_MESH_SHADER_SIZE);
    for (uint32_t m = 0; lump && m < s->num_materials; m++) {
        lm_put_u32(lump + (size_t)m * LM_MESH_SHADER_SIZE + LM_MESH_NAME_SIZE,
                   s->materials[m].flags);
        if (!lm_encode_name(lump + (size_t)m * LM_MESH_SHADER_SIZE, LM_MESH_NAME_SIZE,
                            s->materials[m].name) &&
            !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, surface, m,
                           "surface %u: the shader's name \"%s\" has more than 63 bytes and is "
                           "shortened",
                           (unsigned)surface, s->materials[m].name))
            return NULL;
    }
    return lump;
}

/* ---- Names of parts ------------------------------------------------------------------------- */

/* Engines leave out a last '_' and the byte behind it before they look for a surface in a .skin
 * file, so parts that differ in these wear what the whole wore. */
#define SUFFIXES "123456789abcdefghijklmnopqrstuvwxyz0"

static size_t stem_of(const char *name) {
    const size_t length = strlen(name);
    return length > 2 && name[length - 2] == '_' ? length - 2 : length;
}

/* Marks the byte that a name has behind the stem and '_', if it is such a one. */
static void mark_suffix(const char *name, size_t length, const char *stem, size_t size,
                        bool used[UINT8_MAX + 1]) {
    if (length == size + 2 && memcmp(name, stem, size) == 0 && name[size] == '_')
        used[(uint8_t)name[size + 1]] = true;
}

static void mark_suffixes(const lm_encoding *encoding, const lm_mesh_pieces *pieces,
                          const char *stem, size_t size, bool used[UINT8_MAX + 1]) {
    for (uint32_t i = 0; i < encoding->take->num_surfaces; i++) {
        const char *name = encoding->take->surfaces[i].name;
        mark_suffix(name, strlen(name), stem, size, used);
    }
    for (uint32_t i = 0; i < pieces->count; i++) {
        const char *name = (const char *)pieces->list[i].name;
        mark_suffix(name, strlen(name), stem, size, used);
    }
}

/* The first part keeps the name; the others get suffixes of their own as long as there are some,
 * and then share it, which engines do not mind. */
static void name_parts(const lm_encoding *encoding, lm_mesh_pieces *pieces, uint32_t first) {
    const char *name = (const char *)pieces->list[first].name, *next = SUFFIXES;
    const size_t size = stem_of(name);
    bool used[UINT8_MAX + 1] = {false};
    if (first + 1 == pieces->count || size + 2 >= LM_MESH_NAME_SIZE)
        return;
    mark_suffixes(encoding, pieces, name, size, used);
    for (uint32_t i = first + 1; i < pieces->count; i++) {
        while (*next && used[(uint8_t)*next])
            next++;
        if (!*next)
            return;
        uint8_t *field = pieces->list[i].name;
        memset(field, 0, LM_MESH_NAME_SIZE);
        memcpy(field, name, size);
        field[size] = '_';
        field[size + 1] = (uint8_t)*next++;
    }
}

/* ---- Pieces --------------------------------------------------------------------------------- */

/* What is made of one surface. */
typedef struct cutting {
    lm_encoding *encoding;
    const welded *w;
    uint32_t *order;           /* triangles, part by part */
    uint32_t *numbers;         /* [w->num_vertices] of the piece at work, LM_UNUSED between two */
    lm_encoded_vertex *places; /* [w->num_vertices] in the file */
} cutting;

/* Renames corners by the order in which they come. Returns how many there are, which `used` then
 * lists; `numbers` is LM_UNUSED before and after. */
static uint32_t number_by_use(uint32_t *corners, size_t count, uint32_t *numbers, uint32_t *used) {
    uint32_t number = 0;
    for (size_t c = 0; c < count; c++) {
        if (numbers[corners[c]] == LM_UNUSED) {
            used[number] = corners[c];
            numbers[corners[c]] = number++;
        }
        corners[c] = numbers[corners[c]];
    }
    for (uint32_t i = 0; i < number; i++)
        numbers[used[i]] = LM_UNUSED;
    return number;
}

/* The piece's corners and, of its vertices, the welded ones: in the order that cards like. */
static bool arrange(const cutting *cut, const uint32_t *triangles, uint32_t count,
                    uint32_t *corners, uint32_t *own, uint32_t *num_vertices) {
    lm_arena *arena = &cut->encoding->arena;
    uint32_t *first = lm_arena_alloc(arena, (uint64_t)count * 3, sizeof *first);
    if (!first)
        return false;
    for (size_t t = 0; t < count; t++)
        memcpy(corners + 3 * t, cut->w->corners + 3 * (size_t)triangles[t], 3 * sizeof *corners);
    const uint32_t number = number_by_use(corners, (size_t)count * 3, cut->numbers, first);
    if (!lm_order_triangles(count, number, corners, NULL, cut->encoding->heap))
        return false;
    *num_vertices = number_by_use(corners, (size_t)count * 3, cut->numbers, own);
    for (uint32_t v = 0; v < number; v++)
        own[v] = first[own[v]];
    return true;
}

/* `index`: of the piece in the file. */
static bool make_piece(const cutting *cut, const uint32_t *list, uint32_t count, uint32_t index,
                       lm_mesh_piece *piece) {
    lm_encoding *encoding = cut->encoding;
    const welded *w = cut->w;
    const lm_take_surface *s = &encoding->take->surfaces[w->surface];
    uint32_t *corners = lm_arena_alloc(&encoding->arena, (uint64_t)count * 3, sizeof *corners);
    uint32_t *own = lm_arena_alloc(&encoding->arena, (uint64_t)count * 3, sizeof *own);
    *piece = (lm_mesh_piece){
        .surface = w->surface, .num_shaders = s->num_materials, .num_triangles = count};
    if (!corners || !own || !arrange(cut, list, count, corners, own, &piece->num_vertices))
        return false;
    uint32_t *vertices = lm_arena_alloc(&encoding->arena, piece->num_vertices, sizeof *vertices);
    for (uint32_t v = 0; vertices && v < piece->num_vertices; v++) {
        vertices[v] = w->vertices[own[v]];
        cut->places[own[v]] = (lm_encoded_vertex){index, v};
    }
    piece->vertices = vertices;
    lm_encode_name(piece->name, sizeof piece->name, s->name);
    return vertices && (piece->triangles = make_triangles(encoding, corners, count)) &&
           (piece->st = make_st(encoding, w, own, piece->num_vertices)) &&
           (piece->rows = make_rows(encoding, w, piece));
}

/* All of the take's vertices that became one of the file's. */
static void say_where(const cutting *cut) {
    const welded *w = cut->w;
    const lm_take_surface *s = &cut->encoding->take->surfaces[w->surface];
    for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
        cut->encoding->vertices[w->surface][s->triangles[c]] = cut->places[w->corners[c]];
}

/* Sorts triangles by their part; ends[i] is where those of part i end. */
static void sort_by_part(const uint32_t *parts, uint32_t count, uint32_t *ends, uint32_t num_parts,
                         uint32_t *order) {
    for (uint32_t t = 0; t < count; t++)
        if (parts[t] + 1 < num_parts)
            ends[parts[t] + 1]++;
    for (uint32_t i = 1; i < num_parts; i++)
        ends[i] += ends[i - 1];
    for (uint32_t t = 0; t < count; t++)
        order[ends[parts[t]]++] = t;
}

static bool make_pieces(const cutting *cut, const uint32_t *parts, uint32_t num_parts,
                        size_t *capacity, lm_mesh_pieces *pieces) {
    lm_arena *arena = &cut->encoding->arena;
    const uint32_t first = pieces->count;
    uint32_t *ends = lm_arena_zeros(arena, num_parts, sizeof *ends);
    const uint8_t *shaders = make_shaders(cut->encoding, cut->w->surface);
    if (!ends || !shaders ||
        !lm_arena_grow(arena, &pieces->list, capacity, (size_t)first + num_parts,
                       sizeof *pieces->list))
        return false;
    const uint32_t count = cut->encoding->take->surfaces[cut->w->surface].num_triangles;
    sort_by_part(parts, count, ends, num_parts, cut->order);
    for (uint32_t i = 0; i < num_parts; i++) {
        const uint32_t begin = i == 0 ? 0 : ends[i - 1];
        lm_mesh_piece *piece = &pieces->list[pieces->count];
        if (!make_piece(cut, cut->order + begin, ends[i] - begin, pieces->count, piece))
            return false;
        piece->shaders = shaders;
        pieces->count++;
    }
    name_parts(cut->encoding, pieces, first);
    say_where(cut);
    return true;
}

/* ---- Limits --------------------------------------------------------------------------------- */

/* What engines draw at once, as their sources test it: below SHADER_MAX_VERTEXES, and below 6 times
 * as many indices. */
static const struct {
    lm_engine engine;
    uint32_t max_vertices, max_triangles;
} drawn[] = {
    {LM_ENGINE_QUAKE3, 999, 1999}, {LM_ENGINE_RTCW, 3999, 7999}, {LM_ENGINE_ET, 9999, 19999}};

static void find_limits(lm_engine engine, lm_engine otherwise, lm_split *split) {
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (drawn[i].engine == engine || drawn[i].engine == otherwise) {
            split->max_vertices = drawn[i].max_vertices;
            split->max_triangles = drawn[i].max_triangles;
            if (drawn[i].engine == engine)
                return;
        }
}

/* Refuses more of something than the engine that was asked for loads; where none was, that is a
 * problem in the report. */
static bool refuse_many(lm_encoding *encoding, const char *what, uint32_t count) {
    lm_format_limit limit;
    for (uint32_t i = 0; lm_format_limits(encoding->format, i, &limit); i++)
        if (!limit.of_surface && limit.engine == encoding->options->engine &&
            strcmp(limit.what, what) == 0 && count > (uint32_t)limit.most)
            return lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                "%u %s, but %s loads at most %d: leave some out, or write for "
                                "any engine",
                                (unsigned)count, what, lm_engine_name(limit.engine),
                                (int)limit.most);
    return true;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static bool cut_surface(lm_encoding *encoding, uint32_t surface, lm_engine engine, size_t *capacity,
                        lm_mesh_pieces *pieces) {
    lm_arena *arena = &encoding->arena;
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    const uint32_t count = s->num_triangles;
    uint32_t num_parts = 1;
    welded w;
    if (!weld_surface(encoding, surface, &w))
        return false;
    const cutting cut = {.encoding = encoding,
                         .w = &w,
                         .order = lm_arena_alloc(arena, count, sizeof *cut.order),
                         .numbers = lm_arena_alloc(arena, w.num_vertices, sizeof *cut.numbers),
                         .places = lm_arena_alloc(arena, w.num_vertices, sizeof *cut.places)};
    uint32_t *parts = lm_arena_zeros(arena, count, sizeof *parts);
    if (!cut.order || !cut.numbers || !cut.places || !parts)
        return false;
    memset(cut.numbers, 0xFF, w.num_vertices * sizeof *cut.numbers);
    lm_split split = {count, w.num_vertices, w.corners, 0, 0};
    find_limits(encoding->options->engine, engine, &split);
    if ((count > split.max_triangles || w.num_vertices > split.max_vertices) &&
        !lm_split_triangles(&split, parts, &num_parts, encoding->heap))
        return false;
    if (strlen(s->name) >= LM_MESH_NAME_SIZE &&
        !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, surface, 0,
                       "surface %u: its name \"%s\" has more than 63 bytes and is shortened",
                       (unsigned)surface, s->name))
        return false;
    return make_pieces(&cut, parts, num_parts, capacity, pieces);
}

bool lm_mesh_encode_pieces(lm_encoding *encoding, lm_engine engine, lm_mesh_pieces *pieces) {
    const lm_take *take = encoding->take;
    size_t capacity = 0;
    *pieces = (lm_mesh_pieces){0, NULL};
    if (!refuse_many(encoding, "frames", take->num_frames) ||
        !refuse_many(encoding, "tags", take->num_tags))
        return false;
    for (uint32_t i = 0; i < take->num_surfaces; i++)
        if (!cut_surface(encoding, i, engine, &capacity, pieces))
            return false;
    return refuse_many(encoding, "surfaces", pieces->count) &&
           lm_encode_say_lost(encoding, LM_HOLDS_NAMES | LM_HOLDS_TAGS | LM_HOLDS_FLAGS);
}

/* ---- Frames --------------------------------------------------------------------------------- */

typedef struct lm_mesh_shape {
    lm_vec3 min, max, centre;
    double radius; /* squared, about the centre */
} lm_mesh_shape;

static lm_vec3 lower(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static lm_vec3 higher(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static void find_box(lm_mesh_shape *shape, const lm_vec3 *row, size_t count) {
    *shape = (lm_mesh_shape){.radius = 0};
    if (count > 0)
        shape->min = shape->max = row[0];
    for (size_t v = 1; v < count; v++) {
        shape->min = lower(shape->min, row[v]);
        shape->max = higher(shape->max, row[v]);
    }
}

static void find_radius(lm_mesh_shape *shape, const lm_vec3 *row, size_t count) {
    const lm_wide centre = lm_wide_of(shape->centre);
    for (size_t v = 0; v < count; v++) {
        const lm_wide away = lm_wide_sum(lm_wide_of(row[v]), centre, -1);
        const double distance = lm_wide_dot(away, away);
        shape->radius = distance > shape->radius ? distance : shape->radius;
    }
}

static void find_shape(const lm_mesh_pieces *pieces, lm_mesh_decode_row *decode,
                       const void *context, uint32_t frame, lm_vec3 *row, lm_mesh_shape *shape) {
    float radius;
    size_t count = 0;
    for (uint32_t i = 0; i < pieces->count; count += pieces->list[i++].num_vertices)
        decode(context, i, frame, row + count);
    find_box(shape, row, count);
    lm_box_sphere(shape->min, shape->max, &shape->centre, &radius);
    find_radius(shape, row, count);
}

static bool name_frame(lm_encoding *encoding, uint32_t frame, lm_mesh_frame *out) {
    const char *name = encoding->take->frame_names[frame];
    return lm_encode_name((uint8_t *)out->name, sizeof out->name, name) ||
           lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, 0, frame,
                         "frame %u: its name \"%s\" has more than 15 bytes and is shortened",
                         (unsigned)frame, name);
}

bool lm_mesh_encode_frames(lm_encoding *encoding, const lm_mesh_pieces *pieces,
                           lm_mesh_decode_row *decode, const void *context, const uint8_t **lump) {
    const uint32_t num_frames = encoding->take->num_frames;
    uint64_t count = 0;
    for (uint32_t i = 0; i < pieces->count; i++)
        count += pieces->list[i].num_vertices;
    lm_vec3 *row = lm_arena_alloc(&encoding->arena, count, sizeof *row);
    uint8_t *out = lm_arena_alloc(&encoding->arena, num_frames, LM_MESH_FRAME_SIZE);
    *lump = out;
    if (!row || !out)
        return false;
    for (uint32_t f = 0; f < num_frames; f++, out += LM_MESH_FRAME_SIZE) {
        lm_mesh_shape shape;
        find_shape(pieces, decode, context, f, row, &shape);
        lm_mesh_frame frame = {shape.min, shape.max, shape.centre, (float)sqrt(shape.radius), {0}};
        if (!name_frame(encoding, f, &frame))
            return false;
        lm_mesh_put_frame(out, &frame);
    }
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

bool lm_mesh_encode_tag_name(lm_encoding *encoding, uint32_t tag,
                             uint8_t field[LM_MESH_NAME_SIZE]) {
    const char *name = encoding->take->tags[tag].name;
    return lm_encode_name(field, LM_MESH_NAME_SIZE, name) ||
           lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, 0, tag,
                         "tag %u: its name \"%s\" has more than 63 bytes and is shortened",
                         (unsigned)tag, name);
}
