/* From a take to an MD3. */
#include "core/bytes.h"
#include "encode/encoding.h"
#include "encode/trajectory.h"
#include "formats/md3/md3_format.h"
#include "lerpmesh/normals.h"
#include "model/build.h"
#include "model/weld.h"

#include <math.h>
#include <string.h>

/* A position's steps: 64 a unit. */
#define STEPS 64.0
#define MOST_STEPS 32767

/* ---- Surfaces ------------------------------------------------------------------------------- */

static bool encode_position(lm_encoding *encoding, uint32_t surface, uint32_t frame,
                            uint32_t vertex, int16_t out[3]) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    const float *p = s->positions + 3 * ((size_t)frame * s->num_vertices + vertex);
    for (int i = 0; i < 3; i++) {
        const double steps = floor((double)p[i] * STEPS + 0.5);
        if (fabs(steps) > MOST_STEPS)
            return lm_encode_fail(encoding, LM_CODE_LIMIT,
                                  "surface %u: vertex %u is at %g in frame %u, but the format "
                                  "reaches from -511.98 to 511.98 units; make the model smaller",
                                  (unsigned)surface, (unsigned)vertex, (double)p[i],
                                  (unsigned)frame);
        out[i] = (int16_t)steps;
    }
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

/* A surface on its way: each of its vertices is one of the take's with one texture coordinate. */
typedef struct lm_md3_piece {
    uint32_t num_vertices;
    uint32_t *corners;  /* [3 * num_triangles] the file's vertices */
    uint32_t *vertices; /* [num_vertices] of the take */
    uint32_t *st;       /* [num_vertices] of the take; LM_UNUSED: none */
    uint16_t *normals;  /* [num_frames * the take's vertices] */
} lm_md3_piece;

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
static bool weld_surface(lm_encoding *encoding, const lm_take_surface *s, lm_md3_piece *piece) {
    lm_arena *arena = &encoding->arena;
    const size_t corners = (size_t)s->num_triangles * 3;
    uint32_t num_ids = 0, *ids = piece->corners;
    uint32_t *firsts = lm_arena_alloc(arena, s->num_vertices, sizeof *firsts);
    uint32_t *st_ids = lm_arena_alloc(arena, s->num_st, sizeof *st_ids);
    uint64_t *keys = lm_arena_alloc(arena, corners, sizeof *keys);
    uint32_t *numbers = lm_arena_alloc(arena, corners, sizeof *numbers);
    if (!firsts || !st_ids || !keys || !numbers || !rank_st(encoding, s, st_ids) ||
        !lm_weld_trajectories(encoding->take->num_frames, s->num_vertices, s->positions,
                              piece->normals, firsts, encoding->heap))
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
            piece->vertices[piece->num_vertices] = firsts[s->triangles[c]];
            piece->st[piece->num_vertices] = s->num_st > 0 ? s->st_triangles[c] : LM_UNUSED;
            *number = piece->num_vertices++;
        }
        ids[c] = *number;
    }
    return true;
}

static bool plan_surface(lm_encoding *encoding, const lm_take_surface *s, lm_md3_piece *piece) {
    lm_arena *arena = &encoding->arena;
    const uint64_t corners = (uint64_t)s->num_triangles * 3;
    *piece = (lm_md3_piece){
        .corners = lm_arena_alloc(arena, corners, sizeof(uint32_t)),
        .vertices = lm_arena_alloc(arena, corners, sizeof(uint32_t)),
        .st = lm_arena_alloc(arena, corners, sizeof(uint32_t)),
        .normals = lm_arena_alloc(arena, (uint64_t)encoding->take->num_frames * s->num_vertices,
                                  sizeof(uint16_t))};
    if (!piece->corners || !piece->vertices || !piece->st || !piece->normals)
        return false;
    find_normals(s, encoding->take->num_frames, piece->normals);
    return weld_surface(encoding, s, piece);
}

static bool fill_vertices(lm_encoding *encoding, uint32_t surface, const lm_md3_piece *piece,
                          uint8_t *out) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    for (uint32_t f = 0; f < encoding->take->num_frames; f++)
        for (uint32_t v = 0; v < piece->num_vertices; v++, out += LM_MD3_XYZ_NORMAL_SIZE) {
            lm_md3_xyz_normal vertex;
            if (!encode_position(encoding, surface, f, piece->vertices[v], vertex.v))
                return false;
            vertex.normal = piece->normals[(size_t)f * s->num_vertices + piece->vertices[v]];
            lm_md3_put_xyz_normal(out, &vertex);
        }
    return true;
}

