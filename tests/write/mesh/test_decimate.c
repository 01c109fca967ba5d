/* Tests meshes with fewer triangles: their number, and that nothing tears, flips or moves. */

#include "support.h"

enum {
    SIDE = 12, /* squares of a sheet */
    FRAMES = 3,
    POINTS = (SIDE + 1) * (SIDE + 1),
    TRIANGLES = 2 * SIDE * SIDE
};

/* A square sheet: flat, then bent along its middle, then waved (`wild`) or bent differently. */
typedef struct sheet {
    float positions[FRAMES * POINTS * 3], st[POINTS * 2];
    uint32_t triangles[TRIANGLES * 3];
    lm_transform poses[FRAMES];
    lm_mesh_tag tag;
    lm_mesh_surface surface;
    lm_mesh mesh;
} sheet;

static bool same_floats(const float *a, const float *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(a[i] == b[i]))
            return false;
    return true;
}

static void make_sheet(sheet *s, bool wild) {
    memset(s, 0, sizeof *s);
    for (uint32_t f = 0; f < FRAMES; f++)
        for (uint32_t i = 0; i < POINTS; i++) {
            const uint32_t column = i % (SIDE + 1), row = i / (SIDE + 1);
            const float x = (float)column, y = (float)row;
            const float bent = fabsf(x - (float)SIDE / 2) * (float)f;
            float *p = s->positions + 3 * (f * POINTS + i);
            p[0] = x;
            p[1] = y;
            p[2] = wild ? sinf(x * 0.7f + (float)f) + cosf(y * 0.9f) : bent;
            s->st[2 * i] = x / SIDE;
            s->st[2 * i + 1] = y / SIDE;
        }
    for (uint32_t t = 0; t < SIDE * SIDE; t++) {
        const uint32_t a = t % SIDE + t / SIDE * (SIDE + 1);
        const uint32_t corners[6] = {a, a + SIDE + 1, a + 1, a + 1, a + SIDE + 1, a + SIDE + 2};
        memcpy(s->triangles + (size_t)6 * t, corners, sizeof corners);
    }
    s->tag = (lm_mesh_tag){.name = "tag_top", .poses = s->poses};
    s->surface = MESH_SURFACE(POINTS, s->positions, TRIANGLES, s->triangles, .name = "sheet",
                              .num_st = POINTS, .st = s->st);
    s->mesh = MESH_OF(FRAMES, 1, &s->surface, .name = "paper", .num_tags = 1, .tags = &s->tag);
}

static lm_mesh *decimate(const lm_mesh *mesh, uint32_t triangles) {
    lm_error error;
    lm_mesh *made = lm_mesh_decimate(mesh, triangles, NULL, &error);
    assert_done(made, error);
    assert_true(lm_mesh_check(made, &error));
    return made;
}

static uint32_t count_triangles(const lm_mesh *mesh) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_triangles;
    return count;
}

static const float *point_of(const lm_mesh_surface *s, uint32_t frame, size_t corner) {
    return s->positions + 3 * ((size_t)frame * s->num_vertices + s->triangles[corner]);
}

/* Returns twice a triangle's directed area. */
static void normal_of(const lm_mesh_surface *s, uint32_t frame, uint32_t triangle, double out[3]) {
    const float *p = point_of(s, frame, 3 * (size_t)triangle),
                *q = point_of(s, frame, 3 * (size_t)triangle + 1),
                *r = point_of(s, frame, 3 * (size_t)triangle + 2);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = ((double)q[j] - (double)p[j]) * ((double)r[k] - (double)p[k]) -
                 ((double)q[k] - (double)p[k]) * ((double)r[j] - (double)p[j]);
    }
}

static double area_of(const lm_mesh *mesh, uint32_t frame) {
    double sum = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (uint32_t t = 0; t < mesh->surfaces[i].num_triangles; t++) {
            double n[3];
            normal_of(&mesh->surfaces[i], frame, t, n);
            sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
        }
    return sum;
}

