/* Tests frames with moved vertices and tags: only these change. */
#include "edits.h"
#include "elements.h"
#include "lerpmesh/encode.h"

#include <math.h>

#define TOLERANCE 1e-4

static float *position_of(lm_mesh *mesh, uint32_t surface, uint32_t frame, uint32_t vertex) {
    const lm_mesh_surface *s = &mesh->surfaces[surface];
    return (float *)s->positions + 3 * ((size_t)frame * s->num_vertices + vertex);
}

/* Writes a changed mesh into its file, and returns the new file. */
static blob put(const blob *file, const lm_mesh *mesh, uint32_t expected) {
    lm_error error;
    uint32_t changed = 99;
    lm_edit *edit = open_edit(file);
    if (!lm_edit_put_frames(edit, mesh, TOLERANCE, &changed, &error))
        fail_msg("%s", error.message);
    assert_int_equal(changed, expected);
    blob made = write_edit(edit);
    lm_edit_free(edit);
    return made;
}

TEST(test_an_unchanged_mesh_changes_no_bytes) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_mesh) *mesh = mesh_of(&file);
        *position_of(mesh, 0, 0, 0) += (float)(TOLERANCE / 2);
        AT_END(blob_free) blob made = put(&file, mesh, 0);
        assert_same_bytes(documents[format]->extension, &made, &file);
    }
}

/* Returns the largest distance that a format's rounding may leave. */
static double step_of(const blob *file, int format) {
    lm_model *model = load_blob(file);
    const lm_vec3 scale = model->frames[1].scale;
    const double step = format == MDC ? 0.05 : (double)fmaxf(scale.x, fmaxf(scale.y, scale.z));
    lm_model_free(model);
    return step * 0.51 * sqrt(3);
}

static void assert_normal(const lm_mesh *mesh, uint32_t frame, uint32_t vertex, lm_vec3 expected) {
    const size_t at = 3 * ((size_t)frame * mesh->surfaces[0].num_vertices + vertex);
    assert_true(distance_of(vector_at(mesh->surfaces[0].normals + at), expected) < 0.2);
}

/* Moves a vertex halfway to another one, and turns its normal, in every frame in turn. */
static void move_in_frame(int format, uint32_t frame) {
    AT_END(blob_free) blob file = make_small(format);
    OWNED(lm_mesh) *mesh = mesh_of(&file), *old = mesh_of(&file);
    float *at = position_of(mesh, 0, frame, 0), *to = position_of(mesh, 0, frame, 2);
    const lm_vec3 up = {0, 0, 1};
    for (int i = 0; i < 3; i++)
        at[i] = (at[i] + to[i]) / 2 + 0.25f;
    float *normal =
        (float *)mesh->surfaces[0].normals + 3 * ((size_t)frame * mesh->surfaces[0].num_vertices);
    normal[0] = normal[1] = 0;
    normal[2] = 7;
    AT_END(blob_free) blob made = put(&file, mesh, 1);
    OWNED(lm_mesh) *found = mesh_of(&made);
    for (uint32_t f = 0; f < old->num_frames; f++)
        if (f != frame)
            assert_frame(old, f, found, f);
    const double most = step_of(&made, format);
    for (uint32_t s = 0; s < old->num_surfaces; s++)
        for (uint32_t v = 0; v < old->surfaces[s].num_vertices; v++)
            assert_true(distance_of(vector_at(position_of(found, s, frame, v)),
                                    vector_at(position_of(mesh, s, frame, v))) <= most);
    assert_normal(found, frame, 0, up);
}

TEST(test_only_the_frame_of_a_moved_vertex_changes) {
    for (int format = 0; format < NUM_FORMATS; format++)
        for (uint32_t frame = 0; frame < 2; frame++)
            move_in_frame(format, frame);
}

/* Beyond the grid of an MD2's frame, and of an MDC's compressed frame. */
TEST(test_a_vertex_may_leave_its_grid) {
    static const int formats[] = {MD2, MD3, MDC};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        AT_END(blob_free) blob file = make_small(formats[i]);
        OWNED(lm_mesh) *mesh = mesh_of(&file), *old = mesh_of(&file);
        float *at = position_of(mesh, 0, 1, 1);
        at[0] = 300;
        AT_END(blob_free) blob made = put(&file, mesh, 1);
        OWNED(lm_mesh) *found = mesh_of(&made);
        assert_true(fabs((double)*position_of(found, 0, 1, 1) - 300) < 1);
        for (uint32_t f = 0; f < old->num_frames; f++)
            if (f != 1)
                assert_frame(old, f, found, f);
    }
}

