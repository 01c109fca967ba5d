/* Tests the codes and messages of rejected edits, and messages about completed ones. */
#include "edits.h"

#include <math.h>

typedef struct refusal {
    int format;
    lm_code code;
    bool (*run)(lm_edit *edit, lm_error *error);
} refusal;

static bool reject_index(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 0, 7, "a", error);
}

static bool reject_surface(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 7, 0, "a", error);
}

static bool reject_length(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "sixteen letters.", error);
}

static bool reject_substituted_length(lm_edit *edit, lm_error *error) {
    return lm_edit_substitute(edit, LM_EDIT_FRAMES, "s/a/0123456789abcdef/", NULL, error);
}

static bool reject_tags(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_TAGS, 0, 0, "a", error);
}

static bool reject_no_frames(lm_edit *edit, lm_error *error) {
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, NULL, 0, error);
}

static bool reject_repeated_skin(lm_edit *edit, lm_error *error) {
    static const uint32_t twice[] = {0, 1, 0};
    return lm_edit_select(edit, LM_EDIT_SKINS, 0, twice, 3, error);
}

static bool reject_frame_out_of_range(lm_edit *edit, lm_error *error) {
    static const uint32_t far[] = {0, 3000000000u};
    return lm_edit_select(edit, LM_EDIT_FRAMES, 0, far, 2, error);
}

static bool reject_clips(lm_edit *edit, lm_error *error) {
    static const uint32_t first[] = {0};
    return lm_edit_select(edit, LM_EDIT_CLIPS, 0, first, 1, error);
}

static bool reject_empty_clip_name(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 0, "", error);
}

static bool reject_list(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, (lm_edit_list)77, 0, 0, "a", error);
}

static bool reject_long_path(lm_edit *edit, lm_error *error) {
    return lm_edit_add_skin(
        edit, 0, "0123456789012345678901234567890123456789012345678901234567890123", error);
}

static bool reject_image_name(lm_edit *edit, lm_error *error) {
    return lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "a", error);
}

static bool reject_no_image(lm_edit *edit, lm_error *error) {
    return lm_edit_select(edit, LM_EDIT_SKINS, 0, NULL, 0, error);
}

static bool reject_image(lm_edit *edit, lm_error *error) {
    return lm_edit_add_skin(edit, 0, "a", error);
}

static bool reject_rounding(lm_edit *edit, lm_error *error) {
    return set_edit_transform(edit, 0, 0, 0.01f, false, error);
}

static bool reject_move_out_of_range(lm_edit *edit, lm_error *error) {
    return set_edit_transform(edit, 0, 0, 400, true, error);
}

static bool reject_scale(lm_edit *edit, lm_error *error) {
    return set_edit_transform(edit, 2, 0, 0, true, error);
}

static bool reject_negative_scale(lm_edit *edit, lm_error *error) {
    return set_edit_transform(edit, -1, 0, 0, true, error);
}

static bool reject_tag_out_of_range(lm_edit *edit, lm_error *error) {
    static const lm_edit_tag far = {.origin = {0, 0, 1e6f}};
    return lm_edit_add_tag(edit, "tag_far", &far, error);
}

static bool reject_huge_transform(lm_edit *edit, lm_error *error) {
    return set_edit_transform(edit, 3e38f, 0, 1e38f, true, error);
}

static bool reject_huge_tag(lm_edit *edit, lm_error *error) {
    static const lm_edit_tag far = {.origin = {0, 3e38f, 0}, .follows = true};
    return lm_edit_add_tag(edit, "tag_far", &far, error);
}

static bool reject_huge_tag_move(lm_edit *edit, lm_error *error) {
    static const lm_vec3 far = {0, 0, -3e38f};
    return lm_edit_move_tag(edit, 0, &far, error);
}

static bool reject_non_finite_tag(lm_edit *edit, lm_error *error) {
    static const lm_edit_tag none = {.origin = {0, NAN, 0}};
    return lm_edit_add_tag(edit, "tag_none", &none, error);
}

static bool reject_append(lm_edit *edit, lm_error *error) {
    static const md2_shape md2 = {2, 7, 9, 4, 3, false};
    static const md3_shape md3 = {4, 1, 2, 5, 3, 1};
    static const mdc_shape mdc = {4, 2, 2, 6, 3, 1, 2, 2, false};
    const char *format = lm_edit_format(edit)->name;
    blob file = strcmp(format, "md2") == 0   ? make_md2(&md2)
                : strcmp(format, "md3") == 0 ? make_md3(&md3)
                : strcmp(format, "mdc") == 0 ? make_mdc(&mdc)
                                             : make_md2(&small_md2);
    lm_edit *other = open_edit(&file);
    const bool done = lm_edit_append(edit, other, error);
    lm_edit_free(other);
    blob_free(&file);
    return done;
}

