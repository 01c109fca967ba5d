#include "formats/vertex_mesh/vertex_mesh_encode.h"

#include "encode/trajectory.h"
#include "lerpmesh/normals.h"
#include "model/build.h"
#include "model/weld.h"
#include "sample/vectors.h"

/* ---- Vertices ------------------------------------------------------------------------------- */

#define STEPS 64.0 /* a unit */
#define MOST_STEPS 32767

bool lm_mesh_round(double units, int16_t *steps) {
    const double nearest = floor(units * STEPS + 0.5);
    if (!(fabs(nearest) <= MOST_STEPS))
        return false;
    *steps = (int16_t)nearest;
    return true;
}

static bool round_position(lm_encoding *encoding, uint32_t surface, uint32_t frame, uint32_t vertex,
                           int16_t out[3]) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    const float *p = s->positions + 3 * ((size_t)frame * s->num_vertices + vertex);
    for (int i = 0; i < 3; i++)
        if (!lm_mesh_round((double)p[i], &out[i]))
            return lm_encode_fail(encoding, LM_CODE_LIMIT,
                                  "surface %u: vertex %u is at %g in frame %u, but the format "
                                  "reaches from -511.98 to 511.98 units; make the model smaller",
                                  (unsigned)surface, (unsigned)vertex, (double)p[i],
                                  (unsigned)frame);
    return true;
}

/* The normals' numbers, of every vertex in every frame. */
static void find_normals(const lm_take_surface *s, uint32_t num_frames, uint16_t *normals) {
    const float *p = s->normals;
    for (size_t i = 0; i < (size_t)num_frames * s->num_vertices; i++, p += 3) {
        uint8_t rho, sigma;
        lm_nearest_normal_angles(&(lm_vec3){p[0], p[1], p[2]}, &rho, &sigma);
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
    for (uint32_t m = 0; lump && m < s->num_materials; m++)
        if (!lm_encode_name(lump + (size_t)m * LM_MESH_SHADER_SIZE, LM_MESH_NAME_SIZE,
                            s->materials[m].name) &&
            !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, surface, m,
                           "surface %u: the shader's name \"%s\" has more than 63 bytes and is "
                           "shortened",
                           (unsigned)surface, s->materials[m].name))
            return NULL;
    return lump;
}

/* ---- Pieces --------------------------------------------------------------------------------- */

/* All of the take's vertices that became one of the piece's. */
static void say_where(lm_encoding *encoding, const welded *w, uint32_t index) {
    const lm_take_surface *s = &encoding->take->surfaces[w->surface];
    for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
        encoding->vertices[w->surface][s->triangles[c]] = (lm_encoded_vertex){index, w->corners[c]};
}

static bool make_piece(lm_encoding *encoding, const welded *w, lm_mesh_piece *piece) {
    const lm_take_surface *s = &encoding->take->surfaces[w->surface];
    uint32_t *own = lm_arena_alloc(&encoding->arena, w->num_vertices, sizeof *own);
    for (uint32_t v = 0; own && v < w->num_vertices; v++)
        own[v] = v;
    *piece = (lm_mesh_piece){.surface = w->surface,
                             .num_shaders = s->num_materials,
                             .num_vertices = w->num_vertices,
                             .num_triangles = s->num_triangles,
                             .vertices = w->vertices};
    if (!own || !(piece->triangles = make_triangles(encoding, w->corners, s->num_triangles)) ||
        !(piece->st = make_st(encoding, w, own, piece->num_vertices)) ||
        !(piece->shaders = make_shaders(encoding, w->surface)) ||
        !(piece->rows = make_rows(encoding, w, piece)))
        return false;
    return lm_encode_name(piece->name, sizeof piece->name, s->name) ||
           lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, w->surface, 0,
                         "surface %u: its name \"%s\" has more than 63 bytes and is shortened",
                         (unsigned)w->surface, s->name);
}

bool lm_mesh_encode_pieces(lm_encoding *encoding, lm_mesh_pieces *pieces) {
    const uint32_t count = encoding->take->num_surfaces;
    *pieces =
        (lm_mesh_pieces){count, lm_arena_alloc(&encoding->arena, count, sizeof *pieces->list)};
    bool done = pieces->list != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        welded w;
        done = weld_surface(encoding, i, &w) && make_piece(encoding, &w, &pieces->list[i]);
        if (done)
            say_where(encoding, &w, i);
    }
    return done;
}

/* ---- Frames --------------------------------------------------------------------------------- */

typedef struct lm_mesh_shape {
    bool any;
    lm_vec3 min, max, centre;
    double radius; /* squared, about the centre */
} lm_mesh_shape;

static void grow_box(lm_mesh_shape *shape, const lm_vec3 *row, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        const lm_vec3 p = row[v];
        if (!shape->any)
            shape->min = shape->max = p;
        shape->any = true;
        shape->min =
            (lm_vec3){fminf(shape->min.x, p.x), fminf(shape->min.y, p.y), fminf(shape->min.z, p.z)};
        shape->max =
            (lm_vec3){fmaxf(shape->max.x, p.x), fmaxf(shape->max.y, p.y), fmaxf(shape->max.z, p.z)};
    }
}

static void grow_radius(lm_mesh_shape *shape, const lm_vec3 *row, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        const lm_wide away = lm_wide_sum(lm_wide_of(row[v]), lm_wide_of(shape->centre), -1);
        shape->radius = fmax(shape->radius, lm_wide_dot(away, away));
    }
}

static void find_shape(const lm_mesh_pieces *pieces, lm_mesh_decode_row *decode,
                       const void *context, uint32_t frame, lm_vec3 *row, lm_mesh_shape *shape) {
    float radius;
    *shape = (lm_mesh_shape){.any = false};
    for (uint32_t i = 0; i < pieces->count; i++) {
        decode(context, i, frame, row);
        grow_box(shape, row, pieces->list[i].num_vertices);
    }
    lm_box_sphere(shape->min, shape->max, &shape->centre, &radius);
    for (uint32_t i = 0; i < pieces->count; i++) {
        decode(context, i, frame, row);
        grow_radius(shape, row, pieces->list[i].num_vertices);
    }
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
    uint32_t most = 0;
    for (uint32_t i = 0; i < pieces->count; i++)
        most = pieces->list[i].num_vertices > most ? pieces->list[i].num_vertices : most;
    lm_vec3 *row = lm_arena_alloc(&encoding->arena, most, sizeof *row);
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
