/* Tests common to all encoders: from floats to files. */
#include "encode/encoding.h"
#include "synthetic.h"
#include "value_checks.h"

static const char *const written_names[] = {"md2", "md3", "mdc", "mdl"};
static const lm_format_info *written[COUNT_OF(written_names)];

static int find_formats(void **state) {
    for (size_t i = 0; i < COUNT_OF(written_names); i++)
        written[i] = lm_format_by_name(written_names[i]);
    return 0;
}

static blob encode(const lm_mesh *mesh, const lm_format_info *format,
                   const lm_encode_options *options, lm_encode_report **report) {
    lm_buffer out = {0};
    lm_error error;
    if (!lm_encode(mesh, format, options, &out, report, &error))
        fail_msg("%s: %s", format->name, error.message);
    return blob_from_buffer(&out);
}

/* ---- Round trips ---------------------------------------------------------------------------- */

TEST(test_a_synthetic_mesh_round_trips) {
    synthetic_mesh m;
    make_mesh(&m);
    for (size_t i = 0; i < COUNT_OF(written_names); i++) {
        OWNED(lm_encode_report) *report = NULL;
        AT_END(blob_free) blob file = encode(&m.mesh, written[i], NULL, &report);
        OWNED(lm_model) *model = load_blob(&file);
        assert_string_equal(model->format, written[i]->name);
        assert_int_equal(model->num_frames, MESH_FRAMES);
        assert_string_equal(model->frames[0].name, "stand01");
        assert_string_equal(model->frames[10].name, "run06");
        assert_string_equal(model->frames[11].name, "frame12");
        assert_int_equal(report->num_triangles, MESH_TRIANGLES);
        assert_int_equal(report->size, file.size);
        assert_true(report->max_error > 0 && report->max_error < 0.2);
        assert_true(report->rms_error <= report->max_error);
    }
}

/* A surface without vertices needs no arrays. */
TEST(test_empty_surfaces_need_no_arrays) {
    synthetic_mesh m;
    make_mesh(&m);
    const lm_mesh_surface surfaces[] = {m.surface, {.name = "empty"}};
    m.mesh.surfaces = surfaces;
    m.mesh.num_surfaces = 2;
    for (size_t i = 0; i < COUNT_OF(written_names); i++) {
        OWNED(lm_encode_report) *report = NULL;
        AT_END(blob_free) blob file = encode(&m.mesh, written[i], NULL, &report);
        assert_int_equal(report->num_triangles, MESH_TRIANGLES);
    }
}

/* Every vertex of the file has the place of its source in the mesh, in every frame. */
static void assert_sources(const lm_mesh *mesh, const lm_model *model,
                           const lm_encode_report *report) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const uint32_t count = model->surfaces[i].num_file_vertices;
        lm_vec3 *row = malloc(model->surfaces[i].num_vertices * sizeof *row);
        for (uint32_t f = 0; f < mesh->num_frames; f++) {
            lm_sample(model, i, &(lm_pose){f, f, 0}, 1, &(lm_sample_target){.positions = &row->x});
            for (uint32_t v = 0; v < count; v++) {
                const lm_vertex_source *from = &report->sources[first + v];
                const lm_mesh_surface *s = &mesh->surfaces[from->surface];
                assert_true(from->vertex < s->num_vertices);
                const float *p = s->positions + 3 * ((size_t)f * s->num_vertices + from->vertex);
                assert_true(fabsf(row[v].x - p[0]) < 0.05f && fabsf(row[v].y - p[1]) < 0.05f &&
                            fabsf(row[v].z - p[2]) < 0.05f);
            }
        }
        first += count;
        free(row);
    }
    assert_int_equal(first, report->num_vertices);
}

/* The report maps the vertices of the file to those of the mesh; with keep_numbers they are the
 * same, even if they are equal, unused or used in another order. */
