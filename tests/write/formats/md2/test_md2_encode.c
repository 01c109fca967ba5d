/* Tests MD2s encoded from floats: grids, strips, welding, names. Tests of all encoders are in
 * test_encode.c. */

#include "elements.h"
#include "encode/grid.h"
#include "encode/triangles.h"
#include "encoded.h"
#include "mesh/mesh_make.h"

/* ---- Grids ---------------------------------------------------------------------------------- */

enum {
    MAX_FRAMES = 40,
    MAX_VERTICES = 60
};

/* Random vertices, some of which do not move for some frames. */
typedef struct random_points {
    float positions[MAX_FRAMES * MAX_VERTICES * 3];
    bool used[MAX_VERTICES], begins[MAX_FRAMES];
    lm_grid_points points;
    lm_grid_candidate request;
} random_points;

static void make_points(random_points *r, chance *c) {
    const uint32_t frames = 1 + chance_below(c, MAX_FRAMES);
    const uint32_t vertices = 1 + chance_below(c, MAX_VERTICES);
    const double size = pow(10, (double)chance_real(c, -3, 5));
    const double far = chance_below(c, 3) ? size : size * pow(10, (double)chance_real(c, 0, 7));
    const uint32_t still = chance_below(c, 11);
    const float away = chance_real(c, (float)-far, (float)far);
    for (uint32_t f = 0; f < frames; f++) {
        r->begins[f] = f == 0 || chance_below(c, 8) == 0;
        const float stretch = chance_real(c, 0.5f, 1);
        for (uint32_t i = 0; i < vertices * 3; i++) {
            float *x = &r->positions[f * vertices * 3 + i];
            const float old = f > 0 ? x[-(ptrdiff_t)vertices * 3] : 0;
            const float new = away + stretch *chance_real(c, (float)-size, (float)size);
            *x = f > 0 && chance_below(c, 10) < still ? old : new;
        }
    }
    for (uint32_t v = 0; v < vertices; v++)
        r->used[v] = v == 0 || chance_below(c, 5) > 0;
    r->points = (lm_grid_points){r->positions, vertices, r->used};
    r->request = (lm_grid_candidate){frames, 1, &r->points, r->begins, 64};
}

static double line_at(const lm_grid *grid, int axis, uint32_t line) {
    return ((double)grid->first[axis] + line) * (double)grid->step[axis] +
           (double)grid->origin[axis];
}

/* Checks that the grid's lines cover all points in use. Unless the frame had the grid already, they
 * are exact floats in any order of additions. */
static void check_grid(const random_points *r, const lm_grid *grid, uint32_t frame) {
    for (int axis = 0; axis < 3; axis++) {
        const float step = grid->step[axis], start = grid->start[axis];
        const bool chosen = step > 0 && grid->origin[axis] == 0;
        for (uint32_t line = 0; chosen && line <= LM_GRID_LAST; line++) {
            const double at = line_at(grid, axis, line);
            assert_true((double)((float)line * step) == line * (double)step);
            assert_true((double)((float)line * step + start) == at);
        }
        for (uint32_t v = 0; v < r->points.num_vertices; v++) {
            const double x =
                (double)r->positions[3 * (frame * r->points.num_vertices + v) + (uint32_t)axis];
            const double low = step > 0 ? line_at(grid, axis, 0) : (double)start;
            const double high = step > 0 ? line_at(grid, axis, LM_GRID_LAST) : (double)start;
            const double half = (double)step * (0.5 + 1e-9);
            if (r->used[v] && !(x >= low - half && x <= high + half))
                fail_msg("%g is not within %g .. %g", x, low, high);
        }
    }
}

TEST(test_grids_cover_and_are_exact) {
    static random_points r;
    chance c = chance_from(1);
    lm_heap heap = plain_heap();
    for (int round = 0; round < 300; round++) {
        AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
        lm_grid grids[MAX_FRAMES];
        make_points(&r, &c);
        assert_true(lmi_grid_choose(&r.request, grids, &arena));
        for (uint32_t f = 0; f < r.request.num_frames; f++)
            check_grid(&r, &grids[f], f);
    }
}