static bool reject_bounds(lm_edit *edit, lm_error *error) {
    return lm_edit_compute_bounds(edit, error);
}

static bool reject_rate(lm_edit *edit, lm_error *error) {
    const lm_edit_reencode recast = {.fps = 1e9};
    return lm_edit_encode(edit, &recast, NULL, error);
}

static bool reject_reencoding(lm_edit *edit, lm_error *error) {
    const lm_edit_reencode recast = {.degrees = NAN};
    return lm_edit_encode(edit, &recast, NULL, error);
}

static const refusal refusals[] = {
    {MD2, LM_CODE_LIMIT, reject_huge_transform},
    {MD3, LM_CODE_LIMIT, reject_huge_transform},
    {MDL, LM_CODE_LIMIT, reject_huge_transform},
    {MD3, LM_CODE_LIMIT, reject_huge_tag},
    {MD3, LM_CODE_LIMIT, reject_huge_tag_move},
    {MD2, LM_CODE_LIMIT, reject_rate},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_reencoding},
    {MD3, LM_CODE_ROUNDING, reject_rounding},
    {MDC, LM_CODE_ROUNDING, reject_rounding},
    {MD3, LM_CODE_LIMIT, reject_move_out_of_range},
    {MDC, LM_CODE_LIMIT, reject_move_out_of_range},
    {MDC, LM_CODE_LIMIT, reject_scale},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_negative_scale},
    {MDC, LM_CODE_LIMIT, reject_tag_out_of_range},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_non_finite_tag},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_non_finite_tag},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_append},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_append},
    {MDC, LM_CODE_BAD_ARGUMENT, reject_append},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_append},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_bounds},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_index},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_index},
    {MDC, LM_CODE_BAD_ARGUMENT, reject_surface},
    {MD2, LM_CODE_LIMIT, reject_length},
    {MDL, LM_CODE_LIMIT, reject_length},
    {MD3, LM_CODE_LIMIT, reject_substituted_length},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_tags},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_tags},
    {MD3, LM_CODE_BAD_ARGUMENT, reject_no_frames},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_repeated_skin},
    {MDC, LM_CODE_BAD_ARGUMENT, reject_frame_out_of_range},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_clips},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_empty_clip_name},
    {MD2, LM_CODE_BAD_ARGUMENT, reject_list},
    {MD2, LM_CODE_LIMIT, reject_long_path},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_image_name},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_image},
    {MDL, LM_CODE_BAD_ARGUMENT, reject_no_image},
};

TEST(test_failed_edits_change_nothing) {
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        lm_error error = {0};
        uint32_t count;
        AT_END(blob_free) blob file = make_small(refusals[i].format);
        OWNED(lm_edit) *edit = open_edit(&file);
        if (refusals[i].run(edit, &error))
            fail_msg("refusal %zu was done", i);
        assert_false(refusals[i].run(edit, NULL));
        assert_int_equal(error.code, refusals[i].code);
        record_output("%s", error.message);
        lm_edit_changes(edit, &count);
        assert_int_equal(count, 0);
        AT_END(blob_free) blob made = write_edit(edit);
        assert_same_bytes("a refusal", &made, &file);
    }
    assert_matches_golden("edit");
}

TEST(test_changes_are_recorded) {
    static const char *const formats[] = {"MD2", "MD3", "MDC", "MDL"};
    for (int format = 0; format < NUM_FORMATS; format++)
        for (size_t i = 1; i < num_edit_cases; i++) {
            if (!case_applies(&edit_cases[i], format))
                continue;
            uint32_t count;
            AT_END(blob_free) blob file = make_small(format);
            OWNED(lm_edit) *edit = open_edit(&file);
            assert_true(edit_cases[i].run(edit, NULL));
            const lm_edit_change *changes = lm_edit_changes(edit, &count);
            record_output("%s, %s", formats[format], edit_cases[i].name);
            for (uint32_t k = 0; k < count; k++)
                record_output("  %s: %s -> %s", changes[k].what,
                              changes[k].before ? changes[k].before : "(none)",
                              changes[k].after ? changes[k].after : "(none)");
        }
    assert_matches_golden("changes");
}
