/* Tests a report grouped by kind, as the viewer lists it. */

#include "document.h"
#include "testing.h"

/* Three parts, of which the second has no problems: each has a heading, and rows of its own. */
static void check_parts(const problem_groups *groups) {
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
            assert_int_equal(g_array_index(groups->order, problem_place, rows[i].first + k).part,
                             rows[i].part);
    }
}

/* Errors come first; several of a kind get a heading row. */
TEST(test_groups) {
    static const lm_diagnostic problems[] = {
        {.code = LM_CODE_SEAMS, .severity = LM_NOTE},
        {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_WARNING},
        {.code = LM_CODE_UNUSED_VERTICES, .severity = LM_WARNING},
        {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_WARNING},
        {.code = LM_CODE_IO, .severity = LM_ERROR}};
    lm_report report = {.num_problems = 5, .problems = problems};
    lm_report *reports[] = {&report, NULL, &report};
    problem_groups groups = problem_groups_new(reports, 1);
    const problem_row *rows = (const problem_row *)(void *)groups.rows->data;
    const problem_place *order = (const problem_place *)(void *)groups.order->data;
    uint32_t kinds = 0;
    assert_int_equal(groups.rows->len, 6); /* five, and one for the two */
    assert_int_equal(order[rows[0].first].index, 4);
    assert_int_equal(order[rows[5].first].index, 0);
    for (guint i = 0; i < 6; i++)
        if (rows[i].count == 2) {
            kinds++;
            assert_int_equal(order[rows[i].first].index, 1);
            assert_int_equal(order[rows[i].first + 1].index, 3);
            assert_int_equal(rows[i + 1].first, rows[i].first);
            assert_int_equal(rows[i + 2].first, rows[i].first + 1);
        }
    assert_int_equal(kinds, 1);
    problem_groups_clear(&groups);
    groups = problem_groups_new(&reports[1], 1);
    assert_int_equal(groups.rows->len, 0);
    problem_groups_clear(&groups);
    groups = problem_groups_new(reports, 3);
    check_parts(&groups);
    problem_groups_clear(&groups);
}
