/* Tests the division of surfaces into parts, the order of triangles, and the use of both by the
 * encoders of MD3 and MDC. */
#include "encode/grid.h"
#include "encode/triangles.h"
#include "encoded.h"

/* ---- Meshes --------------------------------------------------------------------------------- */

typedef struct triangle_mesh {
    uint32_t num_vertices, num_triangles;
    uint32_t *corners;
} triangle_mesh;

/* Makes a sheet of squares, two triangles each, in any order. */
static triangle_mesh make_sheet(uint32_t width, uint32_t height, uint32_t seed) {
    triangle_mesh m = {(width + 1) * (height + 1), 2 * width * height, NULL};
    chance c = chance_from(seed);
    m.corners = malloc((size_t)m.num_triangles * 3 * sizeof *m.corners);
    uint32_t *out = m.corners;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++, out += 6) {
            const uint32_t a = y * (width + 1) + x, b = a + width + 1;
            const uint32_t square[6] = {a, a + 1, b, b, a + 1, b + 1};
            memcpy(out, square, sizeof square);
        }
    for (uint32_t t = m.num_triangles; seed && t > 1; t--) {
        uint32_t *p = m.corners + 3 * (size_t)chance_below(&c, t), *q = m.corners + 3 * (t - 1);
        uint32_t swap[3];
        memcpy(swap, p, sizeof swap);
        memmove(p, q, sizeof swap);
        memcpy(q, swap, sizeof swap);
    }
    return m;
}

static uint32_t count_vertices(const triangle_mesh *m, const uint32_t *parts, uint32_t part,
                               bool *has) {
    uint32_t count = 0;
    memset(has, 0, m->num_vertices * sizeof *has);
    for (size_t c = 0; c < 3 * (size_t)m->num_triangles; c++)
        if (parts[c / 3] == part && !has[m->corners[c]]) {
            has[m->corners[c]] = true;
            count++;
        }
    return count;
}

/* ---- Splitting ------------------------------------------------------------------------------ */

/* Checks that every triangle is in a part within the limits. Returns the total number of
 * vertices. */
static uint32_t check_split(const triangle_mesh *m, uint32_t max_triangles, uint32_t max_vertices,
                            uint32_t *num_parts) {
    lm_heap heap = plain_heap();
    uint32_t *parts = malloc(m->num_triangles * sizeof *parts), total = 0;
    bool *has = malloc(m->num_vertices * sizeof *has);
    const lm_split split = {m->num_triangles, m->num_vertices, m->corners, max_triangles,
                            max_vertices};
    assert_true(lmi_split_triangles(&split, parts, num_parts, &heap));
    assert_int_equal(heap.used, 0);
    for (uint32_t t = 0; t < m->num_triangles; t++)
        assert_true(parts[t] < *num_parts);
    for (uint32_t i = 0; i < *num_parts; i++) {
        uint32_t triangles = 0;
        const uint32_t vertices = count_vertices(m, parts, i, has);
        for (uint32_t t = 0; t < m->num_triangles; t++)
            triangles += parts[t] == i;
        assert_in_range(triangles, 1, max_triangles);
        assert_in_range(vertices, 1, max_vertices);
        total += vertices;
    }
    free(has);
    free(parts);
    return total;
}

TEST(test_parts_are_few_and_share_few_vertices) {
    for (uint32_t seed = 0; seed < 4; seed++) {
        triangle_mesh m = make_sheet(40, 70, seed);
        uint32_t num_parts;
        const uint32_t total = check_split(&m, 1999, 999, &num_parts);
        assert_in_range(num_parts, 3, 4); /* 2,911 vertices, 5,600 triangles */
        assert_in_range(total, m.num_vertices, m.num_vertices + m.num_vertices * 8 / 100);
        free(m.corners);
    }
}

TEST(test_any_triangles_can_be_split) {
    chance c = chance_from(3);
    for (int i = 0; i < 40; i++) {
        triangle_mesh m = {4 + chance_below(&c, 60), 1 + chance_below(&c, 200), NULL};
        uint32_t num_parts;
        m.corners = malloc((size_t)m.num_triangles * 3 * sizeof *m.corners);
        for (uint32_t k = 0; k < 3 * m.num_triangles; k++) /* some have a vertex twice */
            m.corners[k] = chance_below(&c, i % 2 ? m.num_vertices : 4);
        check_split(&m, 1 + chance_below(&c, 20), 3 + chance_below(&c, 20), &num_parts);
        free(m.corners);
    }
}

