/* Tick's torch, an MDL: one unlit frame, and a group of frames that flickers with times of its own.
 *
 * It is a tube of rings around z. The skin shows it from the front on its left half and from the
 * back on its right half, as in Quake's models: vertices at the sides are on the seam. */
#include "elements.h"
#include "tick.h"

#include "lerpmesh/base.h"
#include "lerpmesh/mdl.h"

#include <string.h>

enum {
    SIDES = 8,
    RINGS = 11,
    FIRST_FLAME = 6, /* ring */
    VERTS = SIDES * RINGS + 2,
    TRIS = SIDES * 2 * RINGS,
    FLAMES = 6,
    POSES = 1 + FLAMES,
    WIDTH = 64,
    HEIGHT = 64,
    POSE_SIZE = LM_MDL_POSE_HEADER_SIZE + VERTS * LM_MDL_VERTEX_SIZE
};

#define BOTTOM (-20.0f)
#define TOP 28.0f
#define REACH 8.0f /* largest distance from the axis */

/* Height and radius of each ring: the handle, the bowl, the flame. */
static const float rings[RINGS][2] = {{-19, 1.2f}, {2, 1.6f},    {3, 3},    {6, 4.6f},
                                      {8, 5.2f},   {8.5f, 4.6f}, {9, 3.8f}, {12, 4.2f},
                                      {16, 3.4f},  {20, 2.2f},   {24, 1}};

/* Each flame's length and lean, and its duration. */
static const struct {
    float length, lean, seconds;
} flames[FLAMES] = {{0.9f, 0, 0.1f}, {1.15f, 1.2f, 0.15f}, {0.8f, 2, 0.05f},
                    {1, 0.4f, 0.2f}, {1.2f, -1.4f, 0.1f},  {0.7f, -0.6f, 0.1f}};

/* ---- Shape ----------------------------------------------------------------------------------- */

/* Returns vertex `side` of a ring; the last two vertices are the ends. `flame` < 0: unlit. */
static lm_vec3 vertex_position(int vertex, int flame) {
    const int ring = vertex / SIDES;
    const float angle = 45.0f * (float)(vertex % SIDES);
    float z = vertex == VERTS - 1 ? TOP - 2 : vertex == VERTS - 2 ? BOTTOM : rings[ring][0];
    float radius = vertex >= VERTS - 2 ? 0 : rings[ring][1], lean = 0;
    if (flame < 0 && (ring >= FIRST_FLAME) && vertex != VERTS - 2) {
        z = 8; /* inside the bowl */
        radius *= 0.5f;
    } else if (flame >= 0 && ring >= FIRST_FLAME && vertex != VERTS - 2) {
        const float height = (z - 9) * flames[flame].length;
        lean = flames[flame].lean * height / 15;
        z = 9 + (height < TOP - 9 ? height : TOP - 9);
    }
    return (lm_vec3){multiply_add(radius, cosine(angle), lean), radius * sine(angle), z};
}

static uint8_t pack(float value, float scale, float translate) {
    return (uint8_t)nearest((value - translate) / scale);
}

/* Points away from the axis, and upwards where the tube narrows. */
static lm_vec3 direction(int vertex) {
    const int ring = vertex / SIDES;
    const float angle = 45.0f * (float)(vertex % SIDES);
    if (vertex >= VERTS - 2)
        return (lm_vec3){0, 0, vertex == VERTS - 1 ? 1 : -1};
    const int below = ring > 0 ? ring - 1 : ring, above = ring + 1 < RINGS ? ring + 1 : ring;
    const float narrows = (rings[below][1] - rings[above][1]) / (rings[above][0] - rings[below][0]);
    return (lm_vec3){cosine(angle), sine(angle), narrows};
}

static void put_pose(const lm_mdl *mdl, int flame, const char *name, uint8_t *out) {
    lm_mdl_pose pose = {{{255, 255, 255}, 0}, {{0, 0, 0}, 0}, {0}};
    memcpy(pose.name, name, strlen(name));
    for (int v = 0; v < VERTS; v++) {
        const lm_vec3 at = vertex_position(v, flame), away = direction(v);
        const float size = length(away);
        const lm_vec3 normal = {away.x / size, away.y / size, away.z / size};
        const lm_mdl_vertex vertex = {{pack(at.x, mdl->scale.x, mdl->translate.x),
                                       pack(at.y, mdl->scale.y, mdl->translate.y),
                                       pack(at.z, mdl->scale.z, mdl->translate.z)},
                                      lm_nearest_normal_162(&normal)};
        for (int i = 0; i < 3; i++) {
            pose.min.v[i] = vertex.v[i] < pose.min.v[i] ? vertex.v[i] : pose.min.v[i];
            pose.max.v[i] = vertex.v[i] > pose.max.v[i] ? vertex.v[i] : pose.max.v[i];
        }
        lm_mdl_put_vertex(out + LM_MDL_POSE_HEADER_SIZE + v * LM_MDL_VERTEX_SIZE, &vertex);
    }
    lm_mdl_put_pose(out, &pose);
}

