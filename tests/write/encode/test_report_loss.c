/* Tests conversions between all formats: content that the target supports is kept; the rest is
 * reported. */
#include "encode/encoding.h"
#include "encoded.h"
#include "mesh/mesh_make.h"
#include "synthetic.h"

enum {
    SIDE = 4
};

/* A mesh with everything that a mesh may have. */
typedef struct everything {
    random_mesh r;
    lm_material materials[2];
    lm_transform poses[2][64];
    lm_mesh_tag tag;
    lm_clip clips[2];
    const char *skins[2];
    uint8_t pixels[SIDE * SIDE];
    lm_embedded_skin embedded[2];
    lm_mesh mesh;
} everything;

static void make_everything(everything *e) {
    make_random_mesh(&e->r, 5);
    e->mesh = e->r.mesh;
    assert_true(e->mesh.num_frames <= 64);
    for (uint32_t f = 0; f < e->mesh.num_frames; f++)
        e->poses[0][f] = (lm_transform){{1, 2, (float)f}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    e->tag = (lm_mesh_tag){.name = "tag_head", .poses = e->poses[0]};
    e->materials[0] = (lm_material){.name = "models/a/one.tga", .flags = 3};
    e->materials[1] = (lm_material){.name = "models/a/two.tga"};
    e->skins[0] = "models/a/one.tga";
    e->skins[1] = "models/a/two.tga";
    for (int i = 0; i < SIDE * SIDE; i++)
        e->pixels[i] = (uint8_t)(i * 16 + 15);
    for (int i = 0; i < 2; i++) {
        e->embedded[i] = (lm_embedded_skin){1, e->pixels, NULL};
        e->r.surfaces[i].materials = e->materials;
        e->r.surfaces[i].num_materials = 2;
        e->r.surfaces[i].flags = 5 + i;
        e->clips[i] = e->r.clips[i];
    }
    e->r.surfaces[0].name = "body";
    e->r.surfaces[1].name = "hat";
    e->clips[0].fps = 15;
    e->mesh.name = "models/a/body.md3";
    e->mesh.clips = e->clips;
    e->mesh.num_tags = 1;
    e->mesh.tags = &e->tag;
    e->mesh.num_skins = 2;
    e->mesh.skins = e->skins;
    e->mesh.embedded_skins = e->embedded;
    e->mesh.skin_width = e->mesh.skin_height = SIDE;
    e->mesh.transparent_255 = true;
    e->mesh.flags = 8;
    e->mesh.synctype = 1;
    e->mesh.eye = (lm_vec3){1, 0, 24};
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* ---- Each kind of content ------------------------------------------------------------------- */

#define PRESERVES(name, expression)                        \
    static bool name(const lm_mesh *a, const lm_mesh *b) { \
        return expression;                                 \
    }

PRESERVES(preserves_name, same_text(a->name, b->name))

static bool preserves_surfaces(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_surfaces == b->num_surfaces;
    for (uint32_t i = 0; same && i < a->num_surfaces; i++)
        same = same_text(a->surfaces[i].name, b->surfaces[i].name);
    return same;
}

static bool preserves_surface_flags(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_surfaces == b->num_surfaces;
    for (uint32_t i = 0; same && i < a->num_surfaces; i++)
        same = a->surfaces[i].flags == b->surfaces[i].flags;
    return same;
}

PRESERVES(preserves_flags, a->flags == (b->flags & ~LM_MDL_TRANSPARENT_255))
PRESERVES(preserves_tags, a->num_tags == b->num_tags && same_text(a->tags[0].name, b->tags[0].name))
PRESERVES(preserves_eye, a->eye.x == b->eye.x && a->eye.y == b->eye.y && a->eye.z == b->eye.z)
PRESERVES(preserves_synctype, a->synctype == b->synctype)

static bool preserves_pixels(const lm_mesh *a, const lm_mesh *b) {
    return b->embedded_skins && a->num_skins == b->num_skins &&
           b->transparent_255 == a->transparent_255 &&
           memcmp(a->embedded_skins[1].pixels, b->embedded_skins[1].pixels, SIDE * SIDE) == 0;
}

static bool preserves_rates(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_clips == b->num_clips;
    for (uint32_t i = 0; same && i < a->num_clips; i++)
        same = fabsf(a->clips[i].fps - b->clips[i].fps) < 1e-3f;
    return same;
}

/* Both alternatives are present by name: the model's, or each surface's. An MDL has pixels. */
static bool preserves_skins(const lm_mesh *a, const lm_mesh *b) {
    if (b->embedded_skins)
        return b->num_skins == a->num_skins;
    bool model = b->num_skins == 2, surfaces = b->num_surfaces == 2;
    for (uint32_t i = 0; model && i < 2; i++)
        model = same_text(b->skins[i], a->skins[i]);
    for (uint32_t i = 0; surfaces && i < 2; i++)
        surfaces = b->surfaces[i].num_materials == 2 &&
                   same_text(b->surfaces[i].materials[1].name, a->skins[1]);
    return model || surfaces;
}

static bool preserves_shader_numbers(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_surfaces == b->num_surfaces;
    for (uint32_t i = 0; same && i < a->num_surfaces; i++)
        same = b->surfaces[i].num_materials == a->surfaces[i].num_materials &&
               a->surfaces[i].materials[0].flags == b->surfaces[i].materials[0].flags;
    return same;
}

static const struct {
    const char *what;
    bool (*survives)(const lm_mesh *a, const lm_mesh *b);
    const char *message;
    const char *formats; /* formats that keep it */
} things[] = {
    {"name", preserves_name, "the model's name, \"models/a/body.md3\", is dropped", "md3 mdc"},
    {"surfaces", preserves_surfaces, "2 surfaces become one", "md3 mdc"},
    {"surfaces' flags", preserves_surface_flags, "the flags of 2 surfaces are dropped", "md3 mdc"},
    {"flags", preserves_flags, "the model's flags, 8, are dropped", "md3 mdc mdl"},
    {"tags", preserves_tags, "1 tag is dropped", "md3 mdc"},
    {"eye", preserves_eye, "the eye position, 1 0 24, is dropped", "mdl"},
    {"synctype", preserves_synctype, "(synctype) is dropped", "mdl"},
    {"pixels", preserves_pixels, "the skins' pixels are dropped", "mdl"},
    {"rates", preserves_rates, "15", "mdl"},
    {"skins", preserves_skins, NULL, "md2 md3 mdc mdl"},
    {"shaders' numbers", preserves_shader_numbers, "the numbers of 2 shaders are dropped",
     "md3 mdc"},
};

static bool is_reported(const lm_encode_report *report, const char *words) {
    return words && (has_problem(report, LM_CODE_NOT_HELD, words) ||
                     has_problem(report, LM_CODE_FIXED_RATE, words));
}

TEST(test_each_loss_is_reported) {
    static everything e;
    make_everything(&e);
    for (uint32_t i = 0; lm_encoder_at(i); i++) {
        const lm_format_info *format = lm_encoder_at(i);
        AT_END(free_synthetic) made m = make_file(&e.mesh, format->name, NULL);
        OWNED(lm_mesh) *back = lm_mesh_from_model(m.model, NULL, NULL);
        for (size_t k = 0; k < COUNT_OF(things); k++) {
            const bool survives = things[k].survives(&e.mesh, back),
                       wanted = strstr(things[k].formats, format->name);
            if (survives != wanted || is_reported(m.report, things[k].message) == survives)
                if (things[k].message || !survives)
                    fail_msg("%s: %s: survives %d, expected %d", format->name, things[k].what,
                             survives, wanted);
        }
    }
    free_random_mesh(&e.r);
}

/* A lost size is not reported if the model has no skins or embeds them, or if it is the default. */
TEST(test_a_lost_skin_size_is_reported) {
    static everything e;
    make_everything(&e);
    static const struct {
        uint32_t width, height, skins;
        bool pixels, reported;
    } cases[] = {{296, 194, 2, false, true},  {256, 256, 2, false, false},
                 {256, 200, 1, false, true},  {0, 0, 2, false, false},
                 {296, 194, 0, false, false}, {SIDE, SIDE, 2, true, false}};
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        for (uint32_t i = 0; lm_encoder_at(i); i++) {
            const lm_format_info *format = lm_encoder_at(i);
            const bool fractions = !strcmp(format->name, "md3") || !strcmp(format->name, "mdc");
            char words[64];
            e.mesh.skin_width = cases[k].width;
            e.mesh.skin_height = cases[k].height;
            e.mesh.num_skins = cases[k].skins;
            e.mesh.embedded_skins = cases[k].pixels ? e.embedded : NULL;
            for (int s = 0; s < 2; s++)
                e.r.surfaces[s].num_materials = cases[k].skins;
            snprintf(words, sizeof words, "the skin's size, %u x %u, is dropped", cases[k].width,
                     cases[k].height);
            AT_END(free_synthetic) made m = make_file(&e.mesh, format->name, NULL);
            if (is_reported(m.report, words) != (cases[k].reported && fractions))
                fail_msg("%s: case %zu", format->name, k);
            if (cases[k].width > 0 && !fractions)
                assert_int_equal(m.model->skin_width, cases[k].width);
        }
    free_random_mesh(&e.r);
}

/* A mesh without any of it causes no reports. */
TEST(test_lossless_encodings_report_nothing) {
    static everything e;
    make_everything(&e);
    const lm_mesh_surface plain =
        MESH_SURFACE(e.r.surfaces[0].num_vertices, e.r.surfaces[0].positions,
                     e.r.surfaces[0].num_triangles, e.r.surfaces[0].triangles);
    const lm_mesh mesh = MESH_OF(e.mesh.num_frames, 1, &plain, .num_skins = 2, .skins = e.skins,
                                 .embedded_skins = NULL, .skin_width = 256, .skin_height = 256);
    for (uint32_t i = 0; lm_encoder_at(i); i++) {
        const char *name = lm_encoder_at(i)->name;
        AT_END(free_synthetic) made m = make_file(&mesh, name, NULL);
        assert_true(strcmp(name, "mdl") == 0 || !has_problem(m.report, LM_CODE_NOT_HELD, ""));
    }
    free_random_mesh(&e.r);
}

/* A transform moves the eye as well; an unspecified eye stays unspecified. */
TEST(test_the_eye_is_transformed) {
    static everything e;
    make_everything(&e);
    const lm_transform to = {{10, 20, 30}, {{0, 2, 0}, {-2, 0, 0}, {0, 0, 2}}};
    lm_mesh *placed = lm_mesh_transform(&e.mesh, &to, NULL, NULL);
    assert_true(placed->eye.x == 10 && placed->eye.y == 22 && placed->eye.z == 78);
    assert_true(placed->flags == 8 && placed->synctype == 1 && placed->transparent_255);
    assert_int_equal(placed->surfaces[1].flags, 6);
    lm_mesh_free(placed);
    e.mesh.eye = (lm_vec3){0, 0, 0};
    placed = lm_mesh_transform(&e.mesh, &to, NULL, NULL);
    assert_true(placed->eye.x == 0 && placed->eye.z == 0);
    lm_mesh_free(placed);
    e.mesh.eye.y = INFINITY;
    lm_error error;
    assert_false(lm_mesh_check(&e.mesh, &error));
    assert_string_equal(error.message, "mesh: the eye is not made of numbers below 2^40");
    free_random_mesh(&e.r);
}

/* Tests that meshes with inverted winding are reported, and flipped if the options ask for it. */

enum {
    CUBE_TRIANGLES = 12
};

/* A cube's triangles, clockwise seen from outside. */
static const uint32_t cube[CUBE_TRIANGLES * 3] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5,
                                                  0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6,
                                                  0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};

typedef struct synthetic_cube {
    float positions[8 * 3];
    uint32_t triangles[CUBE_TRIANGLES * 3];
    lm_mesh_surface surfaces[2];
    lm_mesh mesh;
} synthetic_cube;

/* The position relative to the origin must not matter. */
static void make_cube(synthetic_cube *m, bool clockwise) {
    *m = (synthetic_cube){.mesh = {.num_frames = 1, .num_surfaces = 1}};
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++)
            m->positions[3 * v + axis] = 100.0f + 8 * (float)(v >> axis & 1);
    memcpy(m->triangles, cube, sizeof cube);
    for (size_t t = 0; t < CUBE_TRIANGLES && !clockwise; t++) {
        m->triangles[3 * t + 1] = cube[3 * t + 2];
        m->triangles[3 * t + 2] = cube[3 * t + 1];
    }
    m->surfaces[0] = MESH_SURFACE(8, m->positions, CUBE_TRIANGLES, m->triangles);
    m->mesh.surfaces = m->surfaces;
}

