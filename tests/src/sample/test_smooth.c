/* Tests computed normals: their values, when they replace the stored ones, and that nothing else
 * changes. */

#include "elements.h"
#include "encoded.h"
#include "math/vectors.h"
#include "sample/smooth.h"
#include "support.h"

/* A step of a packed normal is 360/256 degrees. */
#define TOLERANCE 0.02

static lm_model *load(const blob *file, lm_normals normals) {
    lm_error error;
    const lm_load_options options = {.normals = normals, .repair = true};
    lm_model *m = lm_load_memory(file->data, file->size, &options, &error);
    assert_done(m, error);
    assert_model_valid(m);
    return m;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* The sharing of a box's vertices, and its defects. */
typedef struct box_shape {
    bool unshared;   /* three vertices per triangle */
    bool inside_out; /* the winding is inverted */
    lm_vec3 stored;  /* the one normal of all vertices; 0, 0, 0: outwards, times `sign` */
    float sign;
    float step; /* of the position grid; 0: 1 */
} box_shape;

static const uint16_t box_corners[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5},
                                            {0, 4, 5}, {0, 5, 1}, {2, 3, 7}, {2, 7, 6},
                                            {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};

/* Corner i is at +x for bit 0, +y for bit 1, +z for bit 2. */
static lm_vec3 box_corner(uint16_t i) {
    return (lm_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
}

static void put_corner(const box_shape *shape, uint16_t corner, int32_t frame, uint8_t *out) {
    lm_vec3 p = box_corner(corner), n = shape->stored;
    if (n.x == 0 && n.y == 0 && n.z == 0)
        n = (lm_vec3){p.x * shape->sign, p.y * shape->sign, p.z * shape->sign};
    /* Twice as long in frame 0 as in frame 1, without effect on a box's normals. */
    const int32_t x = frame ? 120 : 100;
    lm_md2_vertex v = {{(uint8_t)(p.x < 0 ? x : 140), p.y < 0 ? 100 : 140, p.z < 0 ? 100 : 140},
                       lmi_nearest_normal_162(&n)};
    lmi_md2_put_vertex(out, &v);
}

static blob make_box(const box_shape *shape) {
    const int32_t num_xyz = shape->unshared ? 36 : 8;
    blob file = make_md2(&(md2_shape){0, num_xyz, 3, 12, 2, true});
    for (int32_t f = 0; f < 2; f++) {
        uint8_t *frame = file.data + get32(&file, MD2_AT_OFS_FRAMES) + f * (40 + 4 * num_xyz);
        const float step = shape->step > 0 ? shape->step : 1;
        const lm_md2_frame header = {{step, step, step}, {0, 0, 0}, "box"};
        lmi_md2_put_frame(frame, &header);
        for (int32_t v = 0; v < num_xyz; v++)
            put_corner(shape, shape->unshared ? box_corners[v / 3][v % 3] : (uint16_t)v, f,
                       frame + 40 + 4 * v);
    }
    for (int32_t t = 0; t < 12; t++) {
        lm_md2_triangle triangle = {{0, 0, 0}, {0, 1, 2}};
        for (uint16_t c = 0; c < 3; c++) {
            uint16_t from = shape->inside_out ? (uint16_t)(2 - c) : c;
            triangle.vertex[c] = shape->unshared ? (uint16_t)(3 * t + from) : box_corners[t][from];
        }
        lmi_md2_put_triangle(file.data + get32(&file, MD2_AT_OFS_TRIS) + 12 * t, &triangle);
    }
    return file;
}

static const lm_diagnostic *find_warning(const lm_model *m, lm_code code) {
    for (uint32_t i = 0; i < m->num_warnings; i++)
        if (m->warnings[i].code == code)
            return &m->warnings[i];
    return NULL;
}

/* Checks frame f of a box: each corner's normal points away from the centre, however faces are
 * divided. */
static void expect_corners(const lm_model *m, uint32_t frame) {
    lm_vec3 positions[64], normals[64];
    const lm_sample_target target = {.positions = &positions->x, .normals = &normals->x};
    assert_true(m->surfaces[0].num_vertices <= COUNT_OF(positions));
    assert_int_equal(lm_sample(m, 0, &(lm_pose){frame, frame, 0}, 1, &target), LM_CODE_OK);
    const double third = 1 / sqrt(3.0);
    const float middle = 130 * m->frames[frame].scale.x;
    for (uint32_t v = 0; v < m->surfaces[0].num_vertices; v++) {
        lm_vec3 p = positions[v], n = normals[v];
        assert_true(fabs((double)n.x - (p.x > middle ? third : -third)) < TOLERANCE);
        assert_true(fabs((double)n.y - (p.y > middle ? third : -third)) < TOLERANCE);
        assert_true(fabs((double)n.z - (p.z > middle ? third : -third)) < TOLERANCE);
    }
}

static void expect_choice(const box_shape *shape, lm_code code) {
    AT_END(blob_free) blob file = make_box(shape);
    OWNED(lm_model) *stored = load(&file, LM_NORMALS_STORED),
                    *chosen = load(&file, LM_NORMALS_AUTO);
    assert_int_equal(stored->surfaces[0].encoding, LM_VERTEX_U8);
    assert_int_equal(chosen->surfaces[0].encoding, code ? LM_VERTEX_S16 : LM_VERTEX_U8);
    for (unsigned c = LM_CODE_NORMALS_INWARD; c <= LM_CODE_NORMALS_INWARD; c++)
        assert_null(find_warning(stored, (lm_code)c));
    const lm_diagnostic *said = find_warning(chosen, code);
    assert_int_equal(chosen->num_warnings, stored->num_warnings + (code != LM_CODE_OK));
    if (code != LM_CODE_OK) {
        assert_non_null(said);
        assert_int_equal(said->count, 1);
        assert_non_null(strstr(said->text, "computed"));
        expect_corners(chosen, 0);
        expect_corners(chosen, 1);
    }
}

TEST(test_auto_replaces_unusable_normals) {
    for (int i = 0; i < 4; i++) { /* at any size */
        const box_shape box = {.unshared = i % 2, .step = i < 2 ? 1 : 1.0f / 1024};
        box_shape shape = box;
        shape.sign = 1;
        expect_choice(&shape, LM_CODE_OK);
        shape.inside_out = true; /* the triangles, not the normals, are inverted */
        expect_choice(&shape, LM_CODE_OK);
        shape = box;
        shape.sign = -1;
        expect_choice(&shape, LM_CODE_NORMALS_INWARD);
        shape = box;
        shape.stored.x = 1;
        expect_choice(&shape, LM_CODE_IDENTICAL_NORMALS);
    }
}

/* Two triangles, front and back, of coincident vertices: each side has its own normal. */
TEST(test_sheets_have_two_sides) {
    static const uint8_t places[3][3] = {{0, 0, 0}, {0, 100, 0}, {0, 0, 100}};
    AT_END(blob_free) blob file = make_md2(&(md2_shape){0, 6, 3, 2, 1, true});
    uint8_t *frame = file.data + get32(&file, MD2_AT_OFS_FRAMES);
    for (uint16_t v = 0; v < 6; v++) {
        const uint8_t *p = places[v % 3];
        lmi_md2_put_vertex(frame + 40 + 4 * v, &(lm_md2_vertex){{p[0], p[1], p[2]}, 5});
    }
    const lm_md2_triangle sides[] = {{{0, 2, 1}, {0, 1, 2}}, {{3, 4, 5}, {0, 1, 2}}};
    lmi_md2_put_triangle(file.data + get32(&file, MD2_AT_OFS_TRIS), &sides[0]);
    lmi_md2_put_triangle(file.data + get32(&file, MD2_AT_OFS_TRIS) + 12, &sides[1]);
    OWNED(lm_model) *m = load(&file, LM_NORMALS_COMPUTED);
    float normals[18];
    lm_sample(m, 0, &(lm_pose){0, 0, 0}, 1, &(lm_sample_target){.normals = normals});
    for (size_t v = 0; v < 6; v++)
        assert_true(fabs((double)normals[3 * v] - (v < 3 ? 1 : -1)) < TOLERANCE);
}

/* A flat surface may have one normal for all vertices. */
TEST(test_flat_surfaces_keep_their_one_normal) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){0, 4, 3, 2, 1, true});
    uint8_t *frame = file.data + get32(&file, MD2_AT_OFS_FRAMES);
    const lm_vec3 up = {0, 0, 1};
    for (uint8_t v = 0; v < 4; v++)
        lmi_md2_put_vertex(
            frame + 40 + 4 * v,
            &(lm_md2_vertex){{v & 1 ? 200 : 0, v & 2 ? 200 : 0, 9}, lmi_nearest_normal_162(&up)});
    const lm_md2_triangle halves[] = {{{0, 2, 1}, {0, 1, 2}}, {{1, 2, 3}, {0, 1, 2}}};
    lmi_md2_put_triangle(file.data + get32(&file, MD2_AT_OFS_TRIS), &halves[0]);
    lmi_md2_put_triangle(file.data + get32(&file, MD2_AT_OFS_TRIS) + 12, &halves[1]);
    OWNED(lm_model) *m = load(&file, LM_NORMALS_AUTO);
    assert_int_equal(m->surfaces[0].encoding, LM_VERTEX_U8);
}

