/* Tests a report grouped by kind, as the viewer lists it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "problem_groups.h"

/* Errors come first; several of a kind get a heading row. */
static void test_groups(void **state) {
    static const lm_diagnostic problems[] = {
        {.code = LM_CODE_SEAMS, .severity = LM_NOTE},
        {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_WARNING},
        {.code = LM_CODE_UNUSED_VERTICES, .severity = LM_WARNING},
        {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_WARNING},
        {.code = LM_CODE_IO, .severity = LM_ERROR}};
    const lm_report report = {.num_problems = 5, .problems = problems};
    problem_groups groups = problem_groups_new(&report);
    const problem_row *rows = (const problem_row *)(void *)groups.rows->data;
    const uint32_t *order = (const uint32_t *)(void *)groups.order->data;
    uint32_t kinds = 0;
    (void)state;
    assert_int_equal(groups.rows->len, 6); /* five, and one for the two */
    assert_int_equal(order[rows[0].first], 4);
    assert_int_equal(order[rows[5].first], 0);
    for (guint i = 0; i < 6; i++)
        if (rows[i].count == 2) {
            kinds++;
            assert_int_equal(order[rows[i].first], 1);
            assert_int_equal(order[rows[i].first + 1], 3);
            assert_int_equal(rows[i + 1].first, rows[i].first);
            assert_int_equal(rows[i + 2].first, rows[i].first + 1);
        }
    assert_int_equal(kinds, 1);
    problem_groups_clear(&groups);
    groups = problem_groups_new(NULL);
    assert_int_equal(groups.rows->len, 0);
    problem_groups_clear(&groups);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
