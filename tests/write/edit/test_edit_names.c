/* Tests names: clips are renamed through their frames' names, and found by name. */
#include "edits.h"

TEST(test_a_clip_names_its_frames) {
    blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    lm_edit *edit = open_edit(&file);
    uint32_t first, count;
    assert_int_equal(lm_edit_count(edit, LM_EDIT_CLIPS, 0), 2);
    assert_true(lm_edit_clip(edit, 1, &first, &count, NULL));
    assert_int_equal(first, 2);
    assert_int_equal(count, 1);
    assert_true(lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 0, "idle", NULL));
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "idle01");
    assert_edit_name(edit, LM_EDIT_FRAMES, 1, "idle02");
    assert_edit_name(edit, LM_EDIT_CLIPS, 0, "idle");
    assert_true(lm_edit_substitute(edit, LM_EDIT_CLIPS, "s/^/x/", &count, NULL));
    assert_int_equal(count, 2);
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "xidle01");
    assert_edit_name(edit, LM_EDIT_FRAMES, 2, "xrun3");
    assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 1, "walk07", NULL));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_CLIPS, 0), 3);
    lm_edit_changes(edit, &count);
    assert_int_equal(count, 4);
    lm_edit_free(edit);
    blob_free(&file);
}

TEST(test_names_are_found) {
    blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    lm_edit *edit = open_edit(&file);
    uint32_t index = 9;
    lm_error error = {0};
    assert_false(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "stand", &index, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_false(lm_edit_find(edit, LM_EDIT_SKINS, 0, "stand02", &index, NULL));
    assert_int_equal(index, 9);
    assert_true(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "stand02", &index, NULL));
    assert_int_equal(index, 1);
    assert_true(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "RUN3", &index, NULL));
    assert_int_equal(index, 2);
    assert_true(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index, NULL));
    assert_int_equal(index, 1);
    lm_edit_free(edit);
    blob_free(&file);
}

/* Two clips with one name get different names, which their frames' names lack. */
TEST(test_clip_with_a_distinguishing_suffix) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_edit) *edit = open_edit(&file);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, i, i == 1 ? "b01" : "run01", NULL));
    assert_edit_name(edit, LM_EDIT_CLIPS, 2, "run_2");
    assert_true(lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 2, "sprint", NULL));
    assert_edit_name(edit, LM_EDIT_FRAMES, 2, "sprint01");
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "run01");
}

/* Finding clips needs memory: if it fails, the error is not a missing clip. */
TEST(test_lack_of_memory_is_not_a_missing_clip) {
    counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    uint32_t first, count, index;
    lm_error error = {0};
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_edit) *edit =
        lm_edit_open(file.data, file.size, &(lm_load_options){.memory = memory}, NULL);
    counts.fail_at = counts.calls + 1;
    assert_false(lm_edit_clip(edit, 1, &first, &count, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    counts.fail_at = counts.calls + 1;
    assert_false(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    assert_false(lm_edit_clip(edit, 2, &first, &count, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_true(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index, &error));
}