/* Returns whether encoding reports inverted winding, and the file. */
static bool turns_windings(const lm_mesh *mesh, const lm_encode_options *options, lm_buffer *out) {
    lm_error error;
    OWNED(lm_encode_report) *report = NULL;
    assert_done(lm_encode(mesh, lm_format_by_name("md3"), options, out, &report, &error), error);
    return has_problem(report, LM_CODE_INVERTED, "");
}

static bool reported(const lm_mesh *mesh) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    return turns_windings(mesh, NULL, &out);
}

TEST(test_cube_in_both_windings) {
    synthetic_cube m;
    make_cube(&m, true);
    assert_false(reported(&m.mesh));
    make_cube(&m, false);
    assert_true(reported(&m.mesh));
}

/* Two halves of it, neither of which is closed. */
TEST(test_surfaces_count_together) {
    synthetic_cube m;
    make_cube(&m, false);
    m.surfaces[1] = m.surfaces[0];
    m.surfaces[0].num_triangles = 5;
    m.surfaces[1].num_triangles = CUBE_TRIANGLES - 5;
    m.surfaces[1].triangles += 15;
    m.mesh.num_surfaces = 2;
    assert_true(reported(&m.mesh));
}

TEST(test_winding_of_open_and_flat_meshes_is_not_reported) {
    synthetic_cube m;
    make_cube(&m, false);
    m.surfaces[0].num_triangles = CUBE_TRIANGLES - 1; /* 3 of 33 edges */
    assert_true(reported(&m.mesh));
    m.surfaces[0].num_triangles = CUBE_TRIANGLES - 2; /* 4 of 30 */
    assert_false(reported(&m.mesh));
    make_cube(&m, false);
    for (int v = 0; v < 8; v++)
        m.positions[3 * v] = 100 + (v & 1 ? 0.01f : 0);
    assert_false(reported(&m.mesh));
    m.mesh.num_surfaces = 0;
    assert_false(reported(&m.mesh));
}