static void fill_st(const lm_take_surface *s, const lm_md3_piece *piece, uint8_t *out) {
    for (uint32_t v = 0; v < piece->num_vertices; v++, out += LM_MD3_ST_SIZE) {
        lm_vec2 st = {0, 0};
        if (piece->st[v] != LM_UNUSED)
            memcpy(&st, s->st + 2 * (size_t)piece->st[v], sizeof st);
        lm_md3_put_st(out, &st);
    }
}

static bool fill_shaders(lm_encoding *encoding, uint32_t surface, uint8_t *out) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    for (uint32_t m = 0; m < s->num_materials; m++, out += LM_MD3_SHADER_SIZE) {
        memset(out, 0, LM_MD3_SHADER_SIZE);
        if (!lm_encode_name(out, LM_MD3_NAME_SIZE, s->materials[m].name) &&
            !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, surface, m,
                           "surface %u: the shader's name \"%s\" has more than 63 bytes and is "
                           "shortened",
                           (unsigned)surface, s->materials[m].name))
            return false;
    }
    return true;
}

/* All of the take's vertices that became one of the file's. */
static void say_where(lm_encoding *encoding, uint32_t surface, uint32_t file_surface,
                      const lm_md3_piece *piece) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
        encoding->vertices[surface][s->triangles[c]] =
            (lm_encoded_vertex){file_surface, piece->corners[c]};
}

static bool fill_surface(lm_encoding *encoding, uint32_t surface, lm_md3_surface *out) {
    const lm_take_surface *s = &encoding->take->surfaces[surface];
    lm_arena *arena = &encoding->arena;
    lm_md3_piece piece;
    if (!plan_surface(encoding, s, &piece))
        return false;
    const uint64_t vertices = (uint64_t)encoding->take->num_frames * piece.num_vertices;
    uint8_t *triangles = lm_arena_alloc(arena, s->num_triangles, LM_MD3_TRIANGLE_SIZE);
    uint8_t *shaders = lm_arena_alloc(arena, s->num_materials, LM_MD3_SHADER_SIZE);
    uint8_t *st = lm_arena_alloc(arena, piece.num_vertices, LM_MD3_ST_SIZE);
    uint8_t *xyz_normals = lm_arena_alloc(arena, vertices, LM_MD3_XYZ_NORMAL_SIZE);
    if (!triangles || !shaders || !st || !xyz_normals)
        return false;
    *out = (lm_md3_surface){.ident = LM_MD3_IDENT,
                            .num_frames = (int32_t)encoding->take->num_frames,
                            .num_shaders = (int32_t)s->num_materials,
                            .num_verts = (int32_t)piece.num_vertices,
                            .num_triangles = (int32_t)s->num_triangles,
                            .triangles = triangles,
                            .shaders = shaders,
                            .st = st,
                            .xyz_normals = xyz_normals};
    for (size_t t = 0; t < s->num_triangles; t++)
        lm_md3_put_triangle(triangles + t * LM_MD3_TRIANGLE_SIZE, piece.corners + 3 * t);
    fill_st(s, &piece, st);
    say_where(encoding, surface, surface, &piece);
    if (!lm_encode_name(out->name, sizeof out->name, s->name) &&
        !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, surface, 0,
                       "surface %u: its name \"%s\" has more than 63 bytes and is shortened",
                       (unsigned)surface, s->name))
        return false;
    return fill_shaders(encoding, surface, shaders) &&
           fill_vertices(encoding, surface, &piece, xyz_normals);
}

/* ---- Frames --------------------------------------------------------------------------------- */

/* The box of what is drawn in a frame, as readers decode it. */
static void find_box(const lm_md3 *md3, uint32_t frame, int16_t low[3], int16_t high[3]) {
    bool any = false;
    for (int32_t s = 0; s < md3->num_surfaces; s++)
        for (int32_t v = 0; v < md3->surfaces[s].num_verts; v++) {
            lm_md3_xyz_normal vertex;
            lm_md3_get_xyz_normal(&md3->surfaces[s], (int32_t)frame, v, &vertex);
            for (int i = 0; i < 3; i++) {
                low[i] = !any || vertex.v[i] < low[i] ? vertex.v[i] : low[i];
                high[i] = !any || vertex.v[i] > high[i] ? vertex.v[i] : high[i];
            }
            any = true;
        }
}