/* Checks that every remaining vertex moves exactly as an original one. */
static void assert_vertices_are_original(const lm_mesh *made, const lm_mesh *mesh) {
    for (uint32_t i = 0; i < made->num_surfaces; i++) {
        const lm_mesh_surface *s = &made->surfaces[i], *old = &mesh->surfaces[i];
        for (uint32_t v = 0; v < s->num_vertices; v++) {
            bool found = false;
            for (uint32_t w = 0; w < old->num_vertices && !found; w++) {
                found = true;
                for (size_t f = 0; f < mesh->num_frames && found; f++)
                    found = same_floats(s->positions + 3 * (f * s->num_vertices + v),
                                        old->positions + 3 * (f * old->num_vertices + w), 3);
            }
            assert_true(found);
        }
    }
}

/* ---- Sheets --------------------------------------------------------------------------------- */

/* Areas that are planar in all frames need only the triangles of their outline and folds. They
 * shrink down to two triangles on each side of the fold, without a change of area. */
TEST(test_folds_and_borders_stay) {
    static sheet s;
    make_sheet(&s, false);
    for (uint32_t wanted = TRIANGLES; wanted >= 4; wanted -= 4) {
        OWNED(lm_mesh) *made = decimate(&s.mesh, wanted);
        assert_int_equal(count_triangles(made), wanted);
        assert_vertices_are_original(made, &s.mesh);
        for (uint32_t f = 0; f < FRAMES; f++)
            if (fabs(area_of(made, f) - area_of(&s.mesh, f)) > 1e-3)
                fail_msg("%u triangles: %g instead of %g in frame %u", (unsigned)wanted,
                         area_of(made, f), area_of(&s.mesh, f), (unsigned)f);
        /* Texture coordinates stay at their vertices. */
        const lm_mesh_surface *now = &made->surfaces[0];
        for (size_t c = 0; c < (size_t)now->num_triangles * 3; c++) {
            const float *st = now->st + 2 * (size_t)now->st_triangles[c], *p = point_of(now, 0, c);
            assert_true(fabsf(st[0] * SIDE - p[0]) < 1e-4f && fabsf(st[1] * SIDE - p[1]) < 1e-4f);
        }
    }
}

/* No triangle of a height field flips, and every number of triangles is reached: borders allow
 * removing one at a time. */
TEST(test_no_triangle_flips) {
    static sheet s;
    make_sheet(&s, true);
    for (uint32_t wanted = TRIANGLES - 1; wanted > 40; wanted -= 7) {
        OWNED(lm_mesh) *made = decimate(&s.mesh, wanted);
        assert_int_equal(count_triangles(made), wanted);
        for (uint32_t f = 0; f < FRAMES; f++)
            for (uint32_t t = 0; t < wanted; t++) {
                double before[3], n[3];
                normal_of(&s.surface, f, 0, before);
                normal_of(&made->surfaces[0], f, t, n);
                assert_true(n[2] * before[2] > 0);
            }
    }
}

TEST(test_other_data_is_unchanged) {
    static sheet s;
    static const char *const names[FRAMES] = {"flat01", "bent01", "bent02"};
    const lm_clip clip = {.name = "bent", .first = 1, .count = 2, .fps = 5};
    make_sheet(&s, false);
    s.poses[2].origin.x = 7;
    s.mesh.frame_names = names;
    s.mesh.clips = &clip;
    s.mesh.num_clips = 1;
    s.surface.normals = s.positions;
    OWNED(lm_mesh) *made = decimate(&s.mesh, 10);
    assert_string_equal(made->name, "paper");
    assert_string_equal(made->frame_names[2], "bent02");
    assert_string_equal(made->surfaces[0].name, "sheet");
    assert_string_equal(made->clips[0].name, "bent");
    assert_true(made->tags[0].poses[2].origin.x == 7);
    for (size_t i = 0; i < (size_t)FRAMES * made->surfaces[0].num_vertices * 3; i++)
        assert_true(made->surfaces[0].normals[i] == made->surfaces[0].positions[i]);
    lm_mesh_free(made);
    made = decimate(&s.mesh, TRIANGLES);
    assert_int_equal(count_triangles(made), TRIANGLES);
    for (size_t c = 0; c < 3 * (size_t)TRIANGLES; c++)
        assert_memory_equal(point_of(&made->surfaces[0], 1, c), point_of(&s.surface, 1, c), 12);
}