/* Returns the cost of cutting on one axis, as defined at lmi_grid_choose. */
static double cost_of(const random_points *r, const double *still, uint32_t cuts, int axis) {
    const uint32_t n = r->request.num_frames, vertices = r->points.num_vertices;
    double cost = 0;
    for (uint32_t first = 0, end; first < n; first = end) {
        double most = 0;
        for (end = first; end < n && (end == first || !(cuts >> end & 1)); end++) {
            double low = INFINITY, high = -INFINITY;
            for (uint32_t v = 0; v < vertices; v++) {
                low = fmin(low, (double)r->positions[3 * (end * vertices + v) + (uint32_t)axis]);
                high = fmax(high, (double)r->positions[3 * (end * vertices + v) + (uint32_t)axis]);
            }
            most = fmax(most, high - low);
        }
        cost += most * most * ((end - first) * (double)vertices + still[first] + still[end]);
    }
    return cost;
}

/* Runs whose ends have different steps, compared with every way to cut nine frames. No frame lies
 * on a grid already. */
TEST(test_runs_of_frames_are_cut_optimally) {
    enum {
        FRAMES = 9,
        VERTICES = 8,
        MOVING = 5
    };
    static random_points r;
    chance c = chance_from(7);
    lm_heap heap = plain_heap();
    for (int round = 0; round < 60; round++) {
        double still[FRAMES + 1] = {0};
        lm_grid grids[FRAMES];
        AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
        for (uint32_t f = 0; f < FRAMES; f++) {
            const uint32_t size = 16 + chance_below(&c, 17); /* in sixteenths */
            for (uint32_t i = 0; i < VERTICES * 3; i++) {
                const bool moves = i / 3 < MOVING || chance_below(&c, 2);
                const float far = (float)size / 16;
                const float at = i < 3 ? -far : i < 6 ? far : chance_real(&c, -far, far);
                r.positions[f * VERTICES * 3 + i] = moves ? at : 0.25f;
            }
            r.begins[f] = f == 0 || chance_below(&c, 6) == 0;
        }
        memset(r.used, true, VERTICES);
        r.points = (lm_grid_points){r.positions, VERTICES, r.used};
        r.request = (lm_grid_candidate){FRAMES, 1, &r.points, r.begins, chance_real(&c, 0, 4)};
        assert_true(lmi_grid_choose(&r.request, grids, &arena));
        for (uint32_t f = 1; f < FRAMES; f++)
            for (uint32_t v = 0; v < VERTICES && !r.begins[f]; v++)
                still[f] +=
                    r.positions[3 * (f * VERTICES + v)] == r.positions[3 * ((f - 1) * VERTICES + v)]
                        ? r.request.stability / 2
                        : 0;
        double least = INFINITY;
        uint32_t own = 0;
        for (uint32_t cuts = 0; cuts < 1u << FRAMES; cuts += 2)
            least = fmin(least, cost_of(&r, still, cuts, 0));
        for (uint32_t f = 1; f < FRAMES; f++)
            own |= (grids[f].step[0] != grids[f - 1].step[0] ? 1u : 0u) << f;
        const double cost = cost_of(&r, still, own, 0);
        if (cost > least * (1 + 1e-6))
            fail_msg("cut at %x costs %g, not %g", (unsigned)own, cost, least);
    }
}

/* Returns the squared errors of a coordinate's steps from frame to frame, summed over many paths:
 * static ones over grids with different steps, or slow ones over one grid. Without `round` each
 * frame is rounded separately. */
static double jerk_of(bool slow, bool round) {
    enum {
        LONG = 12
    };
    chance c = chance_from(5);
    double jerk = 0;
    for (int way = 0; way < 500; way++) {
        lm_grid grids[LONG];
        bool begins[LONG];
        float x[LONG];
        uint8_t lines[LONG], scratch[LONG * LM_GRID_WAYS];
        const float from = chance_real(&c, 50, 100), by = chance_real(&c, -0.2f, 0.2f);
        for (int f = 0; f < LONG; f++) {
            const float step = slow || f % 4 < 2 ? 1 : 1.375f;
            grids[f] = (lm_grid){.step = {step, step, step}};
            begins[f] = f == 0 || !round; /* then each frame is independent of the one before */
            x[f] = slow ? from + by * (float)f : from;
        }
        lm_grid_path path = {LONG, grids, begins, {0, 0, 0}, slow, x, 1, lines, 1};
        lmi_grid_reach(grids, LONG, path.reach);
        assert_true(path.reach[1] == (slow ? 0.5f : 0.6875f));
        lmi_grid_round(&path, 1, scratch);
        for (int f = 0; f < LONG; f++) {
            const double at = lines[f] * (double)grids[f].step[1];
            assert_true(fabs(at - (double)x[f]) <= (double)path.reach[1] * (slow ? 2 : 1) + 1e-6);
            const double before = f > 0 ? lines[f - 1] * (double)grids[f - 1].step[1] : 0;
            const double error = f > 0 ? at - before - ((double)x[f] - (double)x[f - 1]) : 0;
            jerk += error * error;
        }
    }
    return jerk;
}

