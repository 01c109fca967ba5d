/* Tests MDLs encoded from floats: the seam, groups, skins, the single grid. Tests of all encoders
 * are in test_encode.c; test_written.py compares with other readers. */
#include "elements.h"
#include "encoded.h"
#include "math/colours.h"

enum {
    SIDE = 8 /* pixels of a skin */
};

static lm_mdl *document_of(const made *m) {
    lm_error error;
    lm_mdl *mdl = lm_mdl_read(m->file.data, m->file.size, NULL, &error);
    assert_done(mdl, error);
    return mdl;
}

/* ---- The seam ------------------------------------------------------------------------------- */

/* Two triangles, back to back over the same three points. Texels of the front start at `front`,
 * those of the back at `back`, except for its last corner, which is at `odd`. */
typedef struct leaf {
    float positions[9], st[12];
    uint32_t triangles[6], st_triangles[6];
    lm_mesh_surface surface;
    lm_mesh mesh;
} leaf;

static float texel(int at) {
    return ((float)at + 0.5f) / SIDE;
}

static void make_leaf(leaf *l, int front, int back, int odd) {
    static const float positions[9] = {0, 0, 0, 10, 0, 0, 0, 10, 5};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 1}, st[6] = {0, 1, 2, 3, 5, 4};
    memcpy(l->positions, positions, sizeof positions);
    memcpy(l->triangles, triangles, sizeof triangles);
    memcpy(l->st_triangles, st, sizeof st);
    for (int i = 0; i < 6; i++) {
        l->st[2 * i] = texel(i < 3 ? front + i % 3 % 2 : i == 5 ? odd : back + i % 3 % 2);
        l->st[2 * i + 1] = texel(2 * (i % 3));
    }
    l->surface = MESH_SURFACE(3, l->positions, 2, l->triangles, .num_st = 6, .st = l->st,
                              .st_triangles = l->st_triangles);
    l->mesh = MESH_OF(1, 1, &l->surface, .skin_width = SIDE, .skin_height = SIDE);
}

/* Checks that texture coordinates are read back unchanged, whatever their encoding at the seam. */
static void check_leaf(const leaf *l, const made *m) {
    const lm_surface *s = &m->model->surfaces[0];
    assert_int_equal(s->num_triangles, 2);
    for (size_t c = 0; c < 6; c++) {
        const lm_vec2 st = s->st[s->triangles[c]];
        assert_true(fabsf(st.x - l->st[2 * l->st_triangles[c]]) < 1e-6f);
        assert_true(fabsf(st.y - l->st[2 * l->st_triangles[c] + 1]) < 1e-6f);
    }
}

TEST(test_the_seam_saves_vertices) {
    static const struct {
        int front, back, odd, vertices;
        int seam; /* the number of points on it */
    } cases[] = {
        {1, 5, 5, 3, 3},                  /* half a skin apart: all three are shared */
        {0, 4, 4, 3, 3}, {1, 5, 6, 4, 2}, /* one corner is not */
        {1, 6, 6, 6, 0}, {1, 1, 1, 3, 0}, /* the same pixels on both sides */
        {5, 1, 1, 3, 3},                  /* the front has the right half */
        {1, 5, 1, 3, 2},                  /* the last corner is the same on both sides */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        leaf l;
        make_leaf(&l, cases[i].front, cases[i].back, cases[i].odd);
        AT_END(free_synthetic) made m = make_file(&l.mesh, "mdl", NULL);
        OWNED(lm_mdl) *mdl = document_of(&m);
        int seam = 0;
        for (int32_t v = 0; v < mdl->num_verts; v++) {
            lm_mdl_st st;
            lmi_mdl_get_st(mdl, v, &st);
            assert_true(st.s >= 0 && st.s < SIDE && st.t >= 0 && st.t < SIDE);
            assert_true(st.onseam == 0 || (st.onseam == 0x20 && st.s < SIDE / 2));
            seam += st.onseam != 0;
        }
        if (mdl->num_verts != cases[i].vertices || seam != cases[i].seam)
            fail_msg("case %zu: %d vertices, %d on the seam", i, (int)mdl->num_verts, seam);
        check_leaf(&l, &m);
    }
}

/* Each triangle uses a left and a right half of the shared points: neither can take both. */
TEST(test_crossing_halves_are_not_joined) {
    leaf l;
    make_leaf(&l, 1, 5, 5);
    l.st[2] = texel(6);
    l.st[8] = texel(2);
    AT_END(free_synthetic) made m = make_file(&l.mesh, "mdl", NULL);
    assert_int_equal(m.report->num_vertices, 6);
    check_leaf(&l, &m);
}