/* A texture that is warped on a flat sheet: no triangle of it flips. */
TEST(test_no_texture_flips) {
    static sheet s;
    make_sheet(&s, false);
    s.mesh.num_frames = 1;
    for (uint32_t i = 0; i < POINTS; i++) {
        s.st[2 * i] = 5 + s.positions[3 * i] / SIDE;
        s.st[2 * i + 1] = 9 + s.positions[3 * i + 1] / SIDE + sinf(s.positions[3 * i] * 0.7f);
    }
    for (uint32_t wanted = TRIANGLES; wanted > 20; wanted -= 7) {
        OWNED(lm_mesh) *made = decimate(&s.mesh, wanted);
        const lm_mesh_surface *now = &made->surfaces[0];
        for (size_t t = 0; t < now->num_triangles; t++) {
            const float *a = now->st + 2 * (size_t)now->st_triangles[3 * t],
                        *b = now->st + 2 * (size_t)now->st_triangles[3 * t + 1],
                        *c = now->st + 2 * (size_t)now->st_triangles[3 * t + 2];
            /* The first triangle turns the same way. */
            assert_true((b[0] - a[0]) * (c[1] - a[1]) < (c[0] - a[0]) * (b[1] - a[1]));
        }
    }
}

/* Each frame folds the sheet at another column: all folds stay, so each strip keeps two triangles.
 */
TEST(test_each_frame_keeps_its_fold) {
    static sheet s;
    static float positions[SIDE * POINTS * 3];
    make_sheet(&s, false);
    for (uint32_t f = 0; f < SIDE; f++)
        for (uint32_t i = 0; i < POINTS; i++) {
            float *p = positions + 3 * ((size_t)f * POINTS + i);
            memcpy(p, s.positions + 3 * (size_t)i, 3 * sizeof *p);
            p[2] = f > 0 ? fabsf(p[0] - (float)f) : 0;
        }
    s.surface.positions = positions;
    s.mesh.num_frames = SIDE;
    s.mesh.num_tags = 0;
    OWNED(lm_mesh) *made = decimate(&s.mesh, 2 * SIDE);
    assert_int_equal(count_triangles(made), 2 * SIDE);
    for (uint32_t f = 0; f < SIDE; f++)
        assert_true(fabs(area_of(made, f) - area_of(&s.mesh, f)) < 1e-3);
}

/* Triangles that share no vertices, in any order, are joined where their vertices move alike. */
TEST(test_vertices_that_move_alike_are_joined) {
    static sheet s;
    static float positions[FRAMES * TRIANGLES * 9];
    uint32_t order[TRIANGLES * 3];
    chance random = chance_from(5);
    make_sheet(&s, false);
    for (uint32_t c = 0; c < TRIANGLES * 3; c++) {
        const uint32_t other = chance_below(&random, c + 1);
        order[c] = order[other];
        order[other] = c;
    }
    for (uint32_t f = 0; f < FRAMES; f++)
        for (uint32_t c = 0; c < TRIANGLES * 3; c++)
            memcpy(positions + 3 * ((size_t)f * TRIANGLES * 3 + order[c]),
                   s.positions + 3 * ((size_t)f * POINTS + s.triangles[c]), 3 * sizeof(float));
    const lm_mesh_surface surface = MESH_SURFACE(TRIANGLES * 3, positions, TRIANGLES, order);
    const lm_mesh mesh = {.num_frames = FRAMES, .num_surfaces = 1, .surfaces = &surface};
    OWNED(lm_mesh) *made = decimate(&mesh, 4);
    assert_int_equal(count_triangles(made), 4);
    for (uint32_t f = 0; f < FRAMES; f++)
        assert_true(fabs(area_of(made, f) - area_of(&s.mesh, f)) < 1e-3);
}

/* Two halves of a square with sides of 2048 are one shape if they never come further apart than
 * 1/2048 of that, along any axis. Two triangles then still cover the square. */