TEST(test_rounding_considers_previous_and_next_frames) {
    assert_true(jerk_of(false, true) < 0.8 * jerk_of(false, false));
    assert_true(jerk_of(true, true) < 0.8 * jerk_of(true, false));
}

/* ---- Strips --------------------------------------------------------------------------------- */

enum {
    MAX_TRIANGLES = 800
};

typedef struct triangle_mesh {
    uint32_t corners[MAX_TRIANGLES * 3], num_triangles, num_ids;
} triangle_mesh;

static void add_triangle(triangle_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    if (a == b || b == c || c == a || m->num_triangles == MAX_TRIANGLES)
        return;
    uint32_t *corners = m->corners + (size_t)3 * m->num_triangles++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

/* Triangles by their corners, starting with the smallest, as one number. */
static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t number_of(uint32_t a, uint32_t b, uint32_t c) {
    while (a > b || a > c) {
        const uint32_t first = a;
        a = b;
        b = c;
        c = first;
    }
    return (uint64_t)a << 40 | (uint64_t)b << 20 | c;
}

/* Collects the triangles drawn by strips, with the format's winding. */
static uint32_t drawn_by(const lm_strips_found *found, uint64_t *numbers) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < found->num_strips; s++) {
        const uint32_t *c = found->corners + found->strips[s].first;
        for (uint32_t i = 0; i + 2 < found->strips[s].count; i++) {
            const uint32_t a = found->strips[s].fan ? c[0] : i % 2 ? c[i + 1] : c[i];
            const uint32_t b = found->strips[s].fan || i % 2 == 0 ? c[i + 1] : c[i];
            if (a == b || b == c[i + 2] || c[i + 2] == a)
                continue;
            assert_true(count < MAX_TRIANGLES);
            numbers[count++] = number_of(a, b, c[i + 2]);
        }
    }
    return count;
}

static uint32_t integers_of(const lm_strips_found *found) {
    return found->num_strips + 3 * found->num_corners + 1;
}

/* Finds strips, and compares the triangles that they draw with the mesh. */
static uint32_t check_strips(const triangle_mesh *m, bool best, uint32_t *num_strips) {
    static uint64_t wanted[MAX_TRIANGLES], drawn[MAX_TRIANGLES];
    lm_heap heap = plain_heap();
    AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
    lm_strips_found found;
    assert_true(lmi_find_strips(m->corners, m->num_triangles, m->num_ids, best, &found, &arena));
    for (uint32_t t = 0; t < m->num_triangles; t++) {
        const uint32_t *c = m->corners + (size_t)3 * t;
        wanted[t] = number_of(c[0], c[1], c[2]);
    }
    assert_int_equal(drawn_by(&found, drawn), m->num_triangles);
    qsort(wanted, m->num_triangles, sizeof *wanted, by_number);
    qsort(drawn, m->num_triangles, sizeof *drawn, by_number);
    assert_memory_equal(wanted, drawn, m->num_triangles * sizeof *wanted);
    *num_strips = found.num_strips;
    return integers_of(&found);
}

/* Makes a sheet of squares with some triangles missing or reversed, or random triangles. */
static void make_mesh(triangle_mesh *m, chance *c) {
    const uint32_t side = 2 + chance_below(c, 19);
    m->num_triangles = 0;
    m->num_ids = side * side;
    if (chance_below(c, 4) == 0) {
        for (uint32_t t = chance_below(c, MAX_TRIANGLES); t > 0; t--)
            add_triangle(m, chance_below(c, m->num_ids), chance_below(c, m->num_ids),
                         chance_below(c, m->num_ids));
        return;
    }
    const uint32_t missing = chance_below(c, 3) * 10;
    for (uint32_t y = 0; y + 1 < side; y++)
        for (uint32_t x = 0; x + 1 < side; x++) {
            const uint32_t a = y * side + x, b = a + 1, d = a + side, e = d + 1;
            const bool other = chance_below(c, 2);
            if (chance_below(c, 100) >= missing)
                add_triangle(m, a, b, other ? e : d);
            if (chance_below(c, 100) >= missing && other)
                add_triangle(m, a, e, d);
            else if (chance_below(c, 100) >= missing && !other)
                add_triangle(m, b, e, d);
            if (chance_below(c, 200) < missing)
                add_triangle(m, b, a, e);
        }
}