static float find_radius(const lm_md3 *md3, uint32_t frame, lm_vec3 origin) {
    double most = 0;
    for (int32_t s = 0; s < md3->num_surfaces; s++)
        for (int32_t v = 0; v < md3->surfaces[s].num_verts; v++) {
            lm_md3_xyz_normal at;
            lm_md3_get_xyz_normal(&md3->surfaces[s], (int32_t)frame, v, &at);
            const double x = at.v[0] / STEPS - (double)origin.x,
                         y = at.v[1] / STEPS - (double)origin.y,
                         z = at.v[2] / STEPS - (double)origin.z;
            most = fmax(most, x * x + y * y + z * z);
        }
    return (float)sqrt(most);
}

static bool fill_frames(lm_encoding *encoding, lm_md3 *md3) {
    const lm_take *take = encoding->take;
    uint8_t *out = lm_arena_alloc(&encoding->arena, take->num_frames, LM_MD3_FRAME_SIZE);
    md3->frames = out;
    for (uint32_t f = 0; out && f < take->num_frames; f++, out += LM_MD3_FRAME_SIZE) {
        int16_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        lm_md3_frame frame;
        find_box(md3, f, low, high);
        frame.bbox_min = (lm_vec3){low[0] / 64.0f, low[1] / 64.0f, low[2] / 64.0f};
        frame.bbox_max = (lm_vec3){high[0] / 64.0f, high[1] / 64.0f, high[2] / 64.0f};
        lm_box_sphere(frame.bbox_min, frame.bbox_max, &frame.local_origin, &frame.radius);
        frame.radius = find_radius(md3, f, frame.local_origin);
        if (!lm_encode_name((uint8_t *)frame.name, sizeof frame.name, take->frame_names[f]) &&
            !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, 0, f,
                           "frame %u: its name \"%s\" has more than 15 bytes and is shortened",
                           (unsigned)f, take->frame_names[f]))
            return false;
        lm_md3_put_frame(out, &frame);
    }
    return md3->frames != NULL;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

static bool fill_tags(lm_encoding *encoding, lm_md3 *md3) {
    const lm_take *take = encoding->take;
    uint8_t *out = lm_arena_alloc(&encoding->arena, (uint64_t)take->num_frames * take->num_tags,
                                  LM_MD3_TAG_SIZE);
    md3->tags = out;
    for (uint32_t f = 0; out && f < take->num_frames; f++)
        for (uint32_t t = 0; t < take->num_tags; t++, out += LM_MD3_TAG_SIZE) {
            lm_md3_tag tag = {.origin = take->tags[t].poses[f].origin};
            memcpy(tag.axis, take->tags[t].poses[f].axis, sizeof tag.axis);
            if (!lm_encode_name(tag.name, sizeof tag.name, take->tags[t].name) && f == 0 &&
                !lm_encode_say(encoding, LM_CODE_NAME_SHORTENED, 0, t,
                               "tag %u: its name \"%s\" has more than 63 bytes and is shortened",
                               (unsigned)t, take->tags[t].name))
                return false;
            lm_md3_put_tag(out, &tag);
        }
    return md3->tags != NULL;
}

bool lm_md3_encode(lm_encoding *encoding, lm_buffer *out) {
    const lm_take *take = encoding->take;
    lm_md3 md3 = {.num_frames = (int32_t)take->num_frames,
                  .num_tags = (int32_t)take->num_tags,
                  .num_surfaces = (int32_t)take->num_surfaces};
    md3.surfaces = lm_arena_alloc(&encoding->arena, take->num_surfaces, sizeof *md3.surfaces);
    if (!md3.surfaces)
        return false;
    lm_encode_name(md3.name, sizeof md3.name, take->name);
    for (uint32_t i = 0; i < take->num_surfaces; i++)
        if (!fill_surface(encoding, i, &md3.surfaces[i]))
            return false;
    if (!fill_frames(encoding, &md3) || !fill_tags(encoding, &md3))
        return false;
    encoding->failed = !lm_md3_write(&md3, out, encoding->error);
    return !encoding->failed;
}
