/* Tests the fixes of problems. */
#include "edits.h"

/* Returns the problem of a code, copied without its texts. */
static bool find_problem(const blob *file, lm_code code, lm_diagnostic *found) {
    lm_report *report = lm_check_memory(file->data, file->size, NULL, NULL);
    bool any = false;
    for (uint32_t i = 0; i < report->num_problems && !any; i++)
        if (report->problems[i].code == code) {
            *found = report->problems[i];
            found->text = NULL;
            found->location.section = NULL;
            any = true;
        }
    lm_report_free(report);
    return any;
}

/* Fixes all problems of a code, one at a time: none is left, and all sizes stay. */
static void fix_code(const char *path, const blob *file, lm_code code) {
    lm_diagnostic problem;
    lm_error error;
    if (!find_problem(file, code, &problem))
        return;
    lm_edit *edit = open_edit(file);
    blob made = write_edit(edit);
    for (int i = 0; i < 200 && find_problem(&made, code, &problem); i++) {
        lm_buffer sentence = {0};
        if (!lm_edit_can_fix(edit, &problem, &sentence)) {
            assert_int_equal(sentence.size, 0);
            assert_false(lm_edit_fix(edit, &problem, &error));
            assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
            break;
        }
        assert_true(sentence.size > 0 && sentence.data[sentence.size - 1] == '.');
        assert_true(lm_edit_fix(edit, &problem, &error));
        lm_buffer_free(&sentence);
        blob next = write_edit(edit);
        assert_int_equal(next.size, file->size);
        if (memcmp(next.data, made.data, next.size) == 0)
            fail_msg("%s: %s: the fix changed nothing", path, lm_code_name(code));
        blob_free(&made);
        made = next;
    }
    if (find_problem(&made, code, &problem) && lm_edit_can_fix(edit, &problem, NULL))
        fail_msg("%s: %s is left", path, lm_code_name(code));
    lm_edit_free(edit);
    blob_free(&made);
}

static const lm_code codes[] = {
    LM_CODE_SKIN_PATH,      LM_CODE_NAME_JUNK,  LM_CODE_TAG_NAME,         LM_CODE_HEADER_NAME,
    LM_CODE_OUTSIDE_BOUNDS, LM_CODE_BAD_BOUNDS, LM_CODE_IDENTICAL_NORMALS};

static void fix_all(const char *path, const blob *file) {
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        fix_code(path, file, codes[i]);
}

static void test_real_files(void **state) {
    (void)state;
    each_model(fix_all);
}

/* Returns the bytes that differ. */
static size_t count_changed(const blob *a, const blob *b, size_t *first, size_t *end) {
    size_t count = 0;
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++)
        if (a->data[i] != b->data[i]) {
            *first = count++ ? *first : i;
            *end = i + 1;
        }
    return count;
}

/* Only the path's field changes. */
static void test_path(void **state) {
    (void)state;
    static const char *const paths[][2] = {{"Models\\Box\\SKIN.pcx", "models/box/skin.pcx"},
                                           {"models/\xffX.pcx", "models/\xffx.pcx"},
                                           {"models/\nX.pcx", "models/\nx.pcx"}};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        blob file = make_md2(&small_md2);
        lm_edit *edit = open_edit(&file);
        lm_diagnostic problem;
        lm_error error;
        size_t first = 0, end = 0;
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, paths[i][0], NULL));
        blob bad = write_edit(edit);
        lm_edit_free(edit);
        assert_true(find_problem(&bad, LM_CODE_SKIN_PATH, &problem));
        edit = open_edit(&bad);
        assert_true(lm_edit_fix(edit, &problem, &error));
        assert_edit_name(edit, LM_EDIT_SKINS, 0, paths[i][1]);
        blob good = write_edit(edit);
        const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
        assert_true(count_changed(&bad, &good, &first, &end) > 0);
        assert_true(first >= skins && end <= skins + 64);
        assert_false(lm_edit_fix(edit, &problem, &error)); /* there is nothing left */
        lm_edit_free(edit);
        blob_free(&good), blob_free(&bad), blob_free(&file);
    }
}

/* Bytes after a name become zeros, and no other byte changes. */
static void test_junk(void **state) {
    (void)state;
    blob file = make_md2(&small_md2), good;
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
    size_t first = 0, end = 0;
    lm_diagnostic problem;
    lm_error error;
    file.data[skins + 60] = 'x';
    assert_true(find_problem(&file, LM_CODE_NAME_JUNK, &problem));
    lm_edit *edit = open_edit(&file);
    assert_true(lm_edit_fix(edit, &problem, &error));
    good = write_edit(edit);
    assert_int_equal(count_changed(&file, &good, &first, &end), 1);
    assert_int_equal(first, skins + 60);
    lm_edit_free(edit);
    blob_free(&good), blob_free(&file);
}

static void test_no_fix(void **state) {
    (void)state;
    blob file = make_md2(&small_md2);
    lm_edit *edit = open_edit(&file);
    lm_error error;
    for (int code = 0; code <= LM_NUM_CODES; code++) {
        const lm_diagnostic odd = {.code = (lm_code)code,
                                   .location = {.surface = UINT32_MAX, .index = UINT32_MAX}};
        if (!lm_edit_can_fix(edit, &odd, NULL))
            assert_false(lm_edit_fix(edit, &odd, &error));
    }
    lm_edit_free(edit);
    blob_free(&file);
}

/* A fix that runs out of memory changes nothing. */
static void test_lack_of_memory(void **state) {
    (void)state;
    blob file = make_md2(&small_md2);
    file.data[get32(&file, MD2_AT_OFS_SKINS) + 60] = 'x';
    const lm_diagnostic problem = {.code = LM_CODE_NAME_JUNK};
    bool fixed = false;
    for (size_t after = 1; !fixed; after++) {
        counted counts = {0};
        lm_error error = {0};
        const lm_load_options options = {.memory = {.allocator = counting_allocator(&counts)}};
        lm_edit *edit = lm_edit_open(file.data, file.size, &options, NULL);
        assert_non_null(edit);
        counts.fail_at = counts.calls + after;
        fixed = lm_edit_fix(edit, &problem, &error);
        counts.fail_at = 0;
        blob made = write_edit(edit);
        assert_int_equal(error.code, fixed ? LM_CODE_OK : LM_CODE_OUT_OF_MEMORY);
        assert_int_equal(memcmp(made.data, file.data, file.size) == 0, !fixed);
        blob_free(&made);
        lm_edit_free(edit);
    }
    blob_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_files),     cmocka_unit_test(test_path),
        cmocka_unit_test(test_junk),           cmocka_unit_test(test_no_fix),
        cmocka_unit_test(test_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
