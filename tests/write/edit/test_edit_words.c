/* Tests elements named by words: the elements that they select, and missing ones. */
#include "support.h"

/* An edit reads its file's bytes until it is freed. */
static lm_edit *open_synthetic(blob *file) {
    lm_error error;
    *file = make_md3(&small_md3);
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, &error);
    if (!edit)
        fail_msg("%s", error.message);
    return edit;
}

static void close_synthetic(lm_edit *edit, blob *file) {
    lm_edit_free(edit);
    blob_free(file);
}

static void expect(const char *words, bool *missing, uint32_t want, const uint32_t *list) {
    uint32_t indices[8], count;
    lm_error error;
    blob file;
    lm_edit *edit = open_synthetic(&file);
    assert_true(lm_edit_pick(edit, LM_EDIT_FRAMES, 0, words, missing, indices, 8, &count, &error));
    assert_int_equal(count, want);
    assert_memory_equal(indices, list, want * sizeof *list);
    close_synthetic(edit, &file);
}

TEST(test_words) {
    bool missing = false;
    const uint32_t last = (uint32_t)small_md3.num_frames - 1;
    expect("0", NULL, 1, (const uint32_t[]){0});
    expect("1,0,,1", NULL, 3, (const uint32_t[]){1, 0, 1});
    expect("0-1", NULL, 2, (const uint32_t[]){0, 1});
    assert_true(last >= 1);
    expect("nobody,1,900", &missing, 1, (const uint32_t[]){1});
    assert_true(missing);
}

static void expect_rejected(const char *words, const char *sentence) {
    uint32_t count;
    lm_error error;
    blob file;
    lm_edit *edit = open_synthetic(&file);
    assert_false(lm_edit_pick(edit, LM_EDIT_FRAMES, 0, words, NULL, NULL, 0, &count, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, sentence));
    close_synthetic(edit, &file);
}

TEST(test_invalid_words) {
    expect_rejected("900", "there is no frame 900: the model has");
    expect_rejected("1-0", "there is no frame \"1-0\"");
    expect_rejected("4294967296", "there is no frame \"4294967296\"");
    expect_rejected("1-", "there is no frame \"1-\"");
}

TEST(test_choices) {
    lm_error error;
    blob file;
    lm_edit *edit = open_synthetic(&file);
    const uint32_t all = (uint32_t)small_md3.num_frames;
    assert_true(lm_edit_choose(edit, LM_EDIT_FRAMES, LM_EDIT_DROP, "1", NULL, &error));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_FRAMES, 0), all - 1);
    assert_true(lm_edit_choose(edit, LM_EDIT_FRAMES, LM_EDIT_ORDER, "0,0", NULL, &error));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_FRAMES, 0), 2);
    assert_true(lm_edit_reverse(edit, "all", NULL, &error));
    assert_true(lm_edit_choose(edit, LM_EDIT_FRAMES, LM_EDIT_KEEP, "1,0", NULL, &error));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_FRAMES, 0), 2);
    assert_false(lm_edit_choose(edit, LM_EDIT_FRAMES, LM_EDIT_DROP, "0-1", NULL, &error));
    assert_string_equal(error.message, "no frames would remain");
    assert_false(lm_edit_choose(edit, LM_EDIT_SKINS, LM_EDIT_KEEP, "0", NULL, &error));
    assert_string_equal(error.message, "the surface is missing: use SURFACE:0");
    assert_true(lm_edit_choose(edit, LM_EDIT_SKINS, LM_EDIT_KEEP, "0:0", NULL, &error));
    assert_int_equal(lm_edit_count(edit, LM_EDIT_SKINS, 0), 1);
    close_synthetic(edit, &file);
}