/* A sheet has no inside. The shadow below a chair of Return to Castle Wolfenstein (hiback5.mdc)
 * made the chair inverted, and a field of many triangles has few edges at its sides. */
TEST(test_sheets_have_no_winding) {
    enum {
        LINE = 60
    };
    float field[LINE * LINE * 3];
    uint32_t up[LINE * LINE * 6], down[LINE * LINE * 6], count = 0;
    for (uint32_t v = 0; v < LINE * LINE; v++) {
        const uint32_t row = v / LINE;
        const float x = (float)(v % LINE), y = (float)row;
        memcpy(field + 3 * v, (const float[3]){x, y, 90 + x * x / LINE}, 3 * sizeof *field);
        if (v % LINE == LINE - 1 || v / LINE == LINE - 1)
            continue;
        memcpy(up + count, (const uint32_t[6]){v, v + LINE, v + 1, v + 1, v + LINE, v + LINE + 1},
               6 * sizeof *up);
        memcpy(down + count, (const uint32_t[6]){v, v + 1, v + LINE, v + 1, v + LINE + 1, v + LINE},
               6 * sizeof *down);
        count += 6;
    }
    for (int side = 0; side < 2; side++) {
        float sheet[12] = {0, 0, 90, 200, 0, 90, 0, 200, 90, 200, 200, 90};
        synthetic_cube m;
        make_cube(&m, true);
        m.surfaces[1] = MESH_SURFACE(4, sheet, 2,
                                     side ? (const uint32_t[6]){0, 2, 1, 1, 2, 3}
                                          : (const uint32_t[6]){0, 1, 2, 1, 3, 2});
        m.mesh.num_surfaces = 2;
        assert_false(reported(&m.mesh));
        m.surfaces[0] = MESH_SURFACE(LINE * LINE, field, count / 3, side ? up : down);
        m.mesh.num_surfaces = 1;
        assert_false(reported(&m.mesh));
    }
}

TEST(test_flipped_winding) {
    static const float st[] = {0, 0, 1, 0, 0, 1, 1, 1};
    uint32_t corners[2][CUBE_TRIANGLES * 3];
    synthetic_cube m[2];
    lm_buffer out[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        make_cube(&m[i], i == 0);
        for (int c = 0; c < CUBE_TRIANGLES * 3; c++)
            corners[i][c] = m[i].triangles[c] / 2;
        m[i].surfaces[0].num_st = 4;
        m[i].surfaces[0].st = st;
        m[i].surfaces[0].st_triangles = corners[i];
        assert_false(
            turns_windings(&m[i].mesh, &(lm_encode_options){.flip_winding = i == 1}, &out[i]));
    }
    assert_int_equal(out[0].size, out[1].size);
    assert_memory_equal(out[0].data, out[1].data, out[0].size);
    lm_buffer_free(&out[0]);
    lm_buffer_free(&out[1]);
}