TEST(test_edge_texels_are_inside_the_skin) {
    leaf l;
    make_leaf(&l, 1, 1, 1);
    l.st[0] = 1;
    l.st[1] = 1;
    l.st[2] = 0;
    made m = make_file(&l.mesh, "mdl", NULL);
    lm_mdl *mdl = document_of(&m);
    lm_mdl_st st;
    lmi_mdl_get_st(mdl, 0, &st);
    assert_int_equal(st.s, SIDE - 1);
    assert_int_equal(st.t, SIDE - 1);
    lmi_mdl_get_st(mdl, 1, &st);
    assert_int_equal(st.s, 0);
    lm_mdl_free(mdl);
    free_synthetic(&m);
    l.st[0] = 8000;
    expect_file_error(&l.mesh, "mdl", NULL, LM_CODE_LIMIT, "the format's limit is 32767");
}

/* ---- Groups --------------------------------------------------------------------------------- */

TEST(test_clips_of_other_rates_become_groups) {
    static const float times[] = {2, 2.5f, 2.75f, 4};
    AT_END(free_random_mesh) random_mesh r;
    do
        make_random_mesh(&r, 3);
    while (r.mesh.num_frames < 12);
    const lm_clip clips[] = {
        {.name = "walk", .first = 0, .count = 4, .fps = 10},
        {.name = "run", .first = 4, .count = 4, .fps = 20},
        {.name = "burn", .first = 8, .count = 3, .fps = 2, .times = times},
        {.name = "trot", .first = 6, .count = 3, .fps = 5},
        {.name = "back", .first = 0, .count = 2, .fps = 10, .backwards = true},
    };
    r.mesh.clips = clips;
    r.mesh.num_clips = COUNT_OF(clips);
    AT_END(free_synthetic) made m = make_file(&r.mesh, "mdl", NULL);
    OWNED(lm_mdl) *mdl = document_of(&m);
    assert_int_equal(mdl->num_frames, (int)r.mesh.num_frames - 3 - 2);
    assert_int_equal(mdl->frames[3].type, 0);
    assert_int_equal(mdl->frames[4].type, 1);
    assert_int_equal(mdl->frames[4].num_poses, 4);
    for (int i = 0; i < 4; i++)
        assert_true(lmi_mdl_get_time(mdl->frames[4].times, i) == (float)((i + 1) / 20.0));
    assert_int_equal(mdl->frames[5].num_poses, 3);
    for (int i = 0; i < 3; i++)
        assert_true(lmi_mdl_get_time(mdl->frames[5].times, i) == times[i + 1] - 2);
    assert_int_equal(mdl->frames[6].type, 0);
    assert_true(
        has_problem(m.report, LM_CODE_NOT_HELD, "\"trot\": another clip has the same frames"));
    assert_true(has_problem(m.report, LM_CODE_NOT_HELD, "\"back\", plays backwards"));
    assert_false(has_problem(m.report, LM_CODE_NOT_HELD, "\"run\""));
    uint32_t found = 0;
    for (uint32_t i = 0; i < m.model->num_clips; i++)
        for (size_t k = 0; k < 3; k++)
            found += m.model->clips[i].first == clips[k].first &&
                     m.model->clips[i].count == clips[k].count &&
                     strcmp(m.model->clips[i].name, clips[k].name) == 0;
    assert_int_equal(found, 3);
}

/* ---- The grid ------------------------------------------------------------------------------- */

/* Checks that each byte is the nearest line of one grid, as fine as possible. Boxes and the radius
 * are those of the bytes, and static vertices stay static. */
static void check_grid(const random_mesh *r, const made *m) {
    OWNED(lm_mdl) *mdl = document_of(m);
    const float scale[3] = {mdl->scale.x, mdl->scale.y, mdl->scale.z};
    const float translate[3] = {mdl->translate.x, mdl->translate.y, mdl->translate.z};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t v = 0; v < r->surfaces[i].num_vertices; v++) {
            const double most = (double)fmaxf(fmaxf(scale[0], scale[1]), scale[2]) / 2;
            if (is_used(&r->surfaces[i], v))
                assert_true(find_vertex(m, i, v, NULL, NULL) <= most * 1.0001);
        }
    double far = 0;
    uint8_t low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
    for (int32_t f = 0; f < mdl->num_frames; f++) {
        lm_mdl_pose pose;
        lmi_mdl_get_pose(mdl, f, 0, &pose);
        for (int32_t v = 0; v < mdl->num_verts; v++) {
            lm_mdl_vertex at;
            double square = 0;
            lmi_mdl_get_vertex(mdl, f, 0, v, &at);
            for (int k = 0; k < 3; k++) {
                const double x = at.v[k] * (double)scale[k] + (double)translate[k];
                square += x * x;
                assert_true(at.v[k] >= pose.min.v[k] && at.v[k] <= pose.max.v[k]);
                low[k] = at.v[k] < low[k] ? at.v[k] : low[k];
                high[k] = at.v[k] > high[k] ? at.v[k] : high[k];
            }
            far = fmax(far, square);
        }
    }
    for (int k = 0; k < 3; k++)
        assert_true(low[k] == 0 && high[k] == 255);
    assert_true(fabs(sqrt(far) - (double)mdl->radius) < 1e-3);
    assert_true(m->report->jitter == 0);
}