TEST(test_vertices_are_mapped_or_kept) {
    static const uint32_t triangles[] = {5, 0, 2, 2, 3, 5}, st_triangles[] = {0, 1, 2, 3, 1, 0};
    static const float st[] = {0, 0, 0.5f, 0, 0, 0.5f, 0.25f, 0.75f};
    float positions[2][3 * 6 * 2];
    for (int i = 0; i < 3 * 6 * 2; i++)
        positions[0][i] = (float)(i % 7), positions[1][i] = (float)(i % 11) - 4;
    for (int f = 0; f < 2; f++) /* vertices 3 and 0 are the same */
        memcpy(&positions[0][3 * (6 * f + 3)], &positions[0][3 * 6 * f], 3 * sizeof(float));
    const lm_mesh_surface surfaces[] = {MESH_SURFACE(6, positions[0], 2, triangles, .name = "a",
                                                     .num_st = 4, .st = st,
                                                     .st_triangles = st_triangles),
                                        MESH_SURFACE(6, positions[1], 2, triangles, .name = "b")};
    const lm_mesh mesh = MESH_OF(2, 2, surfaces);
    for (size_t i = 0; i < COUNT_OF(written_names); i++)
        for (int keep = 0; keep < 2; keep++) {
            const lm_encode_options options = {.keep_numbers = keep == 1};
            OWNED(lm_encode_report) *report = NULL;
            AT_END(blob_free) blob file = encode(&mesh, written[i], &options, &report);
            OWNED(lm_model) *model = load_blob(&file);
            assert_sources(&mesh, model, report);
            const bool merged = i == 0 || i == 3; /* MD2, MDL */
            for (uint32_t v = 0; keep && v < 12; v++) {
                const uint32_t extra = merged || v < 6 ? 0 : report->sources[6].surface == 0;
                assert_int_equal(report->sources[v + extra].surface, v / 6);
                assert_int_equal(report->sources[v + extra].vertex, v % 6);
            }
            if (!keep)
                assert_true(report->num_vertices < 12);
        }
}