TEST(test_strips_draw_the_triangles) {
    static triangle_mesh m;
    chance c = chance_from(3);
    uint64_t fast = 0, best = 0;
    for (int round = 0; round < 60; round++) {
        uint32_t num_strips;
        make_mesh(&m, &c);
        fast += check_strips(&m, false, &num_strips);
        best += check_strips(&m, true, &num_strips);
    }
    assert_true(best < fast);
}

TEST(test_strips_of_simple_shapes) {
    static triangle_mesh m;
    uint32_t num_strips;
    for (int best = 0; best < 2; best++) {
        m = (triangle_mesh){.num_ids = 40};
        assert_int_equal(check_strips(&m, best, &num_strips), 1);
        assert_int_equal(num_strips, 0);
        add_triangle(&m, 3, 1, 2);
        assert_int_equal(check_strips(&m, best, &num_strips), 1 + 9 + 1);
        m.num_triangles = 0;
        for (uint32_t i = 0; i < 30; i++) /* a ribbon */
            add_triangle(&m, i % 2 ? i + 1 : i, i % 2 ? i : i + 1, i + 2);
        assert_int_equal(check_strips(&m, best, &num_strips), 1 + 3 * 32 + 1);
        assert_int_equal(num_strips, 1);
        for (int turned = 0; turned < 2; turned++) { /* around one corner */
            m.num_triangles = 0;
            for (uint32_t i = 1; i < 20; i++)
                add_triangle(&m, 0, turned ? i + 1 : i, turned ? i : i + 1);
            assert_int_equal(check_strips(&m, best, &num_strips), 1 + 3 * 21 + 1);
            assert_int_equal(num_strips, 1);
        }
    }
}

/* ---- Meshes --------------------------------------------------------------------------------- */

enum {
    SIDE = 7,
    FRAMES = 20,
    POINTS = SIDE * SIDE,
    SQUARES = (SIDE - 1) * (SIDE - 1)
};

/* A sheet with static first columns; the others wave and grow. `from` is its x offset: sheets whose
 * x differ by SIDE - 1 share a column. */
typedef struct sheet {
    float positions[FRAMES * POINTS * 3], normals[FRAMES * POINTS * 3], st[POINTS * 2];
    uint32_t triangles[SQUARES * 6];
    lm_material materials[2];
    lm_mesh_surface surfaces[3];
    lm_clip clip;
    lm_mesh mesh;
} sheet;

static void make_sheet(sheet *s, int from) {
    memset(s, 0, sizeof *s);
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < POINTS; i++) {
            float *p = s->positions + 3 * (f * POINTS + i);
            const int x = from + i % SIDE, y = i / SIDE;
            const float wave = x > 3 ? (float)(sin(0.4 * f + y) * (1 + 0.3 * f) * (x - 3)) : 0;
            p[0] = (float)x * 3.1f;
            p[1] = (float)y * 2.7f + wave;
            p[2] = wave * 0.5f;
            s->normals[3 * (f * POINTS + i) + 2] = 1;
        }
    for (int i = 0; i < POINTS; i++) {
        const int x = i % SIDE, y = i / SIDE;
        s->st[2 * i] = (float)x / SIDE;
        s->st[2 * i + 1] = (float)y / SIDE;
    }
    for (uint32_t i = 0; i < SQUARES; i++) {
        const uint32_t a = i / (SIDE - 1) * SIDE + i % (SIDE - 1), b = a + 1, c = a + SIDE;
        const uint32_t corners[6] = {a, c, b, b, c, c + 1};
        memcpy(s->triangles + (size_t)6 * i, corners, sizeof corners);
    }
    s->materials[0].name = "models/made/one.tga";
    s->materials[1].name = "models/made/other.tga";
    s->surfaces[0] = MESH_SURFACE(POINTS, s->positions, SQUARES * 2, s->triangles, .name = "sheet",
                                  .normals = s->normals, .num_st = POINTS, .st = s->st,
                                  .num_materials = 1, .materials = &s->materials[0]);
    s->clip = (lm_clip){.name = "wave", .first = 0, .count = FRAMES, .fps = 10};
    s->mesh = MESH_OF(FRAMES, 1, s->surfaces, .num_clips = 1, .clips = &s->clip, .skin_width = 64,
                      .skin_height = 64);
}