/* ---- Order ---------------------------------------------------------------------------------- */

static int compare_triangles(const void *a, const void *b) {
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

TEST(test_ordered_triangles_are_the_same) {
    lm_heap heap = plain_heap();
    for (uint32_t seed = 0; seed < 4; seed++) {
        triangle_mesh m = make_sheet(50, 60, seed);
        const size_t size = (size_t)m.num_triangles * 3 * sizeof *m.corners;
        uint32_t *before = malloc(size), *times = malloc(m.num_vertices * sizeof *times);
        memcpy(before, m.corners, size);
        memset(m.corners + 3, 0, 3 * sizeof *m.corners); /* all corners are one vertex */
        memset(before + 3, 0, 3 * sizeof *before);
        const uint32_t first = lmi_count_transforms(m.num_triangles, m.num_vertices, before, times);
        assert_true(lmi_order_triangles(m.num_triangles, m.num_vertices, m.corners, NULL, &heap));
        const uint32_t then =
            lmi_count_transforms(m.num_triangles, m.num_vertices, m.corners, times);
        assert_true(then < first || memcmp(before, m.corners, size) == 0);
        assert_in_range(then, m.num_vertices, m.num_triangles * 8 / 10);
        qsort(before, m.num_triangles, 3 * sizeof *before, compare_triangles);
        qsort(m.corners, m.num_triangles, 3 * sizeof *before, compare_triangles);
        assert_memory_equal(before, m.corners, size);
        free(before);
        free(times);
        free(m.corners);
    }
    assert_int_equal(heap.used, 0);
}

/* Narrow sheets already have the best order. */
TEST(test_a_good_order_stays) {
    lm_heap heap = plain_heap();
    uint32_t times[15 * 41], stayed = 0;
    for (uint32_t width = 1; width < 15; width++) {
        triangle_mesh m = make_sheet(width, 40, 0);
        const uint32_t before =
            lmi_count_transforms(m.num_triangles, m.num_vertices, m.corners, times);
        assert_true(lmi_order_triangles(m.num_triangles, m.num_vertices, m.corners, NULL, &heap));
        const uint32_t then =
            lmi_count_transforms(m.num_triangles, m.num_vertices, m.corners, times);
        assert_in_range(then, m.num_vertices, before);
        stayed += then == before;
        free(m.corners);
    }
    assert_in_range(stayed, 4, 10);
}

TEST(test_transforms_are_counted) {
    uint32_t times[40];
    const uint32_t again[] = {0, 1, 2, 2, 1, 0, 3, 3, 3};
    assert_int_equal(lmi_count_transforms(3, 4, again, times), 4);
    uint32_t corners[3 * 12]; /* the cache drops vertex 0 after 16 others */
    for (uint32_t c = 0; c < 36; c++)
        corners[c] = c < 17 ? c : 0;
    assert_int_equal(lmi_count_transforms(12, 40, corners, times), 18);
    corners[16] = 0;
    assert_int_equal(lmi_count_transforms(12, 40, corners, times), 16);
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* A waving sheet, in 3 frames. */
typedef struct wave {
    triangle_mesh sheet;
    float *positions;
    lm_mesh_surface surfaces[3];
    lm_mesh mesh;
} wave;

static void make_wave(wave *w, uint32_t width, uint32_t height, const char *name) {
    memset(w, 0, sizeof *w);
    w->sheet = make_sheet(width, height, 1);
    float *p = w->positions = malloc((size_t)w->sheet.num_vertices * 9 * sizeof *p);
    for (uint32_t f = 0; f < 3; f++)
        for (uint32_t v = 0; v < w->sheet.num_vertices; v++, p += 3) {
            p[0] = (float)(v % (width + 1));
            const uint32_t row = v / (width + 1);
            p[1] = (float)row;
            p[2] = (float)(f * (v % 7));
        }
    w->surfaces[0] = MESH_SURFACE(w->sheet.num_vertices, w->positions, w->sheet.num_triangles,
                                  w->sheet.corners, .name = name);
    w->mesh = (lm_mesh){.num_frames = 3, .num_surfaces = 1, .surfaces = w->surfaces};
}

static void free_wave(wave *w) {
    free(w->sheet.corners);
    free(w->positions);
}

static void check_sizes(const lm_model *model, uint32_t max_vertices, uint32_t max_triangles) {
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        assert_in_range(model->surfaces[i].num_file_vertices, 1, max_vertices);
        assert_in_range(model->surfaces[i].num_triangles, 1, max_triangles);
    }
}

TEST(test_surfaces_fit_the_engine) {
    static const struct {
        const char *format;
        lm_engine engine;
        uint32_t parts, vertices, triangles;
    } cases[] = {
        {"md3", LM_ENGINE_ANY, 1, 4148, 8040},     {"md3", LM_ENGINE_QUAKE3, 5, 999, 1999},
        {"md3", LM_ENGINE_RTCW, 5, 999, 1999},     {"md3", LM_ENGINE_RTCW_SP, 2, 3999, 7999},
        {"md3", LM_ENGINE_Q2PRO, 2, 4096, 4096},   {"md3", LM_ENGINE_UFOAI, 2, 4096, 8192},
        {"mdc", LM_ENGINE_ANY, 1, 4148, 8040},     {"mdc", LM_ENGINE_RTCW, 5, 999, 1999},
        {"mdc", LM_ENGINE_RTCW_SP, 2, 3999, 7999}, {"mdc", LM_ENGINE_ET, 1, 9999, 19999}};
    AT_END(free_wave) wave w;
    make_wave(&w, 60, 67, "flag"); /* 4,148 vertices, 8,040 triangles */
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(free_synthetic)
        made m =
            make_file(&w.mesh, cases[i].format, &(lm_encode_options){.engine = cases[i].engine});
        assert_int_equal(m.model->num_surfaces, cases[i].parts);
        check_sizes(m.model, cases[i].vertices, cases[i].triangles);
        assert_int_equal(m.report->num_triangles, w.sheet.num_triangles);
        assert_true(m.report->max_error < 0.05);
        /* Reports either that the surface is split, or which engines it is too large for. */
        char words[80];
        snprintf(words, sizeof words, "surface 0, \"flag\", is split into %u: it has 4148 vertices",
                 cases[i].parts);
        assert_int_equal(has_problem(m.report, LM_CODE_ENGINE_LIMIT, words), cases[i].parts > 1);
        assert_int_equal(has_problem(m.report, LM_CODE_ENGINE_LIMIT, "loads at most"),
                         cases[i].engine == LM_ENGINE_ANY);
    }
}