/* A surface that the engine cannot draw is split, or fails. */
TEST(test_kept_numbers_prevent_a_split) {
    enum {
        COUNT = 1200
    };
    static float positions[3 * COUNT];
    static uint32_t triangles[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[3 * i] = (float)(i % 40), positions[3 * i + 1] = (float)(i % 31);
        triangles[i] = COUNT - 1 - i;
    }
    const lm_mesh_surface surface =
        MESH_SURFACE(COUNT, positions, COUNT / 3, triangles, .name = "a");
    const lm_mesh mesh = MESH_OF(1, 1, &surface);
    lm_encode_options options = {.engine = LM_ENGINE_QUAKE3};
    OWNED(lm_encode_report) *split = NULL, *kept = NULL;
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    assert_true(lm_encode(&mesh, written[1], &options, &out, &split, NULL));
    assert_int_equal(split->num_surfaces, 2);
    options.keep_numbers = true;
    assert_false(lm_encode(&mesh, written[1], &options, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    options.engine = LM_ENGINE_ANY;
    assert_true(lm_encode(&mesh, written[1], &options, &out, &kept, NULL));
    assert_int_equal(kept->num_surfaces, 1);
    assert_true(kept->num_problems > 0 && kept->sources[COUNT - 1].vertex == COUNT - 1);
}

/* The name of an unknown format is an error, as any other. */
TEST(test_an_unknown_format_is_an_error) {
    synthetic_mesh m;
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    make_mesh(&m);
    assert_false(lm_encode(&m.mesh, lm_format_by_name("unknown"), NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(out.size, 0);
}

/* Computes the distances in a report again, in a separate way. */
TEST(test_reports_have_the_error) {
    synthetic_mesh m;
    make_mesh(&m);
    for (size_t i = 0; i < COUNT_OF(written_names); i++) {
        OWNED(lm_encode_report) *report = NULL;
        AT_END(blob_free) blob file = encode(&m.mesh, written[i], NULL, &report);
        OWNED(lm_model) *model = load_blob(&file);
        const lm_surface *s = &model->surfaces[0];
        double most = 0;
        for (uint32_t f = 0; f < MESH_FRAMES; f++)
            for (uint32_t t = 0; t < MESH_TRIANGLES * 3; t++) {
                float row[32 * 3];
                assert_true(s->num_vertices <= 32);
                lm_sample(model, 0, &(lm_pose){f, f, 0}, 1, &(lm_sample_target){.positions = row});
                /* Triangles may be in another order: takes the nearest vertex as the
                 * counterpart. */
                const float *p = m.positions + 3 * (f * MESH_VERTICES + m.triangles[t]);
                double nearest = 1e9;
                for (uint32_t v = 0; v < s->num_vertices; v++) {
                    const double x = (double)row[3 * v] - (double)p[0],
                                 y = (double)row[3 * v + 1] - (double)p[1],
                                 z = (double)row[3 * v + 2] - (double)p[2];
                    nearest = fmin(nearest, sqrt(x * x + y * y + z * z));
                }
                most = fmax(most, nearest);
            }
        assert_true(fabs(most - report->max_error) < 1e-6);
    }
}

TEST(test_encoding_is_repeatable_and_appends) {
    synthetic_mesh m;
    make_mesh(&m);
    for (size_t i = 0; i < COUNT_OF(written_names); i++) {
        AT_END(blob_free) blob once = encode(&m.mesh, written[i], NULL, NULL);
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_buffer_text(&out, "before");
        assert_true(lm_encode(&m.mesh, written[i], NULL, &out, NULL, NULL));
        assert_int_equal(out.size, once.size + 6);
        assert_memory_equal(out.data + 6, once.data, once.size);
        out.size = 6;
        out.max_size = once.size + 5;
        lm_error error;
        lm_encode_report *report;
        assert_false(lm_encode(&m.mesh, written[i], NULL, &out, &report, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_null(report);
        assert_int_equal(out.size, 6);
        assert_false(out.failed);
    }
}

TEST(test_max_error_is_enforced) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_encode_report *report;
    for (size_t i = 0; i < COUNT_OF(written_names); i++) {
        AT_END(blob_free) blob file = encode(&m.mesh, written[i], NULL, &report);
        lm_encode_options options = {.max_error = report->max_error};
        lm_buffer out = {0};
        lm_error error;
        assert_true(lm_encode(&m.mesh, written[i], &options, &out, NULL, &error));
        options.max_error = report->max_error * 0.999;
        assert_false(lm_encode(&m.mesh, written[i], &options, &out, NULL, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_non_null(strstr(error.message, "would have an error of"));
        assert_string_equal(error.section, "surface 0 vertices");
        assert_int_equal(error.surface, report->worst_surface);
        assert_int_equal(error.index, report->worst_vertex);
        lm_buffer_free(&out);
        lm_encode_report_free(report);
    }
}

TEST(test_shortened_names_are_reported) {
    static const char long_name[] =
        "models/players/somebody/with/a/very/long/folder/name/of/its/own"
        "/upper_body_blue.tga";
    synthetic_mesh m;
    make_mesh(&m);
    m.material.name = long_name;
    OWNED(lm_encode_report) *report = NULL;
    AT_END(blob_free) blob file = encode(&m.mesh, lm_format_by_name("md3"), NULL, &report);
    OWNED(lm_model) *model = load_blob(&file);
    const char *name = model->surfaces[0].materials[0].name;
    assert_int_equal(strlen(name), 63);
    assert_non_null(strstr(name, "/upper_body_blue.tga"));
    assert_int_equal(report->problems[0].code, LM_CODE_NAME_SHORTENED);
    assert_non_null(strstr(report->problems[0].text, "upper_body_blue"));
}

/* In a field of 16 bytes a long name is shortened to its last part or its number. */
TEST(test_shortened_names) {
    static const struct {
        const char *name, *shortened;
    } tries[] = {
        {"", ""},
        {"fifteen letters", "fifteen letters"},
        {"it has no number", "it has no numbe"},
        {"a long name no 07", "a long name n07"},
        {"a long name no:07", "a long name n07"},
        {"a long name no/07", "a long name /07"},
        {"long 012345678901", "lon012345678901"},
        {"l 01234567890123", "l01234567890123"},
        {"l/01234567890123", "l01234567890123"},
        {"l 012345678901234", "012345678901234"},
        {"0123456789012345", "123456789012345"},
        {"folder/upper_blue", "fold/upper_blue"},
        {"ab/lower/upper_5", "ab/lowe/upper_5"},
        {"abc/efghijklmnop", "ab/efghijklmnop"},
        {"a/cdefghijklmnop", "a/cdefghijklmno"},
        {"a/cdefghijklmno5", "a/cdefghijklmn5"},
    };
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        uint8_t field[17] = {[16] = 'x'};
        const bool whole = lmi_encode_name(field, 16, tries[i].name);
        assert_string_equal((const char *)field, tries[i].shortened);
        assert_true(whole == (strcmp(tries[i].name, tries[i].shortened) == 0));
        for (size_t k = strlen(tries[i].shortened); k < 16; k++)
            assert_int_equal(field[k], 0);
        assert_int_equal(field[16], 'x');
    }
}

/* ---- Real models ---------------------------------------------------------------------------- */

/* An MD3 is its own mesh: its positions stay exactly the same. Others are rounded to the nearest
 * 64th on each axis. */
static void check_as_md3(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, &error);
    if (!model)
        return; /* broken on purpose */
    OWNED(lm_mesh) *mesh = lm_mesh_from_model(model, NULL, &error);
    assert_non_null(mesh);
    assert_true(lm_mesh_check(mesh, &error));
    OWNED(lm_encode_report) *report = NULL;
    AT_END(blob_free) blob made = encode(mesh, lm_format_by_name("md3"), NULL, &report);
    OWNED(lm_model) *back = load_blob(&made);
    uint32_t triangles = 0;
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        triangles += model->surfaces[s].num_triangles;
    assert_int_equal(report->num_triangles, triangles);
    assert_int_equal(back->num_tags, model->num_tags);
    if (strcmp(model->format, "md3") == 0 && report->max_error > 0)
        fail_msg("%s: off by %g", path, report->max_error);
    if (report->max_error > sqrt(3) / 128 + 1e-5)
        fail_msg("%s: off by %g", path, report->max_error);
    if (report->max_normal_error > 1 || report->max_tag_error > 1e-6)
        fail_msg("%s: normals off by %g degrees, tags by %g units", path, report->max_normal_error,
                 report->max_tag_error);
}

TEST(test_real_models_become_md3) {
    each_model(check_as_md3);
}

/* ---- Meshes that cannot be encoded ---------------------------------------------------------- */

static void expect_error(const synthetic_mesh *m, lm_code code, const char *words) {
    for (size_t i = 0; i < COUNT_OF(written_names); i++) {
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_encode_report *report;
        lm_error error;
        assert_false(lm_encode(&m->mesh, written[i], NULL, &out, &report, &error));
        if (error.code != code || !strstr(error.message, words))
            fail_msg("%s: %s", lm_code_name(error.code), error.message);
        assert_null(report);
        assert_int_equal(out.size, 0);
        assert_false(lm_encode(&m->mesh, written[i], NULL, &out, NULL, NULL));
    }
}

TEST(test_bad_meshes_are_rejected) {
    synthetic_mesh m;
#define EXPECT_ERROR(change, code, words) \
    do {                                  \
        make_mesh(&m);                    \
        change;                           \
        expect_error(&m, code, words);    \
    } while (0)
    EXPECT_ERROR(m.mesh.num_frames = 0, LM_CODE_BAD_ARGUMENT, "there are no frames");
    EXPECT_ERROR(m.mesh.surfaces = NULL, LM_CODE_BAD_ARGUMENT, "is not 0, but its list is NULL");
    EXPECT_ERROR(m.mesh.tags = NULL, LM_CODE_BAD_ARGUMENT, "is not 0, but its list is NULL");
    EXPECT_ERROR(m.mesh.clips = NULL, LM_CODE_BAD_ARGUMENT,
                 "num_clips is not 0, but clips is NULL");
    EXPECT_ERROR(m.mesh.skins = NULL, LM_CODE_BAD_ARGUMENT, "is not 0, but its list is NULL");
    EXPECT_ERROR(m.skin = NULL, LM_CODE_BAD_ARGUMENT, "skin 0 has no name");
    EXPECT_ERROR(m.tags[1].name = NULL, LM_CODE_BAD_ARGUMENT, "tag 1 has no name or no poses");
    EXPECT_ERROR(m.tags[1].poses = NULL, LM_CODE_BAD_ARGUMENT, "tag 1 has no name or no poses");
    EXPECT_ERROR(m.clips[1].count = 8, LM_CODE_BAD_ARGUMENT,
                 "clip 1 has frames 5 to 12, but there are");
    EXPECT_ERROR(m.clips[1].first = 12, LM_CODE_BAD_ARGUMENT, "clip 1 has frames 12 to 17");
    EXPECT_ERROR(m.clips[1].count = UINT32_MAX, LM_CODE_BAD_ARGUMENT, "clip 1 has frames");
    EXPECT_ERROR(m.clips[0].count = 0, LM_CODE_BAD_ARGUMENT, "clip 0");
    EXPECT_ERROR(m.clips[0].fps = 0, LM_CODE_BAD_ARGUMENT, "clip 0 has a rate that is not");
    EXPECT_ERROR(m.clips[0].fps = NAN, LM_CODE_BAD_ARGUMENT, "clip 0 has a rate that is not");
    EXPECT_ERROR(m.clips[0].source = (lm_clip_source)77, LM_CODE_BAD_ARGUMENT,
                 "clip 0 has an unknown source");
    EXPECT_ERROR(m.clips[0].loop_frames = m.clips[0].count + 1, LM_CODE_BAD_ARGUMENT,
                 "clip 0 has loop_frames above count");
    EXPECT_ERROR(m.surface.body = (lm_body_part)44, LM_CODE_BAD_ARGUMENT,
                 "surface 0 has an unknown body part");
    EXPECT_ERROR(m.material.reserved[1] = 1, LM_CODE_BAD_ARGUMENT, "material 0: reserved must be");
    EXPECT_ERROR(m.surface.positions = NULL, LM_CODE_BAD_ARGUMENT,
                 "vertices, but positions is NULL");
    EXPECT_ERROR(m.surface.triangles = NULL, LM_CODE_BAD_ARGUMENT,
                 "triangles, but the list is NULL");
    EXPECT_ERROR(m.surface.st = NULL, LM_CODE_BAD_ARGUMENT,
                 "texture coordinates, but the list is NULL");
    EXPECT_ERROR(m.surface.st_triangles = NULL, LM_CODE_BAD_ARGUMENT, "st_triangles");
    EXPECT_ERROR(m.surface.materials = NULL, LM_CODE_BAD_ARGUMENT,
                 "materials, but the list is NULL");
    EXPECT_ERROR(m.material.name = NULL, LM_CODE_BAD_ARGUMENT, "a material without a name");
    EXPECT_ERROR(m.triangles[4] = MESH_VERTICES, LM_CODE_VERTEX_INDEX,
                 "triangle 1 uses vertex 6, but there are 6");
    EXPECT_ERROR(m.st_triangles[4] = MESH_VERTICES + 1, LM_CODE_ST_INDEX,
                 "triangle 1 uses texture coordinate 7, but there are 7");
    EXPECT_ERROR(m.positions[3 * (2 * MESH_VERTICES + 4) + 1] = INFINITY, LM_CODE_NOT_FINITE,
                 "position of vertex 4 in frame 2");
    EXPECT_ERROR(m.normals[3 * (2 * MESH_VERTICES + 4) + 1] = NAN, LM_CODE_NOT_FINITE,
                 "normal of vertex 4 in frame 2");
    EXPECT_ERROR(m.st[5] = -2e12f, LM_CODE_NOT_FINITE, "texture coordinate 2");
    EXPECT_ERROR(m.poses[1][3].origin.z = NAN, LM_CODE_NOT_FINITE, "tag 1 is not made of numbers");
    EXPECT_ERROR(m.poses[1][3].axis[2].z = NAN, LM_CODE_NOT_FINITE, "in frame 3");
#undef EXPECT_ERROR
}

/* Fails each allocation once, for a mesh without normals. */
TEST(test_each_allocation_may_fail) {
    synthetic_mesh m;
    make_mesh(&m);
    m.surface.normals = NULL;
    for (size_t i = 0; i < COUNT_OF(written_names); i++)
        EACH_ALLOCATION_FAILS (f) {
            const lm_encode_options options = {.memory = f.memory};
            AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
            OWNED(lm_encode_report) *report = NULL;
            f.done = lm_encode(&m.mesh, written[i], &options, &out, &report, &f.error);
            assert_true(f.done == (report != NULL));
            assert_true(f.done || out.size == 0);
        }
}

/* Tests the writing library's options: each member with invalid values. */

#define CALL(name, expression)                                                 \
    static bool name(const void *options, lm_error *error) {                   \
        synthetic_mesh m;                                                      \
        SYNTHETIC_MODEL(model, .num_frames = 3);                               \
        const lm_scene_part part = {.model = model};                           \
        const lm_scene scene = {.num_parts = 1, .parts = &part};               \
        AT_END(blob_free) blob file = make_md3(&small_md3);                    \
        OWNED(lm_edit) *edit = lm_edit_open(file.data, file.size, NULL, NULL); \
        OWNED(lm_composition) *made = NULL;                                    \
        OWNED(lm_skeleton) *skeleton = NULL;                                   \
        AT_END(lm_buffer_free) lm_buffer out = {0}, info = {0};                \
        AT_END(lm_buffer_free) lm_buffer pixels = {0};                         \
        make_mesh(&m);                                                         \
        (void)scene, (void)made, (void)skeleton;                               \
        return expression;                                                     \
    }

CALL(encode_with, lm_encode(&m.mesh, lm_format_by_name("md3"), options, &out, NULL, error))
CALL(optimize, lm_optimize(file.data, file.size, options, &out, NULL, error))
CALL(set_transform, lm_edit_set_transform(edit, options, error))
CALL(recast, lm_edit_reencode(edit, options, NULL, error))
CALL(write_gltf, lm_gltf_write(LM_SCENE_OF(model), options, &out, NULL, NULL, error))
CALL(fit_skeleton, (skeleton = lm_skeleton_fit(&m.mesh, options, error)) != NULL)
CALL(write_vat, lm_vat_write(&m.mesh, options, &out, &info, &pixels, NULL, error))
CALL(write_obj, lm_obj_write(LM_SCENE_OF(model), options, NULL, &out, NULL, error))
CALL(write_uv_svg, lm_uv_write(model, options, &out, NULL, error))
CALL(compose, (made = lm_compose_scene(&scene, options, error)) != NULL)
CALL(compose_mesh, (made = lm_compose_mesh(&m.mesh, options, error)) != NULL)

TEST(test_meaningless_values) {
    static const lm_edit_transform no_transform;
    static const option_of_call list[] = {
        {LM_MEMBER(lm_encode_options, memory, MEMORY, 0), encode_with},
        {LM_MEMBER(lm_encode_options, engine, ENUM, LM_NUM_ENGINES - 1), encode_with},
        {LM_MEMBER(lm_encode_options, max_error, DOUBLE, 0), encode_with},
        {LM_MEMBER(lm_encode_options, stability, FLOAT, 0), encode_with},
        {LM_MEMBER(lm_encode_options, strips, ENUM, LM_STRIPS_NONE), encode_with},
        {LM_MEMBER(lm_optimize_options, memory, MEMORY, 0), optimize},
        {LM_MEMBER(lm_optimize_options, strips, ENUM, LM_STRIPS_NONE), optimize},
        {LM_MEMBER(lm_optimize_options, max_error, DOUBLE, 0), optimize},
        {LM_MEMBER(lm_edit_transform, scale, FLOAT, 0), set_transform},
        {LM_MEMBER(lm_edit_transform, move, VEC3, 0), set_transform},
        {LM_MEMBER(lm_edit_transform, reserved, RESERVED, 0), set_transform},
        {LM_MEMBER(lm_edit_reencode_options, scale, FLOAT, 0), recast},
        {LM_MEMBER(lm_edit_reencode_options, degrees, REAL, 0), recast},
        {LM_MEMBER(lm_edit_reencode_options, move, VEC3, 0), recast},
        {LM_MEMBER(lm_edit_reencode_options, fps, FLOAT, 0), recast},
        {LM_MEMBER(lm_edit_reencode_options, reserved, RESERVED, 0), recast},
        {LM_MEMBER(lm_gltf_options, common.axes, ENUM, LM_AXES_MODEL), write_gltf},
        {LM_MEMBER(lm_gltf_options, common.scale, FLOAT, 0), write_gltf},
        {LM_MEMBER(lm_gltf_options, fps, FLOAT, 0), write_gltf},
        {LM_MEMBER(lm_export_options, axes, ENUM, LM_AXES_MODEL), write_obj},
        {LM_MEMBER(lm_export_options, scale, FLOAT, 0), write_obj},
        {LM_MEMBER(lm_compose_options, memory, MEMORY, 0), compose},
        {LM_MEMBER(lm_compose_options, frame, DOUBLE, 0), compose},
        {LM_MEMBER(lm_compose_options, fps, FLOAT, 0), compose},
        {LM_MEMBER(lm_compose_options, scale, FLOAT, 0), compose},
        {LM_MEMBER(lm_compose_options, scale, FLOAT, 0), compose_mesh},
        {LM_MEMBER(lm_skeleton_options, memory, MEMORY, 0), fit_skeleton},
        {LM_MEMBER(lm_skeleton_options, quantum, DOUBLE, 0), fit_skeleton},
        {LM_MEMBER(lm_skeleton_options, max_error, DOUBLE, 0), fit_skeleton},
        {LM_MEMBER(lm_skeleton_options, reserved, RESERVED, 0), fit_skeleton},
        {LM_MEMBER(lm_encode_options, reserved, RESERVED, 0), encode_with},
        {LM_MEMBER(lm_optimize_options, reserved, RESERVED, 0), optimize},
        {LM_MEMBER(lm_gltf_options, common.reserved, RESERVED, 0), write_gltf},
        {LM_MEMBER(lm_gltf_options, reserved, RESERVED, 0), write_gltf},
        {LM_MEMBER(lm_export_options, reserved, RESERVED, 0), write_obj},
        {LM_MEMBER(lm_vat_options, scale, FLOAT, 0), write_vat},
        {LM_MEMBER(lm_vat_options, reserved, RESERVED, 0), write_vat},
        {LM_MEMBER(lm_uv_options, reserved, RESERVED, 0), write_uv_svg},
        {LM_MEMBER(lm_compose_options, reserved, RESERVED, 0), compose}};
    assert_true(encode_with(NULL, NULL) && optimize(NULL, NULL) &&
                set_transform(&no_transform, NULL));
    assert_true(recast(NULL, NULL) && write_gltf(NULL, NULL) && write_obj(NULL, NULL));
    assert_true(write_uv_svg(NULL, NULL));
    assert_true(compose(NULL, NULL) && compose_mesh(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

TEST(test_clips_to_export) {
    static const lm_clip clips[] = {{.name = "a", .count = 3, .fps = 10},
                                    {.name = "b", .first = 1, .count = 3, .fps = 10}};
    lm_gltf_options options = {.common = {.clips = clips, .num_clips = 1}};
    lm_error error;
    assert_true(write_gltf(&options, NULL));
    options.common.num_clips = 2;
    assert_false(write_gltf(&options, &error));
    assert_string_equal(error.message, "export: clip 1 has frames 1 to 3, but there are 3");
    options.common.clips = NULL;
    assert_false(write_gltf(&options, &error));
    assert_string_equal(error.message, "export: num_clips is 2, but clips is NULL");
}

/* lm_scene_check is tested separately; this tests that composing calls it. */
TEST(test_scenes_to_compose) {
    lm_error error = {.code = LM_CODE_OK};
    assert_null(lm_compose_scene(&(lm_scene){.num_parts = 0}, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

TEST_GROUP(find_formats, NULL)