TEST(test_one_grid_for_all_frames) {
    for (uint32_t seed = 0; seed < 40; seed++) {
        AT_END(free_random_mesh) random_mesh r;
        make_random_mesh(&r, seed);
        AT_END(free_synthetic) made m = make_file(&r.mesh, "mdl", NULL);
        assert_true(has_problem(m.report, LM_CODE_NOT_HELD, "2 surfaces become one"));
        check_grid(&r, &m);
    }
}

/* ---- Skins ---------------------------------------------------------------------------------- */

TEST(test_skins) {
    static const float times[] = {1, 1.5f, 3};
    uint8_t pixels[3][SIDE * SIDE];
    leaf l;
    make_leaf(&l, 1, 5, 5);
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i / sizeof pixels[0]][i % sizeof pixels[0]] = (uint8_t)(i * 7);
    const char *names[] = {"one", "two"};
    lm_embedded_skin skins[] = {{1, pixels[0], NULL}, {2, pixels[1], times}, {0, NULL, NULL}};
    l.mesh.num_skins = 2;
    l.mesh.skins = names;
    l.mesh.embedded_skins = skins;
    AT_END(free_synthetic) made m = make_file(&l.mesh, "mdl", NULL);
    assert_int_equal(m.report->num_problems, 0);
    assert_int_equal(m.model->num_skins, 2);
    assert_memory_equal(m.model->embedded_skins[0].pixels, pixels[0], sizeof pixels[0]);
    assert_memory_equal(m.model->embedded_skins[1].pixels, pixels[1], 2 * sizeof pixels[1]);
    lm_mdl *mdl = document_of(&m);
    assert_int_equal(mdl->skins[1].type, 1);
    assert_true(lmi_mdl_get_time(mdl->skins[1].times, 0) == 0.5f);
    assert_true(lmi_mdl_get_time(mdl->skins[1].times, 1) == 2.0f);
    lm_mdl_free(mdl);
    free_synthetic(&m);
    skins[1].pixels = NULL;
    expect_file_error(&l.mesh, "mdl", NULL, LM_CODE_BAD_ARGUMENT, "skin 1 has no pixels");
    skins[1].num_images = 0;
    expect_file_error(&l.mesh, "mdl", NULL, LM_CODE_BAD_ARGUMENT, "skin 1 has no pixels");
    skins[1] = (lm_embedded_skin){2, pixels[1], times};
    l.mesh.skin_width = 0;
    expect_file_error(&l.mesh, "mdl", NULL, LM_CODE_BAD_ARGUMENT, "but no width and height");
    l.mesh.skin_width = l.mesh.skin_height = 65536;
    expect_file_error(&l.mesh, "mdl", NULL, LM_CODE_LIMIT, "do not fit into 2 GiB");
    /* Surfaces name a skin, and the list of embedded skins is empty. */
    lm_material named = {.name = "leaf.pcx"};
    lm_mesh_surface surface = *l.mesh.surfaces;
    surface.materials = &named;
    surface.num_materials = 1;
    lm_mesh plain = l.mesh;
    plain.surfaces = &surface;
    plain.num_skins = 0;
    plain.embedded_skins = &skins[2];
    plain.skin_width = plain.skin_height = 0;
    m = make_file(&plain, "mdl", NULL);
    assert_int_equal(m.model->num_skins, 1);
    free_synthetic(&m);
    l.mesh.embedded_skins = NULL;
    l.mesh.skin_width = l.mesh.skin_height = 0;
    m = make_file(&l.mesh, "mdl", NULL);
    assert_true(has_problem(m.report, LM_CODE_NOT_HELD, "a grey skin of 64 x 64"));
    assert_int_equal(m.model->embedded_skins[0].num_images, 1);
    assert_int_equal(m.model->skin_width, 64);
}

TEST(test_models_have_the_default_palette) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_model) *model = lm_load_memory(file.data, file.size, NULL, NULL);
    assert_memory_equal(model->palette, lmi_quake_palette(), 768);
}

/* ---- Limits --------------------------------------------------------------------------------- */

TEST(test_engines_limits) {
    enum {
        MANY = 1100
    };
    static float positions[3 * MANY];
    static uint32_t triangles[3 * MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t row = i / 40;
        positions[3 * i] = (float)(i % 40);
        positions[3 * i + 1] = (float)row;
        for (uint32_t c = 0; c < 3; c++)
            triangles[3 * i + c] = (i + c) % MANY;
    }
    const lm_mesh_surface surface = MESH_SURFACE(MANY, positions, MANY, triangles);
    lm_mesh mesh = {.num_frames = 1, .num_surfaces = 1, .surfaces = &surface};
    lm_encode_options options = {.engine = LM_ENGINE_GLQUAKE};
    expect_file_error(&mesh, "mdl", &options, LM_CODE_LIMIT,
                      "the model has 1100 vertices, but glquake loads at most 1024");
    options.engine = LM_ENGINE_QUAKE;
    made m = make_file(&mesh, "mdl", &options);
    free_synthetic(&m);
    const lm_mesh empty = {.num_frames = 1};
    expect_file_error(&empty, "mdl", NULL, LM_CODE_LIMIT, "the mesh has no triangles");
}
