/* Tests frames that are selected, repeated, appended and resampled. */
#include "edit/editing.h"
#include "edits.h"
#include "elements.h"

/* Checks that a frame of one mesh equals a frame of another bit for bit. */
static void assert_frame(const lm_mesh *a, uint32_t frame_a, const lm_mesh *b, uint32_t frame_b) {
    assert_int_equal(a->num_surfaces, b->num_surfaces);
    assert_string_equal(a->frame_names[frame_a], b->frame_names[frame_b]);
    for (uint32_t s = 0; s < a->num_surfaces; s++) {
        const size_t row = (size_t)3 * a->surfaces[s].num_vertices;
        assert_int_equal(a->surfaces[s].num_vertices, b->surfaces[s].num_vertices);
        assert_memory_equal(a->surfaces[s].positions + frame_a * row,
                            b->surfaces[s].positions + frame_b * row, row * sizeof(float));
        assert_memory_equal(a->surfaces[s].normals + frame_a * row,
                            b->surfaces[s].normals + frame_b * row, row * sizeof(float));
    }
    for (uint32_t t = 0; t < a->num_tags; t++)
        assert_memory_equal(&a->tags[t].poses[frame_a], &b->tags[t].poses[frame_b],
                            sizeof(lm_transform));
}

/* Each frame equals the selected frame bit for bit. */
static void pick_frames(const blob *file, chance *c) {
    uint32_t picked[40];
    lm_error error;
    OWNED(lm_edit) *edit = open_edit(file);
    OWNED(lm_model) *before = load_blob(file);
    const uint32_t count = 1 + chance_below(c, COUNT_OF(picked));
    for (uint32_t i = 0; i < count; i++)
        picked[i] = chance_below(c, before->num_frames);
    assert_done(lm_edit_select(edit, LM_EDIT_FRAMES, 0, picked, count, &error), error);
    AT_END(blob_free) blob made = write_edit(edit);
    OWNED(lm_model) *after = load_blob(&made);
    OWNED(lm_mesh) *a = lm_mesh_from_model(before, NULL, &error);
    OWNED(lm_mesh) *b = lm_mesh_from_model(after, NULL, &error);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(b->num_frames, count);
    for (uint32_t i = 0; i < count; i++)
        assert_frame(a, picked[i], b, i);
}

static void pick_frames_of(const char *path, const blob *file) {
    chance c = chance_from(7);
    pick_frames(file, &c);
}

TEST(test_selected_frames_are_unchanged) {
    chance c = chance_from(3);
    for (int round = 0; round < 50; round++)
        for (int format = 0; format < NUM_EDITABLE; format++) {
            AT_END(blob_free) blob file = make_small(format);
            pick_frames(&file, &c);
        }
    each_model(pick_frames_of);
}

/* Base frames and differences that are no longer used are removed. */
TEST(test_mdc_removes_rows_that_become_unused) {
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    for (uint32_t frame = 0; frame < 4; frame++) {
        OWNED(lm_edit) *edit = open_edit(&file);
        assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, &frame, 1, NULL));
        const lm_mdc *mdc = edit->document;
        for (int32_t s = 0; s < mdc->num_surfaces; s++) {
            assert_int_equal(mdc->surfaces[s].num_base_frames, 1);
            assert_true(mdc->surfaces[s].num_comp_frames <= 1);
        }
    }
}

/* Frames that were unused before the edit stay. */
TEST(test_mdc_keeps_rows_that_were_unused) {
    static const uint32_t selected[] = {1, 2};
    AT_END(blob_free) blob file = make_mdc(&small_mdc);
    for (size_t f = 0; f < 4; f++)
        put16(&file, surface_lump(&file, 0, SURFACE_AT_OFS_BASE_TABLE) + 2 * f, 1);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, selected, 2, NULL));
    const lm_mdc *mdc = edit->document;
    assert_int_equal(mdc->surfaces[0].num_base_frames, 2);
    assert_int_equal(lmi_mdc_get_frame_base_frame(&mdc->surfaces[0], 1), 1);
}

/* The poses of a group stay a group, with their durations. */
TEST(test_mdl_groups_keep_their_times) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_mdl) *before = lm_mdl_read(file.data, file.size, NULL, NULL);
    assert_int_equal(before->frames[1].num_poses, 3);
    const float first = lmi_mdl_get_time(before->frames[1].times, 0);
    const float second = lmi_mdl_get_time(before->frames[1].times, 1);
    const float third = lmi_mdl_get_time(before->frames[1].times, 2);
    static const uint32_t selected[] = {3, 1};
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, selected, 2, NULL));
    const lm_mdl *after = edit->document;
    assert_int_equal(after->num_frames, 1);
    assert_int_equal(after->frames[0].num_poses, 2);
    assert_float_equal(lmi_mdl_get_time(after->frames[0].times, 0), third - second, 1e-6);
    assert_float_equal(lmi_mdl_get_time(after->frames[0].times, 1), third - second + first, 1e-6);
}