/* ---- Skin ------------------------------------------------------------------------------------ */

/* Returns a vertex's position on the skin: as seen from the front; on the back, half a skin further
 * right. */
static void put_st(uint8_t *out) {
    for (int v = 0; v < VERTS; v++) {
        const lm_vec3 at = vertex_position(v, v / SIDES >= FIRST_FLAME || v == VERTS - 1 ? 3 : -1);
        const int side = v % SIDES;
        const bool back = v < VERTS - 2 && side > 2 && side < 6;
        const bool onseam = v >= VERTS - 2 || side == 2 || side == 6;
        const float left = WIDTH / 4.0f + at.y / REACH * (WIDTH / 4.0f - 2);
        const float down = (TOP - at.z) / (TOP - BOTTOM) * (HEIGHT - 1);
        lm_mdl_put_st(
            out + v * LM_MDL_ST_SIZE,
            &(lm_mdl_st){onseam ? 32 : 0, nearest(left) + (back ? WIDTH / 2 : 0), nearest(down)});
    }
}

static void put_triangle(uint8_t **out, bool front, int a, int b, int c) {
    lm_mdl_put_triangle(*out, &(lm_mdl_triangle){front, {a, b, c}});
    *out += LM_MDL_TRIANGLE_SIZE;
}

static void put_triangles(uint8_t *out) {
    for (int side = 0; side < SIDES; side++) {
        const bool front = side < 2 || side >= 6;
        const int next = (side + 1) % SIDES, last = SIDES * (RINGS - 1);
        put_triangle(&out, front, VERTS - 2, side, next);
        for (int ring = 0; ring + 1 < RINGS; ring++) {
            const int low = ring * SIDES, high = low + SIDES;
            put_triangle(&out, front, low + side, high + side, low + next);
            put_triangle(&out, front, low + next, high + side, high + next);
        }
        put_triangle(&out, front, last + side, VERTS - 1, last + next);
    }
}

/* Colours of Quake's palette: black to white from 0, browns from 16, embers to fire from 224. */
static void paint(bool lit, int flicker, uint8_t *pixels) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float z = TOP - (TOP - BOTTOM) * (float)y / (HEIGHT - 1);
            const int grain = (x * 7 + y * 3 + x * y) % 5;
            int colour = 17 + grain + (x % (WIDTH / 2)) / 8; /* wood */
            if (z > 2)
                colour = 3 + grain / 2 + (y % 6 == 0 ? 3 : 0); /* iron */
            if (z > 8.7f)
                colour = lit ? 235 - (int)(z - 9) / 2 + (x + y + flicker) % 2 : 1;
            pixels[y * WIDTH + x] = (uint8_t)colour;
        }
}

/* ---- The file -------------------------------------------------------------------------------- */

bool make_mdl(lm_buffer *out, lm_error *error) {
    static const char *const names[POSES] = {"unlit1", "flame1", "flame2", "flame3",
                                             "flame4", "flame5", "flame6"};
    static uint8_t st[VERTS * LM_MDL_ST_SIZE], tris[TRIS * LM_MDL_TRIANGLE_SIZE];
    static uint8_t poses[POSES * POSE_SIZE], pixels[3 * WIDTH * HEIGHT];
    uint8_t times[FLAMES * LM_MDL_TIME_SIZE], flicker[2 * LM_MDL_TIME_SIZE];
    uint8_t bounds[LM_MDL_BOUNDS_SIZE] = {0, 0, 0, 0, 255, 255, 255, 0};
    lm_mdl_skin skins[] = {{1, 2, flicker, pixels}, {0, 1, NULL, pixels + 2 * WIDTH * HEIGHT}};
    lm_mdl_frame frames[] = {{0, 1, NULL, NULL, poses},
                             {1, FLAMES, bounds, times, poses + POSE_SIZE}};
    const lm_mdl mdl = {.scale = {REACH / 127, REACH / 127, (TOP - BOTTOM) / 255},
                        .translate = {-REACH, -REACH, BOTTOM},
                        .radius = TOP,
                        .num_skins = 2,
                        .skinwidth = WIDTH,
                        .skinheight = HEIGHT,
                        .num_verts = VERTS,
                        .num_tris = TRIS,
                        .num_frames = 2,
                        .synctype = 1,
                        .size = 4,
                        .skins = skins,
                        .st = st,
                        .tris = tris,
                        .frames = frames};
    float end = 0;
    for (int i = 0; i < FLAMES; i++)
        lm_mdl_put_time(times + i * LM_MDL_TIME_SIZE, end += flames[i].seconds);
    for (int i = 0; i < 2; i++)
        lm_mdl_put_time(flicker + i * LM_MDL_TIME_SIZE, 0.1f * (float)(i + 1));
    for (int i = 0; i < POSES; i++)
        put_pose(&mdl, i - 1, names[i], poses + i * POSE_SIZE);
    for (int i = 0; i < 3; i++)
        paint(i < 2, i, pixels + i * WIDTH * HEIGHT);
    put_st(st);
    put_triangles(tris);
    return lm_mdl_write(&mdl, out, error);
}