TEST(test_static_vertices_do_not_move) {
    sheet s;
    make_sheet(&s, 0);
    AT_END(free_synthetic) made m = make_file(&s.mesh, "md2", NULL);
    assert_true(m.report->num_still >= (FRAMES - 1) * SIDE * 4);
    assert_true(m.report->jitter == 0);
    assert_true(m.report->max_error < 0.2);
}

/* Returns the position of a mesh's corner in a frame, as a reader decodes it. */
static lm_vec3 decoded(const made *m, uint32_t corner, uint32_t frame) {
    const lm_surface *s = &m->model->surfaces[0];
    return m->rows[0][(size_t)frame * s->num_vertices + s->triangles[corner]];
}

/* Returns the first corner of a vertex. */
static uint32_t corner_of(const sheet *s, uint32_t vertex) {
    uint32_t corner = 0;
    while (s->triangles[corner] != vertex)
        corner++;
    return corner;
}

/* Counts the cracks along the column that two sheets share. */
static uint32_t count_cracks(const sheet *a, const sheet *b, const lm_encode_options *of_a,
                             const lm_encode_options *of_b) {
    AT_END(free_synthetic)
    made one = make_file(&a->mesh, "md2", of_a), other = make_file(&b->mesh, "md2", of_b);
    uint32_t cracks = 0;
    for (uint32_t f = 0; f < FRAMES; f++)
        for (uint32_t y = 0; y < SIDE; y++) {
            const lm_vec3 p = decoded(&one, corner_of(a, y * SIDE + SIDE - 1), f);
            const lm_vec3 q = decoded(&other, corner_of(b, y * SIDE), f);
            cracks += p.x != q.x || p.y != q.y || p.z != q.z;
        }
    return cracks;
}

TEST(test_shared_grids_prevent_cracks) {
    static sheet a, b, c;
    make_sheet(&a, 0);
    make_sheet(&b, SIDE - 1);
    make_sheet(&c, 2 * (SIDE - 1));
    const lm_mesh *with_a[] = {&b.mesh, &c.mesh}, *with_b[] = {&c.mesh, &a.mesh};
    const lm_encode_options none = {0};
    lm_encode_options of_a = {.num_shared_grids = 2, .shared_grid = with_a};
    lm_encode_options of_b = {.num_shared_grids = 2, .shared_grid = with_b};
    assert_true(count_cracks(&a, &b, &none, &none) > 0);
    assert_int_equal(count_cracks(&a, &b, &of_a, &of_b), 0);
    of_a.smooth = of_b.smooth = true;
    assert_int_equal(count_cracks(&a, &b, &of_a, &of_b), 0);
    /* Each has a motion that the others lack. */
    b.clip.first = 8;
    b.clip.count = FRAMES - 8;
    c.clip.first = 4;
    c.clip.count = FRAMES - 4;
    assert_int_equal(count_cracks(&a, &b, &of_a, &of_b), 0);
    c.mesh.num_frames = FRAMES - 1;
    c.clip.count = 2;
    expect_file_error(&a.mesh, "md2", &of_a, LM_CODE_BAD_ARGUMENT,
                      "shared_grid 1 has 19 frames, but this mesh has 20");
    c.mesh.num_frames = 0;
    expect_file_error(&a.mesh, "md2", &of_a, LM_CODE_BAD_ARGUMENT,
                      "shared_grid 1: mesh: there are no frames");
    with_a[1] = NULL;
    expect_file_error(&a.mesh, "md2", &of_a, LM_CODE_BAD_ARGUMENT,
                      "md2: shared_grid 1 is missing, but num_shared_grids is 2");
    of_a.shared_grid = NULL;
    expect_file_error(&a.mesh, "md2", &of_a, LM_CODE_BAD_ARGUMENT,
                      "md2: shared_grid 0 is missing, but num_shared_grids is 2");
}

static void expect_counts(const sheet *s, uint32_t num_vertices, uint32_t num_st) {
    AT_END(free_synthetic) made m = make_file(&s->mesh, "md2", NULL);
    assert_int_equal(m.report->num_vertices, num_vertices);
    assert_int_equal(m.report->num_st, num_st);
}