TEST(test_appended_frames_are_unchanged) {
    for (int format = 0; format < NUM_EDITABLE; format++) {
        lm_error error;
        AT_END(blob_free) blob file = make_small(format);
        lm_edit *edit = open_edit(&file), *other = open_edit(&file);
        static const uint32_t selected[] = {2, 0};
        assert_true(lm_edit_select(other, LM_EDIT_FRAMES, 0, selected, 2, &error));
        assert_done(lm_edit_append(edit, other, &error), error);
        lm_edit_free(other);
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_mesh) *a = mesh_of(&file), *b = mesh_of(&made);
        assert_int_equal(b->num_frames, a->num_frames + 2);
        for (uint32_t f = 0; f < a->num_frames; f++)
            assert_frame(a, f, b, f);
        assert_frame(a, 2, b, a->num_frames);
        assert_frame(a, 0, b, a->num_frames + 1);
        lm_edit_free(edit);
    }
}

/* The surfaces of MD3 store the number of frames, too. */
TEST(test_surfaces_count_their_frames) {
    AT_END(blob_free) blob file = make_small(MD3);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(edit_append(edit, NULL));
    const lm_md3 *md3 = edit->document;
    assert_int_equal(md3->surfaces[1].num_frames, 8);
    assert_true(edit_drop_frames(edit, NULL));
    assert_int_equal(md3->surfaces[0].num_frames, 2);
}

/* If the number of frames stays but one is repeated, that is a change. */
TEST(test_a_frame_replaces_another) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, (const uint32_t[]){1, 1, 2}, 3, NULL));
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "stand02");
    assert_edit_name(edit, LM_EDIT_FRAMES, 2, "run3");
}

/* A message about many frames ends with dots and lists the first ones correctly. */
TEST(test_long_lists_of_changes_are_shortened) {
    uint32_t indices[60], count;
    char all[400] = "60: 0";
    AT_END(blob_free) blob file = make_md2(&(md2_shape){0, 4, 3, 2, 120, true});
    OWNED(lm_edit) *edit = open_edit(&file);
    for (uint32_t i = 0; i < 60; i++) {
        indices[i] = 2 * i;
        if (i > 0)
            snprintf(all + strlen(all), 8, ", %u", (unsigned)indices[i]);
    }
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, indices, 60, NULL));
    const lm_edit_change *changes = lm_edit_changes(edit, &count);
    assert_int_equal(count, 1);
    const size_t length = strlen(changes[0].after) - strlen(", ...");
    assert_in_range(length, 100, 200);
    assert_string_equal(changes[0].after + length, ", ...");
    assert_memory_equal(changes[0].after, all, length);
    assert_true(all[length] == ',');
}

TEST(test_resampling_makes_frames) {
    AT_END(blob_free) blob file = make_md2(&small_md2); /* stand01, stand02, which loop; run3 */
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(edit_rate(edit, NULL));
    assert_int_equal(count_of(edit, LM_EDIT_FRAMES), 4 + 2);
    assert_edit_name(edit, LM_EDIT_CLIPS, 0, "stand");
    assert_edit_name(edit, LM_EDIT_CLIPS, 1, "run");
}

/* Tests frames with moved vertices and tags: only these change. */

#define TOLERANCE 1e-4

static float *position_of(lm_mesh *mesh, uint32_t surface, uint32_t frame, uint32_t vertex) {
    const lm_mesh_surface *s = &mesh->surfaces[surface];
    return (float *)s->positions + 3 * ((size_t)frame * s->num_vertices + vertex);
}

/* Writes a changed mesh into its file, and returns the new file. */
static blob put(const blob *file, const lm_mesh *mesh, uint32_t expected) {
    lm_error error;
    uint32_t changed = 99;
    OWNED(lm_edit) *edit = open_edit(file);
    assert_done(lm_edit_put_frames(edit, mesh, TOLERANCE, &changed, &error), error);
    assert_int_equal(changed, expected);
    return write_edit(edit);
}

TEST(test_an_unchanged_mesh_changes_no_bytes) {
    for (int format = 0; format < NUM_EDITABLE; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_mesh) *mesh = mesh_of(&file);
        *position_of(mesh, 0, 0, 0) += (float)(TOLERANCE / 2);
        AT_END(blob_free) blob made = put(&file, mesh, 0);
        assert_same_bytes(documents[format]->extension, &made, &file);
    }
}

/* Returns the largest distance that a format's rounding may leave. */
static double step_of(const blob *file, int format) {
    OWNED(lm_model) *model = load_blob(file);
    const lm_vec3 scale = model->frames[1].scale;
    const double step = format == MDC ? 0.05 : (double)fmaxf(scale.x, fmaxf(scale.y, scale.z));
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
    for (int format = 0; format < NUM_EDITABLE; format++)
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
    for (int format = 0; format < NUM_EDITABLE; format++) {
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