/* ---- Seams between surfaces ---------------------------------------------------------------- */

/* A roof of two surfaces of one triangle each, which meet at its ridge along y. */
static blob make_roof(void) {
    static const int16_t corners[2][3][3] = {{{0, 0, 64}, {-64, 0, 0}, {0, 64, 64}},
                                             {{0, 64, 64}, {64, 0, 0}, {0, 0, 64}}};
    static const uint32_t triangle[3] = {0, 1, 2};
    blob file = make_md3(&(md3_shape){1, 0, 2, 3, 1, 1});
    for (int32_t s = 0; s < 2; s++) {
        for (size_t v = 0; v < 3; v++) {
            const int16_t *p = corners[s][v];
            const lm_md3_xyz_normal vertex = {{p[0], p[1], p[2]}, 0};
            lmi_md3_put_xyz_normal(
                file.data + surface_lump(&file, s, MD3_SURFACE_AT_OFS_XYZ_NORMALS) + 8 * v,
                &vertex);
        }
        lmi_md3_put_triangle(file.data + surface_lump(&file, s, MD3_SURFACE_AT_OFS_TRIANGLES),
                             triangle);
    }
    return file;
}

static lm_vec3 normal_at(const lm_model *m, uint32_t surface, uint32_t vertex) {
    lm_vec3 positions[8], normals[8];
    const lm_sample_target target = {.positions = &positions->x, .normals = &normals->x};
    assert_int_equal(lm_sample(m, surface, &(lm_pose){0, 0, 0}, 1, &target), LM_CODE_OK);
    return normals[vertex];
}