TEST(test_corners_are_welded) {
    static sheet s;
    make_sheet(&s, 0);
    expect_counts(&s, POINTS, POINTS);
    /* The last row moves like the first, and one more vertex with another normal does too. */
    for (int f = 0; f < FRAMES; f++) {
        float *row = s.positions + (size_t)f * (3 * POINTS);
        memcpy(row + (size_t)3 * (POINTS - SIDE), row, (size_t)3 * SIDE * sizeof *row);
    }
    s.normals[(size_t)3 * (7 * POINTS + POINTS - 1)] = 5;
    s.st[0] = s.st[2] + 0.1f / 64; /* the same pixel */
    s.st[1] = s.st[3];
    expect_counts(&s, POINTS - SIDE + 1, POINTS - 1);
    s.surfaces[0].num_triangles = 1;
    expect_counts(&s, 3, 2);
}

/* GL commands contain the mesh's exact coordinates, not pixels. */
TEST(test_gl_commands_are_exact) {
    static sheet s;
    make_sheet(&s, 0);
    AT_END(free_synthetic) made m = make_file(&s.mesh, "md2", NULL);
    const lm_surface *surface = &m.model->surfaces[0];
    const lm_gl_commands *gl = &m.model->gl_commands;
    assert_true(gl->num_vertices > POINTS);
    for (uint32_t i = 0; i < gl->num_vertices; i++) {
        uint32_t corner = 0; /* of the mesh, with this vertex */
        while (surface->file_vertices[surface->triangles[corner]] != gl->vertices[i].vertex)
            corner++;
        const float *st = s.st + 2 * (size_t)s.triangles[corner];
        assert_true(gl->vertices[i].s == st[0] && gl->vertices[i].t == st[1]);
        const lm_vec2 pixel = surface->st[surface->triangles[corner]];
        assert_true(fabsf(pixel.x - st[0]) <= 0.5f / 64 && fabsf(pixel.y - st[1]) <= 0.5f / 64);
    }
    AT_END(free_synthetic)
    made none = make_file(&s.mesh, "md2", &(lm_encode_options){.strips = LM_STRIPS_NONE});
    assert_int_equal(none.report->num_gl_integers, 0);
    assert_true(has_problem(none.report, LM_CODE_NO_GL_COMMANDS, "no GL commands"));
}

TEST(test_high_precision_stores_the_remainder) {
    static sheet s;
    make_sheet(&s, 0);
    AT_END(free_synthetic) made plain = make_file(&s.mesh, "md2", NULL);
    AT_END(free_synthetic)
    made high = make_file(&s.mesh, "md2", &(lm_encode_options){.high_precision = true});
    lm_error error;
    OWNED(lm_md2) *fine = lm_md2_read(high.file.data, high.file.size, NULL, &error);
    OWNED(lm_md2) *coarse = lm_md2_read(plain.file.data, plain.file.size, NULL, &error);
    assert_true(fine && coarse);
    assert_int_equal(fine->framesize, 40 + 7 * POINTS);
    for (int32_t f = 0; f < FRAMES; f++) {
        const uint8_t *a = fine->frames + (size_t)f * (size_t)fine->framesize;
        assert_memory_equal(a, coarse->frames + (size_t)f * (size_t)coarse->framesize,
                            40 + 4 * POINTS);
        lm_md2_frame frame;
        lmi_md2_get_frame(fine, f, &frame);
        for (int32_t c = 0; c < SQUARES * 6; c++) {
            lm_md2_triangle t;
            lmi_md2_get_triangle(fine, c / 3, &t);
            const uint8_t *v = a + 40 + (size_t)4 * t.vertex[c % 3];
            const int8_t *rest = (const int8_t *)a + 40 + 4 * POINTS + 3 * t.vertex[c % 3];
            const float *p = s.positions + (size_t)3 * ((size_t)f * POINTS + s.triangles[c]);
            const double x =
                (v[1] + rest[1] / 256.0) * (double)frame.scale.y + (double)frame.translate.y;
            assert_true(fabs(x - (double)p[1]) <= (double)frame.scale.y / 256);
        }
    }
}

/* ---- Names, limits and losses --------------------------------------------------------------- */