/* Engines match the parts' names with the name in .skin files. */
TEST(test_pieces_keep_the_materials) {
    static const struct {
        const char *name, *other, *parts[5];
    } cases[] = {{"flag", "x", {"flag", "flag_1", "flag_2", "flag_3", "flag_4"}},
                 {"flag_z", "x", {"flag_z", "flag_1", "flag_2", "flag_3", "flag_4"}},
                 {"flag", "flag_2", {"flag", "flag_1", "flag_3", "flag_4", "flag_5"}},
                 {"_z", "x", {"_z", "_z_1", "_z_2", "_z_3", "_z_4"}},
                 {"flag_2", "x", {"flag_2", "flag_1", "flag_3", "flag_4", "flag_5"}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(free_wave) wave w;
        make_wave(&w, 60, 67, cases[i].name);
        w.surfaces[1] = w.surfaces[0];
        w.surfaces[1].name = cases[i].other;
        w.surfaces[1].num_triangles = 2;
        w.mesh.num_surfaces = 2;
        AT_END(free_synthetic)
        made m = make_file(&w.mesh, "md3", &(lm_encode_options){.engine = LM_ENGINE_QUAKE3});
        assert_int_equal(m.model->num_surfaces, 6);
        for (uint32_t k = 0; k < 5; k++)
            assert_string_equal(m.model->surfaces[k].name, cases[i].parts[k]);
        assert_string_equal(m.model->surfaces[5].name, cases[i].other);
    }
}

TEST(test_pieces_share_names_too_long_to_number) {
    char name[64];
    AT_END(free_wave) wave w;
    memset(name, 'n', sizeof name);
    name[62] = '\0';
    make_wave(&w, 60, 67, name);
    AT_END(free_synthetic)
    made m = make_file(&w.mesh, "md3", &(lm_encode_options){.engine = LM_ENGINE_QUAKE3});
    for (uint32_t k = 0; k < m.model->num_surfaces; k++)
        assert_string_equal(m.model->surfaces[k].name, name);
}

TEST(test_engine_limits_are_enforced) {
    enum {
        MANY = 1025
    };
    static float positions[MANY * 9];
    static lm_transform poses[MANY];
    static const uint32_t triangle[3] = {0, 2, 1};
    for (int i = 0; i < MANY * 9; i++)
        positions[i] = (float)(i % 9 * (i % 5));
    lm_mesh_surface surfaces[33];
    lm_mesh_tag tags[17];
    for (size_t i = 0; i < COUNT_OF(surfaces); i++)
        surfaces[i] = (lm_mesh_surface){
            .num_vertices = 3, .positions = positions, .num_triangles = 1, .triangles = triangle};
    for (size_t i = 0; i < COUNT_OF(tags); i++)
        tags[i] = (lm_mesh_tag){.name = "tag", .poses = poses};
    const lm_mesh most = MESH_OF(MANY - 1, 32, surfaces, .num_tags = 16, .tags = tags);
    const lm_encode_options options = {.engine = LM_ENGINE_QUAKE3};
    made m = make_file(&most, "md3", &options);
    free_synthetic(&m);
    lm_mesh mesh = most;
    mesh.num_frames = MANY;
    expect_file_error(&mesh, "md3", &options, LM_CODE_LIMIT,
                      "1025 frames, but quake3 loads at most 1024");
    m = make_file(&mesh, "md3", NULL); /* and reports it if no engine is given */
    assert_int_equal(m.report->problems[0].code, LM_CODE_ENGINE_LIMIT);
    free_synthetic(&m);
    mesh = most;
    mesh.num_surfaces = 33;
    expect_file_error(&mesh, "md3", &options, LM_CODE_LIMIT,
                      "33 surfaces, but quake3 loads at most 32");
    mesh = most;
    mesh.num_tags = 17;
    expect_file_error(&mesh, "md3", &options, LM_CODE_LIMIT,
                      "17 tags, but quake3 loads at most 16");
}

/* Tests that frames that already lie on a grid of 256 lines keep it. */

enum {
    VERTICES = 90,
    FRAMES = 6
};

/* Frames of bytes on a grid each, as in an MD2. Frame 3 begins the second movement. */
typedef struct byte_frames {
    float steps[FRAMES][3], starts[FRAMES][3], positions[FRAMES][VERTICES][3];
    bool used[VERTICES], begins[FRAMES];
    lm_grid_points points;
    lm_grid_candidate request;
} byte_frames;

static void make_frames(byte_frames *b, uint32_t last, chance *c) {
    memset(b, 0, sizeof *b);
    for (int f = 0; f < FRAMES; f++)
        for (int axis = 0; axis < 3; axis++) {
            b->begins[f] = f % 3 == 0;
            b->steps[f][axis] = (float)pow(10, (double)chance_real(c, -4, 3));
            b->starts[f][axis] = b->steps[f][axis] * chance_real(c, -400, 150);
            for (int v = 0; v < VERTICES; v++) {
                const uint32_t line = v == 0 ? 0 : v == 1 ? last : chance_below(c, last + 1);
                b->positions[f][v][axis] = (float)line * b->steps[f][axis] + b->starts[f][axis];
            }
        }
    for (int v = 0; v < VERTICES; v++)
        b->used[v] = v != 2; /* which lies off the grid */
    for (int f = 0; f < FRAMES; f++)
        b->positions[f][2][1] = 1e7f;
    b->points = (lm_grid_points){b->positions[0][0], VERTICES, b->used};
    b->request = (lm_grid_candidate){FRAMES, 1, &b->points, b->begins, 64};
}

/* Returns the error of the nearest line, in steps of the original grid. */
static double error_of(const byte_frames *b, const lm_grid *grids, int frame, int vertex,
                       int axis) {
    const lm_grid *grid = &grids[frame];
    uint8_t line, scratch[LM_GRID_WAYS];
    const bool begins = true;
    const lm_grid_path path = {.num_frames = 1,
                               .grids = grid,
                               .begins = &begins,
                               .from = &b->positions[frame][vertex][axis],
                               .from_stride = 1,
                               .to = &line,
                               .to_stride = 1};
    lmi_grid_round(&path, axis, scratch);
    const float at = (float)line * grid->step[axis] + grid->start[axis];
    return fabs((double)at - (double)*path.from) / (double)b->steps[frame][axis];
}

static void choose(byte_frames *b, lm_grid *grids, double worst[FRAMES][3]) {
    lm_heap heap = plain_heap();
    AT_END(lmi_arena_free) lm_arena arena = {.heap = &heap};
    assert_true(lmi_grid_choose(&b->request, grids, &arena));
    for (int f = 0; f < FRAMES; f++)
        for (int axis = 0; axis < 3; axis++) {
            worst[f][axis] = 0;
            for (int v = 0; v < VERTICES; v++)
                if (b->used[v])
                    worst[f][axis] = fmax(worst[f][axis], error_of(b, grids, f, v, axis));
        }
}

/* Offsets are up to 400 steps: floats then store a step with 15 bits. */
#define NOTHING 0x1p-13

TEST(test_frames_on_grids_keep_them) {
    static byte_frames b;
    chance c = chance_from(1);
    for (int round = 0; round < 500; round++) {
        lm_grid grids[FRAMES];
        double worst[FRAMES][3];
        make_frames(&b, 1 + chance_below(&c, LM_GRID_LAST), &c);
        choose(&b, grids, worst);
        for (int f = 0; f < FRAMES; f++)
            for (int axis = 0; axis < 3; axis++)
                if (worst[f][axis] > NOTHING)
                    fail_msg("round %d: frame %d moves by %g steps", round, f, worst[f][axis]);
    }
}

/* Static vertices would move between a frame that keeps its grid and one that gets another. */
TEST(test_movements_keep_all_grids_or_none) {
    static byte_frames b;
    chance c = chance_from(2);
    for (int round = 0; round < 200; round++) {
        lm_grid grids[FRAMES];
        double worst[FRAMES][3];
        make_frames(&b, LM_GRID_LAST, &c);
        const int moved = (int)chance_below(&c, 3), axis = (int)chance_below(&c, 3);
        b.positions[moved][7][axis] += chance_real(&c, 0.2f, 0.8f) * b.steps[moved][axis];
        choose(&b, grids, worst);
        for (int f = 0; f < FRAMES; f++)
            for (int i = 0; i < 3; i++) {
                const bool kept = grids[f].origin[i] == grids[f].start[i];
                assert_true(kept == (f >= 3 || i != axis) || grids[f].start[i] == 0);
                assert_true(!kept || worst[f][i] <= NOTHING);
            }
    }
}

static float step_of(const float *x, uint32_t count) {
    static lm_own_values values;
    float low = x[0], high = x[0];
    for (uint32_t i = 1; i < count; i++) {
        low = fminf(low, x[i]);
        high = fmaxf(high, x[i]);
    }
    bool fits = lmi_own_begin(&values, (double)low, (double)high);
    for (uint32_t i = 0; fits && i < count; i++)
        fits = lmi_own_add(&values, x[i]);
    return fits ? lmi_own_step(&values) : -1;
}

TEST(test_steps) {
    float x[300];
    assert_true(step_of((const float[]){3, 3, 3}, 3) == 0);
    assert_true(step_of((const float[]){0, 255, 17, 4}, 4) == 1);
    assert_true(step_of((const float[]){1, 2, 4.5f}, 3) > 0);
    assert_true(step_of((const float[]){0, 251, 250, 17}, 4) == 1);
    assert_true(step_of((const float[]){0, 255, 17.25f, 4, 9}, 5) == -1);
    assert_true(step_of((const float[]){1e6f, 1e6f + 1, 1e6f + 0.5f}, 3) == -1); /* too coarse */
    assert_true(step_of((const float[]){-3e38f, 3e38f}, 2) > 0);
    for (int i = 0; i < 300; i++)
        x[i] = (float)i;
    assert_true(step_of(x, 256) == 1);
    assert_true(step_of(x, 257) == -1);
    assert_true(step_of(x, 300) == -1);
    for (int i = 0; i < 256; i++) /* stored in other units */
        x[i] = (float)((double)((float)i * 0.37f - 20) * 0.0254) / 0.0254f;
    assert_true(fabsf(step_of(x, 256) - 0.37f) < 1e-6f);
}
