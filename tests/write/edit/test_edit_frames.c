/* Tests frames that are selected, repeated, appended and resampled. */
#include "edits.h"
#include "elements.h"

#include <stdio.h>

/* Each frame equals the selected frame bit for bit. */
static void pick_frames(const blob *file, chance *c) {
    uint32_t picked[40];
    lm_error error;
    OWNED(lm_edit) *edit = open_edit(file);
    OWNED(lm_model) *before = load_blob(file);
    const uint32_t count = 1 + chance_below(c, COUNT_OF(picked));
    for (uint32_t i = 0; i < count; i++)
        picked[i] = chance_below(c, before->num_frames);
    if (!lm_edit_select(edit, LM_EDIT_FRAMES, 0, picked, count, &error))
        fail_msg("%s", error.message);
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
    (void)path;
    pick_frames(file, &c);
}

TEST(test_selected_frames_are_unchanged) {
    chance c = chance_from(3);
    for (int round = 0; round < 50; round++)
        for (int format = 0; format < NUM_FORMATS; format++) {
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
        const lm_mdc *mdc = lm_edit_document(edit);
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
    const lm_mdc *mdc = lm_edit_document(edit);
    assert_int_equal(mdc->surfaces[0].num_base_frames, 2);
    assert_int_equal(lm_mdc_get_frame_base_frame(&mdc->surfaces[0], 1), 1);
}

/* The poses of a group stay a group, with their durations. */
TEST(test_mdl_groups_keep_their_times) {
    AT_END(blob_free) blob file = make_mdl();
    OWNED(lm_mdl) *before = lm_mdl_read(file.data, file.size, NULL, NULL);
    assert_int_equal(before->frames[1].num_poses, 3);
    const float first = lm_mdl_get_time(before->frames[1].times, 0);
    const float second = lm_mdl_get_time(before->frames[1].times, 1);
    const float third = lm_mdl_get_time(before->frames[1].times, 2);
    static const uint32_t selected[] = {3, 1};
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(lm_edit_select(edit, LM_EDIT_FRAMES, 0, selected, 2, NULL));
    const lm_mdl *after = lm_edit_document(edit);
    assert_int_equal(after->num_frames, 1);
    assert_int_equal(after->frames[0].num_poses, 2);
    assert_float_equal(lm_mdl_get_time(after->frames[0].times, 0), third - second, 1e-6);
    assert_float_equal(lm_mdl_get_time(after->frames[0].times, 1), third - second + first, 1e-6);
}

TEST(test_appended_frames_are_unchanged) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        lm_error error;
        AT_END(blob_free) blob file = make_small(format);
        lm_edit *edit = open_edit(&file), *other = open_edit(&file);
        static const uint32_t selected[] = {2, 0};
        assert_true(lm_edit_select(other, LM_EDIT_FRAMES, 0, selected, 2, &error));
        if (!lm_edit_append(edit, other, &error))
            fail_msg("%s", error.message);
        lm_edit_free(other);
        AT_END(blob_free) blob made = write_edit(edit);
        lm_mesh *a = mesh_of(&file), *b = mesh_of(&made);
        assert_int_equal(b->num_frames, a->num_frames + 2);
        for (uint32_t f = 0; f < a->num_frames; f++)
            assert_frame(a, f, b, f);
        assert_frame(a, 2, b, a->num_frames);
        assert_frame(a, 0, b, a->num_frames + 1);
        lm_mesh_free(a);
        lm_mesh_free(b);
        lm_edit_free(edit);
    }
}

/* The surfaces of MD3 store the number of frames, too. */
TEST(test_surfaces_count_their_frames) {
    AT_END(blob_free) blob file = make_small(MD3);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(edit_append(edit, NULL));
    const lm_md3 *md3 = lm_edit_document(edit);
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
    blob file = make_md2(&small_md2); /* stand01, stand02, which loop; run3 */
    lm_edit *edit = open_edit(&file);
    assert_true(edit_rate(edit, NULL));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_FRAMES, 0), 4 + 2);
    assert_edit_name(edit, LM_EDIT_CLIPS, 0, "stand");
    assert_edit_name(edit, LM_EDIT_CLIPS, 1, "run");
    lm_edit_free(edit);
    blob_free(&file);
}