TEST(test_names_keep_their_ends) {
    static sheet s;
    static const char *names[FRAMES];
    static const char skin[] = "models/players/somebody/with/a/very/long/folder/name/of/its/own"
                               "/ctf_r.pcx";
    const char *skins[] = {skin};
    make_sheet(&s, 0);
    for (int f = 0; f < FRAMES; f++)
        names[f] = f == 3 ? "crouching_attack_104" : "fifteen_bytes15";
    s.mesh.frame_names = names;
    s.mesh.num_skins = 1;
    s.mesh.skins = skins;
    AT_END(free_synthetic) made m = make_file(&s.mesh, "md2", NULL);
    const lm_encode_report *report = m.report;
    const lm_model *model = m.model;
    assert_string_equal(model->frames[3].name, "crouching_at104");
    assert_string_equal(model->frames[4].name, "fifteen_bytes15");
    assert_int_equal(strlen(model->skins[0]), 63);
    assert_non_null(strstr(model->skins[0], "/ctf_r.pcx"));
    assert_true(has_problem(report, LM_CODE_NAME_SHORTENED, "frame 3"));
    assert_false(has_problem(report, LM_CODE_NAME_SHORTENED, "frame 4"));
    assert_true(has_problem(report, LM_CODE_NAME_SHORTENED, "skin 0"));
    assert_true(has_problem(report, LM_CODE_NOT_HELD,
                            "clip 0, \"wave\": the format stores clips as frame names"));
}

TEST(test_losses_are_reported) {
    static sheet s;
    static const lm_transform poses[FRAMES];
    const lm_mesh_tag tag = {.name = "tag_head", .poses = poses};
    make_sheet(&s, 0);
    s.surfaces[0].name = NULL;
    AT_END(free_synthetic) made complete = make_file(&s.mesh, "md2", NULL);
    assert_false(has_problem(complete.report, LM_CODE_NOT_HELD, ""));
    assert_int_equal(complete.report->num_surfaces, 1);
    s.surfaces[1] = s.surfaces[0];
    s.surfaces[1].num_st = 0;
    s.surfaces[1].st = NULL;
    s.surfaces[1].materials = &s.materials[1];
    s.surfaces[2].name = "nothing";
    s.mesh.num_surfaces = 3;
    s.mesh.num_tags = 1;
    s.mesh.tags = &tag;
    s.mesh.skin_width = 0;
    s.clip.fps = 15;
    AT_END(free_synthetic) made m = make_file(&s.mesh, "md2", NULL);
    const lm_encode_report *report = m.report;
    assert_string_equal(m.model->skins[0], "models/made/one.tga");
    assert_int_equal(m.model->skin_width, 256);
    assert_int_equal(report->num_triangles, SQUARES * 4);
    assert_int_equal(report->num_vertices, POINTS);
    assert_true(has_problem(report, LM_CODE_NOT_HELD, "surface 1 with \"models/made/other.tga\""));
    assert_true(has_problem(report, LM_CODE_NOT_HELD, "3 surfaces become one"));
    assert_true(has_problem(report, LM_CODE_NOT_HELD, "1 tag is dropped"));
    assert_true(has_problem(report, LM_CODE_FIXED_RATE,
                            "1 clip plays differently, such as \"wave\" at 15 fps"));
    assert_true(has_problem(report, LM_CODE_NOT_HELD, "the skin's size is unknown"));
}

TEST(test_limit_errors_suggest_a_solution) {
    static sheet s;
    make_sheet(&s, 0);
    const lm_encode_options quake2 = {.engine = LM_ENGINE_QUAKE2};
    s.mesh.skin_height = 481;
    expect_file_error(&s.mesh, "md2", &quake2, LM_CODE_LIMIT,
                      "the model has 481 rows in a skin, but quake2 loads at most 480; simplify");
    AT_END(free_synthetic) made m = make_file(&s.mesh, "md2", NULL);
    assert_true(has_problem(m.report, LM_CODE_ENGINE_LIMIT, "quake2"));
    s.mesh.skin_height = 40000;
    expect_file_error(&s.mesh, "md2", NULL, LM_CODE_LIMIT,
                      "40000 pixels, but the format's limit is 32767");
    s.mesh.skin_height = 64;
    s.st[9] = 600;
    expect_file_error(&s.mesh, "md2", NULL, LM_CODE_LIMIT, "is pixel (37, 38400)");
    make_sheet(&s, 0);
    s.surfaces[0].num_triangles = 0;
    expect_file_error(&s.mesh, "md2", NULL, LM_CODE_LIMIT, "the mesh has no triangles");
    s.mesh.num_surfaces = 0;
    expect_file_error(&s.mesh, "md2", NULL, LM_CODE_LIMIT, "the mesh has no triangles");
}

