/* Tests a report grouped by kind, as the viewer lists it. */

#include "document.h"
#include "testing.h"

/* Three parts, of which the second has no problems: each has a heading, and rows of its own. */
static void check_parts(const problem_groups *groups, lm_report *const *reports) {
    static const uint32_t headings[] = {0, 7, 8}, counts[] = {5, 0, 5};
    const problem_row *rows = (const problem_row *)(void *)groups->rows->data;
    assert_int_equal(groups->rows->len, 15);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rows[headings[i]].kind, PROBLEM_PART);
        assert_int_equal(rows[headings[i]].count, counts[i]);
    }
    for (guint i = 0; i < groups->rows->len; i++) {
        assert_int_equal(rows[i].part, i < 7 ? 0 : i == 7 ? 1 : 2);
        for (uint32_t k = 0; k < rows[i].count; k++)
            assert_in_range(groups->order->pdata[rows[i].first + k],
                            reports[rows[i].part]->problems, reports[rows[i].part]->problems + 4);
    }
}

/* Errors come first; several of a kind get a heading row. */
TEST(test_groups) {
    static const lm_diagnostic problems[] = {
        {.code = LM_CODE_SEAMS, .severity = LM_SEVERITY_NOTE},
        {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_SEVERITY_WARNING},
        {.code = LM_CODE_UNUSED_VERTICES, .severity = LM_SEVERITY_WARNING},
        {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_SEVERITY_WARNING},
        {.code = LM_CODE_IO, .severity = LM_SEVERITY_ERROR}};
    lm_diagnostic others[5];
    memcpy(others, problems, sizeof others);
    lm_report report = {.num_problems = 5, .problems = problems};
    lm_report other = {.num_problems = 5, .problems = others};
    lm_report *reports[] = {&report, NULL, &other};
    problem_groups groups = problem_groups_new(reports, 1);
    const problem_row *rows = (const problem_row *)(void *)groups.rows->data;
    void *const *order = groups.order->pdata;
    uint32_t kinds = 0;
    assert_int_equal(groups.rows->len, 6); /* five, and one for the two */
    assert_ptr_equal(order[rows[0].first], &problems[4]);
    assert_ptr_equal(order[rows[5].first], &problems[0]);
    for (guint i = 0; i < 6; i++)
        if (rows[i].count == 2) {
            kinds++;
            assert_ptr_equal(order[rows[i].first], &problems[1]);
            assert_ptr_equal(order[rows[i].first + 1], &problems[3]);
            assert_int_equal(rows[i + 1].first, rows[i].first);
            assert_int_equal(rows[i + 2].first, rows[i].first + 1);
        }
    assert_int_equal(kinds, 1);
    problem_groups_clear(&groups);
    groups = problem_groups_new(&reports[1], 1);
    assert_int_equal(groups.rows->len, 0);
    problem_groups_clear(&groups);
    groups = problem_groups_new(reports, 3);
    check_parts(&groups, reports);
    problem_groups_add(&groups, &problems[1]);
    const problem_row *file = &g_array_index(groups.rows, problem_row, 15);
    assert_true(file->kind == PROBLEM_ONE && file->part == LM_NO_PART && file->count == 1);
    assert_ptr_equal(groups.order->pdata[file->first], &problems[1]);
    problem_groups_clear(&groups);
}