/* At the ridge the normal is that of both surfaces; at the eaves each surface has its own. */
TEST(test_surfaces_meet_smoothly) {
    AT_END(blob_free) blob file = make_roof();
    OWNED(lm_model) *m = load(&file, LM_NORMALS_COMPUTED);
    for (uint32_t s = 0; s < 2; s++) {
        lm_vec3 ridge = normal_at(m, s, 0), eaves = normal_at(m, s, 1);
        assert_true(fabsf(ridge.x) < 0.05f && ridge.z > 0.9f);
        assert_true(fabsf(eaves.x - (s ? 0.7f : -0.7f)) < 0.05f && eaves.z > 0.5f);
    }
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* If memory for computed normals is limited, the stored ones stay, with a warning. */
TEST(test_memory_limits_preserve_stored_normals) {
    AT_END(blob_free) blob file = make_box(&(box_shape){.sign = -1});
    bool done = false;
    unsigned kept = 0;
    for (size_t most = 64; !done; most += 8) {
        lm_error error;
        lm_load_options options = {.memory.max_bytes = most};
        OWNED(lm_model) *stored = lm_load_memory(file.data, file.size, &options, &error);
        options.normals = LM_NORMALS_AUTO;
        OWNED(lm_model) *m = lm_load_memory(file.data, file.size, &options, &error);
        assert_int_equal(m != NULL, stored != NULL);
        if (m) {
            const lm_diagnostic *said = find_warning(m, LM_CODE_NORMALS_INWARD);
            done = m->surfaces[0].encoding == LM_VERTEX_S16;
            kept += said && !done && strstr(said->text, "they are kept");
            assert_true(!done || (said && strstr(said->text, "computed normals are used")));
        } else {
            assert_int_equal(error.code, LM_CODE_LIMIT);
        }
        options.normals = LM_NORMALS_COMPUTED;
        OWNED(lm_model) *computed = lm_load_memory(file.data, file.size, &options, &error);
        assert_int_equal(computed != NULL, done);
    }
    assert_true(kept > 10);
}

/* ---- Any model ----------------------------------------------------------------------------- */

static void expect_same_positions(const lm_model *a, const lm_model *b, uint32_t s) {
    const size_t count = a->surfaces[s].num_vertices, size = count * 3 * sizeof(float);
    const uint32_t last = a->num_frames - 1;
    const lm_pose poses[] = {{0, 0, 0}, {last, 0, 0.25f}, {last / 2, last, 0.75f}};
    AT_END(drop_bytes)
    float *one = malloc(size + 1), *other = malloc(size + 1), *normals = malloc(size + 1);
    assert_true(one && other && normals);
    for (size_t i = 0; i < COUNT_OF(poses); i++) {
        lm_sample(a, s, &poses[i], 1, &(lm_sample_target){.positions = one});
        lm_sample(b, s, &poses[i], 1, &(lm_sample_target){.positions = other, .normals = normals});
        if (size > 0)
            assert_memory_equal(one, other, size);
        for (size_t v = 0; v < count; v++) {
            const float *n = normals + 3 * v;
            float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            assert_true(fabsf(square - 1) < 1e-5f);
        }
    }
}

static void expect_only_normals_change(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *stored = lm_load_memory(file->data, file->size, NULL, &error);
    if (!stored)
        return;
    OWNED(lm_model) *computed = load(file, LM_NORMALS_COMPUTED);
    for (uint32_t s = 0; s < stored->num_surfaces; s++)
        expect_same_positions(stored, computed, s);
}

TEST(test_positions_stay_bit_identical) {
    blob files[] = {make_md2(&small_md2), make_mdc(&small_mdc), make_md3(&small_md3), make_mdl()};
    each_model(expect_only_normals_change);
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        expect_only_normals_change("made", &files[i]);
        blob_free(&files[i]);
    }
}