TEST(test_more_vertices_than_indices_are_rejected) {
    enum {
        MANY = 65538
    };
    AT_END(drop_bytes) float *positions = calloc((size_t)MANY * 3, sizeof *positions);
    AT_END(drop_bytes) uint32_t *triangles = malloc((size_t)MANY * sizeof *triangles);
    assert_true(positions && triangles);
    for (uint32_t i = 0; i < MANY; i++) {
        positions[(size_t)3 * i] = (float)i;
        triangles[i] = i;
    }
    const lm_mesh_surface surface = MESH_SURFACE(MANY, positions, MANY / 3, triangles);
    const lm_mesh mesh = {.num_frames = 1, .num_surfaces = 1, .surfaces = &surface};
    expect_file_error(&mesh, "md2", NULL, LM_CODE_LIMIT,
                      "the mesh has 65538 different vertices, but triangles can index only 65536");
}

TEST(test_each_allocation_may_fail) {
    static sheet a, b;
    make_sheet(&a, 0);
    make_sheet(&b, SIDE - 1);
    a.surfaces[1] = b.surfaces[0];
    a.mesh.num_surfaces = 2;
    const lm_mesh *with[] = {&b.mesh};
    EACH_ALLOCATION_FAILS (f) {
        const lm_encode_options options = {.memory = f.memory,
                                           .smooth = true,
                                           .high_precision = true,
                                           .num_shared_grids = 1,
                                           .shared_grid = with};
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        OWNED(lm_encode_report) *report = NULL;
        f.done = lm_encode(&a.mesh, lm_format_by_name("md2"), &options, &out, &report, &f.error);
    }
}

/* One frame, and as few bytes per triangle as a mesh can have: the encoder's other memory is
 * bounded too. */
TEST(test_memory_is_a_multiple_of_the_mesh) {
    enum {
        LARGE = 64
    };
    static float positions[LARGE * LARGE * 3];
    static uint32_t triangles[(LARGE - 1) * (LARGE - 1) * 6];
    uint32_t *out = triangles;
    for (uint32_t a = 0; a < LARGE * LARGE; a++) {
        const uint32_t x = a % LARGE, y = a / LARGE,
                       corners[6] = {a, a + LARGE, a + 1, a + 1, a + LARGE, a + LARGE + 1};
        positions[3 * a] = (float)x;
        positions[3 * a + 1] = (float)y;
        if (x + 1 < LARGE && y + 1 < LARGE) {
            memcpy(out, corners, sizeof corners);
            out += 6;
        }
    }
    const lm_mesh_surface surface =
        MESH_SURFACE(LARGE * LARGE, positions, COUNT_OF(triangles) / 3, triangles);
    const lm_mesh mesh = {.num_frames = 1, .num_surfaces = 1, .surfaces = &surface};
    const lm_encode_options options = {
        .strips = LM_STRIPS_BEST,
        .memory = {.max_bytes = LM_MEMORY_MULTIPLE * (size_t)lmi_mesh_size(&mesh)}};
    AT_END(free_synthetic) made m = make_file(&mesh, "md2", &options);
    assert_int_equal(m.report->num_vertices, LARGE * LARGE);
}

/* ---- Real models ---------------------------------------------------------------------------- */

/* Checks that any model with triangles becomes an MD2 that other programs can read. */
static void check_as_md2(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, &error);
    uint32_t triangles = 0;
    for (uint32_t s = 0; model && s < model->num_surfaces; s++)
        triangles += model->surfaces[s].num_triangles;
    if (triangles == 0)
        return;
    OWNED(lm_mesh) *mesh = lm_mesh_from_model(model, NULL, &error);
    assert_non_null(mesh);
    AT_END(free_synthetic) made m = make_file(mesh, "md2", NULL);
    double step = 0;
    for (uint32_t f = 0; f < m.model->num_frames; f++) {
        const lm_vec3 s = m.model->frames[f].scale;
        step = fmax(step, sqrt((double)(s.x * s.x + s.y * s.y + s.z * s.z)));
    }
    if (m.report->max_error > step)
        fail_msg("%s: off by %g, where steps are %g", path, m.report->max_error, step);
    if (has_problem(m.report, LM_CODE_GL_COMMANDS_DIFFER, ""))
        fail_msg("%s: GL commands draw other triangles", path);
    assert_int_equal(m.report->num_triangles, triangles);
}

TEST(test_real_models_become_md2) {
    each_model(check_as_md2);
}