/* All frames of an MDC refer to one base frame, so each gets its own. */
TEST(test_shared_base_frames_are_separated) {
    static const mdc_shape shared = {4, 0, 1, 6, 3, 1, 1, 0, true};
    AT_END(blob_free) blob file = make_mdc(&shared);
    OWNED(lm_mesh) *mesh = mesh_of(&file), *old = mesh_of(&file);
    for (uint32_t f = 1; f < 4; f++)
        *position_of(mesh, 0, f, 0) = (float)f;
    AT_END(blob_free) blob made = put(&file, mesh, 3);
    OWNED(lm_mesh) *found = mesh_of(&made);
    assert_frame(old, 0, found, 0);
    for (uint32_t f = 1; f < 4; f++)
        assert_float_equal(*position_of(found, 0, f, 0), (float)f, 0.01);
}

TEST(test_tags_move) {
    for (int format = MD3; format <= MDC; format++) {
        AT_END(blob_free) blob file = make_with_nearby_tags(format);
        OWNED(lm_mesh) *mesh = mesh_of(&file), *old = mesh_of(&file);
        lm_transform *pose = (lm_transform *)&mesh->tags[1].poses[1];
        *pose = (lm_transform){{4, -2.5f, 8}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
        AT_END(blob_free) blob made = put(&file, mesh, 1);
        OWNED(lm_mesh) *found = mesh_of(&made);
        const lm_transform *now = &found->tags[1].poses[1];
        assert_true(distance_of(now->origin, pose->origin) < 0.02);
        for (int i = 0; i < 3; i++)
            assert_true(distance_of(now->axis[i], pose->axis[i]) < 0.001);
        assert_frame(old, 0, found, 0);
        assert_memory_equal(&old->tags[0].poses[1], &found->tags[0].poses[1], sizeof *pose);
        assert_memory_equal(old->surfaces[0].positions, found->surfaces[0].positions,
                            12 * (size_t)old->num_frames * old->surfaces[0].num_vertices);
    }
}

/* The bounds of changed frames contain the vertices; those of other frames stay. */
TEST(test_bounds_follow) {
    for (int format = MD3; format <= MDC; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_mesh) *mesh = mesh_of(&file);
        *position_of(mesh, 0, 1, 0) = 200;
        AT_END(blob_free) blob made = put(&file, mesh, 1);
        OWNED(lm_model) *before = load_blob(&file), *after = load_blob(&made);
        assert_float_equal(after->frames[1].max.x, 200, 0.02);
        assert_memory_equal(&before->frames[0].max, &after->frames[0].max, sizeof(lm_vec3));
    }
}

/* `vertex`: the one at fault; -1: none. */
static void expect_rejection(const blob *file, const lm_mesh *mesh, lm_code code, int vertex) {
    lm_error error;
    OWNED(lm_edit) *edit = open_edit(file);
    assert_false(lm_edit_put_frames(edit, mesh, TOLERANCE, NULL, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.section, vertex < 0 ? "" : "surface 0 vertices");
    assert_int_equal(error.index, vertex < 0 ? 0 : vertex);
    AT_END(blob_free) blob made = write_edit(edit);
    assert_same_bytes("rejected", &made, file);
}

TEST(test_rejections) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_mesh) *mesh = mesh_of(&file);
        mesh->num_frames--;
        expect_rejection(&file, mesh, LM_CODE_BAD_ARGUMENT, -1);
        mesh->num_frames++;
        *position_of(mesh, 0, 1, 2) = NAN;
        expect_rejection(&file, mesh, LM_CODE_NOT_FINITE, 2);
        *position_of(mesh, 0, 1, 2) = 1e9f;
        if (format != MD2)
            expect_rejection(&file, mesh, LM_CODE_LIMIT, 2);
    }
}

/* MD2 files of high precision store more bytes per vertex. */
TEST(test_more_bytes_are_rejected) {
    const lm_encode_options options = {.high_precision = true};
    lm_buffer out = {0};
    AT_END(blob_free) blob small = make_small(MD2);
    OWNED(lm_mesh) *mesh = mesh_of(&small);
    assert_true(lm_encode(mesh, lm_format_by_name("md2"), &options, &out, NULL, NULL));
    lm_mesh_free(mesh);
    AT_END(blob_free) blob file = blob_from_buffer(&out);
    mesh = mesh_of(&file);
    *position_of(mesh, 0, 1, 0) += 1;
    expect_rejection(&file, mesh, LM_CODE_BAD_ARGUMENT, -1);
}