TEST(test_small_gaps_are_closed) {
    const uint32_t triangles[12] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7};
    for (int frame = 0; frame < 2; frame++)
        for (int axis = 0; axis < 3; axis++)
            for (int wide = 0; wide < 2; wide++) {
                float positions[2 * 8 * 3];
                for (int i = 0; i < 16; i++) {
                    const int v = i % 8, column = v / 2 - v / 4; /* the halves share column 1 */
                    float *p = positions + 3 * i;
                    p[0] = (float)(1024 * column);
                    p[1] = (float)(2048 * (v % 2));
                    p[2] = 0;
                    if (v / 4 == 1 && i / 8 == frame && (axis > 0 || v < 6))
                        p[axis] += wide ? 1.25f : 1;
                }
                const lm_mesh_surface surface = MESH_SURFACE(8, positions, 4, triangles);
                const lm_mesh mesh = {.num_frames = 2, .num_surfaces = 1, .surfaces = &surface};
                OWNED(lm_mesh) *made = decimate(&mesh, 2);
                const double whole = 2048.0 * 2048, area = area_of(made, 0);
                assert_int_equal(count_triangles(made), wide ? 4 : 2);
                assert_true(fabs(area - whole) < 0.01 * whole);
            }
}

/* Returns the most memory that a mesh of few triangles, but many vertices takes. */
static size_t most_memory(const lm_mesh *mesh) {
    counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    lm_error error;
    lm_mesh *made = lm_mesh_decimate(mesh, 1, &memory, &error);
    assert_non_null(made);
    lm_mesh_free(made);
    assert_all_released(&counts);
    return counts.most_bytes;
}

/* Further frames of a large mesh take memory for their vertices, but not for quadrics. */
TEST(test_memory_does_not_grow_with_frames) {
    enum {
        COUNT = 300000,
        MOST = 9
    };
    AT_END(drop_bytes) float *positions = calloc((size_t)MOST * COUNT * 3, sizeof *positions);
    const uint32_t triangles[6] = {0, 1, 2, 2, 1, 3};
    assert_non_null(positions);
    for (uint32_t f = 0; f < MOST; f++)
        for (uint32_t i = 0; i < COUNT; i++) {
            float *p = positions + 3 * ((size_t)f * COUNT + i);
            p[0] = (float)i;
            p[1] = (float)(i % 2);
            p[2] = (float)(f * i % 11);
        }
    const lm_mesh_surface surface = {
        .num_vertices = COUNT, .positions = positions, .num_triangles = 2, .triangles = triangles};
    lm_mesh mesh = {.num_frames = MOST - 1, .num_surfaces = 1, .surfaces = &surface};
    const size_t before = most_memory(&mesh);
    mesh.num_frames = MOST;
    const size_t after = most_memory(&mesh);
    assert_true(after > before && after - before < 2 * 3 * sizeof(float) * COUNT);
}

/* ---- Closed surfaces ------------------------------------------------------------------------ */

enum {
    AROUND = 16,
    RINGS = 9,
    TUBE_TRIANGLES = 2 * AROUND * RINGS
};

/* A torus whose texture wraps once around the tube, in two surfaces. Vertices are doubled where the
 * surfaces meet and at the texture's seam. */
typedef struct ring_shape {
    float positions[2][(AROUND + 1) * (RINGS + 1) * 3], st[2][(AROUND + 1) * (RINGS + 1) * 2];
    uint32_t triangles[2][TUBE_TRIANGLES * 3];
    lm_mesh_surface surfaces[2];
    lm_mesh mesh;
} ring_shape;

static void make_ring(ring_shape *r) {
    for (int half = 0; half < 2; half++) {
        for (uint32_t i = 0; i < (AROUND + 1) * (RINGS + 1); i++) {
            const uint32_t a = i % (AROUND + 1), b = i / (AROUND + 1);
            const double u = 6.283185307179586 * (a % AROUND) / AROUND;
            const double v =
                3.141592653589793 * (((uint32_t)half * RINGS + b) % (2 * RINGS)) / RINGS;
            float *p = r->positions[half] + (size_t)3 * i;
            p[0] = (float)((20 + 6 * cos(u)) * cos(v));
            p[1] = (float)((20 + 6 * cos(u)) * sin(v));
            p[2] = (float)(6 * sin(u));
            r->st[half][2 * i] = (float)a / AROUND;
            r->st[half][2 * i + 1] = (float)b / RINGS;
        }
        for (uint32_t t = 0; t < AROUND * RINGS; t++) {
            const uint32_t a = t % AROUND + t / AROUND * (AROUND + 1), b = a + AROUND + 1;
            const uint32_t corners[6] = {a, a + 1, b, b, a + 1, b + 1};
            memcpy(r->triangles[half] + (size_t)6 * t, corners, sizeof corners);
        }
        r->surfaces[half] =
            MESH_SURFACE((AROUND + 1) * (RINGS + 1), r->positions[half], TUBE_TRIANGLES,
                         r->triangles[half], .name = half ? "right" : "left",
                         .num_st = (AROUND + 1) * (RINGS + 1), .st = r->st[half]);
    }
    r->mesh = (lm_mesh){.num_frames = 1, .num_surfaces = 2, .surfaces = r->surfaces};
}