/* A model that owns its file's bytes keeps the computed normals too. */
TEST(test_failing_allocations_preserve_the_model) {
    AT_END(blob_free) blob file = make_box(&(box_shape){.sign = -1});
    EACH_ALLOCATION_FAILS (f) {
        const lm_load_options options = {
            .normals = LM_NORMALS_AUTO, .bytes = LM_BYTES_ADOPTED, .memory = f.memory};
        const lm_allocator *allocator = &options.memory.allocator;
        uint8_t *bytes = allocator->alloc(allocator->user, file.size);
        if (!bytes) {
            f.error.code = LM_CODE_OUT_OF_MEMORY;
            continue;
        }
        memcpy(bytes, file.data, file.size);
        OWNED(lm_model) *m = lm_load_memory(bytes, file.size, &options, &f.error);
        f.done = m != NULL;
        if (f.done)
            expect_corners(m, 1);
        else
            allocator->free(allocator->user, bytes, file.size);
    }
}

/* ---- Winding of real models ------------------------------------------------------------------ */

static unsigned num_models, num_inverted, num_judged;

static bool faces_inward(const lm_model *model) {
    lm_heap heap = plain_heap();
    bool inward;
    assert_true(lmi_model_faces_inward(model, &heap, &inward));
    return inward;
}

/* Judges the model in both windings. */
static void judge(const char *path, const blob *file) {
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, NULL);
    if (!model || model->num_surfaces == 0)
        return;
    const bool inward = faces_inward(model);
    if (inward)
        print_message("inverted: %s\n", path);
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        for (size_t t = 0; t < model->surfaces[s].num_triangles; t++) {
            uint32_t *corners = (uint32_t *)model->surfaces[s].triangles + 3 * t,
                     first = corners[0];
            corners[0] = corners[1];
            corners[1] = first;
        }
    num_models++;
    num_inverted += inward;
    num_judged += inward || faces_inward(model);
}

TEST(test_windings_of_real_models) {
    each_model(judge);
    print_message("%u of %u models are closed, %u inverted\n", num_judged, num_models,
                  num_inverted);
    assert_int_equal(num_inverted, 0);
}