/* Counts the triangles' sides without another triangle on the other side, by position. */
static uint32_t count_open(const lm_mesh *mesh) {
    uint32_t open = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (size_t c = 0; c < 3 * (size_t)mesh->surfaces[i].num_triangles; c++) {
            const float *a = point_of(&mesh->surfaces[i], 0, c),
                        *b = point_of(&mesh->surfaces[i], 0, c - c % 3 + (c + 1) % 3);
            uint32_t twins = 0;
            for (uint32_t k = 0; k < mesh->num_surfaces; k++)
                for (size_t d = 0; d < 3 * (size_t)mesh->surfaces[k].num_triangles; d++) {
                    const float *p = point_of(&mesh->surfaces[k], 0, d),
                                *q = point_of(&mesh->surfaces[k], 0, d - d % 3 + (d + 1) % 3);
                    twins += same_floats(a, q, 3) && same_floats(b, p, 3);
                }
            open += twins != 1;
        }
    return open;
}

/* Checks that each vertex has a texture coordinate that it had before, in its surface. */
static void assert_painted(const lm_mesh *made, const lm_mesh *mesh) {
    for (uint32_t i = 0; i < made->num_surfaces; i++) {
        const lm_mesh_surface *s = &made->surfaces[i], *old = &mesh->surfaces[i];
        for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c++) {
            bool found = false;
            for (uint32_t v = 0; v < old->num_vertices && !found; v++)
                found =
                    same_floats(point_of(s, 0, c), old->positions + 3 * (size_t)v, 3) &&
                    same_floats(s->st + 2 * (size_t)s->st_triangles[c], old->st + 2 * (size_t)v, 2);
            assert_true(found);
        }
    }
}

TEST(test_seams_do_not_tear) {
    static ring_shape r;
    make_ring(&r);
    assert_int_equal(count_open(&r.mesh), 0);
    for (uint32_t wanted = 2 * TUBE_TRIANGLES; wanted > 150; wanted = wanted * 4 / 5) {
        OWNED(lm_mesh) *made = decimate(&r.mesh, wanted);
        /* A closed surface loses two triangles at a time. */
        assert_int_equal(count_triangles(made), wanted - wanted % 2);
        assert_int_equal(count_open(made), 0);
        assert_painted(made, &r.mesh);
    }
    OWNED(lm_mesh) *made = decimate(&r.mesh, 1);
    assert_true(count_triangles(made) > 14); /* a torus has at least 14, and this one has two
                                              * seams */
    assert_int_equal(count_open(made), 0);
}

/* ---- Minimal meshes ------------------------------------------------------------------------- */

TEST(test_no_shape_disappears) {
    static const float points[] = {0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9};
    static const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    lm_mesh_surface surfaces[] = {
        {.num_vertices = 4, .positions = points, .num_triangles = 4, .triangles = triangles},
        {.num_vertices = 3, .positions = points, .num_triangles = 1, .triangles = triangles + 3}};
    const lm_mesh mesh = {.num_frames = 1, .num_surfaces = 1, .surfaces = surfaces};
    OWNED(lm_mesh) *made = decimate(&mesh, 1);
    assert_int_equal(count_triangles(made), 4);
    lm_mesh_free(made);
    const lm_mesh one = {.num_frames = 1, .num_surfaces = 1, .surfaces = surfaces + 1};
    surfaces[1].triangles = triangles;
    made = decimate(&one, 0);
    assert_int_equal(count_triangles(made), 1);
    lm_mesh_free(made);
    const lm_mesh none = {.num_frames = 2};
    made = decimate(&none, 0);
    assert_int_equal(count_triangles(made), 0);
}

/* Triangles without area are removed first; a vertex of very many triangles stays. */
/* A block on a sheet: whatever is asked for, its top stays where it was. */
TEST(test_no_limb_disappears) {
    static sheet s;
    for (int side = 1; side <= 4; side++) {
        const float height = 3 * SIDE;
        make_sheet(&s, false);
        for (uint32_t f = 0; f < FRAMES; f++)
            for (uint32_t i = 0; i < POINTS; i++) {
                const int column = (int)(i % (SIDE + 1)) - 4, row = (int)(i / (SIDE + 1)) - 4;
                const bool top = column >= 0 && column <= side && row >= 0 && row <= side;
                s.positions[3 * (f * POINTS + i) + 2] = top ? height : 0;
            }
        OWNED(lm_mesh) *made = decimate(&s.mesh, 2);
        float most = 0;
        for (uint32_t v = 0; v < made->surfaces[0].num_vertices; v++)
            most = fmaxf(most, made->surfaces[0].positions[3 * (size_t)v + 2]);
        assert_true(count_triangles(made) < TRIANGLES / 4);
        assert_float_equal(most, height, 0);
    }
}

TEST(test_unusual_shapes) {
    enum {
        SPOKES = 3000
    };
    static float points[3 * (SPOKES + 1)];
    static uint32_t triangles[3 * (SPOKES + 2)];
    for (uint32_t i = 0; i < SPOKES; i++) {
        points[3 * i + 3] = (float)(100 * cos(i * 6.283185307179586 / SPOKES));
        points[3 * i + 4] = (float)(100 * sin(i * 6.283185307179586 / SPOKES));
        triangles[3 * i + 1] = 1 + i;
        triangles[3 * i + 2] = 1 + (i + 1) % SPOKES;
    }
    triangles[3 * SPOKES] = 5; /* and two that use a vertex twice */
    triangles[3 * SPOKES + 1] = 5;
    const lm_mesh_surface surface = MESH_SURFACE(SPOKES + 1, points, SPOKES + 2, triangles);
    const lm_mesh mesh = {.num_frames = 1, .num_surfaces = 1, .surfaces = &surface};
    OWNED(lm_mesh) *made = decimate(&mesh, SPOKES + 1);
    assert_int_equal(count_triangles(made), SPOKES);
    lm_mesh_free(made);
    made = decimate(&mesh, 100);
    assert_true(count_triangles(made) <= SPOKES && count_triangles(made) >= 100);
}

TEST(test_bad_meshes_and_failing_allocations) {
    static sheet s;
    lm_error error;
    make_sheet(&s, true);
    EACH_ALLOCATION_FAILS (f) {
        OWNED(lm_mesh) *made = lm_mesh_decimate(&s.mesh, 60, &f.memory, &f.error);
        f.done = made != NULL;
        assert_true(!f.done || f.at > 8);
    }
    const lm_memory little = {.max_bytes = 5000};
    assert_null(lm_mesh_decimate(&s.mesh, 60, &little, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    s.triangles[7] = POINTS;
    assert_null(lm_mesh_decimate(&s.mesh, 60, NULL, &error));
    assert_int_equal(error.code, LM_CODE_VERTEX_INDEX);
}

/* Halves each real model: the result can be encoded, and its vertices are original ones. */
static void halve(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, &error);
    if (!model)
        return; /* broken on purpose */
    OWNED(lm_mesh) *mesh = lm_mesh_from_model(model, NULL, &error);
    const uint32_t all = count_triangles(mesh);
    OWNED(lm_mesh) *made = decimate(mesh, all / 2);
    if (count_triangles(made) > all || (all > 200 && count_triangles(made) > all / 2))
        fail_msg("%s: %u triangles of %u", path, (unsigned)count_triangles(made), (unsigned)all);
    assert_int_equal(made->num_surfaces, mesh->num_surfaces);
    assert_vertices_are_original(made, mesh);
    for (uint32_t i = 0; i < made->num_surfaces; i++)
        assert_true(made->surfaces[i].num_triangles > 0 || mesh->surfaces[i].num_triangles == 0);
}

TEST(test_real_models) {
    each_model(halve);
}
